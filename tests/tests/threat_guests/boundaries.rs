//! G15: boundary values for every number of every function that a plugin can be granted.
//! The functions are read from `wit/`, so a new one is tested without being named here.

use std::fmt::Write as _;

use toolgate::ErrorKind;
use wit_parser::abi::{AbiVariant, WasmType};
use wit_parser::{Function, Handle, Resolve, Type, TypeDefKind, WorldItem};

use crate::forge::{Forge, escape, hostile_world};
use crate::kit;
use crate::measure;
use crate::stage::{Stage, limits};

/// Where the arguments of the function under test lie, eight bytes each.
const ARGUMENTS: usize = 512;
/// Where the boundary values lie.
const VALUES: usize = 1024;
/// Where the base values of handles lie, four bytes each.
const HANDLES: usize = 256;

const BOUNDARIES: &[i64] = &[
    0,
    1,
    -1,
    4096,
    65_536,
    65_537,
    999_999_999,
    1_000_000_000,
    i32::MAX as i64 - 1,
    i32::MAX as i64,
    i32::MAX as i64 + 1,
    i32::MAX as i64 + 2,
    u32::MAX as i64 - 1,
    u32::MAX as i64,
    u32::MAX as i64 + 1,
    i64::MAX - 1,
    i64::MAX,
    i64::MIN,
    i64::MIN + 1,
    // The years 1, 1969 and 10,000 in seconds.
    -62_135_596_800,
    -1_000_000,
    253_402_300_800,
];

/// Handles that the guest holds when the function is called.
const RESOURCES: &[(&str, &str)] = &[
    ("descriptor", "(local.get $root)"),
    ("descriptor", "(local.get $file)"),
    (
        "directory-entry-stream",
        "(block (result i32) (call $read_directory (local.get $root) (i32.const 64)) (call $ok))",
    ),
    ("input-stream", "(local.get $input)"),
    ("output-stream", "(local.get $output)"),
    ("output-stream", "(call $stdout)"),
    ("pollable", "(call $subscribe_input (local.get $input))"),
    (
        "replacement",
        "(block (result i32)
        (call $begin (local.get $root) (i32.const 2) (i32.const 3) (i32.const 64)) (call $ok))",
    ),
    // A write beyond the greatest length of a file fails with an error to ask about.
    (
        "error",
        "(block (result i32)
        (call $write_via_stream (local.get $file) (i64.const 9000000000000000000) (i32.const 64))
        (call $write_and_flush (call $ok) (i32.const 0) (i32.const 1) (i32.const 64))
        (i32.load (i32.const 72)))",
    ),
];

const SETUP: &str = "
    (local $root i32) (local $file i32) (local $input i32) (local $output i32)
    (local.set $root (call $root))
    (local.set $file (call $open_letter (local.get $root) (i32.const 0) (i32.const 0) (i32.const 3)))
    (call $read_via_stream (local.get $file) (i64.const 0) (i32.const 64))
    (local.set $input (call $ok))
    (call $write_via_stream (local.get $file) (i64.const 0) (i32.const 64))
    (local.set $output (call $ok))";

/// One argument of a function, as the canonical ABI flattens it.
#[derive(Debug, Clone)]
enum Slot {
    /// A number, with the values it has when another slot is under test.
    Number(Vec<i64>),
    /// A resource by name.
    Handle(String),
    Pointer,
    Length,
}

/// A function with one choice of base values.
struct Variant {
    label: String,
    slots: usize,
    body: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn g15_no_number_makes_the_host_panic() {
    let _turn = measure::together();
    let (resolve, world) = hostile_world();
    let mut imports = String::new();
    let mut variants = Vec::new();
    let mut functions = 0;
    for item in resolve.worlds[world].imports.values() {
        let WorldItem::Interface { id, .. } = item else {
            continue;
        };
        let module = resolve.id_of(*id).unwrap();
        for function in resolve.interfaces[*id].functions.values() {
            functions += 1;
            variants.extend(variants_of(&resolve, &module, function, functions, &mut imports));
        }
    }
    assert!(functions > 60, "only {functions} functions found");
    let stage = Stage::with(&[&forge(&variants, &imports).build()], limits());
    let mut cases = 0;
    let mut fine = 0;
    for (number, variant) in variants.iter().enumerate() {
        for slot in 0..variant.slots {
            for (value, boundary) in BOUNDARIES.iter().enumerate() {
                let n = number * 100_000 + slot * 1000 + value;
                cases += 1;
                match stage.evil(n as u64).await {
                    Ok(_) => fine += 1,
                    Err(error) => {
                        let context = format!("{} slot {slot} = {}: {error}", variant.label, boundary);
                        assert!(matches!(error.kind, ErrorKind::Failed | ErrorKind::Limit), "{context}");
                        assert!(!error.message.contains("internal error of the host"), "{context}");
                    }
                }
            }
        }
        crate::panics::none();
        // Some cases change the file or remove it.
        std::fs::write(stage.rig.inside().join("f"), "content\n").unwrap();
        stage.is_well().await;
    }
    assert!(
        fine > cases / 10,
        "only {fine} of {cases} calls came back: the guest itself is broken"
    );
    stage.recovers().await;
}

/// The arguments are laid out, one is replaced, and the function is called with them.
fn forge(variants: &[Variant], imports: &str) -> Forge {
    let values: Vec<u8> = BOUNDARIES.iter().flat_map(|value| value.to_le_bytes()).collect();
    let mut items = format!(
        "{}\n(data (i32.const {VALUES}) \"{}\")\n(func $setup {SETUP}\n",
        kit::ITEMS,
        escape(&values)
    );
    for (number, (_, make)) in RESOURCES.iter().enumerate() {
        writeln!(items, "(i32.store (i32.const {}) {make})", HANDLES + 4 * number).unwrap();
    }
    items += ")\n";
    for (number, variant) in variants.iter().enumerate() {
        writeln!(
            items,
            "(func $variant{number} (param $slot i32) (param $value i64) {})",
            variant.body
        )
        .unwrap();
    }
    write!(items, "(type $variant (func (param i32 i64)))\n(table funcref (elem").unwrap();
    for number in 0..variants.len() {
        write!(items, " $variant{number}").unwrap();
    }
    items += "))";
    Forge {
        items,
        ..Forge::running(&format!(
            "(call $setup)
             (call_indirect (type $variant)
               (i32.wrap_i64 (i64.div_u (i64.rem_u (local.get $n) (i64.const 100000)) (i64.const 1000)))
               (i64.load (i32.add (i32.const {VALUES})
                 (i32.shl (i32.wrap_i64 (i64.rem_u (local.get $n) (i64.const 1000))) (i32.const 3))))
               (i32.wrap_i64 (i64.div_u (local.get $n) (i64.const 100000))))
             (i64.const 1)"
        ))
    }
    .importing(&format!("{}\n{imports}", kit::IMPORTS))
    .with_files()
}

fn variants_of(resolve: &Resolve, module: &str, function: &Function, id: usize, imports: &mut String) -> Vec<Variant> {
    let signature = resolve.wasm_signature(AbiVariant::GuestImport, function);
    assert!(
        !signature.indirect_params,
        "{}: too many arguments to pass flat",
        function.name
    );
    let core = |ty: &WasmType| if *ty == WasmType::I64 { "i64" } else { "i32" };
    let params: Vec<&str> = signature.params.iter().map(core).collect();
    let results: Vec<&str> = signature.results.iter().map(core).collect();
    writeln!(
        imports,
        "(import \"{module}\" \"{}\" (func $case{id} (param {}) (result {})))",
        function.name,
        params.join(" "),
        results.join(" ")
    )
    .unwrap();
    let mut slots = Vec::new();
    for param in &function.params {
        flatten(resolve, &param.ty, &mut slots);
    }
    assert_eq!(
        slots.len() + usize::from(signature.retptr),
        params.len(),
        "{}",
        function.name
    );
    bases(&slots)
        .into_iter()
        .map(|base| {
            let mut body = base.join("\n");
            write!(
                body,
                "(if (i32.lt_u (local.get $slot) (i32.const {}))
                   (then (i64.store (i32.add (i32.const {ARGUMENTS}) (i32.shl (local.get $slot) (i32.const 3)))
                     (local.get $value))))
                 (call $case{id}",
                slots.len()
            )
            .unwrap();
            for (number, ty) in params.iter().enumerate() {
                if number == slots.len() {
                    body += " (i32.const 64)";
                } else {
                    write!(body, " ({ty}.load (i32.const {}))", ARGUMENTS + 8 * number).unwrap();
                }
            }
            body += ")";
            body += &" drop".repeat(results.len());
            Variant {
                label: format!("{module} {}", function.name),
                slots: slots.len(),
                body,
            }
        })
        .collect()
}

/// Every choice of base values: code that stores them, slot by slot.
fn bases(slots: &[Slot]) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    for (number, slot) in slots.iter().enumerate() {
        let at = ARGUMENTS + 8 * number;
        let number = |value: i64| format!("(i64.store (i32.const {at}) (i64.const {value}))");
        let choices: Vec<String> = match slot {
            Slot::Number(values) => values.iter().map(|value| number(*value)).collect(),
            Slot::Pointer => vec![number(0)],
            Slot::Length => vec![number(1)],
            Slot::Handle(resource) => RESOURCES
                .iter()
                .enumerate()
                .filter(|(_, (name, _))| name == resource)
                .map(|(held, _)| {
                    format!(
                        "(i64.store (i32.const {at}) (i64.load32_u (i32.const {})))",
                        HANDLES + 4 * held
                    )
                })
                .collect(),
        };
        assert!(!choices.is_empty(), "the guest holds no {slot:?}");
        all = all
            .iter()
            .flat_map(|base| {
                choices
                    .iter()
                    .map(|choice| [&base[..], std::slice::from_ref(choice)].concat())
            })
            .collect();
    }
    all
}

fn flatten(resolve: &Resolve, ty: &Type, slots: &mut Vec<Slot>) {
    let id = match ty {
        Type::String => {
            slots.extend([Slot::Pointer, Slot::Length]);
            return;
        }
        Type::Id(id) => *id,
        _ => {
            slots.push(Slot::Number(vec![0]));
            return;
        }
    };
    match &resolve.types[id].kind {
        TypeDefKind::Type(ty) => flatten(resolve, ty, slots),
        TypeDefKind::Record(record) => record
            .fields
            .iter()
            .for_each(|field| flatten(resolve, &field.ty, slots)),
        TypeDefKind::Tuple(tuple) => tuple.types.iter().for_each(|ty| flatten(resolve, ty, slots)),
        TypeDefKind::List(_) => slots.extend([Slot::Pointer, Slot::Length]),
        TypeDefKind::Handle(Handle::Borrow(resource) | Handle::Own(resource)) => {
            slots.push(Slot::Handle(resource_name(resolve, *resource)));
        }
        TypeDefKind::Flags(_) | TypeDefKind::Enum(_) => slots.push(Slot::Number(vec![0])),
        TypeDefKind::Result(result) => {
            assert!(result.ok.is_none() && result.err.is_none());
            slots.push(Slot::Number(vec![0, 1]));
        }
        TypeDefKind::Variant(variant) => {
            // With the first case and with the last, so that its payload is looked at.
            let last = i64::try_from(variant.cases.len()).unwrap() - 1;
            slots.push(Slot::Number(vec![0, last]));
            let mut payloads = variant.cases.iter().filter_map(|case| case.ty);
            if let Some(payload) = payloads.next() {
                flatten(resolve, &payload, slots);
            }
            assert!(payloads.next().is_none(), "one payload, so that no two must be joined");
        }
        other => panic!("an argument of a kind that this test cannot make: {other:?}"),
    }
}

/// The name of a resource, through `use`.
fn resource_name(resolve: &Resolve, id: wit_parser::TypeId) -> String {
    match &resolve.types[id].kind {
        TypeDefKind::Type(Type::Id(id)) => resource_name(resolve, *id),
        _ => resolve.types[id].name.clone().unwrap(),
    }
}
