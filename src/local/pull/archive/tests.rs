use super::{ArchiveError, extract, unpack_tar, unpack_tar_gz, unpack_zip};
use crate::local::store::disk::checksum_of;
use crate::local::test_folder::TestFolder;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::{Cursor, Write};
use std::path::PathBuf;
use tar::EntryType;
use zip::write::SimpleFileOptions;

/// An entry as it stands, also with a name that the tar crate wouldn't write.
fn entry(kind: EntryType, name: &str, link: &str, body: &[u8]) -> (tar::Header, Vec<u8>) {
    let mut header = tar::Header::new_gnu();
    let fields = header.as_gnu_mut().unwrap();
    fields.name[..name.len()].copy_from_slice(name.as_bytes());
    fields.linkname[..link.len()].copy_from_slice(link.as_bytes());
    header.set_entry_type(kind);
    header.set_size(body.len() as u64);
    header.set_mode(0o7777);
    header.set_cksum();
    (header, body.to_vec())
}

fn file(name: &str, body: &[u8]) -> (tar::Header, Vec<u8>) {
    entry(EntryType::Regular, name, "", body)
}

fn link(name: &str, to: &str) -> (tar::Header, Vec<u8>) {
    entry(EntryType::Symlink, name, to, b"")
}

fn tar(entries: &[(tar::Header, Vec<u8>)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (header, body) in entries {
        builder.append(header, body.as_slice()).unwrap();
    }
    builder.into_inner().unwrap()
}

fn check(entries: &[(tar::Header, Vec<u8>)]) -> (TestFolder, Result<(), ArchiveError>) {
    let folder = TestFolder::new();
    let into = folder.path().join("inner/into");
    fs::create_dir_all(&into).unwrap();
    let result = unpack_tar(Cursor::new(tar(entries)), &into, 1_000_000);
    (folder, result)
}

fn zip(folder: &TestFolder, entries: &[(&str, &[u8])]) -> PathBuf {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, body) in entries {
        let options = SimpleFileOptions::default().unix_permissions(0o755);
        writer.start_file(*name, options).unwrap();
        writer.write_all(body).unwrap();
    }
    folder.file("a.zip", &writer.finish().unwrap().into_inner())
}

#[test]
#[cfg(unix)]
fn files_links_and_modes_are_unpacked() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = TestFolder::new();
    let bytes = tar(&[
        entry(EntryType::Directory, "build/", "", b""),
        link("build/libllama.so", "libllama.so.0"),
        file("build/libllama.so.0", b"library"),
        file("./build/bin/llama-server", b"program"),
    ]);
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&bytes).unwrap();
    let archive = folder.file("a.tar.gz", &packed.finish().unwrap());
    let into = folder.path().join("into");
    fs::create_dir(&into).unwrap();
    unpack_tar_gz(&archive, &into).unwrap();
    assert_eq!(
        fs::read(into.join("build/libllama.so")).unwrap(),
        b"library"
    );
    let program = into.join("build/bin/llama-server").metadata().unwrap();
    assert_eq!(program.permissions().mode() & 0o7777 & !0o022, 0o755);
}

#[test]
fn names_that_lead_out_are_refused_and_write_nothing() {
    for name in ["../out", "a/../../out", "/tmp/hermes-out", "a\\..\\out"] {
        let (folder, result) = check(&[file(name, b"x")]);
        assert!(matches!(result, Err(ArchiveError::Entry { .. })), "{name}");
        let entries = fs::read_dir(folder.path().join("inner")).unwrap();
        assert_eq!(entries.count(), 1, "{name}");
        assert!(!folder.path().join("out").exists());
    }
}

#[test]
fn links_that_could_lead_out_are_refused() {
    for to in ["/etc", "..", "../x", "a/../../x", ""] {
        let (_folder, result) = check(&[link("l", to), file("l/passwd", b"x")]);
        assert!(matches!(result, Err(ArchiveError::Entry { .. })), "{to}");
    }
    // A file below a link of the same archive takes the link's place, and the link is refused.
    let (folder, result) = check(&[link("l", "a"), file("a", b"a"), file("l/b", b"b")]);
    assert_eq!(
        result.unwrap_err().to_string(),
        "the archive holds `l`, which is there twice"
    );
    assert!(folder.path().join("inner/into/l/b").is_file());
}

#[test]
fn devices_and_hard_links_are_refused() {
    for kind in [
        EntryType::Char,
        EntryType::Block,
        EntryType::Fifo,
        EntryType::Link,
    ] {
        let (_folder, result) = check(&[entry(kind, "d", "a", b"")]);
        assert_eq!(
            result.unwrap_err().to_string(),
            "the archive holds `d`, which is neither file, folder nor link"
        );
    }
}

#[test]
fn a_name_may_be_there_once() {
    let (_folder, result) = check(&[file("a", b"1"), file("./a", b"2")]);
    assert_eq!(
        result.unwrap_err().to_string(),
        "the archive holds `./a`, which is there twice"
    );
}

#[test]
fn what_unpacks_to_too_much_is_refused() {
    let zeros = vec![0; 600_000];
    let (_folder, result) = check(&[file("a", &zeros), file("b", &zeros)]);
    assert!(result.is_err());
    // By the sum of its files as well.
    let folder = TestFolder::new();
    let mut target = super::Target::new(folder.path(), 1_000_000);
    target.file("a", false, &mut zeros.as_slice()).unwrap();
    let error = target.file("b", false, &mut zeros.as_slice()).unwrap_err();
    assert!(matches!(error, ArchiveError::TooLarge(1_000_000)));
}

#[test]
fn a_cut_or_foreign_file_is_damaged() {
    let folder = TestFolder::new();
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&tar(&[file("a", &[7; 5000])])).unwrap();
    let whole = packed.finish().unwrap();
    for (number, bytes) in [&whole[..whole.len() / 2], b"no archive", b""]
        .iter()
        .enumerate()
    {
        let archive = folder.file("a.tar.gz", bytes);
        let into = folder.path().join(format!("into{number}"));
        fs::create_dir(&into).unwrap();
        // An empty stream is no error of tar's; then there is no program in it.
        let unpacked = unpack_tar_gz(&archive, &into);
        assert!(
            matches!(unpacked, Err(ArchiveError::Damaged(_))),
            "{number}"
        );
        unpack_zip(&archive, "", &into).unwrap_err();
    }
}

#[test]
fn of_a_zip_only_the_wanted_folder_is_unpacked() {
    let folder = TestFolder::new();
    let archive = zip(
        &folder,
        &[
            ("pack/__init__.py", b"import os"),
            ("pack/bin/llama-server", b"program"),
            ("pack/bin/lib/x.so", b"library"),
            ("../out", b"x"),
        ],
    );
    let into = folder.path().join("into");
    fs::create_dir(&into).unwrap();
    unpack_zip(&archive, "pack/bin/", &into).unwrap();
    let mut names: Vec<_> = fs::read_dir(&into)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["lib", "llama-server"]);
    let archive = zip(&folder, &[("pack/bin/../../out", b"x")]);
    let error = unpack_zip(&archive, "pack/bin/", &into).unwrap_err();
    assert!(matches!(error, ArchiveError::Entry { .. }), "{error}");
}

#[test]
fn one_entry_is_taken_out_if_it_is_the_right_one() {
    let folder = TestFolder::new();
    let archive = zip(&folder, &[("pack/weights.gguf", b"weights")]);
    let right = checksum_of(&folder.file("right", b"weights")).unwrap();
    let to = folder.path().join("weights");
    extract(&archive, "pack/weights.gguf", &to, 7, &right).unwrap();
    assert_eq!(fs::read(&to).unwrap(), b"weights");
    let wrong = extract(&archive, "pack/weights.gguf", &to, 7, &"0".repeat(64)).unwrap_err();
    assert!(matches!(wrong, ArchiveError::WrongChecksum { .. }));
    // Longer than it should be: no more than one byte beyond is written.
    extract(&archive, "pack/weights.gguf", &to, 3, &right).unwrap_err();
    assert_eq!(to.metadata().unwrap().len(), 4);
    let missing = extract(&archive, "other", &to, 7, &right).unwrap_err();
    assert_eq!(missing.to_string(), "the archive holds no `other`");
}
