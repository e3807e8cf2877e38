use super::*;
use crate::local::cpu::Machine;
use crate::local::gguf::tests::Builder;
use crate::local::store::disk::checksum_of;
use crate::local::test_folder::TestFolder;
use std::time::{Duration, SystemTime};

fn weights(context: &str) -> Vec<u8> {
    Builder::default()
        .text("general.architecture", "llama")
        .text("general.license", "mit")
        .text("tokenizer.chat_template", context)
        .tensor("w", &[32, 2], 8)
        .bytes(68)
}

/// A catalogue whose one model has the given bytes.
fn catalogue(folder: &TestFolder, bytes: &[u8]) -> [Model; 1] {
    let sha256 = checksum_of(&folder.file("sum", bytes)).unwrap();
    [Model {
        name: "tiny-1b",
        file: "Tiny.gguf",
        bytes: bytes.len() as u64,
        sha256: sha256.leak(),
        licence: "Apache-2.0",
        home: None,
        package: None,
    }]
}

#[test]
fn models_of_the_catalogue_and_others_are_listed() {
    let folder = TestFolder::new();
    let folders = Folders::at(folder.path());
    let bytes = weights("{{ tools }}");
    let catalogue = catalogue(&folder, &bytes);
    folder.file("models/tiny-1b.gguf", &bytes);
    folder.file("models/mine.gguf", &weights("{{ messages }}"));
    folder.file("models/cut.gguf", &bytes[..bytes.len() - 1]);
    folder.file("models/notes.txt", b"x");
    let listing = models(&folders, &catalogue);
    let [mine, tiny] = listing.usable.as_slice() else {
        panic!("{:?}", listing.usable);
    };
    assert_eq!((mine.name.as_str(), mine.is_known), ("mine", false));
    assert_eq!(mine.licence.as_deref(), Some("mit"));
    assert!(!mine.has_tool_template);
    assert_eq!((tiny.name.as_str(), tiny.is_known), ("tiny-1b", true));
    assert_eq!(tiny.licence.as_deref(), Some("Apache-2.0"));
    assert!(tiny.has_tool_template && tiny.is_small);
    assert_eq!(tiny.parameters, 64);
    let [cut] = listing.broken.as_slice() else {
        panic!("{:?}", listing.broken);
    };
    let text = cut.to_string();
    assert!(text.contains("it is cut short: "), "{text}");
    assert!(
        text.ends_with("get the file again from where it came"),
        "{text}"
    );
}

#[test]
fn an_error_says_what_to_do() {
    let folder = TestFolder::new();
    let folders = Folders::at(folder.path());
    let bytes = weights("");
    let catalogue = catalogue(&folder, &bytes);
    let check = |name: &str| find(&folders, &catalogue, name).unwrap_err().to_string();
    assert_eq!(
        check("tiny-1b"),
        "model `tiny-1b` isn't on this machine; run `hermes model pull tiny-1b`"
    );
    assert_eq!(
        check("tiny1b"),
        "there is no model `tiny1b`, did you mean `tiny-1b`?; `hermes model list` shows what there is, and the path of a .gguf file will do too"
    );
    assert!(!check("zzz").contains("did you mean"));
    assert_eq!(
        check("no/such.gguf"),
        "`no/such.gguf` isn't there; give the path of a .gguf file or a name that `hermes model list` shows"
    );
    let text = folder.file("text.gguf", b"some text that is long enough");
    let path = text.display().to_string();
    assert_eq!(
        check(&path),
        format!(
            "`{path}` can't be used as weights: it is no GGUF file; get the file again from where it came"
        )
    );
}

#[test]
fn weights_are_found_by_name_and_by_path() {
    let folder = TestFolder::new();
    let folders = Folders::at(folder.path());
    let bytes = weights("");
    let catalogue = catalogue(&folder, &bytes);
    let pulled = folder.file("models/tiny-1b.gguf", &bytes);
    let other = folder.file("elsewhere/other.gguf", &bytes);
    for name in ["tiny-1b", "tiny-1b.gguf", &pulled.display().to_string()] {
        assert_eq!(find(&folders, &catalogue, name).unwrap().path, pulled);
    }
    let found = find(&folders, &catalogue, &other.display().to_string()).unwrap();
    assert_eq!((found.path, found.is_known), (other, false));
}

#[test]
fn damage_is_noticed_when_size_or_time_changed() {
    let folder = TestFolder::new();
    let folders = Folders::at(folder.path());
    let mut bytes = weights("");
    let catalogue = catalogue(&folder, &bytes);
    let path = folder.file("models/tiny-1b.gguf", &bytes);
    stamp(&folders, &catalogue[0]).unwrap();
    let found = find(&folders, &catalogue, "tiny-1b").unwrap();
    verify(&found).unwrap();
    let touch = |seconds| {
        let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        file.set_modified(time).unwrap();
    };
    // Only the time is another: read once, and stamped anew.
    touch(1_000_000);
    verify(&found).unwrap();
    assert!(Stamp::read(&path).unwrap().still_holds(&path).unwrap());
    *bytes.last_mut().unwrap() ^= 1;
    folder.file("models/tiny-1b.gguf", &bytes);
    let text = verify(&found).unwrap_err().to_string();
    assert!(text.contains("is damaged: its SHA-256 is "), "{text}");
    assert!(
        text.ends_with("run `hermes model pull tiny-1b` to get it again"),
        "{text}"
    );
}

#[test]
fn removing_gives_the_bytes_and_takes_only_what_is_ours() {
    let folder = TestFolder::new();
    let folders = Folders::at(folder.path());
    let bytes = weights("");
    let catalogue = catalogue(&folder, &bytes);
    let elsewhere = folder.file("elsewhere.gguf", &bytes);
    folder.file("models/tiny-1b.gguf", &bytes);
    stamp(&folders, &catalogue[0]).unwrap();
    let freed = remove(&folders, &catalogue, "tiny-1b").unwrap();
    assert!(freed > bytes.len() as u64);
    assert_eq!(fs::read_dir(folders.models()).unwrap().count(), 0);
    remove(&folders, &catalogue, "tiny-1b").unwrap_err();
    remove(&folders, &catalogue, "../elsewhere").unwrap_err();
    assert!(elsewhere.exists());
    folder.file("downloads/a.part", b"12345");
    folder.file("downloads/a.lock", b"");
    assert_eq!(remove_downloads(&folders).unwrap(), 5);
    assert!(folders.downloads().join("a.lock").exists());
}

#[cfg(unix)]
mod engines {
    use super::*;

    fn machine(features: &[&str]) -> Machine {
        Machine {
            os: "linux".to_owned(),
            arch: "x86_64".to_owned(),
            features: features.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    fn put(folder: &TestFolder, name: &str, features: &[&str], installed: u64) -> PathBuf {
        let program = folder.script(&format!("engines/{name}/bin/llama-server"), "exit 0");
        let record = EngineRecord {
            format: EngineRecord::FORMAT,
            name: name.to_owned(),
            version: "1".to_owned(),
            licence: "MIT".to_owned(),
            program: "bin/llama-server".to_owned(),
            os: "linux".to_owned(),
            arch: "x86_64".to_owned(),
            features: features.iter().map(|&name| name.to_owned()).collect(),
            built_here: true,
            installed,
        };
        let place = folder.path().join("engines").join(name);
        record.write(&place).unwrap();
        program
    }

    #[test]
    fn the_users_own_comes_first_then_the_newest_that_runs_here() {
        let folder = TestFolder::new();
        let folders = Folders::at(folder.path());
        let none = engine(&folders, &machine(&[]), None).unwrap_err();
        assert_eq!(none, EngineError::None);
        let old = put(&folder, "old", &[], 1);
        put(&folder, "new", &["avx2", "avx512f"], 2);
        // Being unpacked, or without its program.
        put(&folder, ".odd.unpacking", &[], 3);
        folder.file("engines/empty/engine.json", b"{}");
        let found = engine(&folders, &machine(&["avx2"]), None).unwrap();
        assert_eq!(found.program, old);
        assert_eq!(found.library_folder.as_deref(), old.parent());
        let own = folder.script("own/llama-server", "exit 0");
        let path = own.parent().unwrap().as_os_str();
        let found = engine(&folders, &machine(&["avx2"]), Some(path)).unwrap();
        assert_eq!((found.program, found.library_folder), (own, None));
        assert!(remove_engines(&folders).unwrap() > 0);
    }

    #[test]
    fn an_engine_built_on_another_machine_is_refused_before_it_starts() {
        let folder = TestFolder::new();
        let folders = Folders::at(folder.path());
        put(&folder, "built", &["avx2", "avx_vnni"], 1);
        let unfit = engine(&folders, &machine(&["avx2"]), None).unwrap_err();
        assert_eq!(
            unfit.to_string(),
            "engine `built` can't run here: this processor lacks avx_vnni; run `hermes model pull` for one that can"
        );
    }
}
