//! WebAssembly byte by byte: bombs too large to write as text, and additions to finished components.

use wasmparser::{Parser, Payload};

const CORE: &[u8] = b"\0asm\x01\0\0\0";
const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

/// Core sections.
pub(crate) const TYPE: u8 = 1;
pub(crate) const IMPORT: u8 = 2;
pub(crate) const FUNCTION: u8 = 3;
pub(crate) const TABLE: u8 = 4;
pub(crate) const MEMORY: u8 = 5;
pub(crate) const CODE: u8 = 10;
/// Component sections.
pub(crate) const CORE_MODULE: u8 = 1;
pub(crate) const CORE_INSTANCE: u8 = 2;
pub(crate) const NESTED: u8 = 4;
pub(crate) const COMPONENT_TYPE: u8 = 7;
pub(crate) const COMPONENT_IMPORT: u8 = 10;

/// An unsigned LEB128 number.
pub(crate) fn leb(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = u8::try_from(value & 0x7f).unwrap();
        value >>= 7;
        if value == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

/// A vector: its length and its items.
pub(crate) fn vector(count: usize, item: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
    let mut bytes = leb(count);
    for number in 0..count {
        bytes.extend(item(number));
    }
    bytes
}

/// A name.
pub(crate) fn name(text: &str) -> Vec<u8> {
    [leb(text.len()), text.as_bytes().to_vec()].concat()
}

/// Bytes with their length in front.
pub(crate) fn sized(bytes: &[u8]) -> Vec<u8> {
    [&leb(bytes.len()), bytes].concat()
}

/// A section with its number and its length.
pub(crate) fn section(number: u8, content: &[u8]) -> Vec<u8> {
    [&[number][..], &leb(content.len()), content].concat()
}

/// A core module, section by section.
#[derive(Clone)]
pub(crate) struct Module(Vec<u8>);

impl Default for Module {
    fn default() -> Self {
        Self(CORE.to_vec())
    }
}

impl Module {
    /// A module with nothing but a memory of so many pages.
    pub(crate) fn with_memory(pages: usize) -> Self {
        Self::default().section(MEMORY, &[&[1, 0], &leb(pages)[..]].concat())
    }

    /// A module with this one function of type `() -> ()`; the body has its locals in front.
    pub(crate) fn with_function(body: &[u8]) -> Self {
        Self::default()
            .section(TYPE, &[1, 0x60, 0, 0])
            .section(FUNCTION, &[1, 0])
            .section(CODE, &[&[1], &sized(body)[..]].concat())
    }

    pub(crate) fn section(mut self, number: u8, content: &[u8]) -> Self {
        self.0.extend(section(number, content));
        self
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// An empty component with these sections.
pub(crate) fn component(sections: &[Vec<u8>]) -> Vec<u8> {
    [COMPONENT, &sections.concat()].concat()
}

/// A finished component with a section more at its end, where nothing that is there changes its number.
pub(crate) fn append(component: &[u8], number: u8, content: &[u8]) -> Vec<u8> {
    [component, &section(number, content)].concat()
}

/// A finished component with a core module more, instantiated so many times.
pub(crate) fn append_instances(component: &[u8], module: &Module, count: usize) -> Vec<u8> {
    let number = core_modules(component);
    let component = append(component, CORE_MODULE, module.bytes());
    let instance = [&[0][..], &leb(number), &[0]].concat();
    append(&component, CORE_INSTANCE, &vector(count, |_| instance.clone()))
}

/// Core modules of the outermost component.
fn core_modules(component: &[u8]) -> usize {
    let mut depth = 0;
    let mut count = 0;
    for payload in Parser::new(0).parse_all(component) {
        match payload.unwrap() {
            Payload::Version { .. } => depth += 1,
            Payload::End(_) => depth -= 1,
            Payload::ModuleSection { .. } if depth == 1 => count += 1,
            _ => {}
        }
    }
    count
}
