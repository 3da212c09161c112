//! D.1, step 4: 1 <= R_mu <= 7/6 and 1 - epsilon <= theta_mu <= 1 + epsilon, for all admissible parameters.
//!
//! Units are those of vectors divided by sqrt d. A copy token c that reads the mean mu of dormants has the state c + v mu,
//! v T_base being the value map; R is its norm, R^2 = 1 + v^2 m + 2 v g with m = |mu|^2 and g = <c, mu>. The MLP is k T_base, so
//! theta = v + k v / R. Both v and k are read off the definitions.

use super::positive::Hints;
use super::step::{ProofError, Step, between, plus, v};
use certificates::cases::Relation;
use certificates::polynomial::Polynomial;
use constructions::cluster::sink::base;
use constructions::language::{Family, Matrix, Member, Powers, Range, Term, nuisance};
use constructions::reading::symbolic_reading::{Symbolic, Unreadable, entry};
use exact::formula::{Expression, Fact, Form};
use exact::{Rational, ratio};

/// The factor of T_base that a definition is, as a polynomial in e = epsilon.
///
/// # Errors
/// A definition that is no multiple of T_base.
pub fn multiple_of_base(definition: &Matrix) -> Result<Polynomial, ProofError> {
    let other =
        |why: String| ProofError::Other(format!("{definition} is no multiple of T_base: {why}"));
    let same = |a: &Term, b: &Term| a.over == b.over && a.left == b.left && a.right == b.right;
    let base = base();
    if let Some(k) = definition
        .0
        .iter()
        .position(|t| !base.0.iter().any(|b| same(t, b)))
    {
        return Err(other(format!("term {} is not in it", k + 1)));
    }
    let mut common = None;
    for part in &base.0 {
        let mut factor = Polynomial::zero();
        for term in definition.0.iter().filter(|t| same(t, part)) {
            let Powers {
                lambda,
                separation,
                epsilon,
            } = term.coefficient.powers;
            let power = u32::try_from(epsilon)
                .ok()
                .filter(|_| lambda == 0 && separation == 0);
            let (Some(power), None) = (power, term.coefficient.over) else {
                return Err(other("its factor is no polynomial in epsilon".into()));
            };
            let e = Polynomial::variable("e");
            let power = (0..power).fold(Polynomial::one(), |p, _| p.times(&e));
            factor = factor.plus(&power.scale(&term.coefficient.value));
        }
        if common.get_or_insert_with(|| factor.clone()) != &factor {
            return Err(other("its parts have different factors".into()));
        }
    }
    common.ok_or_else(|| other("nothing".into()))
}

/// `W_2 W_1` as a definition, the hidden units being orthonormal. Biases keep all of them on, so the MLP is this linear map.
pub(super) fn through_units(w2: &Matrix, w1: &Matrix) -> Matrix {
    let mut terms = Vec::new();
    for a in &w2.0 {
        for b in
            w1.0.iter()
                .filter(|b| a.right == b.left && a.over == b.over)
        {
            let mut term = (a.coefficient.clone() * Matrix(vec![b.clone()]))
                .0
                .remove(0);
            term.left = a.left.clone();
            terms.push(term);
        }
    }
    Matrix(terms)
}

/// The steps, for a value map and an MLP.
///
/// # Errors
/// Maps that are no multiples of T_base.
pub fn theta(vo: &Matrix, w1: &Matrix, w2: &Matrix) -> Result<Vec<Step>, ProofError> {
    let v = multiple_of_base(vo)?;
    let k = multiple_of_base(&through_units(w2, w1))?;
    let square = format!("1 + ({v})^2*m + 2*({v})*g");
    let theta = format!("th*R - ({v})*(R + {k}) = 0");
    let range = [
        "4*l^2 - 3 >= 0",
        "l >= 0",
        "1 - l >= 0",
        "m - l^2 >= 0",
        "1 - m >= 0",
        "phi >= 0",
        "1/20 - phi >= 0",
        "l*phi - g >= 0",
        "l*phi + g >= 0",
        "e - 1/20 >= 0",
        "1/4 - e >= 0",
    ];
    let tenth = ratio(1, 10);
    let here = [
        ("l", ratio(1, 1)),
        ("m", ratio(1, 1)),
        ("phi", ratio(1, 20)),
        ("g", ratio(1, 64)),
        ("e", tenth.clone()),
    ];
    let products = |factors| Hints {
        factors,
        ..Hints::default()
    };
    let r = [("R", ratio(9, 8))];
    // theta at the example: v + k v / R.
    let e = [("e".to_string(), tenth.clone())].into();
    let at = |p: &Polynomial| p.evaluate(&e).unwrap_or_default();
    let example = &at(&v) + &(&at(&v) * &at(&k) * ratio(8, 9));
    let full: Vec<(&str, Rational)> =
        [("R", ratio(9, 8)), ("e", tenth.clone()), ("th", example)].into();
    let scaled = || Hints {
        multiplier: vec![(0, 1)],
        factors: 2,
        ..Hints::default()
    };
    let bounds = [
        "R > 0",
        "R - 1 >= 0",
        "7/6 - R >= 0",
        "e - 1/20 >= 0",
        "1/4 - e >= 0",
        theta.as_str(),
    ];
    Ok(vec![
        Step::real(
            "R^2 <= 13/10",
            &range,
            &format!("13/10 - ({square})"),
            products(2),
            &here,
        )?,
        Step::real(
            "R^2 >= 1",
            &range,
            &format!("({square}) - 1"),
            products(2),
            &here,
        )?,
        Step::real(
            "R <= 7/6",
            &["R >= 0", "13/10 - R^2 >= 0"],
            "7/6 - R",
            Hints {
                factors: 1,
                squares: vec![super::formula::polynomial("R - 7/6")?],
                ..Hints::default()
            },
            &r,
        )?,
        Step::real(
            "R >= 1",
            &["R + 1 > 0", "R^2 - 1 >= 0"],
            "R - 1",
            Hints {
                multiplier: vec![(0, 1)],
                factors: 1,
                ..Hints::default()
            },
            &r,
        )?,
        Step::real(
            "theta <= 1 + epsilon",
            &bounds,
            "1 + e - th",
            scaled(),
            &full,
        )?,
        Step::real(
            "theta >= 1 - epsilon",
            &bounds,
            "th - 1 + e",
            scaled(),
            &full,
        )?,
    ])
}

/// `T_base` keeps dbar_c, kills BOS and the copy tokens, and adds the projector onto the nuisances: what it is used for.
pub(super) fn is_base() -> Result<Vec<Step>, ProofError> {
    let (mut rest, mut projectors) = (Vec::new(), 0);
    for term in base().0 {
        match term.over {
            Some((k, Range::Nuisances)) => {
                let projector = (nuisance(k) * nuisance(k).dual().t()).0;
                let plain = [(term.left.clone(), term.right.clone())];
                if !projector
                    .iter()
                    .map(|p| (p.left.clone(), p.right.clone()))
                    .eq(plain)
                    || term.coefficient != ratio(1, 1).into()
                {
                    return Err(ProofError::Other("T_base has no plain projector".into()));
                }
                projectors += 1;
            }
            _ => rest.push(term),
        }
    }
    if projectors != 1 {
        return Err(ProofError::Other(format!(
            "T_base has {projectors} projectors, not 1"
        )));
    }
    let rest = Matrix(rest);
    let one = |family, name: &str| -> Symbolic { vec![(ratio(1, 1), family, v(name))] };
    let mut facts = vec![Fact::NonNegative(plus("C", -1).map_err(ProofError::from)?)];
    facts.extend(between(&Form::from(1), &v("c"), &v("C")).map_err(ProofError::from)?);
    facts.extend(between(&Form::from(1), &v("a"), &v("C")).map_err(ProofError::from)?);
    let mut steps = Vec::new();
    for (token, member, kept) in [
        ("dbar_c", Member::Centroid, true),
        ("c_c", Member::Copy, false),
        ("b", Member::Bos, false),
    ] {
        for (place, row) in [
            ("dbar_a", Member::Centroid),
            ("c_a", Member::Copy),
            ("b", Member::Bos),
        ] {
            let name = |m: Member, n: &'static str| {
                if m == Member::Bos {
                    Form::from(0)
                } else {
                    v(n)
                }
            };
            let mut at = one(Family::Cluster(row), "a");
            at[0].2 = name(row, "a");
            let mut of = one(Family::Dual(member), "c");
            of[0].2 = name(member, "c");
            let found = entry(&rest, &at, &of)?;
            if !found.divided.is_empty() {
                return Err(ProofError::Other("T_base depends on the sizes".into()));
            }
            let mut goal = vec![(ratio(1, 1), found.plain)];
            if kept && row == member {
                let same = Fact::Zero(v("a").combine(-1, &v("c")).ok_or(Unreadable::Overflow)?);
                let number = Box::new(Expression::Number(ratio(1, 1)));
                goal.push((ratio(-1, 1), Expression::Where(vec![same], number)));
            }
            let verb = if kept { "keeps" } else { "kills" };
            let says = format!("T_base {verb} {token}, coordinate {place}");
            steps.push(Step::new(
                says,
                facts.clone(),
                Expression::Sum(goal),
                Relation::Equal,
                ratio(0, 1),
            ));
        }
    }
    Ok(steps)
}

/// `number` lies within epsilon of 1.
fn within_epsilon(says: &str, number: &Polynomial) -> Result<Vec<Step>, ProofError> {
    let given = ["e - 1/20 >= 0", "1/4 - e >= 0"];
    let hints = || Hints {
        factors: 2,
        ..Hints::default()
    };
    let e = [("e", ratio(1, 10))];
    Ok(vec![
        Step::real(
            format!("{says} is at most 1 + epsilon"),
            &given,
            &format!("1 + e - ({number})"),
            hints(),
            &e,
        )?,
        Step::real(
            format!("{says} is at least 1 - epsilon"),
            &given,
            &format!("({number}) - 1 + e"),
            hints(),
            &e,
        )?,
    ])
}

/// The labels of the sink, given its margins: a dormant reads BOS, so its state stays what it is, of norm 1, and the MLP adds k
/// times it; a copy token adds theta times the mean of its group, or nothing.
///
/// # Errors
/// Maps that are no multiples of T_base.
pub fn sink_labels(vo: &Matrix, w1: &Matrix, w2: &Matrix) -> Result<Vec<Step>, ProofError> {
    let k = multiple_of_base(&through_units(w2, w1))?;
    let mut steps = is_base()?;
    steps.extend(within_epsilon("what the MLP adds to a dormant", &k)?);
    steps.extend(theta(vo, w1, w2)?);
    Ok(steps)
}

/// The labels of the diagonal build, given its margins and no MLP: a dormant adds u times itself, a copy token u times the mean of
/// its group, or nothing where it reads itself.
///
/// # Errors
/// A map that is no multiple of T_base.
pub fn diagonal_labels(vo: &Matrix) -> Result<Vec<Step>, ProofError> {
    let mut steps = is_base()?;
    steps.extend(within_epsilon(
        "the factor of T_base in the value map",
        &multiple_of_base(vo)?,
    )?);
    Ok(steps)
}
