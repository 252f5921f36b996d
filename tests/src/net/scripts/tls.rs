//! What a server that cannot or will not speak modern TLS answers to a greeting; for a `RawServer`.

use crate::net::script::{Script, Step};

/// A TLS 1.0 greeting of a server (RFC 2246, section 7.4.1.3), then silence. A
/// client that demands a newer version breaks off.
pub fn tls10_hello() -> Script {
    // Version 1.0, 32 random bytes, no session, TLS_RSA_WITH_AES_128_CBC_SHA, no compression.
    let hello = [&[3, 1][..], &[0x5a; 32], &[0], &[0x00, 0x2f], &[0]].concat();
    let length = u8::try_from(hello.len()).expect("a short greeting");
    let handshake = [&[2, 0, 0, length][..], &hello].concat();
    let record = [&[22, 3, 1, 0, length + 4][..], &handshake].concat();
    vec![Step::Send(record), Step::Stall]
}

/// A fatal alert and a close. Numbers are those of RFC 8446, section 6: 40 is
/// `handshake_failure`, 70 `protocol_version`, 112 `unrecognized_name`.
pub fn tls_alert(description: u8) -> Script {
    vec![Step::Send(vec![21, 3, 3, 0, 2, 2, description]), Step::Close]
}
