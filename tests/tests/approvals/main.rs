//! Questions to the operator: real servers, the real socket, the real command line.
//! Test names carry the row of the threat model that they prove.

mod clients;
mod command_line;
mod elicitation;
mod reach;
mod stage;
mod terminal;
mod waiting;
