//! Media types: which content is text.

/// How many bytes decide about content without a type.
const SNIFFED: usize = 512;

/// Types that are text although they do not start with `text/`: those of RFC 8259, RFC 7303, RFC 9239, RFC 9512 and
/// the names in use for them and for others of that sort.
const TEXT: [&str; 11] = [
    "application/ecmascript",
    "application/graphql",
    "application/javascript",
    "application/json",
    "application/toml",
    "application/x-javascript",
    "application/x-ndjson",
    "application/x-yaml",
    "application/xhtml+xml",
    "application/xml",
    "application/yaml",
];

/// Suffixes of types whose content is text (RFC 6839, RFC 9512).
const TEXT_SUFFIXES: [&str; 3] = ["+json", "+xml", "+yaml"];

/// Whether content can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Binary,
}

/// A header Content-Type, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MediaType {
    /// Type and subtype in lower case; empty if there is none.
    essence: String,
    /// The parameter `charset`, if given.
    charset: Option<String>,
}

impl MediaType {
    pub(crate) fn parse(content_type: &str) -> Self {
        let (essence, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
        Self {
            essence: essence.trim().to_ascii_lowercase(),
            charset: charset(parameters),
        }
    }

    /// The name of a character encoding, as the server declared it.
    pub(crate) fn charset(&self) -> Option<&str> {
        self.charset.as_deref()
    }

    pub(crate) fn is_html(&self) -> bool {
        matches!(self.essence.as_str(), "text/html" | "application/xhtml+xml")
    }

    pub(crate) fn is_xml(&self) -> bool {
        matches!(self.essence.as_str(), "text/xml" | "application/xml") || self.essence.ends_with("+xml")
    }

    /// Whether content of this type is text. The content decides only if there is no type.
    pub(crate) fn kind(&self, content: &[u8]) -> Kind {
        let essence = self.essence.as_str();
        let text = match essence {
            "" => !content[..content.len().min(SNIFFED)].contains(&0),
            _ => {
                essence.starts_with("text/")
                    || TEXT.contains(&essence)
                    || TEXT_SUFFIXES.iter().any(|suffix| essence.ends_with(suffix))
            }
        };
        if text { Kind::Text } else { Kind::Binary }
    }
}

/// The parameter `charset`, without quotes; its first value counts.
fn charset(parameters: &str) -> Option<String> {
    parameters.split(';').find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']).trim();
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then(|| value.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(content_type: &str, content: &[u8]) -> Kind {
        MediaType::parse(content_type).kind(content)
    }

    #[test]
    fn text_types() {
        for content_type in [
            "",
            " ; charset=utf-8",
            "text/plain",
            "TEXT/HTML; Charset=UTF-8",
            "text/anything",
            "application/json",
            "Application/JSON;v=1",
            "application/problem+json",
            "application/xml",
            "image/svg+xml",
            "application/xhtml+xml",
            "application/javascript",
            "application/ecmascript",
            "application/yaml",
            "application/openapi+yaml",
            "application/x-ndjson",
            "application/toml",
            "application/x-yaml",
            "application/x-javascript",
            "application/graphql ; charset=x",
        ] {
            assert_eq!(kind(content_type, b"\x89PNG"), Kind::Text, "{content_type}");
        }
    }

    #[test]
    fn other_types_are_binary_whatever_they_hold() {
        for content_type in [
            "application/octet-stream",
            "image/png",
            "application/pdf",
            "application/zip",
            "application/jsonx",
            "video/mp4; codecs=\"text/plain\"",
            "nonsense",
            "*/*",
            "application/vnd.oai",
            "multipart/form-data; boundary=x",
        ] {
            assert_eq!(kind(content_type, b"plain text"), Kind::Binary, "{content_type}");
        }
    }

    #[test]
    fn without_a_type_a_nul_at_the_start_means_binary() {
        let mut content = vec![b'x'; SNIFFED + 1];
        content[SNIFFED] = 0;
        assert_eq!(kind("", &content), Kind::Text);
        content[SNIFFED - 1] = 0;
        assert_eq!(kind("", &content), Kind::Binary);
        assert_eq!(kind("  ", &content), Kind::Binary);
        assert_eq!(kind("text/plain", &content), Kind::Text);
    }

    #[test]
    fn the_charset_is_found_among_parameters() {
        let cases = [
            ("text/html", None),
            ("text/html; charset=", None),
            ("text/html; charset=utf-8", Some("utf-8")),
            ("text/html;CHARSET = \"Shift_JIS\" ; x=y", Some("Shift_JIS")),
            ("text/html; boundary=x; charset='latin1'", Some("latin1")),
            ("text/html; charset=a; charset=b", Some("a")),
        ];
        for (content_type, expected) in cases {
            assert_eq!(MediaType::parse(content_type).charset(), expected, "{content_type}");
        }
    }
}
