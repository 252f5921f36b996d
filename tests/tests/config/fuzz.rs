//! Files broken at random: they load or are refused with a reason, and nothing panics.

use std::time::{Duration, Instant};

use toolgate::config::{Layers, json, text};

use crate::scratch::Scratch;

/// Xorshift: the same run every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (sides.max(1) as u64)).unwrap()
    }
}

const SCRAPS: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"'",
    b"\n",
    b"=",
    b".",
    b",",
    b":",
    b"\\u0000",
    b"null",
    b"true",
    b"-1",
    b"1e999",
    b"inf",
    b"nan",
    b"18446744073709551616",
    b"[[x]]\n",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\\",
    b"{a={a={a=1}}}",
    b"permissions",
    b"\"alerts\":{\"targets\":[{}]}",
    b"*",
    b"[",
    b"://",
    b"@",
    b"$X",
    "\u{1F600}é".as_bytes(),
    b"1979-05-27T07:32:00Z",
    b"0x7fffffffffffffff",
];

fn mutate(seed: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=dice.roll(4) {
        let at = dice.roll(bytes.len() + 1);
        match dice.roll(5) {
            0 if at < bytes.len() => bytes[at] = u8::try_from(dice.roll(256)).unwrap(),
            1 => bytes.truncate(at),
            2 => {
                let end = (at + dice.roll(20)).min(bytes.len());
                bytes.drain(at..end);
            }
            3 => {
                let end = (at + dice.roll(60)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = dice.roll(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            _ => drop(bytes.splice(at..at, SCRAPS[dice.roll(SCRAPS.len())].iter().copied())),
        }
    }
    bytes
}

/// Every file of the table, and its TOML twin where there is one.
fn seeds() -> Vec<(bool, String)> {
    let table: serde_json::Value = serde_json::from_str(include_str!("../../vectors/config.json")).unwrap();
    let mut seeds = Vec::new();
    for row in table["rows"].as_array().unwrap() {
        for part in ["files", "project"] {
            for (name, text) in row[part].as_object().into_iter().flatten() {
                let text = text.as_str().unwrap().to_owned();
                if let Ok(value) = serde_json::from_str::<serde_json::Value>(&text)
                    && let Ok(twin) = toml::to_string(&value)
                {
                    seeds.push((false, twin));
                }
                seeds.push((name.ends_with(".json"), text));
            }
        }
    }
    seeds
}

fn run(seed: u64, mut goes_on: impl FnMut(usize) -> bool) -> (usize, usize) {
    let seeds = seeds();
    assert!(seeds.len() > 150, "{}", seeds.len());
    let scratch = Scratch::new();
    let mut dice = Dice(seed);
    let (mut rounds, mut loaded) = (0, 0);
    while goes_on(rounds) {
        let (is_json, seed) = &seeds[dice.roll(seeds.len())];
        let name = if *is_json { "config.json" } else { "toolgate.toml" };
        let bytes = mutate(seed.as_bytes(), &mut dice);
        let mut options = scratch.options();
        if dice.roll(2) == 0 {
            options.config = vec![scratch.write(name, &bytes)];
        } else {
            let other = if *is_json { "toolgate.toml" } else { "config.json" };
            let _ = std::fs::remove_file(scratch.path(&format!("project/.agents/{other}")));
            scratch.write(&format!("project/.agents/{name}"), &bytes);
        }
        match Layers::discover(&options) {
            Ok(effective) => {
                assert_eq!(
                    effective.config.validate(),
                    Ok(()),
                    "{}",
                    String::from_utf8_lossy(&bytes)
                );
                assert!(!text(&effective).is_empty() && json(&effective).is_object());
                if options.config.is_empty() {
                    let config = &effective.config;
                    let gained = !config.permissions.allow.is_empty()
                        || config.permissions.unscoped
                        || config.permissions.mode == toolgate::Mode::Yolo
                        || !config.path_scope.allow_paths.is_empty()
                        || !config.tools.plugins.is_empty()
                        || config.limits.memory_bytes > 256 << 20;
                    assert!(!gained, "{}", String::from_utf8_lossy(&bytes));
                }
                loaded += 1;
            }
            Err(errors) => {
                assert!(!errors.problems().is_empty());
                for problem in errors.problems() {
                    assert!(problem.to_string().contains(name), "{problem}");
                    assert!(!problem.reason.is_empty());
                    assert!(
                        !problem.reason.contains("unknown field"),
                        "the schema should have found it: {problem}"
                    );
                }
            }
        }
        rounds += 1;
    }
    (rounds, loaded)
}

#[test]
fn some_broken_files() {
    let (rounds, loaded) = run(0x9e37_79b9_7f4a_7c15, |round| round < 3000);
    assert!(loaded * 40 > rounds, "too few of the files load: {loaded} of {rounds}");
}

#[test]
#[ignore = "takes a minute"]
fn a_minute_of_broken_files() {
    let end = Instant::now() + Duration::from_secs(60);
    let seed = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_nanos();
    let seed = u64::try_from(seed % u128::from(u64::MAX)).unwrap() | 1;
    println!("seed {seed}: {:?}", run(seed, |_| Instant::now() < end));
}
