//! Which plugins are in the binary.
//!
//! `cargo test` with and without the feature shows both halves for a development build. Release
//! builds and fat LTO, and that two tools of one name don't link, are the step
//! `cargo xtask ci --only link`. That a plugin can have the host among its dev-dependencies, with
//! itself linked into it a second time, is `tests/fixtures/dev_host`, also run by that step.

use crate::support::hermes;

#[cfg(feature = "plugin-calculator")]
#[test]
fn with_its_feature_calculate_exists() {
    let tools = hermes(["tools", "list", "--json"]).exits(0).json();
    let names: Vec<&str> = tools
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(names, ["calculate", "unit_convert"]);
    hermes(["tools", "call", "calculate", "expression=1"])
        .exits(0)
        .prints("{\"expression\":\"1\",\"result\":1}\n");
}

#[cfg(not(feature = "plugin-calculator"))]
#[test]
fn without_its_feature_calculate_does_not_exist() {
    hermes(["tools", "list", "--json"])
        .exits(0)
        .prints("[]\n")
        .notes("");
    hermes(["tools", "list"])
        .exits(0)
        .prints("")
        .says(&["No tools are compiled in", "--features plugin-calculator"]);
    hermes(["plugins", "list", "--json"])
        .exits(0)
        .prints("[]\n");
    hermes(["plugins", "list"])
        .exits(0)
        .prints("")
        .says(&["No plugins are compiled in"]);
    hermes(["tools", "call", "calculate", "expression=1"])
        .exits(1)
        .prints("{\"error\":\"calculate: no such tool; there are no tools\"}\n");
    hermes(["tools", "show", "calculate"]).exits(1).prints("");
}

#[test]
fn every_plugin_the_build_promised_is_there() {
    // A missing one would be a fault in this list.
    let report = hermes(["doctor", "--json"]).exits(0).json();
    assert_eq!(report["faults"], serde_json::json!([]));
    let promised = usize::from(cfg!(feature = "plugin-calculator"));
    assert_eq!(report["plugins"], promised);
}
