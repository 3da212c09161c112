//! What each format refuses of its own.

use super::*;
use certificates::Rejection;
use certificates::positivity::Refusal;

// Positivity: the rest is tested where its checker is.
refused!(
    terms_in_wrong_order,
    FileError::Order { .. },
    changed::<Positivity>("positivity", |p, _| p.goal.swap(0, 1))
);
refused!(
    a_term_twice,
    FileError::Order { .. },
    changed::<Positivity>("positivity", |p, _| p.goal[1] = p.goal[0].clone())
);
refused!(
    a_power_of_zero,
    FileError::Zero { .. },
    changed::<Positivity>("positivity", |p, _| p.goal[0].powers.0[0].1 = 0)
);
refused!(
    powers_in_wrong_order,
    FileError::Order { .. },
    changed::<Positivity>("positivity", |p, _| p.hypotheses[1].polynomial[1]
        .powers
        .0
        .swap(0, 1))
);
refused!(
    a_coefficient_of_zero,
    FileError::Zero { .. },
    changed::<Positivity>("positivity", |p, _| p.goal[0].coefficient = "0".into())
);
refused!(
    a_negative_weight,
    FileError::Refused(Refusal::NegativeWeight { .. }),
    changed::<Positivity>("positivity", |_, c| c.products[0].weight = "-1".into())
);
refused!(
    a_tampered_multiplier,
    FileError::Refused(Refusal::IdentityFails { .. }),
    changed::<Positivity>("positivity", |_, c| c.multiplier[0].1 = 2)
);
refused!(
    factors_in_wrong_order,
    FileError::Refused(Refusal::Order { .. }),
    changed::<Positivity>("positivity", |_, c| c.products[1].factors =
        vec![(1, 1), (0, 1)])
);
refused!(
    a_missing_square,
    FileError::Refused(Refusal::IdentityFails { .. }),
    changed::<Positivity>("positivity", |_, c| c.squares.clear())
);
refused!(
    an_example_that_is_none,
    FileError::Refused(Refusal::HypothesisFails { .. }),
    changed::<Positivity>("positivity", |_, c| c.example[2].1 = "1/2".into())
);
refused!(
    an_example_without_a_variable,
    FileError::Refused(Refusal::NoValue { .. }),
    changed::<Positivity>("positivity", |_, c| drop(c.example.pop()))
);
refused!(
    an_example_in_wrong_order,
    FileError::Order { .. },
    changed::<Positivity>("positivity", |_, c| c.example.swap(0, 1))
);
refused!(
    an_example_that_takes_too_long,
    FileError::Refused(Refusal::Work { .. }),
    changed::<Positivity>("positivity", |p, c| {
        p.goal[3].powers.0[0].1 = 64;
        p.equations[0].polynomial[1].powers.0[0].1 = 64;
        c.example[1].1 = "7".repeat(4_000);
    })
);

// Farkas.
refused!(
    a_farkas_multiplier_missing,
    FileError::Rejected(Rejection::Count { .. }),
    changed::<Farkas>("farkas", |_, c| drop(c.multipliers.pop()))
);
refused!(
    a_farkas_multiplier_tampered,
    FileError::Rejected(Rejection::CombinationNotZero { column: 0, .. }),
    changed::<Farkas>("farkas", |_, c| c.multipliers[0] = "2".into())
);
refused!(
    a_farkas_multiplier_negative,
    FileError::Rejected(Rejection::NegativeMultiplier { index: 0, .. }),
    changed::<Farkas>("farkas", |_, c| c.multipliers[0] = "-1".into())
);
refused!(
    no_contradiction,
    FileError::Rejected(Rejection::NoContradiction { .. }),
    changed::<Farkas>("farkas", |p, _| p.rows[2].bound = "-2".into())
);
refused!(
    farkas_columns_in_wrong_order,
    FileError::Order { .. },
    changed::<Farkas>("farkas", |p, _| p.rows[2].coefficients.swap(0, 1))
);
refused!(
    a_farkas_column_outside,
    FileError::Rejected(Rejection::OutOfRange { .. }),
    changed::<Farkas>("farkas", |p, _| p.columns = 1)
);

// Lower bounds on norms.
refused!(
    a_dual_multiplier_missing,
    FileError::Rejected(Rejection::Count { .. }),
    changed::<DualBound>("dual-bound", |_, c| drop(c.multipliers.pop()))
);
refused!(
    a_dual_multiplier_tampered,
    FileError::Rejected(Rejection::NormAbove { .. }),
    changed::<DualBound>("dual-bound", |_, c| c.multipliers[0] = "2".into())
);
refused!(
    a_dual_multiplier_negative,
    FileError::Rejected(Rejection::NegativeMultiplier { .. }),
    changed::<DualBound>("dual-bound", |_, c| c.multipliers[0] = "-1".into())
);
refused!(
    no_dual_multiplier,
    FileError::Rejected(Rejection::NoMultiplier),
    changed::<DualBound>("dual-bound", |_, c| c.multipliers =
        vec!["0".into(), "0".into()])
);
refused!(
    too_small_a_norm,
    FileError::Rejected(Rejection::NormAbove { .. }),
    changed::<DualBound>("dual-bound", |_, c| c.norm = "1/2".into())
);
refused!(
    a_norm_of_zero,
    FileError::Rejected(Rejection::BoundNotPositive { .. }),
    changed::<DualBound>("dual-bound", |_, c| c.norm = "0".into())
);
refused!(
    a_negative_norm,
    FileError::Rejected(Rejection::BoundNotPositive { .. }),
    changed::<DualBound>("dual-bound", |_, c| c.norm = "-1".into())
);
refused!(
    too_large_a_lower_bound,
    FileError::Rejected(Rejection::Claim { .. }),
    changed::<DualBound>("dual-bound", |p, _| p.value = "3".into())
);
refused!(
    a_zero_inequality,
    FileError::Rejected(Rejection::ZeroMatrix { index: 1 }),
    changed::<DualBound>("dual-bound", |p, _| p.inequalities[1].clear())
);
refused!(
    contradicting_inequalities,
    FileError::Rejected(Rejection::ZeroCombination { .. }),
    changed::<DualBound>("dual-bound", |p, _| p.inequalities[1] =
        vec![(0, 0, "-1".into())])
);
refused!(
    dual_entries_in_wrong_order,
    FileError::Order { .. },
    changed::<DualBound>("dual-bound", |p, _| p.inequalities[1].push((
        0,
        0,
        "1".into()
    )))
);
refused!(
    a_dual_entry_outside,
    FileError::Rejected(Rejection::OutOfRange { .. }),
    changed::<DualBound>("dual-bound", |p, _| p.rows = 1)
);

// Upper bounds on norms.
refused!(
    a_factor_tampered,
    FileError::Rejected(Rejection::SumDiffers { .. }),
    changed::<Factorisation>("factorisation", |_, c| c.u[0].2 = "3".into())
);
refused!(
    a_factor_entry_missing,
    FileError::Rejected(Rejection::SumDiffers { .. }),
    changed::<Factorisation>("factorisation", |_, c| drop(c.v.pop()))
);
refused!(
    factors_of_another_matrix,
    FileError::Rejected(Rejection::SumDiffers { .. }),
    changed::<Factorisation>("factorisation", |p, _| p.entries[0].2 = "3".into())
);
refused!(
    too_small_an_upper_bound,
    FileError::Rejected(Rejection::Claim { .. }),
    changed::<Factorisation>("factorisation", |p, _| p.value = "9/2".into())
);
refused!(
    factor_entries_in_wrong_order,
    FileError::Order { .. },
    changed::<Factorisation>("factorisation", |_, c| c.u.swap(0, 1))
);
refused!(
    a_factor_entry_outside,
    FileError::Rejected(Rejection::OutOfRange { .. }),
    changed::<Factorisation>("factorisation", |_, c| c.inner = 1)
);

// Semidefinite matrices.
refused!(
    a_pivot_missing,
    FileError::Rejected(Rejection::Count { .. }),
    changed::<Psd>("psd", |_, c| drop(c.diagonal.pop()))
);
refused!(
    a_pivot_tampered,
    FileError::Rejected(Rejection::SumDiffers { .. }),
    changed::<Psd>("psd", |_, c| c.diagonal[1] = "2".into())
);
refused!(
    a_negative_pivot,
    FileError::Rejected(Rejection::NegativeDiagonal { index: 1, .. }),
    changed::<Psd>("psd", |p, c| {
        p.entries[3].2 = "0".into();
        p.entries.pop();
        c.diagonal[1] = "-1/2".into();
    })
);
refused!(
    a_lower_entry_missing,
    FileError::Rejected(Rejection::SumDiffers { .. }),
    changed::<Psd>("psd", |_, c| c.lower.clear())
);
refused!(
    a_lower_entry_on_the_diagonal,
    FileError::Rejected(Rejection::NotLower { row: 1, column: 1 }),
    changed::<Psd>("psd", |_, c| c.lower[0].1 = 1)
);
refused!(
    a_matrix_that_is_not_symmetric,
    FileError::Rejected(Rejection::NotSymmetric { .. }),
    changed::<Psd>("psd", |p, _| p.entries[1].2 = "3".into())
);
refused!(
    psd_entries_in_wrong_order,
    FileError::Order { .. },
    changed::<Psd>("psd", |p, _| p.entries.swap(0, 1))
);
refused!(
    a_psd_entry_outside,
    FileError::Rejected(Rejection::OutOfRange { .. }),
    changed::<Psd>("psd", |p, _| p.side = 1)
);
