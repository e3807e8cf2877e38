//! The size cap: a result above the limit is kept whole on disk; the caller gets its head and path.

use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// Characters of the head.
const PREVIEW: usize = 1500;
/// How long kept results stay.
const KEPT_FOR: Duration = Duration::from_hours(7 * 24);

/// How much of them stays.
const KEPT_BYTES: u64 = 500 * 1024 * 1024;

/// The envelope as it is, or the one that stands for it. `limit` in characters.
pub(super) fn cap(json: String, limit: usize, folder: Option<&Path>) -> (String, Option<String>) {
    // Bytes are never fewer than characters.
    if json.len() <= limit || json.chars().count() <= limit {
        return (json, None);
    }
    // A lone text is kept as that text, not as JSON of it.
    let (body, extension) = match lone_text(&json) {
        Some(text) => (text, "txt"),
        None => (json, "json"),
    };
    let chars = body.chars().count();
    let preview: String = body.chars().take(PREVIEW).collect();
    let (place, note) = match folder {
        None => (
            None,
            format!(
                "the result has {chars} characters, more than the {limit} allowed; ask for less"
            ),
        ),
        Some(folder) => match keep(folder, &body, extension) {
            Ok(path) => (
                Some(path.display().to_string()),
                format!(
                    "the result has {chars} characters, more than the {limit} allowed; the whole is in `path`, read parts of it or ask for less"
                ),
            ),
            Err(error) => (
                None,
                format!(
                    "the result has {chars} characters, more than the {limit} allowed, and could not be kept ({error}); ask for less"
                ),
            ),
        },
    };
    let trace = format!("{chars} characters cut to {PREVIEW}");
    let mut envelope = json!({"truncated": true, "chars": chars});
    if let Value::Object(object) = &mut envelope {
        if let Some(place) = place {
            object.insert("path".to_owned(), Value::String(place));
        }
        object.insert("preview".to_owned(), Value::String(preview));
        object.insert("note".to_owned(), Value::String(note));
    }
    (envelope.to_string(), Some(trace))
}

fn lone_text(json: &str) -> Option<String> {
    if !json.starts_with("{\"result\":\"") {
        return None;
    }
    let Ok(Value::Object(object)) = serde_json::from_str(json) else {
        return None;
    };
    match (object.len(), object.into_iter().next()) {
        (1, Some((_, Value::String(text)))) => Some(text),
        _ => None,
    }
}

/// Writes a result that only its owner can read, and removes old ones.
fn keep(folder: &Path, body: &str, extension: &str) -> std::io::Result<PathBuf> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    fs::create_dir_all(folder)?;
    // A model reads the path from somewhere else.
    let folder = folder.canonicalize()?;
    remove_old(&folder, u64::try_from(body.len()).unwrap_or(u64::MAX));
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let nanos = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.subsec_nanos());
    let name = format!(
        "result-{}-{nanos:09}-{number}.{extension}",
        std::process::id()
    );
    let path = folder.join(name);
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(&path)?.write_all(body.as_bytes())?;
    Ok(path)
}

/// Removes what `keep` wrote more than a week ago, and the oldest beyond a total size.
#[expect(
    clippy::disallowed_methods,
    reason = "removes only what this file has written"
)]
fn remove_old(folder: &Path, coming: u64) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut kept: Vec<(SystemTime, u64, PathBuf)> = entries
        .filter_map(Result::ok)
        .filter(|entry| is_ours(&entry.file_name().to_string_lossy()))
        .filter_map(|entry| {
            let metadata = entry.metadata().ok()?;
            Some((metadata.modified().ok()?, metadata.len(), entry.path()))
        })
        .collect();
    // Newest first.
    kept.sort_by(|one, other| other.cmp(one));
    let mut total = coming;
    for (at, size, path) in kept {
        total += size;
        let old = at.elapsed().is_ok_and(|age| age > KEPT_FOR);
        if (old || total > KEPT_BYTES)
            && let Err(error) = fs::remove_file(&path)
        {
            tracing::debug!(%error, "an old result can't be removed");
        }
    }
}

/// `result-<process>-<nanoseconds>-<number>.<extension>`
fn is_ours(name: &str) -> bool {
    let extension = Path::new(name).extension();
    name.starts_with("result-") && extension.is_some_and(|kind| kind == "txt" || kind == "json")
}

#[cfg(test)]
mod tests {
    use super::{KEPT_BYTES, is_ours, keep, remove_old};

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a folder of the test's own")]
    fn old_results_make_room_and_other_files_stay() {
        let folder = std::env::temp_dir().join(format!("hermes-cap-{}", std::process::id()));
        let first = keep(&folder, "one", "txt").unwrap();
        std::fs::write(folder.join("notes.txt"), "mine").unwrap();
        let second = keep(&folder, "two", "json").unwrap();
        assert!(first.is_absolute() && first.exists() && second.exists());
        remove_old(&folder, KEPT_BYTES);
        assert!(!first.exists() && !second.exists());
        assert!(folder.join("notes.txt").exists());
        assert!(!is_ours("notes.txt"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
