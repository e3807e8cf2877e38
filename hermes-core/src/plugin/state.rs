use crate::{Error, Origin, Scope};
use std::any::{Any, TypeId, type_name};
use std::fmt;
use std::sync::Arc;

/// A state of a plugin: one value per host, made on first use.
pub struct StateDef {
    type_name: fn() -> &'static str,
    type_id: fn() -> TypeId,
    origin: Origin,
    make: fn() -> Result<Arc<dyn Any + Send + Sync>, Error>,
}

impl StateDef {
    /// The state of a type that has a default.
    pub const fn of_default<T: Default + Send + Sync + 'static>(origin: Origin) -> Self {
        Self {
            type_name: type_name::<T>,
            type_id: TypeId::of::<T>,
            origin,
            make: || Ok(Arc::new(T::default())),
        }
    }

    /// The type's name, for messages.
    pub fn type_name(&self) -> &'static str {
        (self.type_name)()
    }

    /// Which state it is: a type may be the state of several crates.
    pub fn key(&self) -> (&'static str, TypeId) {
        (self.origin.krate(), (self.type_id)())
    }

    /// Makes a new value.
    ///
    /// # Errors
    /// Whatever its maker says.
    pub fn make(&self) -> Result<Arc<dyn Any + Send + Sync>, Error> {
        (self.make)()
    }
}

impl fmt::Debug for StateDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateDef")
            .field("type", &self.type_name())
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

/// The host's value of a state.
///
/// # Errors
/// If it can't be made.
pub fn state<T: Send + Sync + 'static>(
    scope: &Scope,
    def: &'static StateDef,
) -> Result<Arc<T>, Error> {
    scope.host().state(def)?.downcast().map_err(|_| {
        Error::new(format!(
            "the host's state for `{}` is of another type",
            def.type_name()
        ))
    })
}
