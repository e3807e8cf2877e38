//! Fields beside a tag, and the other forms that the author may choose.

use hermes_core::prelude::*;
use std::collections::BTreeMap;

hermes_core::plugin! {}

#[hermes_schema]
struct CircleData {
    /// From the middle to the edge
    radius: f64,
}

#[hermes_schema]
enum Shape {
    /// Round
    Circle(CircleData),
    /// Round too
    Boxed(Box<CircleData>),
    /// Words by name
    Words(BTreeMap<String, String>),
    /// From shapes
    Group {
        /// Which
        shapes: Vec<Self>,
    },
    /// Nothing
    Empty,
}

#[hermes_schema]
#[serde(untagged)]
enum Id {
    /// By number
    Number(u8),
    /// By two numbers
    Pair(u8, u8),
}

#[hermes_schema]
#[serde(tag = "kind", content = "value")]
enum Apart {
    /// A number
    Number(u8),
    /// Two numbers
    Pair(u8, u8),
}

/// Draws.
#[hermes_tool]
fn draw(
    /// What
    shape: Shape,
    /// Which
    #[allow(unused_variables)]
    id: Id,
    /// How
    apart: Apart,
) -> Shape {
    let _ = apart;
    shape
}

fn both_ways(text: &str) {
    use hermes_core::__private::{Deserialize, IntoJson};
    let value: Value = text.parse().unwrap();
    let shape = Shape::deserialize(value).unwrap();
    let output = shape.into_json().unwrap();
    assert_eq!(output.as_json(), text);
}

fn main() {
    both_ways(r#"{"type":"circle","radius":1.5}"#);
    both_ways(r#"{"type":"boxed","radius":1.5}"#);
    both_ways(r#"{"type":"words","a":"b"}"#);
    both_ways(r#"{"type":"group","shapes":[{"type":"empty"}]}"#);
}
