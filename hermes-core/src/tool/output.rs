use crate::Error;
use crate::error::chain;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt;

/// How a tool call ended. Every consumer uses this, nobody reads it out of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// The tool answered.
    Ok,
    /// The arguments were wrong or the tool failed.
    Error,
    /// A guard or the operator said no; the tool did not run.
    Blocked,
    /// The caller gave up.
    Cancelled,
    /// The time limit passed.
    Timeout,
}

impl Status {
    /// The word used in events.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Blocked => "blocked",
            Self::Cancelled => "cancelled",
            Self::Timeout => "timeout",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A tool's result, written by the tool itself. Most tools return a type of their own instead.
#[derive(Debug, Clone)]
pub struct ToolOutput {
    json: String,
}

impl ToolOutput {
    /// A text: the model gets `{"result": "…"}`.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            json: object(Value::String(text.into()).to_string()),
        }
    }

    /// Any value as JSON: an object as it is, another value as `{"result": …}`.
    ///
    /// # Errors
    /// If the value can't be written as JSON, for example a map with keys that are no strings.
    pub fn json(value: &impl Serialize) -> Result<Self, ToolError> {
        serialised(value)
    }

    /// The JSON text of one object.
    pub fn as_json(&self) -> &str {
        &self.json
    }

    /// The JSON text of one object.
    pub fn into_json(self) -> String {
        self.json
    }
}

/// An object stays, anything else is wrapped.
fn object(json: String) -> String {
    if json.starts_with('{') {
        json
    } else {
        format!("{{\"result\":{json}}}")
    }
}

pub(crate) fn serialised(value: &impl Serialize) -> Result<ToolOutput, ToolError> {
    match serde_json::to_string(value) {
        Ok(json) => Ok(ToolOutput { json: object(json) }),
        Err(error) => Err(ToolError::new(format!(
            "the result can't be written as JSON: {error}"
        ))),
    }
}

/// What a tool may return besides a `Result`: every type with a schema, or [`ToolOutput`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a tool's result",
    label = "has no JSON schema",
    note = "put `#[hermes_schema]` on the type, return `ToolOutput`, or write `output = none` for a result without a schema"
)]
pub trait IntoToolOutput: Sized {
    /// Writes the value.
    ///
    /// # Errors
    /// If it can't be written as JSON.
    fn into_tool_output(self) -> Result<ToolOutput, ToolError>;

    /// The schema of the type, `None` if it has none.
    fn output_schema(generator: &mut SchemaGenerator) -> Option<Schema>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> IntoToolOutput for T {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        serialised(&self)
    }

    fn output_schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(generator.subschema_for::<T>())
    }
}

impl IntoToolOutput for ToolOutput {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(self)
    }

    fn output_schema(_: &mut SchemaGenerator) -> Option<Schema> {
        None
    }
}

/// A tool's own error: a text for the model, and fields beside it.
///
/// `?` makes one of any [`std::error::Error`]; the text then is the error's with its causes.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolError {
    message: String,
    fields: Map<String, Value>,
}

impl ToolError {
    /// An error of a text alone.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            fields: Map::new(),
        }
    }

    /// Adds a field that the model gets before `error`.
    #[must_use]
    pub fn field(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.fields.insert(name.into(), value.into());
        self
    }

    /// The text.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The fields in their order.
    pub const fn fields(&self) -> &Map<String, Value> {
        &self.fields
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl<E: std::error::Error> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self::new(chain(&error))
    }
}

impl From<Error> for ToolError {
    fn from(error: Error) -> Self {
        Self::new(error.to_string())
    }
}

/// Errors a tool may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a tool's error",
    label = "not an error",
    note = "return `ToolError` (`ToolError::new(text)`), or any type that implements `std::error::Error`"
)]
pub trait IntoToolError {
    /// The error as the model gets it.
    fn into_tool_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: Into<ToolError>> IntoToolError for E {
    fn into_tool_error(self) -> ToolError {
        self.into()
    }
}
