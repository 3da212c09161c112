//! Labels of the cluster task against the whole block in floats, on explicit coordinates and one sequence after another.
#![allow(clippy::unwrap_used)] // a test may stop where something is missing

mod tasks;

use constructions::cluster::block::{Neuron, output, sign_with_root};
use constructions::cluster::build::{Build, Pattern};
use constructions::cluster::labels;
use constructions::cluster::reading::apply;
use constructions::cluster::task::{Orders, Task, Token, lift};
use constructions::matrix::{Sparse, combine};
use exact::{Rational, Surd, ratio};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;
use proptest::sample::select;
use tasks::tasks;

/// A matrix by columns, in floats.
fn float(rows: usize, columns: &[Sparse<Surd>]) -> DMatrix<f64> {
    let mut all = DMatrix::zeros(rows, columns.len());
    for (j, column) in columns.iter().enumerate() {
        column.iter().for_each(|(i, x)| all[(*i, j)] = x.to_f64());
    }
    all
}

/// The block in an orthonormal basis.
struct Simulation<'a> {
    task: &'a Task,
    tokens: Vec<DVector<f64>>,
    qk: DMatrix<f64>,
    vo: DMatrix<f64>,
    reads: DMatrix<f64>,
    biases: DVector<f64>,
    writes: DMatrix<f64>,
    output_bias: DVector<f64>,
}

impl Simulation<'_> {
    fn new<'a>(build: &Build, task: &'a Task) -> Simulation<'a> {
        let n = task.geometry.dimension();
        let gram: Vec<Sparse<Surd>> = task.geometry.gram.iter().map(lift).collect();
        // K = L L^T: the columns of F = L^T are vectors with these inner products.
        let frame = float(n, &gram).cholesky().unwrap().l().transpose();
        let inverse = frame.clone().try_inverse().unwrap();
        let column = |get: fn(&Neuron<Surd>) -> Sparse<Surd>| {
            let all: Vec<Sparse<Surd>> = build.neurons.iter().map(get).collect();
            float(n, &all)
        };
        let tokens: Vec<Sparse<Surd>> = task.tokens().iter().map(|(_, x)| x.clone()).collect();
        let tokens = &frame * float(n, &tokens);
        Simulation {
            task,
            tokens: tokens.column_iter().map(|x| x.into_owned()).collect(),
            // What is read is given by its inner products with the frame.
            qk: inverse.transpose() * float(n, &build.qk) * &inverse,
            vo: &frame * float(n, &build.vo) * &inverse,
            reads: column(|n| n.reads.clone()).transpose() * &inverse,
            biases: DVector::from_iterator(
                build.neurons.len(),
                build.neurons.iter().map(|n| n.bias.to_f64()),
            ),
            writes: &frame * column(|n| n.writes.clone()),
            output_bias: &frame * float(n, std::slice::from_ref(&build.output_bias)).column(0),
        }
    }

    fn place(&self, token: Token) -> usize {
        self.task.place(token).unwrap()
    }

    /// The output at the end of a sequence.
    fn run(&self, sequence: &[Token]) -> DVector<f64> {
        let x = &self.tokens[self.place(*sequence.last().unwrap())];
        let keys: Vec<&DVector<f64>> = sequence
            .iter()
            .map(|t| &self.tokens[self.place(*t)])
            .collect();
        let logits: Vec<f64> = keys.iter().map(|y| x.dot(&(&self.qk * *y))).collect();
        let top = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let winners: Vec<&DVector<f64>> = keys
            .iter()
            .zip(&logits)
            .filter(|(_, l)| **l > top - 1e-6)
            .map(|(y, _)| *y)
            .collect();
        let mut mean = DVector::zeros(x.len());
        for y in &winners {
            mean += *y / winners.len() as f64;
        }
        let state = x + &self.vo * mean;
        let norm = state.norm();
        let normal = if norm < 1e-12 {
            DVector::zeros(state.len())
        } else {
            &state / norm
        };
        let hidden = (&self.reads * normal + &self.biases).map(|x| x.max(0.0));
        state + &self.writes * hidden + &self.output_bias
    }

    /// `output = base + f along`, with what is left over.
    fn factor(
        output: &DVector<f64>,
        base: &DVector<f64>,
        along: Option<&DVector<f64>>,
    ) -> (f64, f64) {
        let gap = output - base;
        match along {
            None => (1.0, gap.norm()),
            Some(d) => {
                let f = gap.dot(d) / d.norm_squared();
                (f, (gap - d * f).norm())
            }
        }
    }
}

/// What the simulation finds: the ranges of phi and theta, and the largest violation of a label.
struct Simulated {
    phi: Option<(f64, f64)>,
    theta: Option<(f64, f64)>,
    violation: f64,
}

/// All tokens after as many others as may come before them, and copy tokens after all multisets of up to three dormants.
fn simulate(build: &Build, task: &Task) -> Simulated {
    let simulation = Simulation::new(build, task);
    let epsilon = task.epsilon.to_f64();
    let at = |t: Token| &simulation.tokens[simulation.place(t)];
    let zero = DVector::zeros(at(Token::Bos).len());
    let mut found = Simulated {
        phi: None,
        theta: None,
        violation: 0.0,
    };
    let widen = |range: &mut Option<(f64, f64)>, x: f64| {
        let (low, high) = range.unwrap_or((x, x));
        *range = Some((low.min(x), high.max(x)));
    };
    let every: Vec<Token> = task.tokens().iter().map(|(t, _)| *t).collect();
    let own = |c: usize, t: &Token| matches!(t, Token::Dormant(k, _) if *k == c);
    for token in &every {
        let x = at(*token);
        match token {
            Token::Bos => {
                let (_, rest) = Simulation::factor(&simulation.run(&[Token::Bos]), x, None);
                found.violation = found.violation.max(rest);
            }
            Token::Dormant(c, i) => {
                let may = |t: &Token| match t {
                    Token::Dormant(k, j) if k == c && j != i => {
                        task.data.orders.may_precede(*c, *j, *i)
                    }
                    t => t != token,
                };
                let before = every.iter().copied().filter(may);
                let out = simulation.run(&before.chain([*token]).collect::<Vec<_>>());
                let (f, rest) = Simulation::factor(&out, &zero, Some(x));
                let phi = f - 1.0;
                widen(&mut found.phi, phi);
                found.violation = found.violation.max(rest).max((phi - 1.0).abs() - epsilon);
            }
            Token::Copy(c) => {
                let wrong: Vec<Token> = every
                    .iter()
                    .copied()
                    .filter(|t| t != token && !own(*c, t))
                    .collect();
                if task.data.absent {
                    let sequence: Vec<Token> = wrong.iter().copied().chain([*token]).collect();
                    let (_, rest) = Simulation::factor(&simulation.run(&sequence), x, None);
                    found.violation = found.violation.max(rest);
                }
                let most = task.data.most.unwrap_or(3).min(3);
                for multiset in labels::multisets(task.dormants[c - 1], most) {
                    let dormants = || multiset.iter().map(|i| Token::Dormant(*c, i + 1));
                    if !can_occur(task, *c, &multiset) {
                        continue;
                    }
                    let mut mu = zero.clone();
                    dormants().for_each(|t| mu += at(t) / multiset.len() as f64);
                    // Wrong keys before and between.
                    let before = dormants().flat_map(|t| wrong.iter().copied().take(3).chain([t]));
                    let sequence: Vec<Token> = wrong
                        .iter()
                        .copied()
                        .chain(before)
                        .chain([*token])
                        .collect();
                    let (f, rest) = Simulation::factor(&simulation.run(&sequence), x, Some(&mu));
                    widen(&mut found.theta, f);
                    found.violation = found.violation.max(rest).max((f - 1.0).abs() - epsilon);
                }
            }
        }
    }
    found
}

/// Is there an order of the different members in which each may precede all later ones? By all permutations.
fn can_occur(task: &Task, c: usize, multiset: &[usize]) -> bool {
    let mut different = multiset.to_vec();
    different.dedup();
    permutations(&different).iter().any(|order| {
        (0..order.len()).all(|b| {
            (0..b).all(|a| match &task.data.orders {
                Orders::Both | Orders::Ascending => true,
                Orders::Pairs(pairs) => pairs.contains(&(c, order[a] + 1, order[b] + 1)),
            })
        })
    })
}

fn permutations(of: &[usize]) -> Vec<Vec<usize>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let with = |k: usize| {
        let rest: Vec<usize> = of.iter().copied().filter(|x| *x != of[k]).collect();
        let all = permutations(&rest);
        all.into_iter()
            .map(move |p| [of[k]].into_iter().chain(p).collect::<Vec<_>>())
    };
    (0..of.len()).flat_map(with).collect()
}

/// One of several changes of a block's value map and MLP.
fn changed(mut build: Build, task: &Task, kind: usize, at: usize, by: &Rational) -> Build {
    let n = task.geometry.dimension();
    let tokens = task.tokens();
    let token = |k: usize| &tokens[k % tokens.len()].1;
    let scaled = |x: &Sparse<Surd>| combine([(Surd::from(by.clone()), x)]);
    let gram: Vec<Sparse<Surd>> = task.geometry.gram.iter().map(lift).collect();
    match kind {
        0 => {}
        1 => build.vo = build.vo.iter().map(scaled).collect(),
        2 => build.vo[at % n] = scaled(&build.vo[at % n]),
        3 if !build.neurons.is_empty() => {
            let units = build.neurons.len();
            build.neurons[at % units].bias = Surd::from(by - &ratio(1, 1));
        }
        4 if !build.neurons.is_empty() => {
            let units = build.neurons.len();
            let neuron = &mut build.neurons[at % units];
            neuron.writes = scaled(&neuron.writes);
        }
        // A unit that is on near some token only, with a bias that the output bias does not undo.
        5 => build.neurons.push(Neuron {
            reads: apply(&gram, token(at)),
            bias: Surd::from(-by),
            writes: scaled(token(at / 16)),
        }),
        // The same with |w| = 1 and a bias that keeps it on: a constant.
        6 => build.neurons.push(Neuron {
            reads: apply(&gram, token(at)),
            bias: Surd::one(),
            writes: scaled(token(at / 16)),
        }),
        _ => build.output_bias = scaled(token(at)),
    }
    build
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    /// The printed blocks, the cheaper sink, and blocks with something changed: the same verdict, phi and theta.
    #[test]
    fn labels_agree_with_floats(
        task in tasks(),
        pattern in select(vec![Pattern::Sink, Pattern::Diagonal]),
        cheaper in any::<bool>(),
        (kind, at, by) in (select(vec![0, 0, 0, 1, 2, 3, 4, 5, 6, 7]), 0usize..256, select(vec![ratio(9, 10), ratio(5, 4), ratio(1, 2), ratio(1, 8)])),
    ) {
        // Where no diagonal pattern exists, labels assume one that is not there.
        prop_assume!(pattern == Pattern::Sink || task.separation().is_none_or(|x| !x.is_zero()));
        let build = match pattern {
            Pattern::Sink if cheaper => Build::cheaper(&task, &ratio(3, 4)),
            _ => Build::printed(&task, pattern),
        };
        let build = changed(build, &task, kind, at, &by);
        let found = labels::check(&build, &task, pattern, Some(3));
        let expected = simulate(&build, &task);
        if found.failing.is_some() {
            prop_assert!(expected.violation > 1e-9, "{:?}", found.failing);
        } else if found.undecided.is_none() {
            prop_assert!(expected.violation < 1e-9, "{}", expected.violation);
        }
        // Where every label has its factor, the factors are the same.
        let decided = found.undecided.is_none()
            && found.failing.as_ref().is_none_or(|f| f.contains("is not within epsilon"));
        if decided {
            for (exact, float) in [(&found.phi, expected.phi), (&found.theta, expected.theta)] {
                let middle = |x: &Option<(Rational, Rational)>| x.as_ref().map(|(a, b)| (a.to_f64() + b.to_f64()) / 2.0);
                prop_assert_eq!(exact.least.is_some(), float.is_some());
                let Some((low, high)) = float else { continue };
                prop_assert!((middle(&exact.least).unwrap() - low).abs() < 1e-9);
                prop_assert!((middle(&exact.greatest).unwrap() - high).abs() < 1e-9);
            }
        }
        // Unchanged blocks are always decided.
        prop_assert!(kind > 0 || decided);
    }
}

proptest! {
    /// Signs of p + q sqrt(n) against exact square roots.
    #[test]
    fn signs(p in -30i64..30, q in -30i64..30, n in 0i64..40) {
        let (p, q, n) = (Rational::integer(p), Rational::integer(q), Rational::integer(n));
        let value = &Surd::from(p.clone()) + &Surd::sqrt(&n).unwrap().scale(&q);
        prop_assert_eq!(sign_with_root(&p, &q, &n) as i32, value.signum());
    }

    /// The block against floats, where |u| is rational, where it is not, and where u is zero.
    #[test]
    fn outputs(
        state in prop::collection::vec(-3i64..4, 3),
        units in prop::collection::vec((prop::collection::vec(-3i64..4, 3), -2i64..3, prop::collection::vec(-3i64..4, 3)), 0..4),
        bias in prop::collection::vec(-3i64..4, 3),
        flat in any::<bool>(),
    ) {
        let state: Vec<i64> = state.iter().map(|x| if flat { 0 } else { *x }).collect();
        let sparse = |x: &[i64]| -> Sparse {
            let all = x.iter().enumerate().map(|(k, v)| (k, Rational::integer(*v)));
            all.filter(|(_, v)| !v.is_zero()).collect()
        };
        let neurons: Vec<Neuron> = units
            .iter()
            .map(|(w, b, v)| Neuron { reads: sparse(w), bias: Rational::integer(*b), writes: sparse(v) })
            .collect();
        let square: i64 = state.iter().map(|x| x * x).sum();
        let norm = (square as f64).sqrt();
        let mut expected: Vec<f64> = state.iter().zip(&bias).map(|(x, b)| (x + b) as f64).collect();
        for (w, b, v) in &units {
            let read: i64 = w.iter().zip(&state).map(|(x, y)| x * y).sum();
            let unit = if square == 0 { *b as f64 } else { read as f64 / norm + *b as f64 };
            for (e, x) in expected.iter_mut().zip(v) {
                *e += unit.max(0.0) * *x as f64;
            }
        }
        let found = output(&sparse(&state), &Rational::integer(square), &neurons, &sparse(&bias));
        for (k, e) in expected.iter().enumerate() {
            let root = constructions::matrix::at(&found.root, k).to_f64();
            let part = if square == 0 { root } else { root / norm };
            let value = constructions::matrix::at(&found.plain, k).to_f64() + part;
            prop_assert!((value - e).abs() < 1e-9);
            prop_assert!(square > 0 || root == 0.0);
        }
    }
}
