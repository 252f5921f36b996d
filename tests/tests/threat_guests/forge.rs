//! Forging plugins: a core module in WAT, encoded as a component that a host will load.

use std::fmt::Write as _;
use std::path::Path;

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::{Resolve, WorldId};

use crate::definition::{Definition, layout};

/// Where the definitions lie in memory; what is below is free for bodies.
const DEFINITIONS: usize = 4096;
const WORLD: &str = include_str!("world.wit");
const PRELUDE: &str = include_str!("prelude.wat");

/// A hostile plugin in the making. Every field is WAT; an empty one behaves well.
#[derive(Clone)]
pub(crate) struct Forge {
    /// What `definitions` returns.
    pub(crate) definitions: Vec<Definition>,
    /// Imports of the core module.
    pub(crate) imports: String,
    /// Limits of the memory, in pages.
    pub(crate) memory: String,
    /// Functions, globals, tables.
    pub(crate) items: String,
    /// Runs in `call`: has the argument `$n`, leaves the `value` of the result, an `i64`.
    pub(crate) run: String,
    /// Runs in `call` instead of all that; leaves the address of the result area.
    /// Has `$name`, `$name_len`, `$arguments`, `$arguments_len`.
    pub(crate) call: Option<String>,
    /// Runs at the start of `definitions`.
    pub(crate) in_definitions: String,
    /// Runs at the start of `cabi_realloc`; has `$len`.
    pub(crate) in_realloc: String,
    /// Runs after a call, with the address of its result area.
    pub(crate) in_post_return: String,
    /// Runs when the component is instantiated.
    pub(crate) in_start: String,
    /// Further packages in WIT, and items of the world.
    pub(crate) packages: Vec<String>,
    pub(crate) world: String,
}

impl Default for Forge {
    fn default() -> Self {
        Self {
            definitions: vec![Definition::default()],
            imports: String::new(),
            memory: "4".to_owned(),
            items: String::new(),
            run: "(i64.const 0)".to_owned(),
            call: None,
            in_definitions: String::new(),
            in_realloc: String::new(),
            in_post_return: String::new(),
            in_start: String::new(),
            packages: Vec::new(),
            world: String::new(),
        }
    }
}

impl Forge {
    /// A plugin whose tool `evil` runs this body.
    pub(crate) fn running(body: &str) -> Self {
        Self {
            run: body.to_owned(),
            ..Self::default()
        }
    }

    /// The same with imports.
    pub(crate) fn importing(self, imports: &str) -> Self {
        Self {
            imports: imports.to_owned(),
            ..self
        }
    }

    /// The same with access to the whole project.
    pub(crate) fn with_files(self) -> Self {
        Self {
            definitions: vec![Definition::default().with_files()],
            ..self
        }
    }

    /// The component.
    pub(crate) fn build(&self) -> Vec<u8> {
        let mut world = WORLD.trim_end().strip_suffix('}').unwrap().to_owned();
        write!(world, "{}\n}}", self.world).unwrap();
        let mut resolve = wit();
        for package in &self.packages {
            resolve.push_source("extra.wit", package).unwrap();
        }
        let package = resolve.push_source("world.wit", &world).unwrap();
        let world = resolve.select_world(&[package], Some("hostile")).unwrap();
        encode(&self.core(), &resolve, world)
    }

    /// The core module.
    fn core(&self) -> String {
        let data = layout(&self.definitions, DEFINITIONS);
        let heap = (DEFINITIONS + data.len()).next_multiple_of(16);
        let call = self
            .call
            .as_deref()
            .unwrap_or("(call $answer (call $run (call $number (local.get $arguments) (local.get $arguments_len))))");
        format!(
            r#"(module {imports}
            (memory $memory (export "memory") {memory})
            (global $heap (mut i32) (i32.const {heap}))
            (data (i32.const {DEFINITIONS}) "{data}")
            {PRELUDE}
            {items}
            (func (export "cabi_realloc") (param $old i32) (param $old_len i32) (param $align i32) (param $len i32)
              (result i32) {in_realloc}
              (call $allocate (local.get $len)))
            (func (export "toolgate:plugin/tool@0.1.0#definitions")
              (param i32 i32 i32 i32 i32 i32 i32) (result i32)
              {in_definitions} (i32.const {DEFINITIONS}))
            (func $run (param $n i64) (result i64)
              (local $i i32) (local $j i32) (local $k i32) (local $x i64) (local $y i64) (local $z i64)
              {run})
            (func (export "toolgate:plugin/tool@0.1.0#call")
              (param $name i32) (param $name_len i32) (param $arguments i32) (param $arguments_len i32)
              (param $paths i32) (param $paths_len i32) (param $refused i32) (param $refused_len i32)
              (param $urls i32) (param $urls_len i32) (param $channels i32) (param $channels_len i32)
              (param $max_bytes i64) (param $max_lines i64)
              (result i32) {call})
            (func (export "cabi_post_toolgate:plugin/tool@0.1.0#call") (param $area i32) {in_post_return})
            (func $start {in_start})
            (start $start))"#,
            imports = self.imports,
            memory = self.memory,
            items = self.items,
            in_realloc = self.in_realloc,
            in_definitions = self.in_definitions,
            run = self.run,
            in_post_return = self.in_post_return,
            in_start = self.in_start,
            data = escape(&data),
        )
    }
}

/// The interfaces of this repository.
pub(crate) fn wit() -> Resolve {
    let mut resolve = Resolve::default();
    resolve
        .push_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit"))
        .unwrap();
    resolve
}

/// The world of all forged plugins.
pub(crate) fn hostile_world() -> (Resolve, WorldId) {
    let mut resolve = wit();
    let package = resolve.push_source("world.wit", WORLD).unwrap();
    let world = resolve.select_world(&[package], Some("hostile")).unwrap();
    (resolve, world)
}

fn encode(core: &str, resolve: &Resolve, world: WorldId) -> Vec<u8> {
    let mut module = wat::parse_str(core).unwrap_or_else(|error| panic!("{error}"));
    embed_component_metadata(&mut module, resolve, world, StringEncoding::UTF8, false).unwrap();
    let mut encoder = ComponentEncoder::default();
    // What is to be refused is refused by the host, not here.
    encoder
        .module(&module)
        .unwrap_or_else(|error| panic!("{error:#}"))
        .validate(false);
    // A version is what the guest says it is.
    encoder.merge_imports_based_on_semver(false);
    encoder.encode().unwrap_or_else(|error| panic!("{error:#}"))
}

/// Bytes as a WAT string.
pub(crate) fn escape(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 3), |mut text, byte| {
            write!(text, "\\{byte:02x}").unwrap();
            text
        })
}
