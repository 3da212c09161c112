//! What the parsers read, and what they refuse and why.

use exact::{ParseError, Rational, SqrtError, Surd, ratio};

fn rational(text: &str) -> Result<Rational, ParseError> {
    text.parse()
}

fn surd(text: &str) -> Result<Surd, ParseError> {
    text.parse()
}

fn malformed(text: &str) -> ParseError {
    ParseError::Malformed(text.to_string())
}

#[test]
fn rationals_that_are_read() {
    for (text, value) in [
        ("3", ratio(3, 1)),
        ("-3", ratio(-3, 1)),
        ("+3", ratio(3, 1)),
        ("3/5", ratio(3, 5)),
        ("-3/5", ratio(-3, 5)),
        ("6/10", ratio(3, 5)),
        ("0.25", ratio(1, 4)),
        ("-1.5", ratio(-3, 2)),
        ("-0.5", ratio(-1, 2)),
        ("007", ratio(7, 1)),
        ("-0", ratio(0, 1)),
    ] {
        assert_eq!(rational(text), Ok(value), "{text}");
    }
}

#[test]
fn nothing() {
    assert_eq!(rational(""), Err(ParseError::Empty));
    assert_eq!(surd(""), Err(ParseError::Empty));
    assert_eq!(surd("  "), Err(ParseError::Empty));
}

#[test]
fn zero_denominator() {
    for text in ["1/0", "-1/00", "0/0"] {
        assert_eq!(
            rational(text),
            Err(ParseError::ZeroDenominator(text.to_string()))
        );
        assert!(rational(text).unwrap_err().to_string().contains(text));
    }
    assert!(matches!(
        surd("2 + sqrt(1/0)"),
        Err(ParseError::ZeroDenominator(_))
    ));
}

#[test]
fn exponent() {
    for text in ["1e5", "1E5", "-1e-5", "1.5e3"] {
        let error = rational(text).unwrap_err();
        assert_eq!(error, ParseError::Exponent(text.to_string()));
        assert!(error.to_string().contains("write the number out"));
    }
    assert!(matches!(surd("1e5*sqrt(2)"), Err(ParseError::Exponent(_))));
}

#[test]
fn sign_in_the_denominator() {
    assert_eq!(rational("1/-2"), Err(malformed("1/-2")));
    assert_eq!(rational("1/+2"), Err(malformed("1/+2")));
}

#[test]
fn two_signs() {
    for text in ["--1", "+-1", "-+1"] {
        assert_eq!(rational(text), Err(malformed(text)));
        assert_eq!(surd(text), Err(malformed(text)));
    }
}

#[test]
fn sign_alone() {
    for text in ["-", "+"] {
        assert_eq!(rational(text), Err(malformed(text)));
        assert_eq!(surd(text), Err(malformed(text)));
    }
}

#[test]
fn blank_within_a_rational() {
    for text in ["3 /5", "3/ 5", " 3", "3 ", "- 3", "1 2", "3\n"] {
        assert_eq!(rational(text), Err(malformed(text)));
    }
}

#[test]
fn point_without_digits_on_both_sides() {
    for text in ["1.", ".5", ".", "-.5", "1.2.3", "1.5/2", "1/2.5"] {
        assert_eq!(rational(text), Err(malformed(text)));
    }
}

#[test]
fn not_a_number() {
    for text in [
        "NaN", "inf", "Infinity", "e", "0x10", "1_000", "1,5", "१", "½", "−1", "1/2/3", "/2", "1/",
    ] {
        assert_eq!(rational(text), Err(malformed(text)));
        assert!(rational(text).unwrap_err().to_string().contains(text));
    }
}

#[test]
fn too_long_a_rational() {
    assert!(rational(&"1".repeat(4096)).is_ok());
    assert_eq!(
        rational(&"1".repeat(4097)),
        Err(ParseError::TooLong {
            length: 4097,
            limit: 4096
        })
    );
}

#[test]
fn too_long_a_sum() {
    let sum = format!("1{}", "+1".repeat(32767));
    assert_eq!(surd(&sum), Ok(Surd::from(32768)));
    assert_eq!(
        surd(&format!("{sum}+1")),
        Err(ParseError::TooLong {
            length: 65537,
            limit: 65536
        })
    );
}

#[test]
fn sums_that_are_read() {
    for (text, printed) in [
        ("3/5 + 2*sqrt(35)", "3/5 + 2*sqrt(35)"),
        ("2*sqrt(35)+3/5", "3/5 + 2*sqrt(35)"),
        ("-sqrt(2)", "-sqrt(2)"),
        ("- sqrt(2)", "-sqrt(2)"),
        ("1/2*sqrt(3) - 4/5*sqrt(7)", "1/2*sqrt(3) - 4/5*sqrt(7)"),
        ("0", "0"),
        ("sqrt(12)", "2*sqrt(3)"),
        ("sqrt(1/3)", "1/3*sqrt(3)"),
        ("sqrt(0.25)", "1/2"),
        (" 2 * sqrt( 3 ) ", "2*sqrt(3)"),
        ("sqrt(2) - sqrt(2)", "0"),
        ("sqrt(8) + sqrt(2)", "3*sqrt(2)"),
        ("0*sqrt(2)", "0"),
        ("sqrt(0)", "0"),
    ] {
        assert_eq!(
            surd(text).map(|x| x.to_string()).as_deref(),
            Ok(printed),
            "{text}"
        );
    }
}

#[test]
fn negative_radicand() {
    let error = ParseError::Sqrt(SqrtError::Negative(ratio(-2, 1)));
    assert_eq!(surd("1 + sqrt(-2)"), Err(error.clone()));
    assert!(error.to_string().contains("sqrt(-2)"));
}

#[test]
fn radicand_out_of_reach() {
    // The primes 2^61 - 1 and 2^31 - 1, neither a trial divisor.
    let text = format!("1 + sqrt({})", ((1u128 << 61) - 1) * ((1 << 31) - 1));
    assert!(matches!(
        surd(&text),
        Err(ParseError::Sqrt(SqrtError::TooLarge(_)))
    ));
}

#[test]
fn operator_missing_or_dangling() {
    for text in [
        "1 sqrt(2)",
        "2sqrt(2)",
        "sqrt(2) sqrt(3)",
        "sqrt(2)3",
        "1 +",
        "+ + 1",
        "*sqrt(2)",
        "2*",
        "2*3",
        "sqrt(2)*sqrt(3)",
        "2**sqrt(3)",
        "2*-sqrt(3)",
        "2 3",
    ] {
        assert_eq!(surd(text), Err(malformed(text.trim())));
    }
}

#[test]
fn parentheses_unbalanced_or_empty() {
    for text in [
        "sqrt(2",
        "sqrt2",
        "sqrt(2))",
        "sqrt((2))",
        "sqrt()",
        "(2)",
        "sqrt(sqrt(2))",
        "sqrt(1+2)",
        "sqrt(2 + 1",
    ] {
        assert_eq!(surd(text), Err(malformed(text)));
    }
}
