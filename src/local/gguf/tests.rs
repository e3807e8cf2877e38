use super::{GgufError, Head, read_from};
use proptest::prelude::*;
use std::io::Cursor;

/// Writes heads.
#[derive(Default)]
pub(crate) struct Builder {
    entries: Vec<u8>,
    count: u64,
    tensors: Vec<u8>,
    tensor_count: u64,
}

impl Builder {
    pub(crate) fn text(mut self, key: &str, value: &str) -> Self {
        push_text(&mut self.entries, key);
        self.entries.extend(8_u32.to_le_bytes());
        push_text(&mut self.entries, value);
        self.count += 1;
        self
    }

    fn number(mut self, key: &str, value: u32) -> Self {
        push_text(&mut self.entries, key);
        self.entries.extend(4_u32.to_le_bytes());
        self.entries.extend(value.to_le_bytes());
        self.count += 1;
        self
    }

    fn words(mut self, key: &str, words: &[&str]) -> Self {
        push_text(&mut self.entries, key);
        self.entries.extend(9_u32.to_le_bytes());
        self.entries.extend(8_u32.to_le_bytes());
        self.entries.extend((words.len() as u64).to_le_bytes());
        for word in words {
            push_text(&mut self.entries, word);
        }
        self.count += 1;
        self
    }

    pub(crate) fn tensor(mut self, name: &str, dimensions: &[u64], kind: u32) -> Self {
        push_text(&mut self.tensors, name);
        let count = u32::try_from(dimensions.len()).unwrap();
        self.tensors.extend(count.to_le_bytes());
        for dimension in dimensions {
            self.tensors.extend(dimension.to_le_bytes());
        }
        self.tensors.extend(kind.to_le_bytes());
        self.tensors.extend(0_u64.to_le_bytes());
        self.tensor_count += 1;
        self
    }

    pub(crate) fn bytes(self, data: usize) -> Vec<u8> {
        let mut bytes = b"GGUF".to_vec();
        bytes.extend(3_u32.to_le_bytes());
        bytes.extend(self.tensor_count.to_le_bytes());
        bytes.extend(self.count.to_le_bytes());
        bytes.extend(self.entries);
        bytes.extend(self.tensors);
        let start = bytes.len().next_multiple_of(32);
        bytes.resize(start + data, 0);
        bytes
    }
}

fn push_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u64).to_le_bytes());
    bytes.extend(text.as_bytes());
}

fn small() -> Vec<u8> {
    Builder::default()
        .text("general.architecture", "llama")
        .text("general.name", "Tiny")
        .text("general.license", "apache-2.0")
        .number("llama.context_length", 2048)
        .words("tokenizer.ggml.tokens", &["a", "b", "<tool>"])
        .text("tokenizer.chat_template", "{% if tools %}{% endif %}")
        .tensor("output.weight", &[64, 4], 8)
        .bytes(64 * 4 / 32 * 34)
}

fn check(bytes: &[u8]) -> Result<Head, GgufError> {
    read_from(Cursor::new(bytes), bytes.len() as u64)
}

#[test]
fn a_head_tells_name_licence_context_and_tools() {
    let bytes = small();
    let head = check(&bytes).unwrap();
    assert_eq!(head.architecture.as_deref(), Some("llama"));
    assert_eq!(head.name.as_deref(), Some("Tiny"));
    assert_eq!(head.licence.as_deref(), Some("apache-2.0"));
    assert_eq!(head.context_length, Some(2048));
    assert_eq!(head.parameters, 256);
    assert!(head.has_tool_template);
    assert_eq!(head.bytes, bytes.len() as u64);
}

#[test]
fn a_template_without_tools_is_told_apart() {
    let bytes = Builder::default()
        .text("tokenizer.chat_template", "{{ messages }}")
        .bytes(0);
    assert!(!check(&bytes).unwrap().has_tool_template);
}

#[test]
fn each_truncation_is_noticed() {
    let bytes = small();
    for length in 0..bytes.len() {
        let error = check(&bytes[..length]).unwrap_err();
        assert!(
            matches!(error, GgufError::CutShort { .. } | GgufError::NoGguf),
            "{length}: {error}"
        );
    }
}

#[test]
fn lies_about_sizes_cost_nothing() {
    let huge = |at: usize| {
        let mut bytes = small();
        bytes[at..at + 8].copy_from_slice(&u64::MAX.to_le_bytes());
        bytes
    };
    // Counts of tensors and entries, length of the first key, of the first value.
    for at in [8, 16, 24, 24 + 8 + 20 + 4] {
        check(&huge(at)).unwrap_err();
    }
    let mut nested = b"GGUF\x03\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0".to_vec();
    push_text(&mut nested, "k");
    nested.extend(9_u32.to_le_bytes());
    for _ in 0..10_000 {
        nested.extend(9_u32.to_le_bytes());
        nested.extend(1_u64.to_le_bytes());
    }
    let error = check(&nested).unwrap_err();
    assert_eq!(
        error.to_string(),
        "its head is damaged: lists in it are nested too deep"
    );
}

#[test]
fn other_files_are_no_gguf() {
    for bytes in [
        &b""[..],
        b"GGUF",
        b"PK\x03\x04 a zip archive",
        b"<html>not found</html>",
    ] {
        assert!(matches!(check(bytes), Err(GgufError::NoGguf)));
    }
    assert!(matches!(
        check(b"GGUF\x01\0\0\0\0\0\0\0"),
        Err(GgufError::Version(1))
    ));
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(
        tail in proptest::collection::vec(any::<u8>(), 0..2000),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..20),
        length in any::<prop::sample::Index>(),
    ) {
        let mut arbitrary = b"GGUF\x03\0\0\0".to_vec();
        arbitrary.extend(&tail);
        drop(check(&arbitrary));
        drop(check(&tail));
        let mut changed = small();
        for (at, byte) in changes {
            let at = at.index(changed.len());
            changed[at] = byte;
        }
        drop(check(&changed));
        let length = length.index(changed.len());
        drop(check(&changed[..length]));
    }
}
