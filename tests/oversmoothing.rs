//! Section 5 and Appendix B: oracles agree, every small change of (2) and of the weights is refused, and settings are read from files.

#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use assert_cmd::Command;
use constructions::dense::Dense;
use constructions::oversmoothing::curve::Regime;
use constructions::oversmoothing::law::{Law, LawError};
use constructions::oversmoothing::layers::{
    LayerError, layer, reflection, rms, rotation_weights, uniform,
};
use constructions::oversmoothing::moments::Moments;
use constructions::oversmoothing::setting::{Setting, SettingError};
use constructions::oversmoothing::weights::{Weights, by_definition};
use exact::{Rational, ratio};
use std::path::Path;
use verify::claims::oversmoothing::theorem;
use verify::proofs::oversmoothing as proofs;
use verify::proofs::step::{Decision, ProofError, Step};

fn proved(steps: Result<Vec<Step>, ProofError>) -> bool {
    let decided = |s: &Step| matches!(s.decide(), Decision::Proved { .. });
    steps.is_ok_and(|steps| !steps.is_empty() && steps.iter().all(decided))
}

fn dense(rows: &[&[i64]]) -> Dense {
    let row = |r: &&[i64]| r.iter().map(|x| ratio(*x, 1)).collect();
    Dense::from_rows(rows.iter().map(row).collect()).unwrap()
}

fn numbers(list: &[i64]) -> Vec<Rational> {
    list.iter().map(|x| ratio(*x, 1)).collect()
}

/// Two tokens (1, +-1) with W = diag(a, b) in halves, beta = 1.
fn plane(a: i64, b: i64) -> Setting {
    let law = Law::signs(2, &numbers(&[1, 0]), &numbers(&[0, 1]), &numbers(&[0, 0]));
    let w = Dense::diagonal(&[ratio(a, 2), ratio(b, 2)]);
    law.setting(ratio(1, 1), w).unwrap()
}

#[test]
fn weights_are_those_of_the_definition() {
    let printed = Weights::printed();
    for i in 1..8 {
        for k in 1..8 {
            for lambda in [ratio(0, 1), ratio(2, 7), ratio(1, 1)] {
                assert_eq!(printed.at(i, k, &lambda), by_definition(i, k, &lambda));
            }
        }
    }
}

#[test]
fn every_change_of_the_weights_is_refused() {
    let (printed, moments) = (Weights::printed(), Moments::printed());
    let mut changed = Vec::new();
    for (what, below) in printed.below.mutations() {
        changed.push((
            format!("below: {what}"),
            Weights {
                below,
                ..printed.clone()
            },
        ));
    }
    for (what, diagonal) in printed.diagonal.mutations() {
        changed.push((
            format!("diagonal: {what}"),
            Weights {
                diagonal,
                ..printed.clone()
            },
        ));
    }
    // Above the diagonal there is no term to change: future tokens are given a weight.
    let above = printed.below.clone();
    changed.push((
        "above as below".into(),
        Weights {
            above,
            ..printed.clone()
        },
    ));
    assert!(changed.len() > 40, "{}", changed.len());
    for (what, weights) in changed {
        assert!(!proved(proofs::moments(&weights, &moments)), "{what}");
    }
}

#[test]
fn every_change_of_the_moments_is_refused_by_proof_and_by_sums() {
    let printed = Moments::printed();
    let pairs = printed.pair.mutations().into_iter().map(|(what, pair)| {
        (
            format!("pair: {what}"),
            Moments {
                pair,
                ..printed.clone()
            },
        )
    });
    let norms = printed.norm.mutations().into_iter().map(|(what, norm)| {
        (
            format!("norm: {what}"),
            Moments {
                norm,
                ..printed.clone()
            },
        )
    });
    let law = Law::signs(3, &numbers(&[2, 1]), &numbers(&[1, 3]), &numbers(&[1, -1]));
    let setting = law
        .setting(ratio(2, 3), dense(&[&[1, 2], &[-3, 5]]))
        .unwrap();
    assert!(
        theorem::direct(&setting, &printed)
            .unwrap()
            .witness
            .is_none()
    );
    let mut count = 0;
    for (what, changed) in pairs.chain(norms) {
        assert!(!proved(about_moments(&changed)), "proof: {what}");
        // The two tokens of a norm are one, so there 1/j is 1/i.
        let same = what.starts_with("norm") && what.ends_with("y for x");
        let found = theorem::direct(&setting, &changed).unwrap().witness;
        assert_eq!(found.is_none(), same, "sums: {what}");
        count += 1;
    }
    assert!(count > 300, "{count}");
}

/// The steps that speak of (2); those before them are about weights alone.
fn about_moments(changed: &Moments) -> Result<Vec<Step>, ProofError> {
    let mut steps = proofs::moments(&Weights::printed(), changed)?;
    steps.retain(|s| s.says.starts_with("E["));
    assert_eq!(steps.len(), 4);
    Ok(steps)
}

/// Of the changes of (2), those that keep monotonicity are about parts that do not depend on lambda, or that make the same sign.
#[test]
fn wrong_slopes_are_not_proved_monotone() {
    let printed = Moments::printed();
    // Terms 4 and 5 of the pair hold the slope; 7 to 12 of the norm depend on lambda.
    for term in ["term 4: negated", "term 5: negated", "term 5: left out"] {
        let pair = printed
            .pair
            .mutations()
            .into_iter()
            .find(|(w, _)| w == term)
            .unwrap()
            .1;
        let changed = Moments {
            pair,
            ..printed.clone()
        };
        assert!(
            !proved(proofs::increasing(&changed)) || !proved(proofs::sharp(&changed)),
            "{term}"
        );
    }
    for k in [7, 8, 9, 10, 11, 12] {
        let name = format!("term {k}: negated");
        let norm = printed
            .norm
            .mutations()
            .into_iter()
            .find(|(w, _)| *w == name)
            .unwrap()
            .1;
        let changed = Moments {
            norm,
            ..printed.clone()
        };
        assert!(!proved(proofs::sharp(&changed)), "{name}");
        assert!(!proved(proofs::turning(&changed)), "{name}");
    }
}

#[test]
fn regimes_and_turning_points_are_exact() {
    for (b, regime, turn) in [
        (2, Regime::Increasing, Some(ratio(2, 1))),
        (-1, Regime::Decreasing, Some(ratio(-1, 1))),
        (-2, Regime::Decreasing, Some(ratio(0, 1))),
        (0, Regime::Constant, None),
        (-4, Regime::Turning, Some(ratio(1, 2))),
        (-3, Regime::Turning, Some(ratio(1, 3))),
    ] {
        let s = plane(0, b);
        assert_eq!(
            (s.regime(), s.lambda_star()),
            (regime, turn),
            "W = diag(0, {b}/2)"
        );
    }
    // rho-hat^2 of diag(0, -3/2) turns at 2 lambda* = 2/3.
    let square = |n, d| {
        plane(0, -3)
            .point(&ratio(n, d))
            .signed_square(1, 2)
            .unwrap()
    };
    assert!(square(2, 3) > square(13, 20) && square(2, 3) > square(27, 40));
    assert!(square(2, 3) > square(1, 1));
}

#[test]
fn the_mean_similarity_agrees_with_its_enclosure() {
    let law = Law::signs(4, &numbers(&[2, 1]), &numbers(&[1, 3]), &numbers(&[1, 0]));
    let s = law
        .setting(ratio(1, 2), dense(&[&[1, 0], &[1, -1]]))
        .unwrap();
    for k in 0..=4 {
        let point = s.point(&ratio(k, 4));
        let (low, high) = point.enclosure(64).unwrap();
        let exact = point.exact().unwrap();
        assert!(
            exact::Surd::from(low.clone()) <= exact && exact <= exact::Surd::from(high.clone())
        );
        assert!(high - low < ratio(1, 1 << 40));
    }
}

#[test]
fn distributions_that_theorem_5_1_does_not_cover_are_refused() {
    let mut law = Law::signs(2, &numbers(&[1]), &numbers(&[1]), &numbers(&[0]));
    let w = dense(&[&[1]]);
    law.atoms[0].1 = dense(&[&[5, 1]]);
    assert!(matches!(
        law.setting(ratio(1, 1), w.clone()),
        Err(LawError::Uneven(_))
    ));
    law.atoms.pop();
    assert!(matches!(
        law.setting(ratio(1, 1), w.clone()),
        Err(LawError::Total(_))
    ));
    let new = |t, v: i64, c: i64| {
        Setting::new(
            t,
            ratio(1, 1),
            numbers(&[1]),
            w.clone(),
            dense(&[&[v]]),
            dense(&[&[c]]),
        )
    };
    assert!(new(2, 1, -1).is_ok());
    for (t, v, c) in [(3, 1, -1), (2, 1, 2), (2, -1, -1)] {
        assert!(
            matches!(new(t, v, c), Err(SettingError::Semidefinite { .. })),
            "{t} {v} {c}"
        );
    }
    assert!(matches!(new(1, 1, 0), Err(SettingError::Length(1))));
}

#[test]
fn positivity_is_decided_for_all_lambda() {
    let law = Law::signs(2, &numbers(&[0]), &numbers(&[1]), &numbers(&[0]));
    let s = law.setting(ratio(1, 1), dense(&[&[-1]])).unwrap();
    // W = -1: Y = 0 at lambda = 0.
    assert_eq!(s.positive().unwrap_err().lambda, ratio(0, 1));
    assert!(plane(2, 2).positive().is_ok());
}

#[test]
fn layers_refuse_what_they_cannot_compute_and_notice_changes() {
    let attention = uniform(2);
    let zero = dense(&[&[1, 0], &[1, 0]]);
    assert_eq!(rms(&zero), Err(LayerError::Zero(2)));
    let irrational = dense(&[&[1, 1], &[0, 0]]);
    assert!(matches!(
        rms(&irrational),
        Err(LayerError::Irrational { token: 1, .. })
    ));
    let x = dense(&[&[1, 1], &[1, 2], &[1, 2], &[1, 4]]);
    let q = reflection(&numbers(&[2, 3, 3, 5]));
    let w = rotation_weights(&x, &q, &ratio(3, 1), &attention).unwrap();
    let wanted = q.times(&x).unwrap().scale(&ratio(3, 1));
    assert_eq!(layer(&x, &w, &attention).unwrap(), wanted);
    // A reflection that leaves the span, other attention, another scale: not this layer.
    let outside = reflection(&numbers(&[1, 0, 0, 0]));
    let w2 = rotation_weights(&x, &outside, &ratio(3, 1), &attention).unwrap();
    assert_ne!(
        layer(&x, &w2, &attention).unwrap(),
        outside.times(&x).unwrap().scale(&ratio(3, 1))
    );
    assert_ne!(layer(&x, &w, &Dense::identity(2)).unwrap(), wanted);
    let singular = dense(&[&[1, 0], &[1, 0]]);
    assert!(rotation_weights(&x, &q, &ratio(3, 1), &singular).is_err());
    let parallel = dense(&[&[1, 2], &[1, 2], &[1, 2], &[1, 2]]);
    assert!(rotation_weights(&parallel, &q, &ratio(3, 1), &attention).is_err());
}

#[test]
fn a_linear_system_has_a_solution_or_a_vector_against_it() {
    let v = dense(&[&[1, 2, 3], &[0, 1, 1]]);
    let w = dense(&[&[2, 5], &[-1, 4]]);
    let target = w.times(&v).unwrap();
    assert_eq!(v.solve_left(&target).unwrap(), Ok(w));
    let wrong = target
        .plus(&ratio(1, 1), &dense(&[&[0, 0, 1], &[0, 0, 0]]))
        .unwrap();
    let y = v.solve_left(&wrong).unwrap().unwrap_err().0;
    let column = Dense::from_columns(vec![y]).unwrap();
    assert!(v.times(&column).unwrap().is_zero() && !wrong.times(&column).unwrap().is_zero());
    assert!(v.inverse().is_err() && v.solve_left(&dense(&[&[1]])).is_err());
    assert!(Dense::from_rows(vec![numbers(&[1]), numbers(&[1, 2])]).is_err());
}

fn verify(arguments: &[&str]) -> std::process::Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut command = Command::cargo_bin("verify").unwrap();
    command.current_dir(root).args(arguments).output().unwrap()
}

#[test]
fn a_setting_of_ones_own_gives_regime_turning_point_and_curve() {
    let file = "scenarios/examples/oversmoothing/scenario.toml";
    let output = verify(&["scenario", file]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(
        text.contains("p < 0 < p + q: token norms turn at lambda*"),
        "{text}"
    );
    assert!(text.contains("lambda* = (p + q)/q   1/3"), "{text}");
    let output = verify(&[
        "scenario",
        "--task",
        "oversmoothing",
        file,
        "--format",
        "json",
    ]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let claims = report["claims"].as_array().unwrap();
    let of = |id: &str| claims.iter().find(|c| c["id"] == id).unwrap();
    assert_eq!(claims.len(), 5);
    let sharp = of("thm-5.1.monotone~");
    assert_eq!(sharp["outcome"], "vacuous");
    assert_eq!(sharp["values"]["lambda_star"]["exact"], "1/3");
    let rho: exact::Surd = sharp["values"]["rho(2/3)"]["exact"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(
        &rho * &rho,
        exact::Surd::from(ratio(1, 1)) - exact::Surd::from(rest())
    );
    assert_eq!(of("rem-B.4.turning")["outcome"], "holds");
    assert_eq!(of("thm-5.1.moments")["outcome"], "holds");
}

/// 1 - rho-hat^2 at its greatest, for W = diag(0, -3/2).
fn rest() -> Rational {
    ratio(1, 1)
        - plane(0, -3)
            .point(&ratio(2, 3))
            .signed_square(1, 2)
            .unwrap()
}

#[test]
fn matrices_may_be_in_files_and_the_task_on_the_command_line() {
    let folder = "scenarios/examples/oversmoothing-file";
    let output = verify(&["scenario", "--task", "oversmoothing", folder]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(
        text.contains("q > 0 and p >= 0: rho-hat increases"),
        "{text}"
    );
    for (arguments, reason) in [
        (&["scenario", "--task", "oversmoothing"][..], "needs a file"),
        (
            &[
                "scenario",
                "--task",
                "clusters",
                "scenarios/examples/oversmoothing",
            ],
            "but --task clusters is given",
        ),
        (
            &["scenario", "--task", "oversmoothing", "--C", "2", folder],
            "not both",
        ),
    ] {
        let output = verify(arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(
            message.lines().count() == 1 && message.contains(reason),
            "{message}"
        );
    }
}
