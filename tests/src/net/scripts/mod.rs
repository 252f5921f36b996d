//! What lives here: ready-made answers of an HTTP/1 server, proper and hostile.
//! Tests call it, and hand the scripts to a `ScriptServer` or a `RawServer`.
//! It must not touch: sockets; a script is only a list of steps.

mod broken;
mod encode;
mod encoded;
mod endless;
mod huge;
mod plain;
mod redirect;
mod slow;
mod tls;

pub use broken::{
    chunked_broken, chunked_never_ending_size, chunked_truncated, duplicate_content_length, garbage, header_injection,
    http09, negative_content_length, te_and_cl, truncated_body, wrong_length_shorter,
};
pub use encode::{brotli, deflate, gzip, zeros, zlib};
pub use encoded::{
    brotli_bomb, brotli_ok, deflate_bomb, encoded, gzip_bomb, gzip_broken, gzip_ok, nested_gzip, nested_gzip_bomb,
    zlib_bomb,
};
pub use endless::{endless_body, endless_chunked_body, endless_gzip, endless_headers, never_ending_1xx, pulsing_body};
pub use huge::{header_flood, huge_status_line, one_huge_header};
pub use plain::{answer, latin1, no_content, not_modified, ok, ok_chunked, ok_without_type, set_cookie, status};
pub use redirect::{meta_refresh, redirect, redirect_chain, redirect_loop, refresh_header};
pub use slow::{slow_body, slow_headers, stall, stall_after_headers, stall_mid_body};
pub use tls::{tls_alert, tls10_hello};
