//! What lives here: the tool `json_query`.
//! What may call it: the host, through the exported `tool` interface.
//! What it must not touch: anything but what a call grants.
