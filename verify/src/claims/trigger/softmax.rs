//! Deciding what softmax solutions of the trigger-conditional task must do, on finite data.

use crate::evidence::{Evidence, Value};
use certificates::psd::{Symmetric, semidefinite};
use constructions::dense::Dense;
use constructions::trigger::softmax::{
    Data, Position, Row, arrangements, error, functional, square,
};
use exact::{Rational, ratio, sqrt_enclosure};
use std::collections::BTreeMap;

type Fallible = Result<Evidence, Box<dyn std::error::Error>>;

/// Bits of square roots.
const BITS: u32 = 64;

/// Tokens x_1..x_r and t with unit content coordinates and one more coordinate, 1 for all; t is token r.
fn tokens(r: usize) -> Dense {
    Dense::of(r + 2, r + 1, |row, k| {
        ratio(i64::from(row == k || row == r + 1), 1)
    })
}

/// M x = 2x - (2/r) sum x, M t = (2/r) sum x, for tokens as columns.
fn cancelling(tokens: &Dense) -> Result<Dense, Box<dyn std::error::Error>> {
    let (d, n) = tokens.shape();
    let over = Rational::from(n - 1).recip().unwrap_or_default();
    let mean = |row: usize| (0..n - 1).map(|k| tokens.at(row, k)).sum::<Rational>() * &over;
    let two = ratio(2, 1);
    let wanted = Dense::of(d, n, |row, k| match k < n - 1 {
        true => &two * (tokens.at(row, k) - mean(row)),
        false => &two * mean(row),
    });
    Ok(tokens.solve_left(&wanted)??)
}

/// The weights of the refuting head; off the trigger even weights on all of x_1..x_r where these have been seen, else BOS alone.
fn refuting(position: &Position, r: usize) -> Row {
    let n = position.before.len();
    let even = |total: Rational, n: usize| total * Rational::from(n).recip().unwrap_or_default();
    let mut seen = position.before.clone();
    seen.push(position.here);
    if position.trigger {
        return Row {
            before: vec![even(ratio(1, 2), n); n],
            own: ratio(1, 2),
        };
    }
    // Each of x_1..x_r once, at its first place.
    let share = even(ratio(1, 1), r);
    let all = (0..r).all(|k| seen.contains(&k));
    let weight = |place: usize| {
        let first = seen[..place].iter().all(|k| *k != seen[place]);
        if all && first && seen[place] < r {
            share.clone()
        } else {
            Rational::default()
        }
    };
    Row {
        before: (0..n).map(weight).collect(),
        own: weight(n),
    }
}

pub(super) fn naive() -> Fallible {
    let (mut checked, mut without, mut witness) = (0u128, 0u128, None);
    for r in [2, 3, 4] {
        let data = Data {
            tokens: tokens(r),
            triggers: vec![r],
            sequences: arrangements(r),
        };
        let m = cancelling(&data.tokens)?;
        for position in data.positions() {
            let row = refuting(&position, r);
            let error = error(&data, &m, &position, &row)?;
            checked += 1;
            if !row.on_simplex() || error.iter().any(|x| !x.is_zero()) {
                let why = format!("r = {r}: the head fails at {position:?}");
                return Ok(Evidence::unknown(why));
            }
            if !position.trigger && row.mass() == ratio(1, 1) {
                without += 1;
                witness = witness.or(Some(format!(
                    "r = {r}, all outputs exact: after tokens {:?} token {} puts out 0 with BOS mass 0",
                    position.before, position.here
                )));
            }
        }
    }
    let evidence = Evidence::of(checked, witness);
    Ok(evidence
        .with("checked", checked)
        .with("without_bos", without))
}

/// Data with two triggers, so that targets span the first one too: arrangements, then t, a token, t.
fn doubled(r: usize) -> Data {
    let twice = |mut s: Vec<usize>| {
        s.push(r);
        s
    };
    Data {
        tokens: tokens(r),
        triggers: vec![r],
        sequences: arrangements(r).into_iter().map(twice).collect(),
    }
}

/// A head with M = a I that almost solves the task: at a trigger mass (1 - mu)/a evenly on what was before, off it mass mu.
fn almost(position: &Position, a: &Rational, mu: &Rational) -> Row {
    let n = position.before.len();
    let total = match position.trigger {
        true => (ratio(1, 1) - mu) * a.recip().unwrap_or_default(),
        false => mu.clone(),
    };
    // Off the trigger the mass is the token's own.
    let share = &total * Rational::from(n).recip().unwrap_or_default();
    match position.trigger {
        true => Row {
            before: vec![share; n],
            own: Rational::default(),
        },
        false => Row {
            before: vec![Rational::default(); n],
            own: total,
        },
    }
}

/// The largest s = k/64 with Y^T Y - s^2 I positive semidefinite: a lower bound of the least singular value.
fn least_singular(y: &Dense) -> Result<Rational, Box<dyn std::error::Error>> {
    let gram = y.t().times(y)?;
    let (n, _) = gram.shape();
    let fits = |k: i64| {
        let shift = ratio(k, 64).pow(2);
        let less = gram.plus(&-shift, &Dense::identity(n));
        let entries = less.map(|m| -> BTreeMap<(usize, usize), Rational> {
            let places = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
            places.map(|p| (p, m.at(p.0, p.1))).collect()
        });
        entries.is_ok_and(|e| Symmetric::new(n, &e).is_ok_and(|s| semidefinite(&s).is_ok()))
    };
    let best = (0..=256).rev().find(|k| fits(*k)).unwrap_or_default();
    Ok(ratio(best, 64))
}

/// An upper bound of a square root.
fn root(x: &Rational) -> Result<Rational, String> {
    sqrt_enclosure(x, BITS)
        .map(|(_, high)| high)
        .ok_or(format!("sqrt({x})"))
}

/// Is the hypothesis met, and which functional is 1 on all tokens?
fn hypotheses(data: &Data) -> Result<Result<Vec<Rational>, String>, Box<dyn std::error::Error>> {
    let (rank, targets) = (data.tokens.rank(), data.target_rank()?);
    if targets != rank {
        return Ok(Err(format!("targets have rank {targets}, tokens {rank}")));
    }
    Ok(data
        .level()?
        .ok_or("no functional is 1 on all tokens".into()))
}

pub(super) fn repaired() -> Fallible {
    let (mut evidence, mut rows) = (Evidence::of(0, None), Vec::new());
    for r in [2, 3] {
        let data = doubled(r);
        let level = match hypotheses(&data)? {
            Ok(level) => level,
            Err(why) => return Ok(Evidence::vacuous(why)),
        };
        // The data of the naive statement must not meet the hypotheses: its targets do not span the trigger.
        let single = Data {
            sequences: arrangements(r),
            ..data.clone()
        };
        let m = cancelling(&single.tokens)?;
        let escapes = functional(&m.times(&single.tokens)?)?.is_none();
        if hypotheses(&single)?.is_ok() || !escapes {
            return Ok(Evidence::unknown(
                "the naive statement's data meets the hypotheses",
            ));
        }
        for a in [ratio(1, 1), ratio(3, 2), ratio(2, 1)] {
            let m = Dense::identity(r + 2).scale(&a);
            // Exact: a functional g with g(M x) = 1 for all tokens shows that a zero output has no mass on them.
            let exact = data.positions().iter().try_fold(true, |all, p| {
                error(&data, &m, p, &almost(p, &a, &Rational::default()))
                    .map(|e| all && square(&e).is_zero())
            })?;
            let injective = functional(&m.times(&data.tokens)?)?.is_some();
            let witness = (!exact || !injective)
                .then(|| format!("r = {r}, M = {a} I: solves {exact}, injective {injective}"));
            evidence = evidence.and(Evidence::of(1, witness));
            for mu in [ratio(1, 1000), ratio(1, 200), ratio(1, 100)] {
                let (found, row) = quantitative(&data, &m, &a, &mu, &level)?;
                evidence = evidence.and(found);
                rows.extend(row.map(|row| format!("r = {r}, M = {a} I: {row}")));
            }
        }
    }
    let checked = evidence.checked;
    if rows.is_empty() {
        return Ok(Evidence::vacuous(
            "no head at hand has errors small enough for the bound",
        ));
    }
    Ok(evidence
        .with("bound", Value::Text(rows.swap_remove(0)))
        .with("bounds", rows.len() as u128 + 1)
        .with("checked", checked))
}

/// The bound for one head; no case is counted where sigma <= 2 eta sqrt r, where it says nothing.
fn quantitative(
    data: &Data,
    m: &Dense,
    a: &Rational,
    mu: &Rational,
    level: &[Rational],
) -> Result<(Evidence, Option<String>), Box<dyn std::error::Error>> {
    let positions = data.positions();
    let (mut eta, mut mass) = (Rational::default(), Rational::default());
    for p in &positions {
        let row = almost(p, a, mu);
        if !row.on_simplex() {
            return Ok((Evidence::unknown("weights off the simplex"), None));
        }
        eta = eta.max(square(&error(data, m, p, &row)?));
        if !p.trigger {
            mass = mass.max(row.mass());
        }
    }
    // A basis of the span among the targets.
    let targets: Vec<Vec<Rational>> = positions
        .iter()
        .filter(|p| p.trigger)
        .map(|p| data.target(p))
        .collect();
    let all = Dense::from_columns(targets)?;
    let chosen = all.independent_columns();
    let y = Dense::from_columns(chosen.iter().map(|k| all.column(*k)).collect())?;
    let (rank, tokens) = (Rational::from(chosen.len()), data.tokens.shape().1);
    let longest = (0..tokens)
        .map(|k| square(&data.tokens.column(k)))
        .max()
        .unwrap_or_default();
    let (eta, rank, length, norm) = (
        root(&eta)?,
        root(&rank)?,
        root(&longest)?,
        root(&square(level))?,
    );
    let two = ratio(2, 1);
    let room = least_singular(&y)? - &two * &eta * &rank;
    if !room.is_positive() {
        return Ok((Evidence::of(0, None), None));
    }
    let bound = (norm * &two * &eta * length * rank)
        .checked_div(&room)
        .unwrap_or_default();
    let shown = format!(
        "errors at most {}, mass {mass}, bound {}",
        about(&eta),
        about(&bound)
    );
    let witness = (mass > bound).then(|| shown.clone());
    Ok((Evidence::of(1, witness), Some(shown)))
}

fn about(x: &Rational) -> String {
    exact::Surd::from(x.clone()).approx(6)
}
