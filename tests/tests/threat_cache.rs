//! C01, C02: whatever stands in the cache of compiled code, only what this user's Toolgate wrote for
//! this component is ever made executable.

use std::fs;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};
use tempfile::TempDir;
use toolgate::sandbox::cache::{Cache, EntryKey};
use toolgate_tests::support::toolgate;

/// Words of the one line that a damaged cache is worth.
const WARNING: &str = "a cache file is ignored";

/// A home with a filled cache, and the file in it that `stat` runs from.
struct Home {
    folder: TempDir,
    code: PathBuf,
}

/// How one call of `stat` went.
struct Outcome {
    succeeded: bool,
    warnings: usize,
    text: String,
}

impl Home {
    /// A copy of one that was filled once: compiling takes long.
    fn new() -> Self {
        static FILLED: LazyLock<Home> = LazyLock::new(Home::fill);
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("root")).unwrap();
        let copied = Command::new("cp")
            .arg("-a")
            .args(["cache", "state"].map(|part| FILLED.folder.path().join(part)))
            .arg(folder.path())
            .status()
            .unwrap();
        assert!(copied.success());
        let home = Self {
            code: folder.path().join(FILLED.code.strip_prefix(FILLED.folder.path()).unwrap()),
            folder,
        };
        home.call().unwrap();
        home
    }

    fn fill() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("root")).unwrap();
        let mut home = Self {
            code: PathBuf::new(),
            folder,
        };
        home.call().unwrap();
        let all = home.codes();
        for file in &all {
            fs::rename(file, file.with_extension("aside")).unwrap();
        }
        // Definitions are in the cache, so only the code that the call needs is made again.
        home.call().unwrap();
        home.code = home.codes().remove(0);
        for file in &all {
            fs::rename(file.with_extension("aside"), file).unwrap();
        }
        home.call().unwrap();
        home
    }

    /// The files of compiled code.
    fn codes(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.cache()).unwrap();
        let files = entries.map(|entry| entry.unwrap().path());
        files.filter(|file| file.extension().is_some_and(|kind| kind == "code")).collect()
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache/toolgate")
    }

    fn environment(&self, command: &mut Command) {
        let base = self.folder.path();
        command
            .env("HOME", base)
            .env("XDG_CONFIG_HOME", base.join("config"))
            .env("XDG_CACHE_HOME", base.join("cache"))
            .env("XDG_STATE_HOME", base.join("state"))
            .env_remove("TOOLGATE_LOG");
    }

    fn stat(&self) -> Outcome {
        let mut command = Command::new(toolgate());
        self.environment(&mut command);
        let output = command
            .args(["call", "stat", r#"{"path": "."}"#, "--root"])
            .arg(self.folder.path().join("root"))
            .output()
            .unwrap();
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        Outcome {
            succeeded: output.status.success() && text.contains(r#""is_dir":true"#),
            warnings: text.matches(WARNING).count(),
            text,
        }
    }

    /// A call with nothing to complain about.
    fn call(&self) -> Result<(), String> {
        let outcome = self.stat();
        if outcome.succeeded && outcome.warnings == 0 { Ok(()) } else { Err(outcome.text) }
    }

    /// After damage: the call works, says one line, and leaves a sound file behind.
    fn heals(&self, damage: &str) {
        let damaged = fs::symlink_metadata(&self.code).unwrap().ino();
        let outcome = self.stat();
        assert!(outcome.succeeded, "{damage}: {}", outcome.text);
        assert_eq!(outcome.warnings, 1, "{damage}: {}", outcome.text);
        let now = fs::symlink_metadata(&self.code).unwrap();
        assert!(now.ino() != damaged && now.is_file(), "{damage}: not made anew");
        self.call().unwrap_or_else(|text| panic!("after {damage}: {text}"));
    }
}

fn flip(file: &Path, bit: u64) {
    let mut bytes = fs::read(file).unwrap();
    bytes[(bit / 8) as usize] ^= 1 << (bit % 8);
    fs::write(file, bytes).unwrap();
}

#[test]
fn c01_damaged_code_is_compiled_anew() {
    let home = Home::new();
    let size = fs::metadata(&home.code).unwrap().len();
    // Header, MAC, and code from its start to its last bit.
    for bit in [0, 63, 64, 300, 320, 8 * 4_096, size * 4, size * 8 - 1] {
        flip(&home.code, bit);
        home.heals(&format!("a flipped bit {bit}"));
    }
    for length in [0, 1, 39, 40, 41, 4_096, size / 8_192 * 4_096, size - 1] {
        fs::File::options().write(true).open(&home.code).unwrap().set_len(length).unwrap();
        home.heals(&format!("a length of {length}"));
    }
    fs::write(&home.code, vec![0; size as usize]).unwrap();
    home.heals("zeroes");
    let mut longer = fs::read(&home.code).unwrap();
    longer.push(0);
    fs::write(&home.code, longer).unwrap();
    home.heals("one byte more");
}

#[test]
fn c01_code_of_another_component_is_not_taken() {
    let home = Home::new();
    let other = home.codes().into_iter().find(|file| *file != home.code).unwrap();
    fs::copy(&other, &home.code).unwrap();
    home.heals("the code of another component");
    // Its own definitions are authentic, but are no code.
    let name = home.code.file_stem().unwrap().to_str().unwrap().to_owned();
    let definitions = home.cache().join(format!("{name}.definitions"));
    fs::copy(&definitions, &home.code).unwrap();
    home.heals("definitions in place of code");
    fs::copy(&home.code, &definitions).unwrap();
    let outcome = home.stat();
    assert!(outcome.succeeded && outcome.warnings == 1, "{}", outcome.text);
}

#[test]
fn c01_what_is_no_private_file_is_not_read() {
    let home = Home::new();
    let sound = fs::read(&home.code).unwrap();
    let elsewhere = home.folder.path().join("elsewhere");
    fs::write(&elsewhere, &sound).unwrap();

    fs::remove_file(&home.code).unwrap();
    mknodat(CWD, &home.code, FileType::Fifo, Mode::RUSR | Mode::WUSR, makedev(0, 0)).unwrap();
    home.heals("a pipe");
    for target in [elsewhere.as_path(), Path::new("/dev/zero"), Path::new("nowhere")] {
        fs::remove_file(&home.code).unwrap();
        symlink(target, &home.code).unwrap();
        home.heals(&format!("a link to {}", target.display()));
    }
    for mode in [0o666, 0o620] {
        fs::set_permissions(&home.code, fs::Permissions::from_mode(mode)).unwrap();
        home.heals(&format!("mode {mode:o}"));
    }
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&home.code, Some(12_345), None).unwrap();
        home.heals("another owner");
    } else {
        eprintln!("not root: files of another owner are left out");
    }
    // A directory cannot be replaced by a file; the tool works without.
    fs::remove_file(&home.code).unwrap();
    fs::create_dir(&home.code).unwrap();
    let outcome = home.stat();
    assert!(outcome.succeeded && outcome.warnings == 1, "{}", outcome.text);
    fs::remove_dir(&home.code).unwrap();
    home.call().unwrap();
}

#[test]
fn c01_a_cache_open_to_others_is_not_used() {
    let home = Home::new();
    let key = home.folder.path().join("state/toolgate/cache.key");
    assert_eq!(fs::metadata(&key).unwrap().mode() & 0o7777, 0o600);
    assert_eq!(fs::metadata(home.cache()).unwrap().mode() & 0o7777, 0o700);
    let unused = |what: &str| {
        let outcome = home.stat();
        assert!(outcome.succeeded, "{what}: {}", outcome.text);
        assert!(outcome.text.contains("the cache is not used"), "{what}: {}", outcome.text);
    };
    fs::set_permissions(home.cache(), fs::Permissions::from_mode(0o777)).unwrap();
    unused("a cache that others may write to");
    fs::set_permissions(home.cache(), fs::Permissions::from_mode(0o700)).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    unused("a key that others may read");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    home.call().unwrap();
    // With a new key nothing old is authentic: it might be another user's.
    fs::remove_file(&key).unwrap();
    home.heals("a new key");
}

/// Real code in a cache that the test holds itself, so that thousands of changes are quick.
struct Held {
    home: Home,
    cache: Cache,
    payload: Vec<u8>,
    file: PathBuf,
}

const KEY: EntryKey<'static> = EntryKey {
    component: &[7; 32],
    engine: &[9; 32],
    kind: "code",
};

impl Held {
    fn new() -> Self {
        let home = Home::new();
        let payload = fs::read(&home.code).unwrap();
        let (directory, state) = (home.folder.path().join("own"), home.folder.path().join("own-state"));
        let cache = Cache::open(&directory, &state).unwrap();
        cache.put(KEY, &payload);
        let file = fs::read_dir(&directory).unwrap().next().unwrap().unwrap().path();
        let held = Self {
            home,
            cache,
            payload,
            file,
        };
        assert!(held.get());
        held
    }

    /// Whether the cache gives the entry; what it gives is never anything else.
    fn get(&self) -> bool {
        match self.cache.get(KEY) {
            Some(found) => {
                assert!(found.bytes() == self.payload, "not what was stored");
                true
            }
            None => false,
        }
    }
}

#[test]
fn c01_no_flipped_bit_and_no_cut_is_authentic() {
    let held = Held::new();
    let sound = fs::read(&held.file).unwrap();
    let file = fs::File::options().read(true).write(true).open(&held.file).unwrap();
    let flips = 2_000 * if std::env::var_os("TOOLGATE_SOAK").is_some() { 5 } else { 1 };
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..flips {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bit = (random >> 20) % (sound.len() as u64 * 8);
        let at = bit / 8;
        let byte = sound[at as usize];
        file.write_all_at(&[byte ^ 1 << (bit % 8)], at).unwrap();
        assert!(!held.get(), "bit {bit}");
        file.write_all_at(&[byte], at).unwrap();
    }
    assert!(held.get());
    for length in (0..sound.len()).step_by(4_096) {
        fs::write(&held.file, &sound[..length]).unwrap();
        assert!(!held.get(), "{length} bytes");
    }
    fs::write(&held.file, &sound).unwrap();
    assert!(held.get());
    // The same bytes as something else.
    for other in [
        EntryKey { component: &[8; 32], ..KEY },
        EntryKey { engine: &[8; 32], ..KEY },
        EntryKey { kind: "definitions", ..KEY },
    ] {
        held.cache.put(other, b"other");
        let name = fs::read_dir(held.file.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
        let theirs = name.into_iter().find(|path| *path != held.file).unwrap();
        fs::copy(&held.file, &theirs).unwrap();
        assert!(held.cache.get(other).is_none(), "{other:?}");
        fs::remove_file(theirs).unwrap();
    }
}

/// A file that changes while it is read: what passes is what was checked.
#[test]
fn c02_nothing_changes_between_check_and_use() {
    let held = Held::new();
    let sound = fs::read(&held.file).unwrap();
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let attacker = std::thread::spawn({
        let (stop, path) = (std::sync::Arc::clone(&stop), held.file.clone());
        move || {
            let file = fs::File::options().write(true).open(&path).unwrap();
            let middle = sound.len() as u64 / 2;
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                file.write_all_at(b"EVIL", middle).unwrap();
                file.write_all_at(&sound[middle as usize..][..4], middle).unwrap();
                file.set_len(middle).unwrap();
                file.write_all_at(&sound, 0).unwrap();
            }
        }
    });
    let (mut whole, mut refused) = (0, 0);
    for _ in 0..5_000 {
        if held.get() { whole += 1 } else { refused += 1 }
        if whole > 50 && refused > 50 {
            break;
        }
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    attacker.join().unwrap();
    assert!(whole > 0 && refused > 0, "{whole} whole, {refused} refused");
}

#[test]
fn c02_the_file_is_read_once_and_never_mapped() {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    if !std::env::split_paths(&folders).any(|folder| folder.join("strace").is_file()) {
        eprintln!("no strace: left out");
        return;
    }
    let held = Held::new();
    let log = held.home.folder.path().join("log");
    let mut strace = Command::new("strace");
    held.home.environment(&mut strace);
    let output = strace
        .args(["-f", "-y", "-qq", "-e", "trace=open,openat,openat2,mmap,read,pread64", "-o"])
        .arg(&log)
        .arg(toolgate())
        .args(["call", "stat", r#"{"path": "."}"#, "--root"])
        .arg(held.home.folder.path().join("root"))
        .output()
        .unwrap();
    assert!(output.status.success());
    let name = held.home.code.file_name().unwrap().to_str().unwrap();
    let text = fs::read_to_string(log).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| line.contains(name)).collect();
    let opened = lines.iter().filter(|line| line.contains("open")).count();
    assert_eq!(opened, 1, "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("read(")), "{lines:#?}");
    assert!(lines.iter().all(|line| !line.contains("mmap")), "{lines:#?}");
}
