//! A tool's definition and what its handler gives back.

mod def;
mod output;

pub use def::{
    Availability, Fault, Handled, Handler, Hints, IntoAvailability, SchemaFn, ToolArgs, ToolDef,
    ToolItem,
};
pub(crate) use output::serialised;
pub use output::{IntoToolError, IntoToolOutput, Status, ToolError, ToolOutput};
