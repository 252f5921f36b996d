//! Configuration: its table of rows, files, trust, watching, reports, and files that are broken at random.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod files;
mod fuzz;
mod report;
mod rows;
mod scratch;
mod trust;
mod watching;
mod writing;
