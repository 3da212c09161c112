//! Deciding Propositions B.1 and B.3 on exact runs of the dynamics (5).

use super::theorem::Fallible;
use crate::evidence::{Evidence, Value};
use constructions::dense::{Dense, DenseError};
use constructions::oversmoothing::layers::{
    LayerError, demand, layer, reflection, rms, rotation_demand, rotation_weights, scales, uniform,
};
use exact::{Rational, ratio};

/// Vectors of R^4 with integer norms.
const TOKENS: [[i64; 4]; 8] = [
    [1, 1, 1, 1],
    [1, 2, 2, 4],
    [2, 4, 4, 0],
    [2, 2, 2, 2],
    [-1, -2, -2, -4],
    [1, 1, 1, -1],
    [3, 0, 0, 4],
    [2, 2, 0, 1],
];
/// How many layers are run.
const LAYERS: usize = 6;

/// Tokens as columns.
fn columns(chosen: &[usize]) -> Result<Dense, DenseError> {
    let column = |k: &usize| TOKENS[*k].iter().map(|x| ratio(*x, 1)).collect();
    Dense::from_columns(chosen.iter().map(column).collect())
}

/// Runs layers with the W_VO of Proposition B.1, and counts the tokens that keep their direction and grow by lambda/i, or says where
/// one does not.
fn run(x: &Dense, lambda: &Rational) -> Result<Result<u128, String>, LayerError> {
    let (_, t) = x.shape();
    let (v, attention) = (rms(x)?, uniform(t));
    let w = match v.solve_left(&demand(&v, lambda))? {
        Ok(w) => w,
        Err(e) => return Ok(Err(e.to_string())),
    };
    let (mut x, mut checked) = (x.clone(), 0);
    for l in 1..=LAYERS {
        let before = scales(&x)?;
        x = layer(&x, &w, &attention)?;
        let (after, now) = (scales(&x)?, rms(&x)?);
        for i in 0..t {
            let step = lambda * &Rational::from(i + 1).recip().unwrap_or_default();
            if now.column(i) != v.column(i) || after[i] != &before[i] + &step {
                return Ok(Err(format!(
                    "layer {l}, lambda = {lambda}: token {} changes its direction",
                    i + 1
                )));
            }
            checked += 1;
        }
    }
    Ok(Ok(checked))
}

/// Sets of independent tokens, at least one of each size up to 4.
const INDEPENDENT: [&[usize]; 5] = [&[0], &[1, 6], &[0, 1, 2], &[6, 5, 7], &[0, 1, 6, 7]];

pub(super) fn directions() -> Fallible {
    let mut evidence = Evidence::of(0, None);
    for chosen in INDEPENDENT {
        for lambda in [ratio(1, 1), ratio(3, 7), ratio(10, 1)] {
            evidence = evidence.and(match run(&columns(chosen)?, &lambda)? {
                Ok(checked) => Evidence::of(checked, None),
                Err(e) => Evidence::of(1, Some(e)),
            });
        }
    }
    // |X_1|/sqrt d = 1: -2 turns token 1 around, -1 makes it 0.
    let x = columns(&[0, 1])?;
    let turned = run(&x, &ratio(-2, 1))?;
    let vanished = run(&x, &ratio(-1, 1));
    let (Err(turned), Err(LayerError::Zero(token))) = (turned, vanished) else {
        return Ok(Evidence::unknown(
            "lambda < 0 kept every direction in the example",
        ));
    };
    let checked = evidence.checked;
    Ok(evidence
        .with("negative", Value::Text(turned))
        .with(
            "vanishing",
            Value::Text(format!("lambda = -1: token {token} becomes 0")),
        )
        .with("layers", LAYERS as u128)
        .with("checked", checked))
}

/// All choices of one to three tokens, repeated ones included.
fn choices() -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    let mut next = 0;
    while next < all.len() {
        if all[next].len() < 3 {
            for k in 0..TOKENS.len() {
                let mut longer = all[next].clone();
                longer.push(k);
                all.push(longer);
            }
        }
        next += 1;
    }
    all.split_off(1)
}

pub(super) fn existence() -> Fallible {
    let (mut evidence, mut exist, mut shown) = (Evidence::of(0, None), 0u128, None);
    for chosen in choices() {
        let v = rms(&columns(&chosen)?)?;
        let target = demand(&v, &ratio(3, 7));
        let found = v.solve_left(&target)?;
        let full = v.rank() == chosen.len();
        let mut right = found.is_ok() == full;
        if let Ok(w) = &found {
            right &= w.times(&v)? == target;
            exist += 1;
        }
        if let Err(e) = &found {
            shown = shown.or(Some(format!("tokens {chosen:?} of the list: {e}")));
        }
        let witness = (!right).then(|| {
            format!(
                "tokens {chosen:?}: rank full: {full}, W_VO exists: {}",
                found.is_ok()
            )
        });
        evidence = evidence.and(Evidence::of(1, witness));
    }
    let missing = evidence.checked - exist;
    if exist == 0 || missing == 0 {
        return Ok(Evidence::unknown(
            "the list does not have both kinds of tokens",
        ));
    }
    evidence = evidence.with("exist", exist).with("missing", missing);
    Ok(evidence.with("example", Value::Text(shown.unwrap_or_default())))
}

/// One layer X -> sigma Q X; the new tokens, or what is wrong with them.
fn rotate(
    x: &Dense,
    q: &Dense,
    sigma: &Rational,
    attention: &Dense,
) -> Result<Result<Dense, String>, LayerError> {
    let (d, t) = x.shape();
    let orthogonal = q.t().times(q)? == Dense::identity(d);
    let w = rotation_weights(x, q, sigma, attention)?;
    let next = layer(x, &w, attention)?;
    let gram = |m: &Dense| m.t().times(m);
    let wrong = if !orthogonal {
        "Q is not orthogonal"
    } else if next != q.times(x)?.scale(sigma) {
        "the layer is not sigma Q X"
    } else if gram(&next)? != gram(x)?.scale(&(sigma * sigma)) {
        "cosines change"
    } else if next.rank() != t {
        "the rank falls"
    } else {
        return Ok(Ok(next));
    };
    Ok(Err(wrong.into()))
}

pub(super) fn rotations() -> Fallible {
    let mut evidence = Evidence::of(0, None);
    for chosen in INDEPENDENT {
        let mut x = columns(chosen)?;
        let (d, t) = x.shape();
        let attention = uniform(t);
        for l in 0..LAYERS {
            // A reflection in the span, then one in its complement, where there is one, then both.
            let inside: Vec<Rational> =
                (0..d).map(|row| x.row(row).iter().cloned().sum()).collect();
            let outside = x
                .t()
                .kernel()
                .first()
                .cloned()
                .unwrap_or(vec![Rational::default(); d]);
            let q = match l % 3 {
                0 => reflection(&inside),
                1 => reflection(&outside).times(&reflection(&x.column(0)))?,
                _ => reflection(&inside).times(&reflection(&x.column(t - 1)))?,
            };
            let sigma = [ratio(1, 2), ratio(3, 1), ratio(1, 1)][l % 3].clone();
            match rotate(&x, &q, &sigma, &attention)? {
                Ok(next) => {
                    x = next;
                    evidence = evidence.and(Evidence::of(1, None));
                }
                Err(why) => {
                    let witness = format!("tokens {chosen:?}, layer {}: {why}", l + 1);
                    return Ok(evidence.and(Evidence::of(1, Some(witness))));
                }
            }
        }
    }
    let checked = evidence.checked;
    evidence = evidence.with("checked", checked);
    // Without a hypothesis: no W_VO at all, by a vector y with V y = 0 and R y != 0.
    let one = |x: i64| vec![ratio(x, 1)];
    let line = Dense::from_columns(vec![one(1), one(2)])?;
    let parallel = columns(&[0, 3])?;
    let free = columns(&[0, 1])?;
    let other = Dense::from_rows(vec![[one(1), one(0)].concat(), [one(1), one(0)].concat()])?;
    for (name, x, attention) in [
        ("no_width", &line, uniform(2)),
        ("no_rank", &parallel, uniform(2)),
        ("no_inverse", &free, other),
    ] {
        let (d, _) = x.shape();
        let (v, r) = rotation_demand(x, &Dense::identity(d), &ratio(2, 1), &attention)?;
        match v.solve_left(&r)? {
            Err(e) => evidence = evidence.with(name, Value::Text(e.to_string())),
            Ok(_) => {
                return Ok(Evidence::unknown(format!(
                    "{name}: a W_VO exists in the example"
                )));
            }
        }
    }
    Ok(evidence)
}
