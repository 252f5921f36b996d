//! The test vectors, against real hosts: one test for each table.
//! Run by `make test`; the rows are data under `tests/vectors/`.
//! Must not know any row: what is special about one belongs into its data.

// A row that cannot be set up must fail its table.
#![allow(clippy::unwrap_used)]

mod mandatory;
mod modes;
mod objects;
mod patterns;
mod scope;
mod shell;
mod tools;

/// Fails with every row that failed, not with the first one.
fn verdict(table: &str, ran: usize, failures: Vec<String>) {
    assert!(ran > 0, "{table}: no row ran");
    assert!(
        failures.is_empty(),
        "{table}: {} of {ran} rows failed:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
