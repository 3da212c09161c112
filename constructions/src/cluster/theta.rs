//! The labels of copy tokens after every multiset at once, by the range of R_mu.
//!
//! Where the value map and the MLP act on all dormants of a group as one multiple each and the MLP kills the copy token, the
//! output after a mean mu is c + theta mu with `theta = v (1 + l/R)`, `R^2 = |c + v mu|^2 = 1 + v^2 |mu|^2 + 2 v <c, mu>`.
//! All dormants have the same inner product with c, and `lambda^2 <= |mu|^2 <= 1`: both ends bound theta for all multisets. Where a
//! mean is always that of equal dormants, `|mu|^2 = 1`.

use super::build::Build;
use super::factor::Factor;
use super::labels::{Mlp, multiple};
use super::reading::apply;
use super::task::Task;
use exact::Surd;

/// The range of theta for one group.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The group.
    pub group: usize,
    /// At |mu|^2 = 1, which single dormants reach.
    pub least: Factor,
    /// At |mu|^2 = lambda^2, which no mean falls below, or at 1 where only equal dormants are averaged.
    pub greatest: Factor,
}

/// The ranges for all groups.
///
/// # Errors
/// The block does not act as above; the message says where.
pub fn ranges(build: &Build, task: &Task) -> Result<Vec<Range>, String> {
    let mlp = Mlp::new(task, build);
    let linear = mlp
        .linear()
        .ok_or("the MLP is not linear on all states of length 1")?;
    let mut all = Vec::new();
    for c in 1..=task.groups() {
        let (copy, x) = &task.tokens()[c];
        if !apply(linear, x).is_empty() {
            return Err(format!("the MLP does not kill {copy}"));
        }
        let first = task.first_of(c);
        let (mut v, mut l) = (None, None);
        for (token, d) in &task.tokens()[first..first + task.dormants[c - 1]] {
            for (map, found, name) in [(&build.vo, &mut v, "value map"), (linear, &mut l, "MLP")] {
                let factor = multiple(&apply(map, d), d)
                    .ok_or_else(|| format!("the {name} does not multiply {token} by a number"))?;
                if *found.get_or_insert(factor.clone()) != factor {
                    return Err(format!("the {name} multiplies {token} by its own number"));
                }
            }
        }
        let (Some(v), Some(l)) = (v, l) else { continue };
        if v.signum() < 0 || l.signum() < 0 {
            return Err(format!("group {c} is multiplied by a negative number"));
        }
        let special = &task.geometry.special;
        let inner: Surd = task
            .geometry
            .inner(&special[task.groups() + c], &special[c])
            .into();
        let two = exact::Rational::integer(2);
        let middle = (&(&v * &task.lambda) * &inner).scale(&two);
        let squared = |mu: &Surd| &(Surd::one() + &(&v * &v) * mu) + &middle;
        let at = |mu: &Surd| Factor {
            alpha: v.clone(),
            beta: &v * &l,
            square: squared(mu),
        };
        let nuisances = (1..=task.dormants[c - 1]).map(|i| task.nuisance(c, i));
        let equal = nuisances
            .clone()
            .zip(nuisances.skip(1))
            .all(|(a, b)| a == b);
        let shortest = if equal || task.data.most == Some(1) {
            Surd::one()
        } else {
            &task.lambda * &task.lambda
        };
        all.push(Range {
            group: c,
            least: at(&Surd::one()),
            greatest: at(&shortest),
        });
    }
    Ok(all)
}
