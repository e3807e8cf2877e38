use super::{Num, Whole};

#[test]
fn a_token_is_read_as_an_integer_by_its_digits() {
    for (token, whole) in [
        (
            "1000000000000000000000e-3",
            Whole::Exact(1_000_000_000_000_000_000),
        ),
        ("0.00120e5", Whole::Exact(120)),
        ("0.0012e3", Whole::Fraction),
        ("1e37", Whole::Exact(10_i128.pow(37))),
        ("1e38", Whole::TooLarge),
        ("-1e99999999999999999999999", Whole::TooLarge),
        ("1e-99999999999999999999999", Whole::Fraction),
        ("0.0e-5", Whole::Exact(0)),
    ] {
        assert_eq!(Num::from_token(token).whole(), whole, "{token}");
    }
}

#[test]
fn a_double_is_an_integer_only_below_2_to_the_53() {
    assert_eq!(
        Num::Double(9_007_199_254_740_991.0).whole(),
        Whole::Exact(9_007_199_254_740_991)
    );
    assert_eq!(
        Num::Double(9_007_199_254_740_992.0).whole(),
        Whole::TooLarge
    );
    assert_eq!(Num::Double(f64::INFINITY).whole(), Whole::Fraction);
}
