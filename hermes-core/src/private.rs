//! What expanded code names. Not an interface: it changes with the macros, which are pinned to it.

#[path = "private/lookup.rs"]
mod lookup;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::future::Future;
use std::pin::Pin;

pub use crate::command::{CommandDef, CommandHandler, CommandItem};
pub use crate::context::{CommandContext, HookContext, Scope, ToolContext};
pub use crate::error::Error;
pub use crate::hook::{Event, EventData, HookDef, HookHandler, HookItem, HookReturn, Judged};
pub use crate::inject::{AsScope, Inject};
pub use crate::plugin::{Item, Origin, PLUGINS, PluginDef, SkillDef, StateDef, plugin_name, state};
pub use crate::tool::{
    Availability, Fault, Handled, Handler, IntoAvailability, IntoToolError, IntoToolOutput,
    ToolArgs, ToolDef, ToolError, ToolExample, ToolItem, ToolOutput,
};
pub use core;
pub use inventory;
pub use linkme;
pub use lookup::{
    Arguments, Injected, Needed, NoArguments, NoState, NotInjected, OptionOr, ReturnType,
    ReturnTypePlain, ReturnTypeSchema, ReturnTypeWrong, Returned, ReturnedPlain, ReturnedUntyped,
    ReturnedWrong, Said, SaidPlain, StateOf,
};
pub use schemars::{self, JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
pub use serde::{self, Deserialize, Serialize};
pub use std;

/// A boxed future as handlers return it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a command may show.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a command's answer",
    label = "can't be shown as a text",
    note = "return a type that implements `Display`, such as `String`, or nothing"
)]
pub trait CommandOutput {
    /// The text.
    fn into_text(self) -> String;
}

#[diagnostic::do_not_recommend]
impl<T: Display> CommandOutput for T {
    fn into_text(self) -> String {
        self.to_string()
    }
}

/// Errors a hook or a command may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the error of a hook or a command",
    label = "not an error",
    note = "return `Error` (`Error::new(text)`), or any type that implements `std::error::Error`"
)]
pub trait IntoError {
    /// The error, boxed.
    fn into_error(self) -> Error;
}

#[diagnostic::do_not_recommend]
impl<E: Into<Error>> IntoError for E {
    fn into_error(self) -> Error {
        self.into()
    }
}

/// What a tool may return under `output = none`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be written as JSON",
    label = "can't be a tool's result",
    note = "put `#[hermes_schema]` on the type and leave out `output = none`, or return `ToolOutput`"
)]
pub trait IntoJson {
    /// Writes the value.
    ///
    /// # Errors
    /// If it can't be written as JSON.
    fn into_json(self) -> Result<ToolOutput, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> IntoJson for T {
    fn into_json(self) -> Result<ToolOutput, ToolError> {
        crate::tool::serialised(&self)
    }
}

impl IntoJson for ToolOutput {
    fn into_json(self) -> Result<ToolOutput, ToolError> {
        Ok(self)
    }
}

/// What the model can send as one argument.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be built from JSON",
    label = "the model can't send this",
    note = "put `#[hermes_schema]` on the type, or take `&T` to have it injected"
)]
pub trait FromModel {
    /// Named by the assertion beside each argument.
    const CHECKED: () = ();
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> FromModel for T {}

/// What the derives on the struct of arguments take for granted. Apart from [`FromModel`], whose
/// message would be joined by one for each trait that stands here.
pub trait ArgumentBound: DeserializeOwned + JsonSchema {}

impl<T: DeserializeOwned + JsonSchema> ArgumentBound for T {}

/// What a field under `#[hermes_schema]` can be.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no JSON schema",
    label = "can't be a field under `#[hermes_schema]`",
    note = "put `#[hermes_schema]` on this type too"
)]
pub trait SchemaField {
    /// Named by the assertion beside each field.
    const CHECKED: () = ();
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + Serialize + JsonSchema> SchemaField for T {}

/// What can be the one unnamed field of a variant whose tag stands in the same object: what is an
/// object itself. `#[hermes_schema]` on a struct with named fields makes it one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` without a name can't stand beside the tag of a variant",
    label = "give it a name: `Variant {{ value: … }}`",
    note = "only a struct with named fields needs none here; if this is one, put `#[hermes_schema]` on it"
)]
pub trait BesideTag {
    /// Named by the assertion beside each such field.
    const CHECKED: () = ();
}

#[diagnostic::do_not_recommend]
impl<T: BesideTag> BesideTag for Box<T> {}
#[diagnostic::do_not_recommend]
impl<V> BesideTag for BTreeMap<String, V> {}
#[diagnostic::do_not_recommend]
impl<V, S> BesideTag for HashMap<String, V, S> {}
#[diagnostic::do_not_recommend]
impl BesideTag for serde_json::Map<String, serde_json::Value> {}

/// The schema of arguments that stand in a function's parameter list is an open object: keys that
/// it doesn't declare are dropped by dispatch. The struct behind it refuses them all the same, so
/// that the direct road hands such a call to the repairing one.
pub fn open_object(schema: &mut Schema) {
    schema.remove("additionalProperties");
}
