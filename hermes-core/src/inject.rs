use crate::context::{CommandContext, HookContext, Scope, ToolContext};
use crate::{CancelToken, Error};
use std::ops::Deref;

/// A type that a handler may take as `&T` without the model knowing.
///
/// `M` is the marker type of the plugin that asks (made by [`plugin!`](crate::plugin)), so two
/// plugins can each have a state of one foreign type. `C` is the context of the item that asks.
#[diagnostic::on_unimplemented(
    message = "nobody makes `&{Self}` for a handler of this crate",
    label = "can't be injected here",
    note = "put `#[hermes_state]` on the type, or take it by value if the model is to send it",
    note = "of the contexts a tool takes `&ToolContext`, a hook `&HookContext`, a command `&CommandContext`"
)]
pub trait Inject<M, C> {
    /// Named by the assertion beside each injected parameter.
    #[doc(hidden)]
    const CHECKED: () = ();

    /// What holds the value while the handler runs.
    type Guard<'a>: Deref<Target = Self>
    where
        C: 'a;

    /// Finds or makes the value.
    ///
    /// # Errors
    /// If it can't be made; the call then ends with that error.
    fn inject(ctx: &C) -> Result<Self::Guard<'_>, Error>;
}

/// Contexts that lead to a host.
pub trait AsScope {
    /// What the context is a handle on.
    fn scope(&self) -> &Scope;
}

macro_rules! contexts {
    ($($context:ty),*) => {$(
        impl AsScope for $context {
            fn scope(&self) -> &Scope {
                self.as_scope()
            }
        }

        impl<M> Inject<M, $context> for $context {
            type Guard<'a> = &'a Self;

            fn inject(ctx: &$context) -> Result<&Self, Error> {
                Ok(ctx)
            }
        }

        impl<M> Inject<M, $context> for CancelToken {
            type Guard<'a> = &'a Self;

            fn inject(ctx: &$context) -> Result<&Self, Error> {
                Ok(ctx.as_scope().cancel_token())
            }
        }
    )*};
}

contexts!(ToolContext, HookContext, CommandContext);
