//! The attributes that matter.

/// The longest value that is looked at, in bytes, except of `alt`. Longer URLs are of no use to a reader.
const LONGEST: usize = 8 * 1024;

/// An attribute that matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Alt,
    Class,
    Colspan,
    Href,
    Src,
    Start,
}

impl Name {
    pub(super) fn of(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"alt" => Self::Alt,
            b"class" => Self::Class,
            b"colspan" => Self::Colspan,
            b"href" => Self::Href,
            b"src" => Self::Src,
            b"start" => Self::Start,
            _ => return None,
        })
    }
}

/// The attributes of one tag.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    values: [Option<String>; 6],
}

impl Attributes {
    pub(super) fn clear(&mut self) {
        self.values = Default::default();
    }

    /// Keeps a value; of several for one name the first counts.
    pub(super) fn set(&mut self, name: Name, value: &[u8]) {
        let place = &mut self.values[name as usize];
        if place.is_none() && (value.len() <= LONGEST || name == Name::Alt) {
            *place = Some(String::from_utf8_lossy(value).into_owned());
        }
    }

    pub(super) fn get(&self, name: Name) -> Option<&str> {
        self.values[name as usize].as_deref()
    }

    /// The value as a number, if it is one.
    pub(super) fn number(&self, name: Name) -> Option<u32> {
        self.get(name)?.trim().parse().ok()
    }
}
