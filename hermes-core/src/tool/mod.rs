//! A tool's definition and what its handler gives back.

mod def;
mod example;
mod output;

pub use def::{
    Availability, DecodeFn, Fault, Handled, Handler, Hints, IntoAvailability, SchemaFn, ToolArgs,
    ToolDef, ToolItem,
};
pub use example::ToolExample;
pub(crate) use output::serialised;
pub use output::{IntoToolError, IntoToolOutput, Status, ToolError, ToolOutput};
