//! Replays the corpus of the fuzz target `eval` on the stable toolchain.

use std::fs;
use std::path::Path;

use hermes_plugin_calculator::eval::evaluate;

#[test]
fn the_fuzzing_corpus_is_evaluated_without_a_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/eval");
    let mut seeds = 0;
    for entry in fs::read_dir(folder).expect("the corpus is part of the repository") {
        let path = entry.expect("an entry of the corpus").path();
        let bytes = fs::read(&path).expect("a file of the corpus");
        let expression = String::from_utf8_lossy(&bytes);
        if let Ok(number) = evaluate(&expression) {
            let json = number.to_json();
            let again = evaluate(&json).map(|again| again.to_json());
            assert_eq!(again, Ok(json), "{}", path.display());
        }
        seeds += 1;
    }
    assert!(seeds >= 20, "only {seeds} seeds");
}
