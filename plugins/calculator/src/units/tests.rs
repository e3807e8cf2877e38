use super::{UnitError, convert};

/// `result | input | output`, or the error.
fn told(value: f64, from: &str, to: &str) -> String {
    match convert(value, from, to) {
        Ok(done) => format!("{:?} | {} | {}", done.result, done.input, done.output),
        Err(error) => error.to_string(),
    }
}

#[track_caller]
fn check(value: f64, from: &str, to: &str, expected: &str) {
    assert_eq!(told(value, from, to), expected, "{value} {from} → {to}");
}

#[test]
fn the_golden_rows_hold() {
    check(100.0, "F", "C", "37.7778 | 100 F | 37.7778 C");
    check(5.0, "km", "mi", "3.106856 | 5 km | 3.106856 mi");
    check(1.5, "TB", "GB", "1536.0 | 1.5 TB | 1536.0 GB");
    check(100.0, "f", "c", "37.7778 | 100 f | 37.7778 c");
    check(1.0, "min", "s", "60.0 | 1 min | 60.0 s");
    check(1.0, "mb", "kb", "1024.0 | 1 mb | 1024.0 kb");
    check(1.0, "in", "cm", "2.54 | 1 in | 2.54 cm");
    check(1.0, "ms", "s", "0.001 | 1 ms | 0.001 s");
    check(0.0, "K", "F", "-459.67 | 0 K | -459.67 F");
    check(1.0, "furlong", "m", "Cannot convert furlong → m");
    check(1.0, "kg", "m", "Cannot convert kg → m");
}

#[test]
fn blank_units_are_asked_for() {
    for (from, to) in [
        ("", "m"),
        ("m", ""),
        (" \t", "m"),
        ("m", "\n"),
        ("", "furlong"),
    ] {
        check(1.0, from, to, "Need value, from_unit, and to_unit");
    }
}

#[test]
fn nothing_is_colder_than_absolute_zero() {
    check(
        -500.0,
        "C",
        "K",
        "Conversion failed: -500 C is below absolute zero (-273.15 C)",
    );
    check(
        -460.0,
        "f",
        "c",
        "Conversion failed: -460 f is below absolute zero (-459.67 f)",
    );
    check(
        -0.001,
        "kelvin",
        "F",
        "Conversion failed: -0.001 kelvin is below absolute zero (0 kelvin)",
    );
    check(
        -500.0,
        "C",
        "C",
        "Conversion failed: -500 C is below absolute zero (-273.15 C)",
    );
    check(-273.15, "C", "K", "0.0 | -273.15 C | 0.0 K");
    check(-273.15, "C", "F", "-459.67 | -273.15 C | -459.67 F");
    check(-459.67, "F", "K", "0.0 | -459.67 F | 0.0 K");
    check(-459.67, "F", "C", "-273.15 | -459.67 F | -273.15 C");
    check(0.0, "K", "C", "-273.15 | 0 K | -273.15 C");
}

#[test]
fn no_result_is_infinite_or_not_a_number() {
    check(
        1e308,
        "km",
        "in",
        "Conversion failed: 1e+308 km is too large to convert to in",
    );
    check(
        -1e308,
        "tb",
        "b",
        "Conversion failed: -1e+308 tb is too large to convert to b",
    );
    check(
        f64::MAX,
        "C",
        "F",
        "Conversion failed: 1.7976931348623157e+308 C is too large to convert to F",
    );
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(convert(value, "km", "m"), Err(UnitError::NotFinite));
        assert_eq!(convert(value, "C", "K"), Err(UnitError::NotFinite));
    }
}

#[test]
fn large_values_survive_if_their_result_does() {
    check(1e308, "km", "km", "1e308 | 1e+308 km | 1e+308 km");
    check(1e308, "m", "km", "1e305 | 1e+308 m | 1e+305 km");
    check(
        1e308,
        "F",
        "C",
        "5.555555555555556e307 | 1e+308 F | 5.555555555555556e+307 C",
    );
}

#[test]
fn results_are_rounded_to_six_places() {
    check(1e-9, "m", "km", "0.0 | 1e-09 m | 0.0 km");
    check(1.0, "cm", "mi", "6e-6 | 1 cm | 6e-06 mi");
    check(-1.0, "b", "tb", "0.0 | -1 b | 0.0 tb");
    check(5e-324, "m", "cm", "0.0 | 5e-324 m | 0.0 cm");
    check(1.0, "ft", "mi", "0.000189 | 1 ft | 0.000189 mi");
}

#[test]
fn zero_has_no_sign() {
    check(-0.0, "km", "m", "0.0 | 0 km | 0.0 m");
    check(-0.0, "C", "C", "0.0 | 0 C | 0.0 C");
    check(-1e-9, "C", "C", "0.0 | -1e-09 C | 0.0 C");
    check(32.0, "F", "C", "0.0 | 32 F | 0.0 C");
}

#[test]
fn a_value_is_told_as_it_was_given() {
    check(100.5, "cm", "m", "1.005 | 100.5 cm | 1.005 m");
    check(
        9_007_199_254_740_992.0,
        "m",
        "m",
        "9007199254740992.0 | 9007199254740992 m | 9007199254740992.0 m",
    );
    check(1e16, "m", "m", "1e16 | 1e+16 m | 1e+16 m");
    check(-40.0, "F", "C", "-40.0 | -40 F | -40.0 C");
}

#[test]
fn units_are_trimmed_and_known_in_any_case() {
    check(1.0, "  KM ", "\tM\n", "1000.0 | 1 KM | 1000.0 M");
    check(1.0, "mIn", "S", "60.0 | 1 mIn | 60.0 S");
}

#[test]
fn units_have_names_in_singular_and_plural() {
    let groups: &[(f64, &str, &str)] = &[
        (
            1000.0,
            "m",
            "km kilometer kilometers kilometre kilometres Kilometers",
        ),
        (1.0, "m", "m meter meters metre metres"),
        (
            0.01,
            "m",
            "cm centimeter centimeters centimetre centimetres",
        ),
        (1609.344, "m", "mi mile miles"),
        (0.3048, "m", "ft foot feet"),
        (0.0254, "m", "in inch inches"),
        (1.0, "kg", "kg kilogram kilograms"),
        (0.001, "kg", "g gram grams"),
        (0.453_592, "kg", "lb lbs pound pounds"),
        (28.349_523, "g", "oz ounce ounces"),
        (1.0, "b", "b byte bytes"),
        (1024.0, "b", "kb kilobyte kilobytes"),
        (1_048_576.0, "b", "mb megabyte megabytes"),
        (1_073_741_824.0, "b", "gb gigabyte gigabytes"),
        (1_099_511_627_776.0, "b", "tb terabyte terabytes"),
        (0.001, "s", "ms msec millisecond milliseconds"),
        (1.0, "s", "s sec secs second seconds"),
        (60.0, "s", "min mins minute minutes"),
        (3600.0, "s", "h hr hrs hour hours"),
        (86_400.0, "s", "d day days"),
        (
            274.15,
            "K",
            "c C °C celsius Celsius centigrade °c|degrees celsius|degree C|deg c|° C",
        ),
        (255.9278, "K", "f F °F fahrenheit|degrees Fahrenheit"),
        (33.8, "F", "C"),
        (1.0, "K", "k K kelvin kelvins"),
    ];
    for (expected, to, names) in groups {
        let names = names.split('|').enumerate().flat_map(|(index, part)| {
            if index == 0 {
                part.split(' ').collect()
            } else {
                vec![part]
            }
        });
        for name in names {
            let done = convert(1.0, name, to).expect(name);
            assert!((done.result - expected).abs() < 1e-12, "{name}: {done:?}");
        }
    }
}

#[test]
fn there_and_back_is_the_same_value() {
    let kinds = ["m km mi ft in cm", "kg g lb oz", "s ms min hr day", "C F K"];
    for kind in kinds {
        for from in kind.split(' ') {
            for to in kind.split(' ') {
                let there = convert(12_345_678.5, from, to).expect("a pair of one kind");
                let back = convert(there.result, to, from).expect("a pair of one kind");
                let error = (back.result - 12_345_678.5).abs() / 12_345_678.5;
                assert!(error < 1e-3, "{from} → {to}: {back:?}");
            }
        }
    }
}

#[test]
fn a_made_up_unit_is_cut_in_the_message() {
    let long = "x".repeat(100_000);
    let told = told(1.0, &long, "m");
    assert_eq!(told, format!("Cannot convert {}… → m", "x".repeat(40)));
}
