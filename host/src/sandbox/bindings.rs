//! Generated from `wit/`: types and traits of the boundary to a plugin.

#![allow(missing_docs, unreachable_pub)]

wasmtime::component::bindgen!({
    path: "../wit",
    world: "toolgate:plugin/sdk",
    imports: {
        "toolgate:plugin/fetch": async | trappable,
        "toolgate:plugin/channels": async | trappable,
        default: trappable,
    },
    exports: { default: async },
    with: {
        "wasi:io": wasmtime_wasi_io::bindings::wasi::io,
        "wasi:clocks": wasmtime_wasi::p2::bindings::clocks,
        "wasi:filesystem/types.descriptor": crate::sandbox::filesystem::Descriptor,
        "wasi:filesystem/types.directory-entry-stream": crate::sandbox::filesystem::Listing,
        "toolgate:plugin/fetch.response": crate::sandbox::network::Answer,
        "toolgate:plugin/files.replacement": crate::sandbox::files::Replacement,
    },
    trappable_error_type: {
        "wasi:filesystem/types.error-code" => crate::sandbox::filesystem::FsError,
    },
    require_store_data_send: true,
});
