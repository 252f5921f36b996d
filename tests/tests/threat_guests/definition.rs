//! What a forged plugin says of its tools, laid out as the canonical ABI wants it in memory.

/// One tool of a forged plugin. Everything can be a lie.
#[derive(Clone)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) input_schema: String,
    pub(crate) output_schema: String,
    /// Arguments that name trees, with the bits of the WIT type `operations`.
    pub(crate) accesses: Vec<(String, u8)>,
}

/// All file operations: read, write, create, delete.
pub(crate) const ALL: u8 = 0b1111;

/// Bytes of one `definition` record.
const DEFINITION: usize = 136;
/// Bytes of one `access` record.
const ACCESS: usize = 40;

impl Default for Definition {
    /// The tool `evil` with an optional number `n` and an optional tree `path`.
    fn default() -> Self {
        Self {
            name: "evil".to_owned(),
            description: "Misbehaves.".to_owned(),
            input_schema: r#"{"type":"object","additionalProperties":false,"properties":{"n":{"type":"integer"},"path":{"type":"string"}}}"#
                .to_owned(),
            output_schema: r#"{"type":"object"}"#.to_owned(),
            accesses: Vec::new(),
        }
    }
}

impl Definition {
    /// The same with every operation on the tree `path`, the project unless given.
    pub(crate) fn with_files(mut self) -> Self {
        self.accesses.push(("path".to_owned(), ALL));
        self
    }
}

/// The bytes of `list<definition>` for memory at `base`; the result area
/// (pointer and length of the list) comes first.
pub(crate) fn layout(definitions: &[Definition], base: usize) -> Vec<u8> {
    let mut memory = Memory {
        base,
        bytes: vec![0; 8],
    };
    let list = memory.reserve(definitions.len() * DEFINITION);
    memory.put(0, list);
    memory.put(4, definitions.len());
    for (number, definition) in definitions.iter().enumerate() {
        let at = list - base + number * DEFINITION;
        memory.string(at, &definition.name);
        memory.string(at + 8, &definition.description);
        memory.string(at + 16, &definition.input_schema);
        memory.string(at + 24, &definition.output_schema);
        // The class is left at its cautious default.
        let accesses = memory.reserve(definition.accesses.len() * ACCESS);
        memory.put(at + 36, accesses);
        memory.put(at + 40, definition.accesses.len());
        for (number, (argument, operations)) in definition.accesses.iter().enumerate() {
            let at = accesses - base + number * ACCESS;
            memory.string(at, argument);
            memory.bytes[at + 8] = 1; // a tree
            memory.bytes[at + 9] = *operations;
            memory.bytes[at + 12] = 1; // the default is given
            memory.string(at + 16, ".");
        }
    }
    memory.bytes
}

struct Memory {
    base: usize,
    bytes: Vec<u8>,
}

impl Memory {
    /// Room for `len` bytes; its address.
    fn reserve(&mut self, len: usize) -> usize {
        let start = self.bytes.len().next_multiple_of(8);
        self.bytes.resize(start + len, 0);
        self.base + start
    }

    fn put(&mut self, at: usize, value: usize) {
        let value = u32::try_from(value).unwrap();
        self.bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    fn string(&mut self, at: usize, text: &str) {
        let address = self.reserve(text.len());
        let start = address - self.base;
        self.bytes[start..start + text.len()].copy_from_slice(text.as_bytes());
        self.put(at, address);
        self.put(at + 4, text.len());
    }
}
