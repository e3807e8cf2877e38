use super::*;

#[test]
fn only_the_linkers_words_about_the_symbol_are_kept() {
    let stderr = format!(
        "  = note: \"cc\" \"libhermes_plugin_clash_a.rlib\"\n  \
           = note: rust-lld: error: duplicate symbol: {SYMBOL}\n          \
             >>> defined at lib.rs:7 (clash-b/src/lib.rs:7)\n          \
             >>> defined at lib.rs:8 (clash-a/src/lib.rs:8)\n          \
             collect2: error: ld returned 1 exit status\n"
    );
    let expected = format!(
        "= note: rust-lld: error: duplicate symbol: {SYMBOL}\n\
         >>> defined at lib.rs:7 (clash-b/src/lib.rs:7)\n\
         >>> defined at lib.rs:8 (clash-a/src/lib.rs:8)"
    );
    assert_eq!(duplicate(&stderr), Some(expected));
}

#[test]
fn fat_lto_speaks_in_llvms_words() {
    let line = format!("warning: Linking globals named '{SYMBOL}': symbol multiply defined!");
    assert_eq!(duplicate(&format!("{line}\n\nerror: …\n")), Some(line));
    assert_eq!(duplicate("error: something else"), None);
}
