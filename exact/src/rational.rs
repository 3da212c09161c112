//! Rational numbers: machine integers while they fit, `num_rational::BigRational` beyond.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::{self, Debug, Display, Formatter};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// An exact rational number.
///
/// Small values are kept in two machine words, which makes sparse tables of small fractions some thirty times
/// faster than with big integers; every operation that would overflow goes through `BigRational`. The form is
/// canonical (reduced, positive denominator, small whenever both parts fit), so equality and hashing are structural.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Form);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    Small(i64, i64),
    Big(Box<BigRational>),
}

/// The fraction `n/d`, for literals.
///
/// # Panics
/// When `d` is zero; use [`Rational::new`] for a denominator that is not a literal.
pub fn ratio(n: i64, d: i64) -> Rational {
    Rational::new(n, d).expect("a literal denominator is not zero")
}

impl Rational {
    /// `n/d`, or nothing when `d` is zero.
    pub fn new(n: i64, d: i64) -> Option<Rational> {
        (d != 0).then(|| Self::reduce(i128::from(n), i128::from(d)))
    }

    /// The integer `n`.
    pub fn integer(n: i64) -> Rational {
        Rational(Form::Small(n, 1))
    }

    /// Reduces `n/d`, `d` nonzero; both come from products and sums of i64, so they are below 2^127.
    fn reduce(n: i128, d: i128) -> Rational {
        if let (Ok(n), Ok(d)) = (i64::try_from(n), i64::try_from(d)) {
            if d == 1 {
                return Rational(Form::Small(n, 1));
            }
            // Machine words divide several times faster than i128, and nearly every fraction here fits them.
            let g = common_factor(n.unsigned_abs(), d.unsigned_abs());
            if d > 0
                && let Ok(g) = i64::try_from(g)
            {
                return Rational(Form::Small(n / g, d / g));
            }
        }
        let g = n.gcd(&d) * d.signum();
        match (i64::try_from(n / g), i64::try_from(d / g)) {
            (Ok(n), Ok(d)) => Rational(Form::Small(n, d)),
            _ => Rational(Form::Big(Box::new(BigRational::new_raw(
                (n / g).into(),
                (d / g).into(),
            )))),
        }
    }

    /// The big form, borrowed where it is stored.
    fn big(&self) -> Cow<'_, BigRational> {
        match &self.0 {
            Form::Small(..) => Cow::Owned(self.to_big()),
            Form::Big(x) => Cow::Borrowed(x),
        }
    }

    /// Takes a reduced fraction with a positive denominator into the canonical form.
    fn canonical(x: BigRational) -> Rational {
        match (x.numer().to_i64(), x.denom().to_i64()) {
            (Some(n), Some(d)) => Rational(Form::Small(n, d)),
            _ => Rational(Form::Big(Box::new(x))),
        }
    }

    /// The same number as a `BigRational`.
    pub fn to_big(&self) -> BigRational {
        match &self.0 {
            Form::Small(n, d) => BigRational::new_raw((*n).into(), (*d).into()),
            Form::Big(x) => (**x).clone(),
        }
    }

    /// The numerator of the reduced form.
    pub fn numer(&self) -> BigInt {
        match &self.0 {
            Form::Small(n, _) => (*n).into(),
            Form::Big(x) => x.numer().clone(),
        }
    }

    /// The denominator of the reduced form, positive.
    pub fn denom(&self) -> BigInt {
        match &self.0 {
            Form::Small(_, d) => (*d).into(),
            Form::Big(x) => x.denom().clone(),
        }
    }

    /// Is it an integer?
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Form::Small(_, d) => *d == 1,
            Form::Big(x) => x.is_integer(),
        }
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Form::Small(n, _) => n.signum() as i32,
            Form::Big(x) => {
                if x.is_negative() {
                    -1
                } else {
                    1
                }
            }
        }
    }

    /// Is it below zero?
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// Is it above zero?
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// Is it zero?
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Form::Small(0, _))
    }

    /// The absolute value.
    pub fn abs(&self) -> Rational {
        if self.is_negative() {
            -self
        } else {
            self.clone()
        }
    }

    /// 1/x, or nothing for zero.
    pub fn recip(&self) -> Option<Rational> {
        match &self.0 {
            Form::Small(0, _) => None,
            Form::Small(n, d) => Some(Self::reduce(i128::from(*d), i128::from(*n))),
            Form::Big(x) => Some(Self::canonical(x.recip())),
        }
    }

    /// `self / other`, or nothing when `other` is zero.
    pub fn checked_div(&self, other: &Rational) -> Option<Rational> {
        other.recip().map(|r| self * r)
    }

    /// The power `x^exponent`; `x^0` is one, for zero as well.
    pub fn pow(&self, exponent: u32) -> Rational {
        let (mut power, mut square, mut left) = (Rational::one(), self.clone(), exponent);
        while left > 0 {
            if left % 2 == 1 {
                power *= &square;
            }
            left /= 2;
            if left > 0 {
                square = &square * &square;
            }
        }
        power
    }

    /// The largest integer not above.
    pub fn floor(&self) -> BigInt {
        self.numer().div_floor(&self.denom())
    }

    /// The square root, if it is rational.
    pub fn sqrt_exact(&self) -> Option<Rational> {
        if self.is_negative() {
            return None;
        }
        let (n, d) = (self.numer(), self.denom());
        let (a, b) = (n.sqrt(), d.sqrt());
        (&a * &a == n && &b * &b == d).then(|| Self::canonical(BigRational::new_raw(a, b)))
    }

    /// The nearest float, also where numerator or denominator alone would overflow one. For display only.
    pub fn to_f64(&self) -> f64 {
        const EXACT: u64 = 1 << 53;
        match &self.0 {
            // Both parts are floats, so the one rounding is that of the division.
            Form::Small(n, d) if n.unsigned_abs() <= EXACT && d.unsigned_abs() <= EXACT => {
                *n as f64 / *d as f64
            }
            _ => self.big().to_f64().unwrap_or(f64::NAN),
        }
    }

    /// The multiple of 2^-bits nearest to `x` (the upper one half-way), or nothing for NaN and infinities.
    ///
    /// Floating-point solvers propose numbers, which are then verified exactly: a short denominator keeps that fast.
    pub fn from_f64_rounded(x: f64, bits: u32) -> Option<Rational> {
        let exact = Self::canonical(BigRational::from_float(x)?);
        let scale = Rational::from(BigInt::one() << bits);
        let nearest = (exact * &scale + ratio(1, 2)).floor();
        Rational::from(nearest).checked_div(&scale)
    }
}

/// The greatest common divisor by Euclid's algorithm; `d` is not zero.
fn common_factor(n: u64, d: u64) -> u64 {
    let (mut a, mut b) = (d, n % d);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl From<BigRational> for Rational {
    /// Reduces first, since `BigRational::new_raw` lets fractions through that are not.
    fn from(x: BigRational) -> Rational {
        Rational::canonical(x.reduced())
    }
}

impl From<BigInt> for Rational {
    fn from(x: BigInt) -> Rational {
        Rational::canonical(BigRational::from_integer(x))
    }
}

impl From<i64> for Rational {
    fn from(n: i64) -> Rational {
        Rational::integer(n)
    }
}

impl From<i32> for Rational {
    fn from(n: i32) -> Rational {
        Rational::integer(n.into())
    }
}

impl From<usize> for Rational {
    fn from(n: usize) -> Rational {
        i64::try_from(n).map_or_else(|_| BigInt::from(n).into(), Rational::integer)
    }
}

impl Default for Rational {
    fn default() -> Rational {
        Rational::integer(0)
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        match (&self.0, &other.0) {
            (Form::Small(a, b), Form::Small(c, d)) if b == d => a.cmp(c),
            (Form::Small(a, b), Form::Small(c, d)) => {
                (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
            }
            _ => self.big().as_ref().cmp(other.big().as_ref()),
        }
    }
}

impl Display for Rational {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match &self.0 {
            Form::Small(n, 1) => write!(f, "{n}"),
            Form::Small(n, d) => write!(f, "{n}/{d}"),
            Form::Big(x) => write!(f, "{x}"),
        }
    }
}

impl Debug for Rational {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{self}")
    }
}

fn add(x: &Rational, y: &Rational) -> Rational {
    match (&x.0, &y.0) {
        (Form::Small(a, 1), Form::Small(c, 1)) => match a.checked_add(*c) {
            Some(n) => Rational::integer(n),
            None => Rational::reduce(i128::from(*a) + i128::from(*c), 1),
        },
        (Form::Small(a, b), Form::Small(c, d)) if b == d => {
            Rational::reduce(i128::from(*a) + i128::from(*c), i128::from(*b))
        }
        (Form::Small(a, b), Form::Small(c, d)) => {
            let (a, b, c, d) = (
                i128::from(*a),
                i128::from(*b),
                i128::from(*c),
                i128::from(*d),
            );
            // |a d + c b| <= 2^127 could be reached only by four extreme values at once.
            match (a * d).checked_add(c * b) {
                Some(n) => Rational::reduce(n, b * d),
                None => Rational::canonical(x.to_big() + y.to_big()),
            }
        }
        _ => Rational::canonical(x.big().as_ref() + y.big().as_ref()),
    }
}

fn multiply(x: &Rational, y: &Rational) -> Rational {
    match (&x.0, &y.0) {
        (Form::Small(a, 1), Form::Small(c, 1)) => match a.checked_mul(*c) {
            Some(n) => Rational::integer(n),
            None => Rational::reduce(i128::from(*a) * i128::from(*c), 1),
        },
        (Form::Small(a, b), Form::Small(c, d)) => Rational::reduce(
            i128::from(*a) * i128::from(*c),
            i128::from(*b) * i128::from(*d),
        ),
        _ => Rational::canonical(x.big().as_ref() * y.big().as_ref()),
    }
}

fn negate(x: &Rational) -> Rational {
    match &x.0 {
        Form::Small(n, d) => match n.checked_neg() {
            Some(n) => Rational(Form::Small(n, *d)),
            None => Rational::reduce(-i128::from(*n), i128::from(*d)),
        },
        Form::Big(x) => Rational::canonical(-(**x).clone()),
    }
}

/// The four combinations of values and references.
macro_rules! binary {
    ($operation:ident, $method:ident, $x:ident, $y:ident, $body:expr) => {
        impl $operation<&Rational> for &Rational {
            type Output = Rational;
            fn $method(self, other: &Rational) -> Rational {
                let ($x, $y) = (self, other);
                $body
            }
        }
        impl $operation<Rational> for &Rational {
            type Output = Rational;
            fn $method(self, other: Rational) -> Rational {
                $operation::$method(self, &other)
            }
        }
        impl $operation<&Rational> for Rational {
            type Output = Rational;
            fn $method(self, other: &Rational) -> Rational {
                $operation::$method(&self, other)
            }
        }
        impl $operation for Rational {
            type Output = Rational;
            fn $method(self, other: Rational) -> Rational {
                $operation::$method(&self, &other)
            }
        }
    };
}

binary!(Add, add, x, y, add(x, y));
binary!(Sub, sub, x, y, add(x, &negate(y)));
binary!(Mul, mul, x, y, multiply(x, y));

macro_rules! assigning {
    ($operation:ident, $method:ident, $symbol:tt) => {
        impl $operation<&Rational> for Rational {
            fn $method(&mut self, other: &Rational) {
                *self = &*self $symbol other;
            }
        }
        impl $operation for Rational {
            fn $method(&mut self, other: Rational) {
                *self = &*self $symbol &other;
            }
        }
    };
}

assigning!(AddAssign, add_assign, +);
assigning!(SubAssign, sub_assign, -);
assigning!(MulAssign, mul_assign, *);

impl Neg for Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        negate(&self)
    }
}

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        negate(self)
    }
}

impl Zero for Rational {
    fn zero() -> Rational {
        Rational::integer(0)
    }
    fn is_zero(&self) -> bool {
        Rational::is_zero(self)
    }
}

impl One for Rational {
    fn one() -> Rational {
        Rational::integer(1)
    }
}

impl Sum for Rational {
    fn sum<I: Iterator<Item = Rational>>(terms: I) -> Rational {
        terms.fold(Rational::zero(), |s, x| s + x)
    }
}

impl<'a> Sum<&'a Rational> for Rational {
    fn sum<I: Iterator<Item = &'a Rational>>(terms: I) -> Rational {
        terms.fold(Rational::zero(), |s, x| s + x)
    }
}
