//! The MCP server, driven by raw clients and by the official Python SDK.
//! Test names carry the row of the threat model that they prove.

mod clients;
mod disconnect;
mod http;
mod malformed;
mod resources;
mod stdio;
