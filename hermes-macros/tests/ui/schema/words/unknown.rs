use hermes_core::prelude::*;

#[hermes_schema(allow_undocument)]
struct Foo {
    text: String,
}

fn main() {}
