//! Types whose methods are chosen by lookup: an inherent method where its bounds hold, else a
//! trait's. That is how a `Result` is told from other values, and how one wrong type is one error.

use super::{CommandOutput, IntoError, IntoJson};
use crate::plugin::state;
use crate::{Error, Fault, Handled, Inject, IntoToolError, IntoToolOutput, Scope, StateDef};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use std::marker::PhantomData;
use std::sync::Arc;

/// The type of a tool's arguments. Its methods exist for every type: where a bound is missing, method
/// lookup falls through to [`NoArguments`], so that the one assertion beside it is the only error.
#[derive(Debug)]
pub struct Arguments<T>(PhantomData<fn() -> T>);

impl<T> Arguments<T> {
    /// The type as a value, so that method lookup can choose.
    #[expect(clippy::new_without_default, reason = "only expanded code makes one")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T: DeserializeOwned> Arguments<T> {
    /// Reads a tool's arguments; a fault here sends the call to the repairing road.
    ///
    /// # Errors
    /// [`Fault::Arguments`] with serde's words.
    pub fn parse(self, raw: &str) -> Result<T, Fault> {
        serde_json::from_str(raw).map_err(Fault::Arguments)
    }

    /// Reads them and drops them.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn decode(self, raw: &str) -> Result<(), Fault> {
        self.parse(raw).map(drop)
    }
}

impl<T: JsonSchema> Arguments<T> {
    /// Their schema.
    pub fn schema(self, generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(T::json_schema(generator))
    }
}

/// See [`Arguments`]; never runs.
pub trait NoArguments<T>: Sized {
    /// See [`Arguments::parse`].
    ///
    /// # Errors
    /// Never returns.
    fn parse(self, _raw: &str) -> Result<T, Fault> {
        did_not_compile()
    }

    /// See [`Arguments::decode`].
    ///
    /// # Errors
    /// Never returns.
    fn decode(self, _raw: &str) -> Result<(), Fault> {
        did_not_compile()
    }

    /// See [`Arguments::schema`].
    fn schema(self, _generator: &mut SchemaGenerator) -> Option<Schema> {
        did_not_compile()
    }
}

impl<T> NoArguments<T> for Arguments<T> {}

/// Whether an argument of this type may be left out: the inherent constant is found for `Option`,
/// under whatever name, the trait's for all else.
#[derive(Debug)]
pub struct OptionOr<T>(PhantomData<fn() -> T>);

impl<T> OptionOr<Option<T>> {
    /// An `Option` may be left out.
    pub const NEEDED: bool = false;
}

/// See [`OptionOr`].
pub trait Needed {
    /// What is no `Option` has to be sent.
    const NEEDED: bool = true;
}

impl<T> Needed for OptionOr<T> {}

/// An injected parameter; see [`Arguments`] for the shape.
#[derive(Debug)]
pub struct Injected<M, C, T: ?Sized>(PhantomData<fn(M, C) -> Box<T>>);

impl<M, C, T: ?Sized> Injected<M, C, T> {
    /// The type as a value, so that method lookup can choose.
    #[expect(clippy::new_without_default, reason = "only expanded code makes one")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<M, C, T: Inject<M, C> + ?Sized> Injected<M, C, T> {
    /// Makes it for a tool.
    ///
    /// # Errors
    /// [`Fault::Unavailable`] if the state can't be made.
    pub fn for_tool(self, ctx: &C) -> Result<T::Guard<'_>, Fault> {
        T::inject(ctx).map_err(Fault::Unavailable)
    }

    /// Makes it for a hook or a command.
    ///
    /// # Errors
    /// If the state can't be made.
    pub fn for_other(self, ctx: &C) -> Result<T::Guard<'_>, Error> {
        T::inject(ctx)
    }
}

/// See [`Injected`]; never runs.
pub trait NotInjected<C, T: ?Sized>: Sized {
    /// See [`Injected::for_tool`].
    ///
    /// # Errors
    /// Never returns.
    fn for_tool(self, _ctx: &C) -> Result<Box<T>, Fault> {
        did_not_compile()
    }

    /// See [`Injected::for_other`].
    ///
    /// # Errors
    /// Never returns.
    fn for_other(self, _ctx: &C) -> Result<Box<T>, Error> {
        did_not_compile()
    }
}

impl<M, C, T: ?Sized> NotInjected<C, T> for Injected<M, C, T> {}

/// A state's type; see [`Arguments`] for the shape.
#[derive(Debug)]
pub struct StateOf<T>(PhantomData<fn() -> T>);

impl<T> StateOf<T> {
    /// The type as a value, so that method lookup can choose.
    #[expect(clippy::new_without_default, reason = "only expanded code makes one")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T: Send + Sync + 'static> StateOf<T> {
    /// The host's value.
    ///
    /// # Errors
    /// If it can't be made.
    pub fn get(self, scope: &Scope, def: &'static StateDef) -> Result<Arc<T>, Error> {
        state(scope, def)
    }
}

/// See [`StateOf`]; never runs.
pub trait NoState<T>: Sized {
    /// See [`StateOf::get`].
    ///
    /// # Errors
    /// Never returns.
    fn get(self, _scope: &Scope, _def: &'static StateDef) -> Result<Arc<T>, Error> {
        did_not_compile()
    }
}

impl<T> NoState<T> for StateOf<T> {}

/// What a handler returned. `Result`s are taken apart by the inherent methods, other values by
/// [`ReturnedPlain`] (two blanket impls of one trait would overlap), and what is no result by
/// [`ReturnedWrong`].
#[derive(Debug)]
pub struct Returned<T>(pub T);

impl<T: IntoToolOutput, E: IntoToolError> Returned<Result<T, E>> {
    /// The result as dispatch takes it.
    ///
    /// # Errors
    /// The handler's own.
    pub fn handled(self) -> Handled {
        match self.0 {
            Ok(value) => value.into_tool_output().map_err(Fault::Failed),
            Err(error) => Err(Fault::Failed(error.into_tool_error())),
        }
    }
}

impl<T: IntoJson, E: IntoToolError> Returned<Result<T, E>> {
    /// As [`Self::handled`], for `output = none`.
    ///
    /// # Errors
    /// The handler's own.
    pub fn handled_untyped(self) -> Handled {
        match self.0 {
            Ok(value) => value.into_json().map_err(Fault::Failed),
            Err(error) => Err(Fault::Failed(error.into_tool_error())),
        }
    }
}

/// Returned values that are no `Result`.
pub trait ReturnedPlain {
    /// See [`Returned::handled`].
    ///
    /// # Errors
    /// If the value can't be written as JSON.
    fn handled(self) -> Handled;
}

impl<T: IntoToolOutput> ReturnedPlain for Returned<T> {
    fn handled(self) -> Handled {
        self.0.into_tool_output().map_err(Fault::Failed)
    }
}

/// As [`ReturnedPlain`], for `output = none`.
pub trait ReturnedUntyped {
    /// See [`Returned::handled_untyped`].
    ///
    /// # Errors
    /// If the value can't be written as JSON.
    fn handled_untyped(self) -> Handled;
}

impl<T: IntoJson> ReturnedUntyped for Returned<T> {
    fn handled_untyped(self) -> Handled {
        self.0.into_json().map_err(Fault::Failed)
    }
}

/// See [`Returned`]; never runs.
pub trait ReturnedWrong: Sized {
    /// See [`Returned::handled`].
    ///
    /// # Errors
    /// Never returns.
    fn handled(self) -> Handled {
        did_not_compile()
    }

    /// See [`Returned::handled_untyped`].
    ///
    /// # Errors
    /// Never returns.
    fn handled_untyped(self) -> Handled {
        did_not_compile()
    }
}

impl<T> ReturnedWrong for &Returned<T> {}

/// The type a handler returns: its output schema, and the assertions that speak if it has none.
/// `Result` is looked through.
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

impl<T, E> ReturnType<Result<T, E>> {
    /// Asserts that the value is a tool's result.
    pub const fn value(self)
    where
        T: IntoToolOutput,
    {
    }

    /// Asserts that the value is a tool's result under `output = none`.
    pub const fn untyped_value(self)
    where
        T: IntoJson,
    {
    }

    /// Asserts that the error is a tool's.
    pub const fn error(self)
    where
        E: IntoToolError,
    {
    }
}

/// Return types that are no `Result`.
pub trait ReturnTypePlain<T>: Sized {
    /// See [`ReturnType::value`].
    fn value(self)
    where
        T: IntoToolOutput,
    {
    }

    /// See [`ReturnType::untyped_value`].
    fn untyped_value(self)
    where
        T: IntoJson,
    {
    }

    /// There is none.
    fn error(self) {}
}

impl<T> ReturnTypePlain<T> for ReturnType<T> {}

/// The schema of a return type that is no `Result`.
pub trait ReturnTypeSchema {
    /// See [`ReturnType::schema`].
    fn schema(self, generator: &mut SchemaGenerator) -> Option<Schema>;
}

impl<T: IntoToolOutput> ReturnTypeSchema for ReturnType<T> {
    fn schema(self, generator: &mut SchemaGenerator) -> Option<Schema> {
        T::output_schema(generator)
    }
}

/// See [`ReturnType`]; never runs.
pub trait ReturnTypeWrong: Sized {
    /// See [`ReturnType::schema`].
    fn schema(self, _generator: &mut SchemaGenerator) -> Option<Schema> {
        did_not_compile()
    }
}

impl<T> ReturnTypeWrong for &ReturnType<T> {}

/// Behind an error of the compiler, so nothing gets here.
fn did_not_compile() -> ! {
    panic!("this item did not compile")
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
        T: CommandOutput,
        E: IntoError,
    {
        match self.0 {
            Ok(value) => Ok(value.into_text()),
            Err(error) => Err(error.into_error()),
        }
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
        T: CommandOutput;
}

impl<T> SaidPlain<T> for Said<T> {
    fn text(self) -> Result<String, Error>
    where
        T: CommandOutput,
    {
        Ok(self.0.into_text())
    }
}
