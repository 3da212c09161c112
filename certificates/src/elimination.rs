//! Elimination of a dense symmetric matrix, for [`crate::psd`].
//!
//! This is Bareiss's form: the Schur complement is kept multiplied by the product of the pivots so far, which is a minor
//! of the matrix, and what a step multiplies by too much is divided out again. Over integers, to which rational numbers
//! are scaled, that division leaves no remainder, so no greatest common divisor is needed, and those are what quotients
//! spend their time on: 42 rows of 45 bits take 10 milliseconds instead of the second and a half of a plain L D L^T.

use exact::{Field, Rational};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use std::marker::PhantomData;

/// Where elimination stopped, by positions in the component, with numbers of the Schur complement.
pub(crate) enum Defect {
    /// A negative pivot.
    Negative { at: usize, pivot: String },
    /// A zero pivot, where only positive ones will do.
    Zero { at: usize },
    /// A zero pivot with another entry in its row.
    Row {
        at: usize,
        other: usize,
        value: String,
    },
}

/// Takes the lower triangle of a matrix, row by row, and fails unless the matrix is semidefinite, or definite if
/// `strict`.
pub(crate) fn eliminate<F: Field>(triangle: Vec<Vec<F>>, strict: bool) -> Result<(), Defect> {
    match integers(&triangle) {
        Some((scaled, scale)) => run(&Integers { scale }, scaled, strict),
        None => run(&Numbers(PhantomData), triangle, strict),
    }
}

/// The entries times their common denominator, and that denominator, which is positive; nothing unless all are rational.
fn integers<F: Field>(triangle: &[Vec<F>]) -> Option<(Vec<Vec<BigInt>>, BigInt)> {
    let rows: Vec<Vec<Rational>> = triangle
        .iter()
        .map(|row| row.iter().map(Field::rational).collect())
        .collect::<Option<_>>()?;
    let mut common = BigInt::from(1);
    for x in rows.iter().flatten() {
        common = common.lcm(&x.denom());
    }
    let scaled = rows
        .iter()
        .map(|row| {
            row.iter()
                .map(|x| x.numer() * (&common / x.denom()))
                .collect()
        })
        .collect();
    Some((scaled, common))
}

/// What elimination needs to know of its numbers.
trait Arithmetic {
    type Number;
    /// A number to divide by.
    type Divisor;
    fn one(&self) -> Self::Divisor;
    fn sign(&self, x: &Self::Number) -> i32;
    /// Nothing for zero.
    fn divisor(&self, x: &Self::Number) -> Option<Self::Divisor>;
    /// `(pivot entry - left right) / divisor`.
    fn step(
        &self,
        entry: &Self::Number,
        pivot: &Self::Number,
        sides: (&Self::Number, &Self::Number),
        divisor: &Self::Divisor,
    ) -> Self::Number;
    /// The entry of the Schur complement that is kept as `x`.
    fn text(&self, x: &Self::Number, divisor: &Self::Divisor) -> String;
}

/// See the header of the module. Zero pivots leave the matrix with their rows, so the divisor stays a minor of the rest.
fn run<A: Arithmetic>(
    arithmetic: &A,
    mut rows: Vec<Vec<A::Number>>,
    strict: bool,
) -> Result<(), Defect> {
    let mut divisor = arithmetic.one();
    while let Some(mut line) = rows.pop() {
        let at = rows.len();
        let Some(pivot) = line.pop() else {
            return Err(Defect::Zero { at });
        };
        if arithmetic.sign(&pivot) < 0 {
            let pivot = arithmetic.text(&pivot, &divisor);
            return Err(Defect::Negative { at, pivot });
        }
        let Some(next) = arithmetic.divisor(&pivot) else {
            if strict {
                return Err(Defect::Zero { at });
            }
            if let Some((other, x)) = (line.iter().enumerate())
                .rev()
                .find(|(_, x)| arithmetic.sign(x) != 0)
            {
                let value = arithmetic.text(x, &divisor);
                return Err(Defect::Row { at, other, value });
            }
            continue;
        };
        for (row, left) in rows.iter_mut().zip(&line) {
            for (entry, right) in row.iter_mut().zip(&line) {
                *entry = arithmetic.step(entry, &pivot, (left, right), &divisor);
            }
        }
        divisor = next;
    }
    Ok(())
}

/// Integers, which are `scale` times the numbers meant; all divisions leave no remainder.
struct Integers {
    scale: BigInt,
}

impl Arithmetic for Integers {
    type Number = BigInt;
    type Divisor = BigInt;

    fn one(&self) -> BigInt {
        BigInt::from(1)
    }

    fn sign(&self, x: &BigInt) -> i32 {
        match x.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    fn divisor(&self, x: &BigInt) -> Option<BigInt> {
        (self.sign(x) != 0).then(|| x.clone())
    }

    fn step(
        &self,
        entry: &BigInt,
        pivot: &BigInt,
        (left, right): (&BigInt, &BigInt),
        divisor: &BigInt,
    ) -> BigInt {
        (pivot * entry - left * right) / divisor
    }

    fn text(&self, x: &BigInt, divisor: &BigInt) -> String {
        let below = Rational::from(divisor * &self.scale);
        let value = Rational::from(x.clone()).checked_div(&below);
        value.unwrap_or_default().to_string()
    }
}

/// Numbers of a field, divided through reciprocals.
struct Numbers<F>(PhantomData<F>);

impl<F: Field> Arithmetic for Numbers<F> {
    type Number = F;
    type Divisor = F;

    fn one(&self) -> F {
        F::unit()
    }

    fn sign(&self, x: &F) -> i32 {
        x.sign()
    }

    fn divisor(&self, x: &F) -> Option<F> {
        x.reciprocal()
    }

    fn step(&self, entry: &F, pivot: &F, (left, right): (&F, &F), divisor: &F) -> F {
        let difference = pivot.times(entry).minus(&left.times(right));
        difference.times(divisor)
    }

    fn text(&self, x: &F, divisor: &F) -> String {
        x.times(divisor).to_string()
    }
}
