//! What requests need: authorities for TLS, and somebody who resolves names.

use super::{Check, Status};

pub(super) fn checks() -> Vec<Check> {
    vec![authorities(), name_servers()]
}

fn authorities() -> Check {
    let found = rustls_native_certs::load_native_certs();
    let count = found.certs.len();
    Check {
        name: "certificates of TLS authorities",
        status: if count > 0 { Status::Ok } else { Status::Weaker },
        found: match found.errors.first() {
            _ if count > 0 => format!("{count}"),
            Some(error) => error.to_string(),
            None => "none".to_owned(),
        },
        without: "no https, unless url_scope.ca_file names some; on Debian install ca-certificates",
    }
}

fn name_servers() -> Check {
    let (count, found) = match std::fs::read_to_string("/etc/resolv.conf") {
        Ok(text) => {
            let servers = text.lines().filter_map(|line| line.strip_prefix("nameserver"));
            let servers: Vec<&str> = servers.map(str::trim).collect();
            (servers.len(), servers.join(", "))
        }
        Err(error) => (0, error.to_string()),
    };
    Check {
        name: "name servers (/etc/resolv.conf)",
        status: if count > 0 { Status::Ok } else { Status::Weaker },
        found: if found.is_empty() { "none".to_owned() } else { found },
        without: "hosts are reached by address only, unless url_scope.nameservers or the entries of url_scope.allow help",
    }
}
