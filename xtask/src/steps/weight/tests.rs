use super::*;

#[test]
fn each_version_of_a_package_counts_once() {
    let tree = "hermes-agent v0.1.0 (/x)\nserde v1.0.0\nserde_derive v1.0.0 (proc-macro)\n\
                serde v1.0.0 (*)\n\nserde v2.0.0\n";
    let names = distinct(tree);
    assert_eq!(
        names.iter().map(String::as_str).collect::<Vec<_>>(),
        ["hermes-agent", "serde", "serde 2.0.0", "serde_derive"]
    );
}
