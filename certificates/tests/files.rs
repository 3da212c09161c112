//! Certificate files, and every way in which one can be wrong.
#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use certificates::file::{self, Checked, FileError, check_text, dual_bound, factorisation, farkas};
use certificates::file::{cases, positivity, psd, write};
use serde::de::DeserializeOwned;
use serde_json::Value;

fn example(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/certificates");
    std::fs::read_to_string(format!("{folder}/{name}.json")).unwrap()
}

/// The example with one text in place of another.
fn replaced(name: &str, from: &str, to: &str) -> Result<Checked, FileError> {
    let text = example(name);
    assert!(text.contains(from), "{from}");
    check_text(&text.replacen(from, to, 1))
}

/// The example after a change of its problem and certificate, with the right hash.
fn changed<F: file::Format>(
    name: &str,
    change: impl FnOnce(&mut F::Problem, &mut F::Certificate),
) -> Result<Checked, FileError> {
    fn part<T: DeserializeOwned>(file: &Value, key: &str) -> T {
        serde_json::from_str(&file[key].to_string()).unwrap()
    }
    let file: Value = serde_json::from_str(&example(name)).unwrap();
    let (mut problem, mut certificate) = (part(&file, "problem"), part(&file, "certificate"));
    change(&mut problem, &mut certificate);
    check_text(&write::<F>(&problem, &certificate).unwrap())
}

macro_rules! refused {
    ($name:ident, $pattern:pat, $result:expr) => {
        #[test]
        fn $name() {
            let found = $result.unwrap_err();
            assert!(matches!(found, $pattern), "{found}");
        }
    };
}

#[path = "files/kinds.rs"]
mod kinds;
#[path = "files/cases.rs"]
mod of_cases;

/// One for each format, with what its file and its own types make of it.
macro_rules! envelope {
    ($module:ident, $format:ty, $name:literal, $version:literal) => {
        mod $module {
            use super::*;

            #[test]
            fn the_example_is_accepted_and_written_alike() {
                let checked = check_text(&example($name)).unwrap();
                let again = changed::<$format>($name, |_, _| ()).unwrap();
                assert_eq!(checked, again);
                assert_eq!(checked.format, concat!("sinkproof/", $name, "-", $version));
            }
            refused!(
                trailing_data,
                FileError::Trailing { .. },
                check_text(&(example($name) + "{}"))
            );
            refused!(
                another_version,
                FileError::Version { .. },
                replaced($name, concat!("-", $version, "\""), "-9\"")
            );
            refused!(
                an_unknown_format,
                FileError::Format { .. },
                replaced($name, "sinkproof/", "other/")
            );
            refused!(
                an_unknown_entry,
                FileError::Unknown(_),
                replaced($name, "\"problem\"", "\"spare\": 1, \"problem\"")
            );
            refused!(
                an_unknown_entry_of_the_problem,
                FileError::Unknown(_),
                replaced($name, "\"problem\": {", "\"problem\": {\"spare\": 1,")
            );
            refused!(
                an_unknown_entry_of_the_certificate,
                FileError::Unknown(_),
                replaced(
                    $name,
                    "\"certificate\": {",
                    "\"certificate\": {\"spare\": 1,"
                )
            );
            refused!(an_empty_certificate, FileError::Missing(_), {
                let text = example($name);
                let start = text.split("\"certificate\"").next().unwrap();
                check_text(&format!("{start}\"certificate\": {{}}}}"))
            });
            refused!(no_certificate, FileError::Missing(_), {
                let text = example($name);
                let start = text.split(",\n  \"certificate\"").next().unwrap();
                check_text(&format!("{start}}}"))
            });
            refused!(
                an_entry_twice,
                FileError::Twice(_),
                replaced($name, "\"problem\"", "\"format\": \"x\", \"problem\"")
            );
            refused!(
                another_hash,
                FileError::Hash { .. },
                replaced($name, "sha256\": \"", "sha256\": \"0")
            );
            refused!(
                half_a_file,
                FileError::Syntax(_),
                check_text(&example($name)[..100])
            );
            refused!(
                a_number_that_is_no_text,
                FileError::Syntax(_),
                replaced($name, "\"1\"", "1")
            );
        }
    };
}

envelope!(positivity_file, positivity::Positivity, "positivity", "2");
envelope!(cases_file, cases::Cases, "cases", "1");
envelope!(farkas_file, farkas::Farkas, "farkas", "1");
envelope!(dual_bound_file, dual_bound::DualBound, "dual-bound", "1");
envelope!(
    factorisation_file,
    factorisation::Factorisation,
    "factorisation",
    "1"
);
envelope!(psd_file, psd::Psd, "psd", "1");

#[test]
fn too_long_a_file() {
    let text = " ".repeat(file::LONGEST + 1);
    let found = check_text(&text).unwrap_err();
    assert!(matches!(found, FileError::TooLarge { .. }));
}

use dual_bound::DualBound;
use factorisation::Factorisation;
use farkas::Farkas;
use positivity::Positivity;
use psd::Psd;

// Problems that are not the one of the hash.
refused!(
    a_tampered_positivity_problem,
    FileError::Hash { .. },
    replaced("positivity", "\"-2\"", "\"-3\"")
);
refused!(
    a_tampered_cases_problem,
    FileError::Hash { .. },
    replaced("cases", "\"equal\"", "\"at_least\"")
);
refused!(
    a_tampered_farkas_problem,
    FileError::Hash { .. },
    replaced("farkas", "\"-3/2\"", "\"-1/2\"")
);
refused!(
    a_tampered_dual_value,
    FileError::Hash { .. },
    replaced("dual-bound", "\"2\"", "\"1\"")
);
refused!(
    a_tampered_factorisation_value,
    FileError::Hash { .. },
    replaced("factorisation", "\"5\"", "\"6\"")
);
refused!(
    a_tampered_psd_matrix,
    FileError::Hash { .. },
    replaced("psd", "\"2\"", "\"3\"")
);

// Numbers.
refused!(
    a_zero_denominator_positivity,
    FileError::ZeroDenominator { .. },
    changed::<Positivity>("positivity", |_, c| c.products[0].weight = "1/0".into())
);
refused!(
    a_zero_denominator_farkas,
    FileError::ZeroDenominator { .. },
    changed::<Farkas>("farkas", |p, _| p.rows[0].bound = "1/0".into())
);
refused!(
    a_zero_denominator_dual,
    FileError::ZeroDenominator { .. },
    changed::<DualBound>("dual-bound", |_, c| c.norm = "1/0".into())
);
refused!(
    a_zero_denominator_factorisation,
    FileError::ZeroDenominator { .. },
    changed::<Factorisation>("factorisation", |_, c| c.u[0].2 = "1/0".into())
);
refused!(
    a_zero_denominator_psd,
    FileError::ZeroDenominator { .. },
    changed::<Psd>("psd", |_, c| c.diagonal[0] = "1/0".into())
);
refused!(
    a_huge_number_positivity,
    FileError::NumberTooLong { .. },
    changed::<Positivity>("positivity", |_, c| c.squares[0].weight =
        "9".repeat(10_001))
);
refused!(
    a_huge_number_farkas,
    FileError::NumberTooLong { .. },
    changed::<Farkas>("farkas", |_, c| c.multipliers[0] = "9".repeat(10_001))
);
refused!(
    a_huge_number_dual,
    FileError::NumberTooLong { .. },
    changed::<DualBound>("dual-bound", |p, _| p.value = "9".repeat(10_001))
);
refused!(
    a_huge_number_factorisation,
    FileError::NumberTooLong { .. },
    changed::<Factorisation>("factorisation", |p, _| p.value = "9".repeat(10_001))
);
refused!(
    a_huge_number_psd,
    FileError::NumberTooLong { .. },
    changed::<Psd>("psd", |_, c| c.diagonal[0] = "9".repeat(10_001))
);
refused!(
    a_fraction_not_in_lowest_terms,
    FileError::NotCanonical { .. },
    changed::<Psd>("psd", |_, c| c.diagonal[1] = "6/4".into())
);
refused!(
    no_number,
    FileError::Number { .. },
    changed::<Psd>("psd", |_, c| c.diagonal[1] = "NaN".into())
);
refused!(
    a_zero_entry,
    FileError::Zero { .. },
    changed::<Psd>("psd", |_, c| c.lower[0].2 = "0".into())
);
