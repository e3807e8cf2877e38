//! The head of a GGUF file: what the weights say about themselves, and whether they are whole.
//!
//! Format: <https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>, versions 2 and 3. By hand,
//! since a few keys are all we need of it. The file is a stranger's: every count and length is
//! bounded, and nothing is allocated by a number that it names.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek};
use std::path::Path;

/// Most that a head may measure. Vocabularies of 256,000 words take about 15 MiB.
const MOST_HEAD: u64 = 64 * 1024 * 1024;
const MOST_ENTRIES: u64 = 100_000;
/// Longest key, and longest name of a tensor.
const MOST_KEY: u64 = 64 * 1024;
/// Longest text that is kept; the longest chat templates have about 20 KiB.
const MOST_TEXT: u64 = 1024 * 1024;
const MOST_NESTING: u32 = 4;

/// What a head says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) version: u32,
    pub(crate) architecture: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) licence: Option<String>,
    /// Such as `135M`.
    pub(crate) size_label: Option<String>,
    pub(crate) chat_template: Option<String>,
    /// Whether a chat template takes tools. A template without leaves them out in silence.
    pub(crate) has_tool_template: bool,
    /// In tokens, as the model was trained.
    pub(crate) context_length: Option<u64>,
    /// Counted over the tensors.
    pub(crate) parameters: u64,
    /// Least size of the whole file, by its table of tensors.
    pub(crate) bytes: u64,
}

/// Why a file can't be used as weights.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GgufError {
    #[error("it can't be read: {0}")]
    Read(io::Error),
    #[error("it is no GGUF file")]
    NoGguf,
    #[error("it is GGUF version {0}; versions 2 and 3 are supported")]
    Version(u32),
    #[error("it is cut short: {there} bytes of at least {wanted}")]
    CutShort { there: u64, wanted: u64 },
    #[error("its head is damaged: {0}")]
    Damaged(&'static str),
}

/// Reads the head of a file.
pub(crate) fn read(path: &Path) -> Result<Head, GgufError> {
    let file = File::open(path).map_err(GgufError::Read)?;
    let metadata = file.metadata().map_err(GgufError::Read)?;
    if !metadata.is_file() {
        return Err(GgufError::NoGguf);
    }
    read_from(BufReader::with_capacity(64 * 1024, file), metadata.len())
}

/// Reads the head of what is `size` bytes long.
pub(crate) fn read_from(source: impl Read + Seek, size: u64) -> Result<Head, GgufError> {
    let mut reader = Reader {
        source,
        position: 0,
        size,
    };
    if size < 8 || reader.bytes::<4>()? != *b"GGUF" {
        return Err(GgufError::NoGguf);
    }
    let version = reader.u32()?;
    if !matches!(version, 2 | 3) {
        return Err(GgufError::Version(version));
    }
    let mut head = Head {
        version,
        ..Head::default()
    };
    let tensors = reader.u64()?;
    let entries = reader.u64()?;
    if tensors > MOST_ENTRIES || entries > MOST_ENTRIES {
        return Err(GgufError::Damaged("it promises too many entries"));
    }
    let mut alignment = 32;
    for _ in 0..entries {
        reader.entry(&mut head, &mut alignment)?;
    }
    reader.tensors(tensors, alignment, &mut head)?;
    if size < head.bytes {
        return Err(GgufError::CutShort {
            there: size,
            wanted: head.bytes,
        });
    }
    Ok(head)
}

/// Reads little-endian values and never past the file or the bound of a head.
struct Reader<S> {
    source: S,
    position: u64,
    size: u64,
}

impl<S: Read + Seek> Reader<S> {
    /// Accounts for `count` bytes.
    fn advance(&mut self, count: u64) -> Result<(), GgufError> {
        let after = self
            .position
            .checked_add(count)
            .ok_or(GgufError::Damaged("a length in it is impossible"))?;
        if after > MOST_HEAD {
            return Err(GgufError::Damaged("it is longer than 64 MiB"));
        }
        if after > self.size {
            return Err(GgufError::CutShort {
                there: self.size,
                wanted: after,
            });
        }
        self.position = after;
        Ok(())
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), GgufError> {
        self.source
            .read_exact(bytes)
            .map_err(|error| match error.kind() {
                // It shrank while we read it.
                ErrorKind::UnexpectedEof => GgufError::CutShort {
                    there: self.position,
                    wanted: self.size,
                },
                _ => GgufError::Read(error),
            })
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], GgufError> {
        self.advance(N as u64)?;
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32, GgufError> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, GgufError> {
        self.bytes().map(u64::from_le_bytes)
    }

    fn skip(&mut self, count: u64) -> Result<(), GgufError> {
        self.advance(count)?;
        // Bounded by `MOST_HEAD`.
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        self.source.seek_relative(count).map_err(GgufError::Read)
    }

    /// A text of at most `most` bytes; a longer one is passed over.
    fn text(&mut self, most: u64) -> Result<Option<String>, GgufError> {
        let length = self.u64()?;
        if length > most {
            self.skip(length)?;
            return Ok(None);
        }
        self.advance(length)?;
        // Within `most`, and the file is at least as long.
        let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
        self.fill(&mut bytes)?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn key(&mut self) -> Result<String, GgufError> {
        self.text(MOST_KEY)?
            .ok_or(GgufError::Damaged("a key in it is too long"))
    }

    fn entry(&mut self, head: &mut Head, alignment: &mut u64) -> Result<(), GgufError> {
        let key = self.key()?;
        let kind = self.u32()?;
        // The architecture stands before the keys that begin with it, by the format's custom.
        let context_length = head
            .architecture
            .as_ref()
            .is_some_and(|name| key.strip_prefix(name.as_str()) == Some(".context_length"));
        match (key.as_str(), kind) {
            ("general.architecture", TEXT) => head.architecture = self.text(MOST_TEXT)?,
            ("general.name", TEXT) => head.name = self.text(MOST_TEXT)?,
            ("general.license", TEXT) => head.licence = self.text(MOST_TEXT)?,
            ("general.size_label", TEXT) => head.size_label = self.text(MOST_TEXT)?,
            ("general.alignment", U32) => {
                *alignment = u64::from(self.u32()?);
                if !alignment.is_power_of_two() {
                    return Err(GgufError::Damaged("its alignment is no power of two"));
                }
            }
            ("tokenizer.chat_template", TEXT) => {
                head.chat_template = self.text(MOST_TEXT)?;
                let template = head.chat_template.as_deref().unwrap_or_default();
                head.has_tool_template |= template.contains("tools");
            }
            // A template of its own for this use.
            ("tokenizer.chat_template.tool_use", _) => {
                head.has_tool_template = true;
                self.value(kind, 0)?;
            }
            (_, U32) if context_length => head.context_length = Some(u64::from(self.u32()?)),
            (_, U64) if context_length => head.context_length = Some(self.u64()?),
            _ => self.value(kind, 0)?,
        }
        Ok(())
    }

    /// Passes over a value.
    fn value(&mut self, kind: u32, depth: u32) -> Result<(), GgufError> {
        if let Some(width) = width(kind) {
            return self.skip(width);
        }
        match kind {
            TEXT => {
                let length = self.u64()?;
                self.skip(length)
            }
            LIST if depth < MOST_NESTING => {
                let kind = self.u32()?;
                let count = self.u64()?;
                if let Some(width) = width(kind) {
                    let bytes = count
                        .checked_mul(width)
                        .ok_or(GgufError::Damaged("a length in it is impossible"))?;
                    return self.skip(bytes);
                }
                // Each takes 8 bytes at least, so the bound of a head ends this.
                for _ in 0..count {
                    self.value(kind, depth + 1)?;
                }
                Ok(())
            }
            LIST => Err(GgufError::Damaged("lists in it are nested too deep")),
            _ => Err(GgufError::Damaged("a value in it is of no known kind")),
        }
    }

    fn tensors(&mut self, count: u64, alignment: u64, head: &mut Head) -> Result<(), GgufError> {
        let mut data = 0_u64;
        for _ in 0..count {
            self.key()?;
            let dimensions = self.u32()?;
            if dimensions > 8 {
                return Err(GgufError::Damaged("a tensor has too many dimensions"));
            }
            let mut elements = 1_u64;
            for _ in 0..dimensions {
                elements = elements.saturating_mul(self.u64()?);
            }
            let kind = self.u32()?;
            let offset = self.u64()?;
            // Of a kind that came after this list only the place is known.
            let (per_block, bytes) = block(kind).unwrap_or((1, 0));
            let bytes = (elements / per_block).saturating_mul(bytes);
            data = data.max(offset.saturating_add(bytes));
            head.parameters = head.parameters.saturating_add(elements);
        }
        head.bytes = if count == 0 {
            self.position
        } else {
            self.position
                .next_multiple_of(alignment)
                .saturating_add(data)
        };
        Ok(())
    }
}

const U32: u32 = 4;
const TEXT: u32 = 8;
const LIST: u32 = 9;
const U64: u32 = 10;

/// Bytes of a value of fixed width.
const fn width(kind: u32) -> Option<u64> {
    match kind {
        // u8, i8, bool.
        0 | 1 | 7 => Some(1),
        // u16, i16.
        2 | 3 => Some(2),
        // u32, i32, f32.
        4..=6 => Some(4),
        // u64, i64, f64.
        10..=12 => Some(8),
        _ => None,
    }
}

/// Elements and bytes of a block, by ggml's number for the kind.
const fn block(kind: u32) -> Option<(u64, u64)> {
    Some(match kind {
        // F32, I32; F16, I16, BF16; F64, I64; I8.
        0 | 26 => (1, 4),
        1 | 25 | 30 => (1, 2),
        27 | 28 => (1, 8),
        24 => (1, 1),
        // Q4_0 and IQ4_NL, Q4_1, Q5_0, Q5_1, Q8_0, Q8_1.
        2 | 20 => (32, 18),
        3 => (32, 20),
        6 => (32, 22),
        7 => (32, 24),
        8 => (32, 34),
        9 => (32, 36),
        // Q2_K to Q8_K.
        10 => (256, 84),
        11 => (256, 110),
        12 => (256, 144),
        13 => (256, 176),
        14 => (256, 210),
        15 => (256, 292),
        // IQ4_XS.
        23 => (256, 136),
        _ => return None,
    })
}

#[cfg(test)]
pub(crate) mod tests;
