//! A cache that the test holds itself, so that thousands of changes are quick.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use toolgate::sandbox::cache::{Cache, EntryKey};

use crate::home::Home;

/// Real code in a cache of its own.
struct Held {
    /// Holds the directories.
    _home: Home,
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
            _home: home,
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
    let flips = 2_000
        * if std::env::var_os("TOOLGATE_SOAK").is_some() {
            5
        } else {
            1
        };
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..flips {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
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
        EntryKey {
            component: &[8; 32],
            ..KEY
        },
        EntryKey {
            engine: &[8; 32],
            ..KEY
        },
        EntryKey {
            kind: "definitions",
            ..KEY
        },
    ] {
        held.cache.put(other, b"other");
        let name = fs::read_dir(held.file.parent().unwrap())
            .unwrap()
            .map(|entry| entry.unwrap().path());
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
    let stop = Arc::new(AtomicBool::new(false));
    let attacker = std::thread::spawn({
        let (stop, path) = (Arc::clone(&stop), held.file.clone());
        move || {
            let file = fs::File::options().write(true).open(&path).unwrap();
            let middle = sound.len() as u64 / 2;
            while !stop.load(Ordering::Relaxed) {
                file.write_all_at(b"EVIL", middle).unwrap();
                file.write_all_at(&sound[middle as usize..][..4], middle).unwrap();
                file.set_len(middle).unwrap();
                file.write_all_at(&sound, 0).unwrap();
            }
        }
    });
    let (mut whole, mut refused) = (0, 0);
    for _ in 0..5_000 {
        if held.get() {
            whole += 1
        } else {
            refused += 1
        }
        if whole > 50 && refused > 50 {
            break;
        }
    }
    stop.store(true, Ordering::Relaxed);
    attacker.join().unwrap();
    assert!(whole > 0 && refused > 0, "{whole} whole, {refused} refused");
}
