//! Projectors and downdated partial identities.

use certificates::projector::{Downdate, nuclear_norm_of_downdate, trace_norm_of_projector};
use certificates::{Entries, Rejection, SparseVec};
use exact::{Rational, ratio};

/// I - J/3 on three coordinates: the projector onto the vectors of sum zero, of rank 2.
fn centring() -> Entries {
    (0..3)
        .flat_map(|i| (0..3).map(move |j| (i, j)))
        .map(|(i, j)| ((i, j), if i == j { ratio(2, 3) } else { ratio(-1, 3) }))
        .collect()
}

#[test]
fn a_projector_is_accepted() {
    assert_eq!(trace_norm_of_projector(&centring()), Ok(ratio(2, 1)));
}

#[test]
fn the_zero_matrix_is_a_projector() {
    assert_eq!(trace_norm_of_projector(&Entries::new()), Ok(ratio(0, 1)));
}

#[test]
fn stored_zeros_change_nothing() {
    let mut m = centring();
    m.insert((0, 5), Rational::default());
    m.insert((6, 6), Rational::default());
    assert_eq!(trace_norm_of_projector(&m), Ok(ratio(2, 1)));
}

#[test]
fn not_symmetric() {
    // [[1, 1], [0, 0]] is idempotent with trace 1, but its norm is sqrt(2).
    let m: Entries = [((0, 0), ratio(1, 1)), ((0, 1), ratio(1, 1))].into();
    assert_eq!(
        trace_norm_of_projector(&m),
        Err(Rejection::NotSymmetric { row: 0, column: 1 })
    );
}

#[test]
fn not_symmetric_below_the_diagonal() {
    let m: Entries = [((0, 0), ratio(1, 1)), ((1, 0), ratio(1, 1))].into();
    assert_eq!(
        trace_norm_of_projector(&m),
        Err(Rejection::NotSymmetric { row: 1, column: 0 })
    );
}

#[test]
fn not_idempotent() {
    // diag(2, -1) is symmetric with trace 1, but its norm is 3.
    let m: Entries = [((0, 0), ratio(2, 1)), ((1, 1), ratio(-1, 1))].into();
    assert!(matches!(
        trace_norm_of_projector(&m),
        Err(Rejection::NotIdempotent {
            row: 0,
            column: 0,
            ..
        })
    ));
}

#[test]
fn not_idempotent_where_the_matrix_is_zero() {
    // [[1/2, 1/2, 0], [1/2, 1/2, 1/2], [0, 1/2, 1/2]]: entry (0, 2) of the square is 1/4, that of the matrix is absent.
    let half = ratio(1, 2);
    let m: Entries = [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2)]
        .map(|k| (k, half.clone()))
        .into();
    assert!(matches!(
        trace_norm_of_projector(&m),
        Err(Rejection::NotIdempotent { .. })
    ));
}

#[test]
fn not_idempotent_where_the_square_is_zero() {
    // [[0, 1], [1, 0]]: the square is the identity, trace 0, norm 2.
    let m: Entries = [((0, 1), ratio(1, 1)), ((1, 0), ratio(1, 1))].into();
    assert!(matches!(
        trace_norm_of_projector(&m),
        Err(Rejection::NotIdempotent { row: 0, .. })
    ));
}

#[test]
fn not_idempotent_only_at_absent_entries() {
    // J - I on three coordinates: its square is J + I, which agrees wherever J - I has an entry. Trace 0, norm 4.
    let m: Entries = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
        .map(|k| (k, ratio(1, 1)))
        .into();
    assert_eq!(
        trace_norm_of_projector(&m),
        Err(Rejection::NotIdempotent {
            row: 0,
            column: 0,
            square: ratio(2, 1),
            value: ratio(0, 1)
        })
    );
}

#[test]
fn a_minus_projector_is_rejected() {
    let m: Entries = centring().into_iter().map(|(k, x)| (k, -x)).collect();
    assert!(matches!(
        trace_norm_of_projector(&m),
        Err(Rejection::NotIdempotent { .. })
    ));
}

#[test]
fn missing_entry() {
    let mut m = centring();
    m.remove(&(2, 2));
    assert!(matches!(
        trace_norm_of_projector(&m),
        Err(Rejection::NotIdempotent { .. })
    ));
}

/// The identity on {0, 1, 4} minus `coefficient` times g g^T, g = e_0 + 2 e_4, so |g|^2 = 5.
fn downdate(coefficient: Rational) -> Downdate {
    Downdate {
        support: [0, 1, 4].into(),
        coefficient,
        vector: SparseVec::from([(0, ratio(1, 1)), (4, ratio(2, 1))]),
    }
}

#[test]
fn a_downdate_is_accepted() {
    assert_eq!(
        nuclear_norm_of_downdate(&downdate(ratio(1, 10))),
        Ok(ratio(5, 2))
    );
}

#[test]
fn a_downdate_may_reach_zero_eigenvalue() {
    assert_eq!(
        nuclear_norm_of_downdate(&downdate(ratio(1, 5))),
        Ok(ratio(2, 1))
    );
    assert_eq!(
        nuclear_norm_of_downdate(&downdate(ratio(0, 1))),
        Ok(ratio(3, 1))
    );
}

/// What the rejection says; empty when there is none of this kind, which no test accepts.
fn message(matrix: &Downdate) -> String {
    match nuclear_norm_of_downdate(matrix) {
        Err(Rejection::Downdate(text)) => text,
        _ => String::new(),
    }
}

#[test]
fn coefficient_too_large() {
    // 1/5 plus a hair: an eigenvalue turns negative, and the trace is no longer the norm.
    assert!(message(&downdate(ratio(1_000_001, 5_000_000))).contains("exceeds 1"));
}

#[test]
fn coefficient_negative() {
    assert!(message(&downdate(ratio(-1, 10))).contains("-1/10 is negative"));
}

#[test]
fn vector_leaves_support() {
    let mut m = downdate(ratio(1, 10));
    m.support.remove(&4);
    assert!(message(&m).contains("coordinate 4"));
}

#[test]
fn a_stored_zero_outside_the_support_is_harmless() {
    let mut m = downdate(ratio(1, 10));
    m.vector.insert(77, Rational::default());
    assert_eq!(nuclear_norm_of_downdate(&m), Ok(ratio(5, 2)));
}

#[test]
fn an_empty_support_admits_only_the_zero_matrix() {
    let mut m = downdate(ratio(1, 10));
    m.support.clear();
    assert!(message(&m).contains("coordinate 0"));
    m.vector.clear();
    assert_eq!(nuclear_norm_of_downdate(&m), Ok(Rational::default()));
}

#[test]
fn an_oblique_projector_is_rejected() {
    // [[1, 1/2], [0, 0]] beside a 1: idempotent and of trace 2, but the norm is sqrt(5)/2 + 1.
    let m: Entries = [
        ((0, 0), ratio(1, 1)),
        ((0, 1), ratio(1, 2)),
        ((2, 2), ratio(1, 1)),
    ]
    .into();
    assert_eq!(
        trace_norm_of_projector(&m),
        Err(Rejection::NotSymmetric { row: 0, column: 1 })
    );
}
