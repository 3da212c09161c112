//! Sparse vectors, hidden vectors and operators against dense versions of themselves.
#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use constructions::matrix::{Hidden, HiddenMap, Operator, Outer, Sparse, at, combine, dot, rank};
use exact::{Rational, ratio};
use proptest::prelude::*;

type Dense = Vec<Rational>;

/// Dimension of all dense vectors here.
const N: usize = 6;

fn int(n: i64) -> Rational {
    Rational::integer(n)
}

/// Few values, so that sums cancel and values repeat.
fn value() -> impl Strategy<Value = Rational> {
    prop::sample::select(vec![
        int(0),
        int(0),
        int(1),
        int(-1),
        int(2),
        ratio(1, 2),
        ratio(-1, 3),
    ])
}

fn vector() -> impl Strategy<Value = Dense> {
    prop::collection::vec(value(), N)
}

fn sparse(v: &[Rational]) -> Sparse {
    let listed = v.iter().cloned().enumerate();
    listed.filter(|(_, x)| !x.is_zero()).collect()
}

fn dense(v: &Sparse, n: usize) -> Dense {
    let mut all = vec![int(0); n];
    v.iter().for_each(|(k, x)| all[*k] = x.clone());
    all
}

/// Coordinates strictly ascending and no zeros: what [`Sparse`] promises.
fn canonical(v: &Sparse) -> bool {
    v.windows(2).all(|w| w[0].0 < w[1].0) && v.iter().all(|(_, x)| !x.is_zero())
}

fn inner(a: &[Rational], b: &[Rational]) -> Rational {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The hidden vector of these values, rows equal to the default left out, with some of them listed all the same.
fn hide(default: &Rational, values: &[Rational], keep: usize) -> Hidden {
    let listed = values.iter().cloned().enumerate();
    Hidden {
        default: default.clone(),
        exceptions: listed.filter(|(k, x)| x != default || *k == keep).collect(),
    }
}

fn show(v: &Hidden) -> Dense {
    let mut all = vec![v.default.clone(); N];
    v.exceptions.iter().for_each(|(r, x)| all[*r] = x.clone());
    all
}

fn hidden() -> impl Strategy<Value = (Hidden, Dense)> {
    // `keep` up to 2N: in half of the cases no row is listed in vain.
    (
        value(),
        vector(),
        prop::collection::vec(any::<bool>(), N),
        0usize..2 * N,
    )
        .prop_map(|(default, values, same, keep)| {
            let pick = |(x, same): (Rational, bool)| if same { default.clone() } else { x };
            let values: Dense = values.into_iter().zip(same).map(pick).collect();
            (hide(&default, &values, keep), values)
        })
}

fn operator() -> impl Strategy<Value = Operator> {
    let outer = (value(), vector(), vector()).prop_map(|(coefficient, left, right)| Outer {
        coefficient,
        left: sparse(&left),
        right: sparse(&right[..N - 1]),
    });
    (
        prop::collection::vec(vector(), N - 1),
        prop::collection::vec(outer, 0..3),
    )
        .prop_map(|(columns, outers)| Operator {
            rows: N,
            columns: columns.iter().map(|c| sparse(c)).collect(),
            outers,
        })
}

/// Columns of an operator, N - 1 of them with N rows, every entry by its definition.
fn columns(m: &Operator) -> Vec<Dense> {
    let entry = |i: usize, k: usize| {
        let factored = m
            .outers
            .iter()
            .map(|o| &o.coefficient * &dense(&o.left, N)[i] * &dense(&o.right, N - 1)[k]);
        dense(&m.columns[k], N)[i].clone() + factored.sum::<Rational>()
    };
    (0..N - 1)
        .map(|k| (0..N).map(|i| entry(i, k)).collect())
        .collect()
}

/// Rank by row reduction with divisions, column after column.
fn gauss(mut rows: Vec<Dense>) -> usize {
    let mut done = 0;
    for k in 0..N {
        let Some(pivot) = (done..rows.len()).find(|r| !rows[*r][k].is_zero()) else {
            continue;
        };
        rows.swap(done, pivot);
        let (above, below) = rows.split_at_mut(done + 1);
        for row in below {
            let factor = row[k].checked_div(&above[done][k]).unwrap();
            row.iter_mut()
                .zip(&above[done])
                .for_each(|(x, y)| *x -= &factor * y);
        }
        done += 1;
    }
    done
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn sparse_vectors(parts in prop::collection::vec((value(), vector()), 0..5), k in 0usize..N + 1) {
        let vectors: Vec<Sparse> = parts.iter().map(|(_, v)| sparse(v)).collect();
        let scales = parts.iter().map(|(c, _)| c.clone());
        let sum = combine(scales.zip(&vectors));
        prop_assert!(canonical(&sum));
        let expected: Dense = (0..N).map(|k| parts.iter().map(|(c, v)| c * &v[k]).sum()).collect();
        prop_assert_eq!(dense(&sum, N), expected);
        for (v, (_, full)) in vectors.iter().zip(&parts) {
            prop_assert_eq!(at(v, k), full.get(k).cloned().unwrap_or(int(0)));
            for (w, (_, other)) in vectors.iter().zip(&parts) {
                prop_assert_eq!(dot(v, w), inner(full, other));
            }
        }
    }

    /// Some vectors are combinations of others, so ranks are often not full.
    #[test]
    fn ranks(mut rows in prop::collection::vec(vector(), 1..6), mixed in prop::collection::vec((0usize..6, 0usize..6, value()), 0..4)) {
        for (i, j, c) in mixed {
            let (i, j) = (i % rows.len(), j % rows.len());
            let sum = (0..N).map(|k| &rows[i][k] + &c * &rows[j][k]).collect();
            rows.push(sum);
        }
        prop_assert_eq!(rank(rows.iter().map(|v| sparse(v))), gauss(rows));
    }

    #[test]
    fn hidden_vectors(parts in prop::collection::vec((value(), hidden()), 0..4)) {
        for (_, (v, full)) in &parts {
            prop_assert_eq!(&(0..N).map(|r| v.at(r).clone()).collect::<Dense>(), full);
        }
        let listed: Vec<_> = parts.iter().map(|(c, (v, _))| (c.clone(), v)).collect();
        let sum = Hidden::combine(&listed);
        let expected: Dense = (0..N).map(|k| parts.iter().map(|(c, (_, v))| c * &v[k]).sum()).collect();
        prop_assert_eq!(&show(&sum), &expected);
        prop_assert!(sum.exceptions.windows(2).all(|w| w[0].0 < w[1].0));
        prop_assert!(sum.exceptions.iter().all(|(_, x)| *x != sum.default));
    }

    #[test]
    fn merging((a, x) in hidden(), (b, y) in hidden()) {
        let mut rows = Vec::new();
        a.merge(&b, |row, sum| rows.push((row, sum)));
        let is_listed = |v: &Hidden, row: usize| v.exceptions.iter().any(|(r, _)| *r == row);
        let expected: Vec<_> = (0..N)
            .filter(|r| is_listed(&a, *r) || is_listed(&b, *r))
            .map(|r| (r, &x[r] + &y[r]))
            .collect();
        prop_assert_eq!(rows, expected);
    }

    #[test]
    fn compression(values in vector(), few in prop::collection::vec(0usize..2, N)) {
        // Either any values, or only two of them, which makes a nonzero majority likely.
        for column in [values.clone(), few.iter().map(|k| values[*k].clone()).collect()] {
            let hidden = Hidden::compress(N, &sparse(&column));
            prop_assert_eq!(&show(&hidden), &column);
            let count = |x: &Rational| column.iter().filter(|y| *y == x).count();
            prop_assert!(column.iter().all(|x| count(x) <= count(&hidden.default)), "most frequent");
            prop_assert_eq!(hidden.exceptions.len(), N - count(&hidden.default));
        }
    }

    #[test]
    fn hidden_maps(columns in prop::collection::vec(hidden(), 1..5), x in vector()) {
        let x = &x[..columns.len()];
        let (hiddens, full): (Vec<Hidden>, Vec<Dense>) = columns.into_iter().unzip();
        let map = HiddenMap { units: N, columns: hiddens };
        let row = |r: usize| full.iter().map(|c| c[r].clone()).collect::<Dense>();
        let expected: Dense = (0..N).map(|r| inner(&row(r), x)).collect();
        prop_assert_eq!(show(&map.apply(&sparse(x))), expected);
        let plain = map.operator();
        prop_assert_eq!((plain.rows, plain.cols(), plain.outers.len()), (N, full.len(), 0));
        prop_assert!(plain.columns.iter().all(canonical));
        for (k, column) in full.iter().enumerate() {
            prop_assert_eq!(&dense(&plain.columns[k], N), column);
        }
        for r in 0..N {
            prop_assert_eq!(map.row(r), sparse(&row(r)));
        }
        prop_assert_eq!(map.frobenius_squared(), full.iter().map(|c| inner(c, c)).sum());
    }

    #[test]
    fn operators(m in operator(), x in vector()) {
        let (full, x) = (columns(&m), &x[..N - 1]);
        let image = m.apply(&sparse(x));
        prop_assert!(canonical(&image));
        let expected: Dense = (0..N).map(|i| (0..N - 1).map(|k| &full[k][i] * &x[k]).sum()).collect();
        prop_assert_eq!(dense(&image, N), expected);
        let mut entries = Vec::new();
        for (k, column) in full.iter().enumerate() {
            prop_assert_eq!(&m.column(k), &sparse(column));
            entries.extend(sparse(column).into_iter().map(|(i, x)| ((i, k), x)));
        }
        entries.sort();
        prop_assert_eq!(m.entries().into_iter().collect::<Vec<_>>(), entries);
        prop_assert_eq!(m.frobenius_squared(), full.iter().map(|c| inner(c, c)).sum());
    }

    #[test]
    fn entries_add_up(entries in prop::collection::vec((0usize..N, 0usize..N - 1, value()), 0..40)) {
        let m = Operator::from_entries(N, N - 1, entries.clone());
        prop_assert!(m.columns.iter().all(canonical));
        for (i, k) in (0..N).flat_map(|i| (0..N - 1).map(move |k| (i, k))) {
            let here = entries.iter().filter(|(r, c, _)| (*r, *c) == (i, k));
            prop_assert_eq!(at(&m.columns[k], i), here.map(|(_, _, x)| x).sum());
        }
    }
}
