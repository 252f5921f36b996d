//! Paths that have led out of other sandboxes, or past their deny lists.

use std::path::Path;

/// What leads there in some spelling: outside, to something denied, or to a magic link.
pub(crate) fn targets(base: &Path) -> Vec<String> {
    let outside = base.join("O").to_str().unwrap().to_owned();
    let inside = base.join("W").to_str().unwrap().to_owned();
    let fixed = [
        "../O/canary.txt",
        "../../O/canary.txt",
        "../W/../O/canary.txt",
        "..",
        "../..",
        "../O",
        "dir/../../O/canary.txt",
        "a/b/c/../../../../O/canary.txt",
        "nowhere/../../O/canary.txt",
        "file.txt/../../O/canary.txt",
        "..\\O\\canary.txt",
        "..%2fO%2fcanary.txt",
        "%2e%2e/O/canary.txt",
        "..;/O/canary.txt",
        "．．/O/canary.txt",
        "..\u{200b}/O/canary.txt",
        "..\0/O/canary.txt",
        "../O/canary.txt\0.txt",
        ".../O/canary.txt",
        ".. /O/canary.txt",
        "~/canary.txt",
        "C:\\O\\canary.txt",
        "\\\\?\\O\\canary.txt",
        "l_out/canary.txt",
        "l_out/sub/../canary.txt",
        "l_out_abs/canary.txt",
        "l_file_out",
        "l_file_abs",
        "l_chain_out/canary.txt",
        "dir/upup/O/canary.txt",
        "dir/up/l_out/canary.txt",
        "dir/up/../O/canary.txt",
        "a/b/far/canary.txt",
        "l_root/etc/passwd",
        "l_cwd/Cargo.toml",
        "l_fd/0",
        "/proc/self/root/etc/passwd",
        "/etc/passwd",
        "//etc/passwd",
        "secrets/key.txt",
        "secrets/deep/key.txt",
        "secrets",
        "secrets/deep",
        "secrets/new.txt",
        ".env",
        "dir/.env",
        "a/.env",
        ".env/x",
        "l_denied/key.txt",
        "l_denied/deep/key.txt",
        "l_denied",
        "l_env",
        "dir/up/.env",
        "dir/up/secrets/key.txt",
        "l_chain/up/secrets/key.txt",
        "l_loop/x",
    ];
    let absolute = [
        format!("{outside}/canary.txt"),
        format!("/{outside}/canary.txt"),
        format!("file://{outside}/canary.txt"),
        format!("{inside}/file.txt"),
        format!("/proc/self/root{outside}/canary.txt"),
        format!("l_root{outside}/canary.txt"),
    ];
    fixed.into_iter().map(str::to_owned).chain(absolute).collect()
}

/// What may stand before a path without changing what it means, or so it seems.
pub(crate) const BEFORE: [&str; 12] = [
    "",
    "./",
    ".//./",
    "dir/../",
    "a/b/../../",
    "nowhere/../",
    "file.txt/../",
    "l_dir/../",
    "l_out/../",
    "l_dangling/../",
    "dir/up/",
    "l_chain/up/",
];

/// What may stand behind it.
pub(crate) const BEHIND: [&str; 5] = ["", "/", "//", "/.", "/.."];
