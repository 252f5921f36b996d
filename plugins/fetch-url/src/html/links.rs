//! Links, as absolute URLs.

use url::Url;

/// What relative links of a document refer to.
#[derive(Debug)]
pub(super) struct Base {
    url: Option<Url>,
    /// A document's first `base` element counts, others do not.
    fixed: bool,
}

impl Base {
    /// The base of a document found at this URL.
    pub(super) fn new(url: &str) -> Self {
        Self {
            url: Url::parse(url).ok(),
            fixed: false,
        }
    }

    /// Takes note of a `base` element.
    pub(super) fn set(&mut self, href: &str) {
        if !self.fixed {
            self.fixed = true;
            if let Some(url) = self.parse(href).filter(|url| matches!(url.scheme(), "http" | "https")) {
                self.url = Some(url);
            }
        }
    }

    /// The absolute URL of a link; `None` if it is no URL, or leads nowhere but into the page that holds it.
    pub(super) fn resolve(&self, link: &str) -> Option<String> {
        let url = self.parse(link)?;
        let leads = !matches!(url.scheme(), "javascript" | "vbscript" | "data" | "blob" | "about");
        leads.then(|| url.into())
    }

    fn parse(&self, link: &str) -> Option<Url> {
        match &self.url {
            Some(base) => base.join(link).ok(),
            None => Url::parse(link).ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_absolute() {
        let base = Base::new("https://h.example/a/b?q#f");
        let cases = [
            ("c", Some("https://h.example/a/c")),
            ("/c?d=e f", Some("https://h.example/c?d=e%20f")),
            ("//o.example", Some("https://o.example/")),
            ("#top", Some("https://h.example/a/b?q#top")),
            ("", Some("https://h.example/a/b?q")),
            (" ../x\n", Some("https://h.example/x")),
            ("HTTP://O.example:80/", Some("http://o.example/")),
            ("mailto:a@b.example", Some("mailto:a@b.example")),
            ("javascript:alert(1)", None),
            (" JavaScript\n:alert(1)", None),
            ("java\tscript:alert(1)", None),
            ("data:text/html,x", None),
            ("vbscript:x", None),
            ("blob:https://h.example/1", None),
            ("about:blank", None),
            ("http://[", None),
        ];
        for (link, expected) in cases {
            assert_eq!(base.resolve(link).as_deref(), expected, "{link:?}");
        }
    }

    #[test]
    fn the_first_base_element_counts() {
        let mut base = Base::new("https://h.example/a/");
        base.set("/x/");
        base.set("/y/");
        assert_eq!(base.resolve("z").as_deref(), Some("https://h.example/x/z"));
        let mut base = Base::new("https://h.example/a/");
        base.set("data:text/html,x");
        base.set("/y/");
        assert_eq!(base.resolve("z").as_deref(), Some("https://h.example/a/z"));
    }

    #[test]
    fn without_a_base_only_absolute_links_are_known() {
        let base = Base::new("nothing");
        assert_eq!(base.resolve("z"), None);
        assert_eq!(base.resolve("https://o.example").as_deref(), Some("https://o.example/"));
    }
}
