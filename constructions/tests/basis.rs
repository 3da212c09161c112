//! Bases: orthonormality, completion, changes of coordinates, refusals; and the integer product they rest on.
#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use constructions::Sizes;
use constructions::basis::{Basis, BasisError, dense, sparse};
use constructions::integer::product;
use constructions::matrix::{Operator, Outer};
use exact::{Rational, ratio};
use nalgebra::DMatrix;
use num_bigint::BigInt;
use proptest::prelude::*;

type Exact = DMatrix<Rational>;

fn int(n: i64) -> Rational {
    Rational::integer(n)
}

/// One rational multiplication and addition after another.
fn naive(a: &Exact, b: &Exact) -> Exact {
    DMatrix::from_fn(a.nrows(), b.ncols(), |i, j| {
        (0..a.ncols()).map(|k| &a[(i, k)] * &b[(k, j)]).sum()
    })
}

fn identity(n: usize) -> Exact {
    DMatrix::from_fn(n, n, |i, j| int(i64::from(i == j)))
}

/// The whole frame, by columns.
fn frame(basis: &Basis, width: usize) -> Exact {
    let mut all = DMatrix::from_element(width, width, int(0));
    for k in 0..width {
        basis
            .vector(k)
            .into_iter()
            .for_each(|(i, x)| all[(i, k)] = x);
    }
    all
}

fn orthonormal(q: &Exact) -> bool {
    naive(&q.transpose(), q) == identity(q.ncols())
}

fn sizes() -> impl Strategy<Value = Sizes> {
    (1usize..4, 1usize..3, 1usize..3, 0usize..4)
        .prop_map(|(t, c, d, more)| Sizes::new(t, c, d, Some(t + c + d + 2 + more)).unwrap())
}

/// A product of reflections in vectors with many zeros, so that some columns stay `e_k` or become `-e_k`.
fn orthogonal() -> impl Strategy<Value = Vec<Vec<i64>>> {
    let entry = prop::sample::select(vec![0i64, 0, 0, 0, 1, -1, 2, 3]);
    prop::collection::vec(prop::collection::vec(entry, 13), 0..4)
}

fn reflected(width: usize, vectors: &[Vec<i64>]) -> Exact {
    vectors.iter().fold(identity(width), |q, v| {
        let square: i64 = v[..width].iter().map(|x| x * x).sum();
        let removed = |i, j| Rational::new(2 * v[i] * v[j], square).unwrap_or_default();
        naive(
            &q,
            &DMatrix::from_fn(width, width, |i, j| int(i64::from(i == j)) - removed(i, j)),
        )
    })
}

/// Entries of all kinds: zero, mixed denominators, near 2^61..2^63 where machine words stop, and far beyond.
fn entry() -> impl Strategy<Value = Rational> {
    prop_oneof![
        2 => Just(int(0)),
        4 => (-50i64..51, 1i64..40).prop_map(|(n, d)| ratio(n, d)),
        1 => (0u32..4, -2i64..3).prop_map(|(k, x)| int((1i64 << (59 + k)) + x)),
        1 => prop::sample::select(vec![i64::MIN, i64::MIN + 1, i64::MAX]).prop_map(int),
        1 => (1i64..1000, 60u32..150, 1i64..30).prop_map(|(n, k, d)| Rational::from(BigInt::from(n) << k) * ratio(-1, d)),
    ]
}

fn small() -> impl Strategy<Value = Rational> {
    prop_oneof![
        Just(int(0)),
        (-5i64..6, 1i64..4).prop_map(|(n, d)| ratio(n, d))
    ]
}

fn matrix(rows: usize, cols: usize, pool: &[Rational]) -> Exact {
    DMatrix::from_fn(rows, cols, |i, j| {
        pool[(i * 7 + j * 11 + i * j) % pool.len()].clone()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn product_agrees((n, m, l) in (0usize..4, 0usize..5, 0usize..4), a in prop::collection::vec(entry(), 20), b in prop::collection::vec(entry(), 20)) {
        let (a, b) = (DMatrix::from_vec(n, m, a[..n * m].to_vec()), DMatrix::from_vec(m, l, b[..m * l].to_vec()));
        prop_assert_eq!(product(&a, &b), naive(&a, &b));
    }

    #[test]
    fn named_bases_are_orthonormal(sizes in sizes(), seed: u64, (i, j) in (0usize..13, 0usize..13)) {
        let d = sizes.width;
        let rotated = frame(&Basis::rotated(&sizes, seed).unwrap(), d);
        prop_assert!(orthonormal(&rotated));
        // A reflection that moves e_0: symmetric, of trace d - 2.
        prop_assert_eq!(&rotated, &rotated.transpose());
        prop_assert_eq!((0..d).map(|k| &rotated[(k, k)]).sum::<Rational>(), int(d as i64 - 2));
        prop_assert!(rotated[(0, 0)] < int(1));
        prop_assert_eq!(&frame(&Basis::rotated(&sizes, seed).unwrap(), d), &rotated);
        prop_assert_eq!(frame(&Basis::standard(), d), identity(d));

        let (i, j) = (i % d, j % d);
        prop_assume!(i != j);
        let turned = frame(&Basis::turned(&sizes, i, j).unwrap(), d);
        prop_assert!(orthonormal(&turned));
        for (r, k) in (0..d).flat_map(|r| (0..d).map(move |k| (r, k))) {
            let expected = match (r, k) {
                (r, k) if r == k => if r == i || r == j { ratio(3, 5) } else { int(1) },
                (r, k) if (r, k) == (j, i) => ratio(4, 5),
                (r, k) if (r, k) == (i, j) => ratio(-4, 5),
                _ => int(0),
            };
            prop_assert_eq!(&turned[(r, k)], &expected);
        }
    }

    #[test]
    fn completion_keeps_the_columns(sizes in sizes(), vectors in orthogonal(), cut in 0usize..5) {
        let d = sizes.width;
        let columns = reflected(d, &vectors).columns(0, (sizes.n() + cut).min(d)).into_owned();
        let q = frame(&Basis::given("mine".into(), &sizes, columns.clone()).unwrap(), d);
        prop_assert!(orthonormal(&q));
        prop_assert_eq!(q.columns(0, columns.ncols()).into_owned(), columns);
    }

    #[test]
    fn coordinates_change_and_return(
        (sizes, vectors) in (sizes(), orthogonal()),
        (left, right) in prop::sample::select(vec![(true, true), (true, false), (false, true), (false, false)]),
        other in 1usize..5,
        pool in prop::collection::vec(small(), 31),
    ) {
        let d = sizes.width;
        let columns = reflected(d, &vectors).columns(0, sizes.n()).into_owned();
        let basis = Basis::given("mine".into(), &sizes, columns).unwrap();
        let q = frame(&basis, d);
        // A side that is not changed may have any dimension.
        let (rows, cols) = (if left { d } else { other }, if right { d } else { other });
        let mut m = sparse(&matrix(rows, cols, &pool));
        m.outers.push(Outer {
            coefficient: ratio(2, 3),
            left: vec![(0, int(1)), (rows, int(-2))].into_iter().filter(|(i, _)| *i < rows).collect(),
            right: vec![(cols - 1, ratio(1, 2))],
        });
        let full = dense(&m);
        let one = identity;
        let outer = (if left { q.transpose() } else { one(rows) }, if right { q.clone() } else { one(cols) });
        let pulled = basis.pull_back(&m, left, right);
        prop_assert_eq!(dense(&pulled), naive(&naive(&outer.0, &full), &outer.1));
        prop_assert_eq!(dense(&basis.push_forward(&pulled, left, right)), full.clone());
        prop_assert_eq!(dense(&basis.pull_back(&basis.push_forward(&m, left, right), left, right)), full);
        prop_assert_eq!(Basis::standard().pull_back(&m, left, right), m);
    }

    /// `x` times column `a` is added to column `b`: the first wrong pair is (a, b), or b with itself.
    #[test]
    fn wrong_pair_is_named(sizes in sizes(), vectors in orthogonal(), (a, b) in (0usize..13, 0usize..13), x in prop::sample::select(vec![1i64, -1, 2, 3])) {
        let (d, x) = (sizes.width, ratio(x, 7));
        let (a, b) = (a % d, b % d);
        let mut columns = reflected(d, &vectors);
        let added = columns.column(a) * x.clone();
        columns.column_mut(b).iter_mut().zip(&added).for_each(|(y, z)| *y += z);
        let wrong = match a.cmp(&b) {
            std::cmp::Ordering::Less => (a, b, x, 0),
            std::cmp::Ordering::Equal => (b, b, (int(1) + &x) * (int(1) + &x), 1),
            std::cmp::Ordering::Greater => (b, b, int(1) + &x * &x, 1),
        };
        let (v, n) = (sizes.c + sizes.d, sizes.n());
        let name = |k| if k <= v { format!("h_{k}") } else if k < n { format!("p_{}", k - v - 1) } else { format!("q_{k}") };
        let error = Basis::given("mine".into(), &sizes, columns).unwrap_err();
        let message = error.to_string();
        let BasisError::NotOrthonormal { name: basis, i, first, j, second, found, expected } = error else {
            panic!("{message}");
        };
        prop_assert_eq!(basis, "mine");
        prop_assert_eq!((i, j, found, expected), wrong);
        prop_assert_eq!((&first, &second), (&name(i), &name(j)));
        let pair = format!("columns {i} ({first}) and {j} ({second})");
        prop_assert!(message.contains(&pair));
    }

    #[test]
    fn wrong_shapes_are_refused(sizes in sizes(), (rows, cols) in (0usize..13, 0usize..13)) {
        // Columns of the identity, so that only the shape can be wrong.
        let columns = DMatrix::from_fn(rows, cols, |i, j| int(i64::from(i == j)));
        let fits = rows == sizes.width && cols <= rows && cols >= sizes.n();
        match Basis::given("mine".into(), &sizes, columns) {
            Ok(_) => prop_assert!(fits),
            Err(error) => {
                prop_assert!(!fits);
                prop_assert_eq!(error, BasisError::Shape { name: "mine".into(), rows, cols, width: sizes.width, needed: sizes.n() });
            }
        }
    }
}

/// An unchanged operator is returned as it is, and dense and sparse undo each other.
#[test]
fn dense_and_sparse() {
    let m = Operator::from_entries(2, 3, [(0, 2, ratio(1, 3)), (1, 0, int(4)), (1, 0, int(-4))]);
    assert_eq!(dense(&m)[(0, 2)], ratio(1, 3));
    assert_eq!(dense(&m).iter().filter(|x| !x.is_zero()).count(), 1);
    assert_eq!(sparse(&dense(&m)), m);
}

/// One size of number throughout, so that machine words have to be left exactly where sums stop fitting.
#[test]
fn product_agrees_near_the_word_size() {
    let big = |k: u32, x: i64| Rational::from((BigInt::from(1) << k) + x);
    for (m, p, q) in
        (1..9).flat_map(|m| (58..65).flat_map(move |p| (58..65).map(move |q| (m, p, q))))
    {
        for (x, y, sign) in [(-1, -1, 1), (0, 0, 1), (0, 0, -1), (0, -1, -1), (1, 1, -1)] {
            let a = DMatrix::from_element(1, m, big(p, x) * int(sign));
            for b in [big(q, y), big(q, y) * int(-1)] {
                let b = DMatrix::from_element(m, 1, b);
                assert_eq!(product(&a, &b), naive(&a, &b));
            }
        }
    }
}
