//! Who somebody is, by what the kernel says.

/// The user this process runs as: the name, or `uid N` if the number has none.
pub fn this_user() -> String {
    name_of(rustix::process::getuid().as_raw())
}

/// The user's name; asks the system's user database, which may wait for a network.
pub(super) fn name_of(uid: u32) -> String {
    uzers::get_user_by_uid(uid)
        .and_then(|user| user.name().to_str().map(str::to_owned))
        .unwrap_or_else(|| format!("uid {uid}"))
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn names_are_those_of_the_system() {
        assert_eq!(name_of(0), "root");
        assert_eq!(name_of(3_999_999_999), "uid 3999999999");
    }
}
