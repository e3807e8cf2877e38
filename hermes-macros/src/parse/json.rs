//! JSON in Rust literals, or as a text: checked, and written as one compact JSON text. Numbers keep
//! their spelling.

mod text;
mod tokens;

pub(super) use tokens::object;

/// Whether JSON has this number: no sign but `-`, no leading zeros, a digit on each side of the point.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        None => (text, None),
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        None => (mantissa, None),
        Some((whole, fraction)) => (whole, Some(fraction)),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent
            .is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

#[cfg(test)]
mod tests;
