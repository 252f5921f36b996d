// Generated once, for a world with every import; the linker keeps only the
// imports that a plugin calls.
wit_bindgen::generate!({
    path: "../../wit",
    world: "sdk",
    generate_all,
    pub_export_macro: true,
    export_macro_name: "export_bindings",
    default_bindings_module: "toolgate_plugin::bindings",
    runtime_path: "toolgate_plugin::wit_bindgen::rt",
});
