use super::*;

#[test]
fn a_skipped_step_fails_in_ci_alone() {
    let skipped = || Ok(Outcome::Skipped("no `x`".to_owned()));
    assert!(matches!(End::of(skipped(), false), End::Skipped(_)));
    assert!(matches!(End::of(skipped(), true), End::Failed(_)));
}

#[test]
fn an_unknown_step_is_refused_with_the_names() {
    let error = select(&["fnt".to_owned()])
        .err()
        .map(|error| error.to_string());
    assert!(error.is_some_and(|text| text.contains("`fnt`; the steps are fmt, ")));
}
