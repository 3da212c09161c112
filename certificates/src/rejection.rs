//! Why a certificate was rejected.

use exact::{Rational, SqrtError};
use thiserror::Error;

/// A defect of a certificate. Each message names the value, the rule and the place.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Rejection {
    /// The parts do not add up to the matrix.
    #[error("entry ({row}, {column}): the parts add up to {found}, the matrix has {expected}")]
    SumDiffers {
        /// Row.
        row: usize,
        /// Column.
        column: usize,
        /// The sum of the parts.
        found: Rational,
        /// The matrix.
        expected: Rational,
    },
    /// Two left vectors are not orthogonal.
    #[error("left vectors {first} and {second} have inner product {value}, not 0")]
    LeftNotOrthogonal {
        /// One term.
        first: usize,
        /// Another.
        second: usize,
        /// Their inner product.
        value: Rational,
    },
    /// Two right vectors are not orthogonal.
    #[error("right vectors {first} and {second} have inner product {value}, not 0")]
    RightNotOrthogonal {
        /// One term.
        first: usize,
        /// Another.
        second: usize,
        /// Their inner product.
        value: Rational,
    },
    /// A matrix that must be symmetric is not.
    #[error("entries ({row}, {column}) and ({column}, {row}) differ: not symmetric")]
    NotSymmetric {
        /// Row.
        row: usize,
        /// Column.
        column: usize,
    },
    /// A matrix that must equal its square does not.
    #[error("entry ({row}, {column}): the square has {square}, the matrix {value}: not idempotent")]
    NotIdempotent {
        /// Row.
        row: usize,
        /// Column.
        column: usize,
        /// Entry of the square.
        square: Rational,
        /// Entry of the matrix.
        value: Rational,
    },
    /// A downdate leaves its support or is too large.
    #[error("downdate: {0}")]
    Downdate(String),
    /// A multiplier is negative.
    #[error("multiplier {index} is {value}: multipliers are >= 0")]
    NegativeMultiplier {
        /// Which.
        index: usize,
        /// Its value.
        value: Rational,
    },
    /// All multipliers are zero.
    #[error("all multipliers are zero: nothing is proved")]
    NoMultiplier,
    /// No matrix satisfies the inequality, since its left side is 0.
    #[error("inequality {index} has a zero key or query: it asks that 0 >= 1, and no matrix does")]
    EmptyInequality {
        /// Which.
        index: usize,
    },
    /// The inequalities contradict each other: their combination reads 0 >= total.
    #[error(
        "the combination of the inequalities is the zero matrix: it asks that 0 >= {total}, so no matrix satisfies them \
         and a bound would speak of nothing"
    )]
    ZeroCombination {
        /// The sum of the multipliers.
        total: Rational,
    },
    /// A weight is missing or not positive.
    #[error("column {column} has weight {value}: weights are > 0 on every nonzero column")]
    WeightNotPositive {
        /// Which column.
        column: usize,
        /// Its weight, 0 when missing.
        value: Rational,
    },
    /// A dense matrix with too few or too many entries.
    #[error("{found} entries were given for a matrix of shape {rows} x {cols}")]
    EntryCount {
        /// Rows.
        rows: usize,
        /// Columns.
        cols: usize,
        /// Number of entries given.
        found: usize,
    },
    /// A dense matrix too large to be written out.
    #[error("a {rows} x {cols} matrix has more than {limit} entries: too large to be written out")]
    TooLarge {
        /// Rows.
        rows: usize,
        /// Columns.
        cols: usize,
        /// The largest number of entries.
        limit: usize,
    },
    /// An entry outside the matrix.
    #[error("entry ({row}, {column}) lies outside the {rows} x {cols} matrix")]
    OutOfRange {
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        cols: usize,
    },
    /// Shapes do not match.
    #[error("shapes do not match: {0}")]
    Shape(String),
    /// A zero on the diagonal of a matrix that must be definite.
    #[error("diagonal entry {index} is 0: not positive definite")]
    ZeroDiagonal {
        /// Its row and column.
        index: usize,
    },
    /// A negative pivot of a matrix that must be semidefinite.
    #[error(
        "component {component}: the pivot of row {index} is {pivot}, which is negative: not positive semidefinite"
    )]
    NegativePivot {
        /// Which connected component of the sparsity pattern.
        component: usize,
        /// The row of the pivot in the whole matrix.
        index: usize,
        /// The pivot.
        pivot: String,
    },
    /// A zero pivot of a matrix that must be definite.
    #[error("component {component}: the pivot of row {index} is 0: not positive definite")]
    ZeroPivot {
        /// Which connected component of the sparsity pattern.
        component: usize,
        /// The row of the pivot in the whole matrix.
        index: usize,
    },
    /// A zero pivot of a matrix that must be semidefinite, in a row that is not zero.
    #[error(
        "component {component}: the pivot of row {index} is 0, but column {column} of that row is left with {value}: not \
         positive semidefinite"
    )]
    ZeroPivotInRow {
        /// Which connected component of the sparsity pattern.
        component: usize,
        /// The row of the pivot in the whole matrix.
        index: usize,
        /// A column of that row.
        column: usize,
        /// The entry left there.
        value: String,
    },
    /// The vectors of a frame are not independent, or their inner products are those of no vectors at all.
    #[error("the Gram matrix of the frame: {cause}")]
    Frame {
        /// Why it is not definite.
        cause: Box<Rejection>,
    },
    /// An operator norm above its bound, or too large a matrix to tell.
    #[error("the operator norm is not shown to be at most {bound}: {test}: {cause}")]
    NormAbove {
        /// The bound.
        bound: String,
        /// The matrix that must be semidefinite, s being the bound.
        test: &'static str,
        /// Why it is not.
        cause: Box<Rejection>,
    },
    /// A negative bound of a norm.
    #[error("the bound of the operator norm is {bound}: no norm is negative")]
    NegativeBound {
        /// The bound.
        bound: String,
    },
    /// A bound of a norm that must be divided by.
    #[error(
        "the bound of the operator norm is {bound}: a lower bound is a quotient by it, so it must be > 0"
    )]
    BoundNotPositive {
        /// The bound.
        bound: String,
    },
    /// A multiplier is negative, in a field that may have square roots.
    #[error("multiplier {index} is {value}: multipliers are >= 0")]
    MultiplierBelowZero {
        /// Which.
        index: usize,
        /// Its value.
        value: String,
    },
    /// The inequalities contradict each other, in a field that may have square roots.
    #[error(
        "the combination of the inequalities is the zero matrix: it asks that 0 >= {total}, so no matrix satisfies them \
         and a bound would speak of nothing"
    )]
    Contradiction {
        /// The sum of the multipliers.
        total: String,
    },
    /// A token with a coordinate outside the frame.
    #[error(
        "inequality {index}: the {token} has coordinate {coordinate}, but the frame has {side} vectors"
    )]
    CoordinateOutside {
        /// Which inequality.
        index: usize,
        /// Which of its tokens.
        token: &'static str,
        /// The coordinate.
        coordinate: usize,
        /// The number of vectors in the frame.
        side: usize,
    },
    /// A token whose coordinates are not strictly ascending.
    #[error(
        "inequality {index}: the {token} lists coordinate {coordinate} after {previous}: coordinates are ascending, each at most once"
    )]
    CoordinateOrder {
        /// Which inequality.
        index: usize,
        /// Which of its tokens.
        token: &'static str,
        /// The coordinate.
        coordinate: usize,
        /// The one before it.
        previous: usize,
    },
    /// Not one multiplier, or pivot, for each row.
    #[error("{found} {what} were given: there must be one for each of the {expected} rows")]
    Count {
        /// What is counted.
        what: &'static str,
        /// How many were given.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A combination of rows that must be zero on the left is not.
    #[error("column {column}: the combination of the rows has {value}, not 0")]
    CombinationNotZero {
        /// The column.
        column: usize,
        /// Its value.
        value: Rational,
    },
    /// A combination of rows that contradicts nothing.
    #[error(
        "the combination of the rows reads 0 >= {value}, which is no contradiction: it must be > 0"
    )]
    NoContradiction {
        /// The right side.
        value: Rational,
    },
    /// A left side that is the zero matrix.
    #[error(
        "inequality {index} has the zero matrix on its left: it asks that 0 >= 1, and no matrix does"
    )]
    ZeroMatrix {
        /// Which.
        index: usize,
    },
    /// More is claimed than was shown.
    #[error("the value {claimed} is claimed, but {shown} is what the certificate shows")]
    Claim {
        /// What the problem states.
        claimed: Rational,
        /// What was shown.
        shown: Rational,
    },
    /// An entry of a factor that must be below the diagonal.
    #[error(
        "entry ({row}, {column}) of the factor is not below the diagonal, where all are 1 and 0"
    )]
    NotLower {
        /// Row.
        row: usize,
        /// Column.
        column: usize,
    },
    /// A negative entry of a diagonal that must be >= 0.
    #[error("diagonal entry {index} is {value}: all are >= 0")]
    NegativeDiagonal {
        /// Which.
        index: usize,
        /// Its value.
        value: Rational,
    },
    /// Too much to multiply out.
    #[error("{what} takes more than {limit} steps to multiply out")]
    Work {
        /// Which product.
        what: &'static str,
        /// The largest number of steps.
        limit: usize,
    },
    /// A square root has no exact form.
    #[error(transparent)]
    SquareRoot(#[from] SqrtError),
}
