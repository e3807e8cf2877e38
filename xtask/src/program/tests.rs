use super::*;

#[test]
fn a_command_line_is_shown_as_a_user_would_type_it() {
    let program = Program::at("hermes", PathBuf::from("x"), Path::new("."))
        .env("RUSTDOCFLAGS", "-D warnings")
        .quiet_env("HERMES_HOME", "x")
        .args(["tools", "call", "calculate", "expression=2**16"])
        .arg("What's 2?")
        .arg("two words")
        .arg("");
    assert_eq!(
        program.to_string(),
        "RUSTDOCFLAGS='-D warnings' hermes tools call calculate expression='2**16' \
         \"What's 2?\" 'two words' ''"
    );
}
