//! G16: components that are small to send and large to compile. The host looks before it compiles.

use std::time::{Duration, Instant};

use crate::binary::{
    CODE, COMPONENT_IMPORT, COMPONENT_TYPE, CORE_MODULE, FUNCTION, IMPORT, Module, NESTED, TYPE, append, component,
    leb, name, section, sized, vector,
};
use crate::forge::Forge;
use crate::measure;
use crate::stage::refusal;

/// How long a refusal may take; the host needs milliseconds for most.
const QUICK: Duration = Duration::from_secs(3);

/// An honest component that holds this module too.
fn with_module(module: &Module) -> Vec<u8> {
    append(&Forge::default().build(), CORE_MODULE, module.bytes())
}

fn refused_quickly(what: &str, bomb: &[u8], because: &str) {
    let before = measure::resident();
    measure::reset_peak();
    let started = Instant::now();
    let message = refusal(bomb);
    let took = started.elapsed();
    let grown = measure::peak().saturating_sub(before);
    assert!(message.contains(because), "{what}: {message}");
    assert!(took < QUICK, "{what}: took {took:?}");
    // The file is read into memory once.
    let allowed = bomb.len() as u64 + (64 << 20);
    assert!(grown <= allowed, "{what}: {grown} bytes for a file of {}", bomb.len());
}

#[test]
fn g16_large_functions_are_refused() {
    let _turn = measure::alone();
    let body = |len: usize| [&[0][..], &vec![0x01; len], &[0x0b]].concat();
    refused_quickly(
        "50 MB in one function",
        &with_module(&Module::with_function(&body(50 << 20))),
        "in one function",
    );
    let targets = |count: usize| {
        let table = [&[0x0e][..], &vector(count, |_| vec![0]), &[0]].concat();
        [&[0, 0x41, 0][..], &table, &[0x0b]].concat()
    };
    refused_quickly(
        "a jump to 70,000 places",
        &with_module(&Module::with_function(&targets(70_000))),
        "br_table",
    );
}

#[test]
fn g16_large_numbers_are_refused() {
    let _turn = measure::alone();
    let empty_type = |_: usize| vec![0x60, 0, 0];
    let functions = Module::default()
        .section(TYPE, &vector(1, empty_type))
        .section(FUNCTION, &vector(1_000_000, |_| vec![0]))
        .section(CODE, &vector(1_000_000, |_| vec![2, 0, 0x0b]));
    refused_quickly("10^6 functions", &with_module(&functions), "functions");
    let types = Module::default().section(TYPE, &vector(100_001, empty_type));
    refused_quickly("10^5 types", &with_module(&types), "types");
    let imports = Module::default()
        .section(TYPE, &vector(1, empty_type))
        .section(IMPORT, &vector(100_001, |_| vec![1, b'a', 1, b'b', 0, 0]));
    refused_quickly("10^5 imports of a module", &with_module(&imports), "imports");
    let locals = [leb(1), leb(30_000), vec![0x7e, 0x0b]].concat();
    let many = Module::default()
        .section(TYPE, &vector(1, empty_type))
        .section(FUNCTION, &vector(1000, |_| vec![0]))
        .section(CODE, &vector(1000, |_| sized(&locals)));
    refused_quickly(
        "30,000 locals in each of 1000 functions",
        &with_module(&many),
        "local variables",
    );
    let one = Module::with_function(&[leb(1), leb(4_000_000_000), vec![0x7e, 0x0b]].concat());
    refused_quickly("2^32 locals", &with_module(&one), "local");
}

#[test]
fn g16_many_parts_are_refused() {
    let _turn = measure::alone();
    let honest = Forge::default().build();
    let instance_type = section(COMPONENT_TYPE, &[1, 0x42, 0]);
    let imports = vector(100_000, |number| {
        [&[0][..], &name(&format!("a:b/c{number}")), &[0x05, 0]].concat()
    });
    refused_quickly(
        "10^5 imports",
        &component(&[instance_type, section(COMPONENT_IMPORT, &imports)]),
        "imports",
    );
    let nested = (0..1000).fold(component(&[]), |inner, _| component(&[section(NESTED, &inner)]));
    refused_quickly(
        "1000 components in each other",
        &append(&honest, NESTED, &nested),
        "nested",
    );
    let modules = vec![section(CORE_MODULE, Module::default().bytes()); 10_000];
    refused_quickly(
        "10,000 modules",
        &append(&honest, NESTED, &component(&modules)),
        "modules",
    );
    let types = vector(100_001, |_| vec![0x42, 0]);
    refused_quickly(
        "10^5 component types",
        &append(&honest, COMPONENT_TYPE, &types),
        "types",
    );
    let declarations = [vec![1, 0x42], vector(1_000_000, |_| vec![0x01, 0x7f])].concat();
    refused_quickly(
        "10^6 declarations in one type",
        &append(&honest, COMPONENT_TYPE, &declarations),
        "bytes of types",
    );
}

/// Types inside each other are three bytes a level and cost the parser a stack frame each.
#[test]
fn g16_deep_types_do_not_overflow_the_stack() {
    let _turn = measure::alone();
    let honest = Forge::default().build();
    for kind in [0x41, 0x42] {
        let deep = |levels: usize| {
            let content = [&[1][..], &[kind, 1, 1].repeat(levels), &[kind, 0]].concat();
            append(&honest, COMPONENT_TYPE, &content)
        };
        for levels in [1000, 100_000, 300_000] {
            refused_quickly("nested types", &deep(levels), "nested type definitions");
        }
        // What is not refused is compiled on the stack of this thread, two MiB.
        crate::stage::Stage::with(&[&deep(250)], crate::stage::limits());
    }
}

/// Blocks inside each other are two bytes a level, below the limit of a function's size.
#[test]
fn g16_deep_blocks_do_not_overflow_the_stack() {
    let _turn = measure::together();
    let levels = 20_000;
    let body = [&[0][..], &[0x02, 0x40].repeat(levels), &vec![0x0b; levels + 1]].concat();
    crate::stage::Stage::with(&[&with_module(&Module::with_function(&body))], crate::stage::limits());
}
