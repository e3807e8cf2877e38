#![allow(unused)]

use hermes_core::prelude::*;

struct Bar;

#[hermes_schema]
struct Foo<T> {
    /// A thing
    bar: T,
}

#[hermes_schema]
struct Baz {
    /// A thing
    page: Foo<Bar>,
}

fn main() {}
