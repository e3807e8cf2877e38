//! The arguments engine: from the raw text a model sent to the argument object a tool gets.
//!
//! One principle governs every rule here: *convert when exactly one reading exists and nothing is
//! lost; otherwise refuse with a message that names the field.* A value that is valid already is
//! never changed, and a normalised object is never changed again.
//!
//! The road, each part a file:
//!
//! 1. `text` and `parse`: text → one object (a tree of nodes, numbers by their exact text),
//!    with the few repairs of notation that have one reading;
//! 2. `wrapper`: one spurious layer around the arguments goes;
//! 3. `judge` and its children: the object is checked and converted by the schema;
//! 4. `prune`: undeclared keys go where the caller wants that ([`Undeclared::Drop`]);
//! 5. `node`: the tree becomes a [`serde_json::Map`]; duplicates and non-finite numbers that no
//!    schema has judged are refused.
//!
//! Pure functions: no I/O, no clock, no globals. Time is linear in the text; what an odd schema
//! could make exponential is cut off by a budget ([`ArgsError::Schema`]).

mod choice;
mod error;
mod judge;
mod limits;
mod list;
mod node;
mod normalise;
mod number;
mod object;
mod parse;
mod path;
mod prune;
mod repair;
mod schema;
mod string;
mod text;
mod union;
mod wrapper;

#[cfg(test)]
mod tests;

pub use error::ArgsError;
pub use normalise::{Normalised, Undeclared, normalise, normalise_value};
pub use path::Field;
pub use repair::{Repair, RepairKind};
