//! What expanded code names. Not an interface: it changes with the macros, which are pinned to it.

use std::borrow::Cow;
use std::fmt::Display;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;

pub use crate::command::{CommandDef, CommandHandler, CommandItem};
pub use crate::context::{CommandContext, HookContext, Scope, ToolContext};
pub use crate::error::Error;
pub use crate::hook::{Event, EventData, HookDef, HookHandler, HookItem, HookReturn, Judged};
pub use crate::inject::{AsScope, Inject};
pub use crate::plugin::{Item, Origin, PLUGINS, PluginDef, SkillDef, StateDef, plugin_name, state};
pub use crate::tool::{
    Availability, Fault, Handled, Handler, IntoAvailability, IntoToolError, IntoToolOutput,
    ToolArgs, ToolDef, ToolItem,
};
pub use core;
pub use inventory;
pub use linkme;
pub use schemars::{self, JsonSchema, Schema, SchemaGenerator};
pub use serde::{self, Deserialize, Serialize};
pub use std;

/// A boxed future as handlers return it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Reads a tool's arguments; a fault here sends the call to the repairing road.
///
/// # Errors
/// [`Fault::Arguments`] with serde's words.
pub fn parse<'a, T: Deserialize<'a>>(raw: &'a str) -> Result<T, Fault> {
    serde_json::from_str(raw).map_err(Fault::Arguments)
}

/// Makes an injected parameter of a tool.
///
/// # Errors
/// [`Fault::Unavailable`] if the state can't be made.
pub fn inject<'a, M, C, T: Inject<M, C> + ?Sized>(ctx: &'a C) -> Result<T::Guard<'a>, Fault> {
    T::inject(ctx).map_err(Fault::Unavailable)
}

/// Makes an injected parameter of a hook or a command.
///
/// # Errors
/// If the state can't be made.
pub fn inject_plain<'a, M, C, T: Inject<M, C> + ?Sized>(ctx: &'a C) -> Result<T::Guard<'a>, Error> {
    T::inject(ctx)
}

/// What a handler returned. `Result`s are taken apart by the inherent method, everything else by
/// [`ReturnedPlain`]: two blanket impls of one trait would overlap.
#[derive(Debug)]
pub struct Returned<T>(pub T);

impl<T, E> Returned<Result<T, E>> {
    /// The result as dispatch takes it.
    ///
    /// # Errors
    /// The handler's own.
    pub fn handled(self) -> Handled
    where
        T: IntoToolOutput,
        E: IntoToolError,
    {
        match self.0 {
            Ok(value) => value.into_tool_output().map_err(Fault::Failed),
            Err(error) => Err(Fault::Failed(error.into_tool_error())),
        }
    }

    /// As [`Self::handled`], for `output = none`.
    ///
    /// # Errors
    /// The handler's own.
    pub fn handled_untyped(self) -> Handled
    where
        T: Serialize,
        E: IntoToolError,
    {
        match self.0 {
            Ok(value) => crate::tool::serialised(&value).map_err(Fault::Failed),
            Err(error) => Err(Fault::Failed(error.into_tool_error())),
        }
    }
}

/// Returned values that are no `Result`.
pub trait ReturnedPlain<T> {
    /// See [`Returned::handled`].
    ///
    /// # Errors
    /// If the value can't be written as JSON.
    fn handled(self) -> Handled
    where
        T: IntoToolOutput;

    /// See [`Returned::handled_untyped`].
    ///
    /// # Errors
    /// If the value can't be written as JSON.
    fn handled_untyped(self) -> Handled
    where
        T: Serialize;
}

impl<T> ReturnedPlain<T> for Returned<T> {
    fn handled(self) -> Handled
    where
        T: IntoToolOutput,
    {
        self.0.into_tool_output().map_err(Fault::Failed)
    }

    fn handled_untyped(self) -> Handled
    where
        T: Serialize,
    {
        crate::tool::serialised(&self.0).map_err(Fault::Failed)
    }
}

/// The type a handler returns, for its output schema; `Result` is looked through.
#[derive(Debug)]
pub struct ReturnType<T>(PhantomData<fn() -> T>);

impl<T> ReturnType<T> {
    /// The type as a value, so that method lookup can choose.
    #[expect(clippy::new_without_default, reason = "only expanded code makes one")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T: IntoToolOutput, E> ReturnType<Result<T, E>> {
    /// The schema of the value, `None` if it has none.
    pub fn schema(self, generator: &mut SchemaGenerator) -> Option<Schema> {
        T::output_schema(generator)
    }
}

/// Return types that are no `Result`.
pub trait ReturnTypePlain {
    /// See [`ReturnType::schema`].
    fn schema(self, generator: &mut SchemaGenerator) -> Option<Schema>;
}

impl<T: IntoToolOutput> ReturnTypePlain for ReturnType<T> {
    fn schema(self, generator: &mut SchemaGenerator) -> Option<Schema> {
        T::output_schema(generator)
    }
}

/// What a command returned; see [`Returned`] for the shape.
#[derive(Debug)]
pub struct Said<T>(pub T);

impl<T, E> Said<Result<T, E>> {
    /// The text to show.
    ///
    /// # Errors
    /// The command's own.
    pub fn text(self) -> Result<String, Error>
    where
        T: Display,
        E: Into<Error>,
    {
        self.0.map(|value| value.to_string()).map_err(Into::into)
    }
}

/// Commands that return no `Result`.
pub trait SaidPlain<T> {
    /// See [`Said::text`].
    ///
    /// # Errors
    /// Never.
    fn text(self) -> Result<String, Error>
    where
        T: Display;
}

impl<T> SaidPlain<T> for Said<T> {
    fn text(self) -> Result<String, Error>
    where
        T: Display,
    {
        Ok(self.0.to_string())
    }
}

/// The schema of arguments that stand in a function's parameter list is an open object: keys that
/// it doesn't declare are dropped by dispatch. The struct behind it refuses them all the same, so
/// that the direct road hands such a call to the repairing one.
pub fn open_object(schema: &mut Schema) {
    schema.remove("additionalProperties");
}

/// Joins `#[doc]` lines at compile time where one of them is a macro call.
pub const fn first_or<'a>(text: &'a str, other: &'a str) -> &'a str {
    if text.is_empty() { other } else { text }
}

/// A type name without its path, for messages.
pub fn short_type_name<T: ?Sized>() -> Cow<'static, str> {
    let name = std::any::type_name::<T>();
    match name.split_once('<') {
        Some((head, tail)) => {
            let head = head.rsplit("::").next().unwrap_or(head);
            Cow::Owned(format!("{head}<{tail}"))
        }
        None => Cow::Borrowed(name.rsplit("::").next().unwrap_or(name)),
    }
}
