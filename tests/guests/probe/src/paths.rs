//! Operations on names.

use toolgate_plugin::bindings::toolgate::plugin::files::mode_at;
use toolgate_plugin::bindings::wasi::clocks::wall_clock::Datetime;
use toolgate_plugin::bindings::wasi::filesystem::types::{
    Descriptor, DescriptorStat, DescriptorType, ErrorCode, MetadataHashValue, NewTimestamp,
};

use crate::machine::Outcome;
use crate::op::Op;

pub(crate) fn open(at: &Descriptor, op: &Op) -> Result<Descriptor, ErrorCode> {
    at.open_at(op.path_flags(), &op.path, op.open_flags(), op.descriptor_flags())
}

/// Operations on one descriptor and a path; `None` if it is none of these.
pub(crate) fn single(at: &Descriptor, op: &Op) -> Option<Outcome> {
    let path = op.path.as_str();
    Some(match op.op.as_str() {
        "stat" => done(at.stat(), |stat| describe(&stat)),
        "stat_at" => done(at.stat_at(op.path_flags(), path), |stat| describe(&stat)),
        "readlink" => done(at.readlink_at(path), |text| text),
        "mkdir" => plain(at.create_directory_at(path)),
        "rmdir" => plain(at.remove_directory_at(path)),
        "unlink" => plain(at.unlink_file_at(path)),
        "symlink" => plain(at.symlink_at(&op.text, path)),
        "set_times" => plain(at.set_times(time(op), time(op))),
        "set_times_at" => plain(at.set_times_at(op.path_flags(), path, time(op), time(op))),
        "hash" => done(at.metadata_hash(), hex),
        "hash_at" => done(at.metadata_hash_at(op.path_flags(), path), hex),
        "mode_at" => done(mode_at(at, path), |mode| format!("{mode:o}")),
        "list" => list(at),
        _ => return None,
    })
}

/// Operations on two descriptors.
pub(crate) fn pair(at: &Descriptor, to: &Descriptor, op: &Op) -> Outcome {
    match op.op.as_str() {
        "rename" => plain(at.rename_at(&op.path, to, &op.new)),
        "link" => plain(at.link_at(op.path_flags(), &op.path, to, &op.new)),
        _ => Ok(at.is_same_object(to).to_string()),
    }
}

/// The names in the directory, sorted, as a JSON list.
fn list(at: &Descriptor) -> Outcome {
    let stream = at.read_directory()?;
    let mut names = Vec::new();
    while let Some(entry) = stream.read_directory_entry()? {
        names.push(entry.name);
    }
    names.sort();
    Ok(serde_json::Value::from(names).to_string())
}

fn time(op: &Op) -> NewTimestamp {
    match op.text.as_str() {
        "now" => NewTimestamp::Now,
        "keep" => NewTimestamp::NoChange,
        _ => NewTimestamp::Timestamp(Datetime {
            seconds: op.offset,
            nanoseconds: u32::try_from(op.length).unwrap_or(u32::MAX),
        }),
    }
}

fn describe(stat: &DescriptorStat) -> String {
    let kind = match stat.type_ {
        DescriptorType::Directory => "dir",
        DescriptorType::RegularFile => "file",
        DescriptorType::SymbolicLink => "link",
        DescriptorType::Fifo => "fifo",
        DescriptorType::Socket => "socket",
        DescriptorType::CharacterDevice | DescriptorType::BlockDevice => "device",
        DescriptorType::Unknown => "unknown",
    };
    format!("{kind} {} {}", stat.size, stat.link_count)
}

fn hex(hash: MetadataHashValue) -> String {
    format!("{:016x}{:016x}", hash.upper, hash.lower)
}

fn done<T>(result: Result<T, ErrorCode>, text: impl FnOnce(T) -> String) -> Outcome {
    Ok(text(result?))
}

pub(crate) fn plain(result: Result<(), ErrorCode>) -> Outcome {
    result?;
    Ok(String::new())
}
