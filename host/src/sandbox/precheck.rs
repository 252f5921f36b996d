//! A look at a component before anything compiles it: sizes, counts, nesting, imports.

use wasmparser::{Parser, Payload};

/// Largest component.
const MAX_BYTES: usize = 128 << 20;
/// Largest single function body. Interpreters have large ones; bombs have larger ones.
const MAX_FUNCTION: usize = 2 << 20;
/// Functions in all modules together.
const MAX_FUNCTIONS: u64 = 250_000;
/// Locals declared in all functions together.
const MAX_LOCALS: u64 = 5_000_000;
/// Types in all modules together.
const MAX_TYPES: u64 = 100_000;
/// Modules and components in each other.
const MAX_DEPTH: usize = 16;
/// Modules and components together.
const MAX_PARTS: usize = 128;
/// Imports of the outermost component.
const MAX_IMPORTS: usize = 256;
/// Imports of all modules together.
const MAX_MODULE_IMPORTS: u64 = 100_000;
/// Bytes of one section of component types. Parsed declarations take many
/// times their size.
const MAX_TYPE_BYTES: usize = 1 << 20;
/// Component and instance types inside each other. The parser of the compiler
/// descends into them on its stack.
const MAX_TYPE_NESTING: usize = 256;

/// What the look found.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// Imports of the outermost component, in order.
    pub(super) imports: Vec<String>,
    /// Exports of the outermost component, in order.
    pub(super) exports: Vec<String>,
}

/// Reads the whole binary once, in linear time and little memory.
///
/// # Errors
/// What is too large or not a component.
pub(super) fn outline(bytes: &[u8]) -> Result<Outline, String> {
    if bytes.len() > MAX_BYTES {
        return Err(format!("it has {} bytes; at most {MAX_BYTES} are allowed", bytes.len()));
    }
    if !bytes.starts_with(b"\0asm") {
        return Err("it is not WebAssembly".to_owned());
    }
    if Parser::is_core_wasm(bytes) {
        return Err(
            "it is a core WebAssembly module, not a component; build it for wasm32-wasip2, or wrap it with wasm-component-ld"
                .to_owned(),
        );
    }
    if !Parser::is_component(bytes) {
        return Err("it is no component of the binary format that this host reads (version 13, layer 1)".to_owned());
    }
    let mut outline = Outline::default();
    let mut counts = Counts::default();
    let mut depth = 0_usize;
    let mut parts = 0_usize;
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.map_err(|error| format!("it is not valid WebAssembly: {error}"))? {
            Payload::Version { .. } => {
                depth += 1;
                parts += 1;
                within("nested modules and components", depth as u64, MAX_DEPTH as u64)?;
                within("modules and components", parts as u64, MAX_PARTS as u64)?;
            }
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::ComponentImportSection(section) if depth == 1 => {
                for import in section {
                    let import = import.map_err(|error| error.to_string())?;
                    outline.imports.push(import.name.name.to_string());
                }
                within("imports", outline.imports.len() as u64, MAX_IMPORTS as u64)?;
            }
            Payload::ComponentExportSection(section) if depth == 1 => {
                for export in section {
                    outline
                        .exports
                        .push(export.map_err(|error| error.to_string())?.name.name.to_string());
                }
            }
            Payload::TypeSection(section) => counts.types(u64::from(section.count()))?,
            Payload::ComponentTypeSection(section) => {
                counts.types(u64::from(section.count()))?;
                let content = slice(bytes, &section.range());
                within(
                    "bytes of types in one section",
                    content.len() as u64,
                    MAX_TYPE_BYTES as u64,
                )?;
                within(
                    "nested type definitions",
                    nested_types(content) as u64,
                    MAX_TYPE_NESTING as u64,
                )?;
            }
            Payload::ImportSection(section) => counts.imports(u64::from(section.count()))?,
            Payload::FunctionSection(section) => counts.functions(u64::from(section.count()))?,
            Payload::CodeSectionEntry(body) => {
                let range = body.range();
                within("bytes in one function", range.end - range.start, MAX_FUNCTION as u64)?;
                let mut locals = body.get_locals_reader().map_err(|error| error.to_string())?;
                for _ in 0..locals.get_count() {
                    let (count, _) = locals.read().map_err(|error| error.to_string())?;
                    counts.locals += u64::from(count);
                    within("local variables", counts.locals, MAX_LOCALS)?;
                }
            }
            _ => {}
        }
    }
    Ok(outline)
}

#[derive(Default)]
struct Counts {
    types: u64,
    functions: u64,
    locals: u64,
    imports: u64,
}

impl Counts {
    fn types(&mut self, count: u64) -> Result<(), String> {
        self.types += count;
        within("types", self.types, MAX_TYPES)
    }

    fn functions(&mut self, count: u64) -> Result<(), String> {
        self.functions += count;
        within("functions", self.functions, MAX_FUNCTIONS)
    }

    fn imports(&mut self, count: u64) -> Result<(), String> {
        self.imports += count;
        within("imports of modules", self.imports, MAX_MODULE_IMPORTS)
    }
}

fn slice<'a>(bytes: &'a [u8], range: &std::ops::Range<u64>) -> &'a [u8] {
    match (usize::try_from(range.start), usize::try_from(range.end)) {
        (Ok(start), Ok(end)) => bytes.get(start..end).unwrap_or_default(),
        _ => &[],
    }
}

/// Most types that can be nested in a section of component types: a nested
/// component or instance type starts with these two bytes. They may also stand
/// for something else, so this is an upper bound, found without descending.
fn nested_types(section: &[u8]) -> usize {
    section
        .windows(2)
        .filter(|pair| matches!(pair, [0x01, 0x41 | 0x42]))
        .count()
}

fn within(what: &str, count: u64, limit: u64) -> Result<(), String> {
    if count > limit {
        return Err(format!("it has more than {limit} {what}"));
    }
    Ok(())
}
