//! FX-08: what a digest stands for can be had back, byte for byte.

use proptest::prelude::*;
use serde_json::json;
use toolgate::output::digest::prune;
use toolgate::{Call, Mode, SessionOptions};

use crate::scratch::{Scratch, check};
use crate::trees::utf8;

#[test]
fn an_original_comes_back_as_it_was() {
    let scratch = Scratch::new();
    let plain = scratch.host(Mode::Yolo, |_| {});
    let digesting = scratch.host(Mode::Yolo, |config| config.tool_output.digest = true);
    let digests = std::cell::Cell::new(0);
    let files = prop::collection::vec(utf8(), 1..60);
    check(64, (files, 1..20_000_u64), |(files, page)| {
        let top = scratch.inside().join("case");
        std::fs::create_dir(&top).unwrap();
        for (number, content) in files.iter().enumerate() {
            std::fs::write(top.join(format!("{number} \"é\".txt")), content.repeat(5)).unwrap();
        }
        let session = digesting.session(SessionOptions::default());
        for (id, tool, arguments) in [
            ("one", "grep", json!({"pattern": "^", "path": "case"})),
            ("two", "grep", json!({"pattern": "needle|é", "path": "case"})),
            ("three", "read_many_files", json!({"pattern": "*", "path": "case"})),
            ("four", "list_dir", json!({"path": "case"})),
            ("five", "glob", json!({"pattern": "*", "path": "case"})),
        ] {
            let call = || Call::new(tool, arguments.clone()).id(id);
            let (Ok(result), Ok(original)) = (
                session.call_blocking(call()),
                plain.session(SessionOptions::default()).call_blocking(call()),
            ) else {
                continue;
            };
            let pruned = prune(&original.text).text;
            assert_eq!(prune(&pruned).text, pruned);
            let Some(payload) = result.payload else {
                assert_eq!(result.value, original.value, "{tool}");
                continue;
            };
            digests.set(digests.get() + 1);
            assert!(result.text.len() < original.text.len());
            let (mut joined, mut offset) = (String::new(), Some(0));
            while let Some(at) = offset {
                // A page must have room for a character.
                let arguments = json!({"call_id": payload, "offset": at, "limit": page.max(4)});
                let part = session
                    .call_blocking(Call::new("retrieve_raw", arguments))
                    .unwrap()
                    .value;
                joined.push_str(part["raw"].as_str().unwrap());
                offset = part.get("next_offset").map(|next| next.as_u64().unwrap());
                assert_eq!(part["total_bytes"], original.text.len());
            }
            assert!(
                joined == original.text,
                "{tool}: {joined:.200} is not {:.200}",
                original.text
            );
        }
        std::fs::remove_dir_all(&top).unwrap();
    });
    assert!(digests.get() > 20, "only {} digests", digests.get());
}
