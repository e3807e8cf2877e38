use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A number kept as its JSON text, so that a 4,000-digit integer goes out as it is.
///
/// Reads and writes JSON text only, not another format of serde's.
#[derive(Debug, Clone)]
pub struct JsonNumber(Box<RawValue>);

impl JsonNumber {
    /// Takes the text of a JSON number. `None` if it is something else, such as `NaN` or `"1"`.
    pub fn from_text(text: String) -> Option<Self> {
        if !text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            return None;
        }
        RawValue::from_string(text).ok().map(Self)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }
}

impl Serialize for JsonNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for JsonNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::from_text(raw.get().to_owned()).ok_or_else(|| D::Error::custom("expected a number"))
    }
}

impl JsonSchema for JsonNumber {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("JsonNumber")
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "number"})
    }
}
