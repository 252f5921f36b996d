//! Wasm features that are not compiled in or not switched on: what needs them is refused at load.

use crate::binary::{CORE_MODULE, NESTED, append};
use crate::forge::Forge;
use crate::measure;
use crate::stage::{Stage, attempt, limits};

/// Core modules, each with one feature.
const MODULES: &[(&str, &str)] = &[
    ("threads: a shared memory", "(module (memory 1 1 shared))"),
    (
        "threads: atomics",
        "(module (memory 1) (func (drop (i32.atomic.load (i32.const 0)))))",
    ),
    ("memory64", "(module (memory i64 1))"),
    ("table64", "(module (table i64 1 funcref))"),
    ("garbage collection: structures", "(module (type (struct (field i32))))"),
    ("garbage collection: arrays", "(module (type (array i8)))"),
    (
        "garbage collection: i31",
        "(module (func (drop (ref.i31 (i32.const 1)))))",
    ),
    ("garbage collection: externref", "(module (table 1 externref))"),
    (
        "typed function references",
        "(module (type $f (func)) (func (param (ref $f)) (call_ref $f (local.get 0))))",
    ),
    ("tail calls", "(module (func $f (return_call $f)))"),
    (
        "indirect tail calls",
        "(module (table 1 funcref) (func (return_call_indirect (i32.const 0))))",
    ),
    ("exceptions: tags", "(module (tag))"),
    ("exceptions: try_table", "(module (func (try_table (catch_all 0))))"),
    ("several memories", "(module (memory 1) (memory 1))"),
    (
        "relaxed simd",
        "(module (func (param v128) (drop (i8x16.relaxed_swizzle (local.get 0) (local.get 0)))))",
    ),
    ("custom page sizes", "(module (memory 1 (pagesize 1)))"),
    (
        "wide arithmetic",
        "(module (func (param i64) (result i64 i64)
           (i64.add128 (local.get 0) (local.get 0) (local.get 0) (local.get 0))))",
    ),
    ("stack switching", "(module (type $f (func)) (type (cont $f)))"),
    (
        "shared-everything threads",
        "(module (global (shared i32) (i32.const 0)))",
    ),
];

/// Components, each with one feature.
const COMPONENTS: &[(&str, &str)] = &[
    ("async: streams", "(component (type (stream u8)))"),
    ("async: futures", "(component (type (future u8)))"),
    ("async: error contexts", "(component (type (option error-context)))"),
    ("async: async functions", "(component (type (func async)))"),
    (
        "async: waitable sets",
        "(component (core func (canon waitable-set.new)))",
    ),
    (
        "async: backpressure",
        "(component (core func (canon backpressure.inc)))",
    ),
    ("async: tasks", "(component (core func (canon task.cancel)))"),
    ("async: subtasks", "(component (core func (canon subtask.drop)))"),
    ("async: contexts", "(component (core func (canon context.get i32 0)))"),
    ("threads", "(component (core func (canon thread.yield)))"),
    ("lists of fixed length", "(component (type (list u8 4)))"),
    ("maps", "(component (type (map string u8)))"),
    ("values", "(component (import \"v\" (value u8)))"),
];

#[test]
fn modules_with_features_that_are_off_are_refused() {
    let _turn = measure::together();
    for (feature, module) in MODULES {
        let module = wat::parse_str(module).unwrap_or_else(|error| panic!("{feature}: {error}"));
        let message = attempt(&append(&Forge::default().build(), CORE_MODULE, &module));
        is_about_a_feature(feature, message);
    }
}

#[test]
fn components_with_features_that_are_off_are_refused() {
    let _turn = measure::together();
    for (feature, component) in COMPONENTS {
        let component = wat::parse_str(component).unwrap_or_else(|error| panic!("{feature}: {error}"));
        let message = attempt(&append(&Forge::default().build(), NESTED, &component));
        is_about_a_feature(feature, message);
    }
}

/// The refusal says where the bytes are wrong, not that something was missing later.
fn is_about_a_feature(feature: &str, message: Option<String>) {
    let message = message.unwrap_or_else(|| panic!("{feature}: was loaded"));
    assert!(!message.contains("does not fit the interfaces"), "{feature}: {message}");
    assert!(message.contains("at offset"), "{feature}: {message}");
}

#[test]
fn what_toolchains_need_is_on() {
    let _turn = measure::together();
    for (feature, module) in [
        (
            "simd",
            "(module (func (param v128) (drop (i8x16.add (local.get 0) (local.get 0)))))",
        ),
        (
            "bulk memory",
            "(module (memory 1) (func (memory.fill (i32.const 0) (i32.const 0) (i32.const 1))))",
        ),
        (
            "several results",
            "(module (func (result i32 i32) (i32.const 0) (i32.const 0)))",
        ),
        (
            "reference types",
            "(module (table 1 funcref) (func (drop (table.grow (ref.null func) (i32.const 0)))))",
        ),
        ("sign extension", "(module (func (drop (i32.extend8_s (i32.const 0)))))"),
        (
            "saturating conversion",
            "(module (func (drop (i32.trunc_sat_f32_s (f32.const 0)))))",
        ),
        (
            "exported mutable globals",
            "(module (global (export \"g\") (mut i32) (i32.const 0)))",
        ),
        (
            "extended constants",
            "(module (global i32 (i32.add (i32.const 1) (i32.const 2))))",
        ),
    ] {
        let module = wat::parse_str(module).unwrap_or_else(|error| panic!("{feature}: {error}"));
        Stage::with(&[&append(&Forge::default().build(), CORE_MODULE, &module)], limits());
    }
}
