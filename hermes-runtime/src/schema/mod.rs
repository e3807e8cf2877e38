//! Schemas: the canonical form that arguments are judged by, and the form that goes out.

mod canonical;
mod direct;
mod wire;

pub use canonical::Canonical;
