//! Embeds the built-in components: one binary to install, and a digest for each that need not be computed at run time.

use std::path::{Path, PathBuf};
use std::{env, fs};

use sha2::{Digest, Sha256};

/// The components of the catalog; the file names are those that `make components` makes.
const BUILTINS: &[&str] = &[
    "alert",
    "delete_file",
    "edit_file",
    "fetch_url",
    "glob",
    "grep",
    "json_query",
    "list_dir",
    "read_file",
    "read_many_files",
    "record_plan",
    "retrieve_raw",
    "stat",
    "todo",
    "view_file_outline",
    "write_file",
];

fn main() {
    println!("cargo::rerun-if-env-changed=TOOLGATE_COMPONENTS");
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let folder =
        env::var_os("TOOLGATE_COMPONENTS").map_or_else(|| manifest.join("../target/components"), PathBuf::from);
    let mut source = String::from("static BUILTINS: &[Builtin] = &[\n");
    for name in BUILTINS {
        let path = folder.join(format!("{name}.wasm"));
        println!("cargo::rerun-if-changed={}", path.display());
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                println!("cargo::error={}: {error}; run `make components` first", path.display());
                return;
            }
        };
        let digest: [u8; 32] = Sha256::digest(&bytes).into();
        source += &format!(
            "    Builtin {{ name: {name:?}, bytes: include_bytes!({:?}), digest: {digest:?} }},\n",
            canonical(&path)
        );
    }
    source += "];\n";
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    if let Err(error) = fs::write(out.join("builtins.rs"), source) {
        println!("cargo::error=cannot write the list of components: {error}");
    }
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
