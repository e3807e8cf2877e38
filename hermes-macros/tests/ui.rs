//! Every mistake an author can make: what the compiler says about it, word by word.
//!
//! One file per fault; a single mistake is a single error. After a change run
//! `TRYBUILD=overwrite cargo test -p hermes-agent-macros --test ui` and read the difference.

#[test]
fn faults_are_explained() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*/*.rs");
    cases.pass("tests/ui/pass/*.rs");
}
