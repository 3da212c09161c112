//! Proofs of positivity, and every way in which one can be wrong.
#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use certificates::polynomial::Polynomial;
use certificates::positivity::{
    Certificate, Hypothesis, Multiple, Problem, Product, Refusal, Square, check,
};
use exact::{Rational, ratio};
use std::collections::BTreeMap;

fn var(name: &str) -> Polynomial {
    Polynomial::variable(name)
}

fn one() -> Rational {
    ratio(1, 1)
}

/// If C > 0, C*x - 1 >= 0 and w = 1 then x + y^2 - 2*y + w > 0.
fn problem() -> Problem {
    let hypothesis = |name: &str, polynomial, strict| Hypothesis {
        name: name.into(),
        polynomial,
        strict,
    };
    let goal = var("x").plus(&var("y").times(&var("y")));
    Problem {
        variables: ["C", "w", "x", "y"].map(String::from).to_vec(),
        hypotheses: vec![
            hypothesis("positive", var("C"), true),
            hypothesis(
                "large",
                var("C").times(&var("x")).minus(&Polynomial::one()),
                false,
            ),
        ],
        equations: vec![("one".into(), var("w").minus(&Polynomial::one()))],
        goal: goal.minus(&var("y").scale(&ratio(2, 1))).plus(&var("w")),
        strict: true,
    }
}

fn certificate() -> Certificate {
    let product = |factors| Product {
        weight: one(),
        factors,
    };
    Certificate {
        multiplier: vec![(0, 1)],
        products: vec![product(vec![]), product(vec![(1, 1)])],
        squares: vec![Square {
            weight: one(),
            polynomial: var("y").minus(&Polynomial::one()),
            factors: vec![(0, 1)],
        }],
        multiples: vec![Multiple {
            equation: 0,
            by: var("C"),
        }],
    }
}

/// Why the example is refused after a change.
fn refusal(change: impl FnOnce(&mut Problem, &mut Certificate)) -> Refusal {
    let (mut problem, mut certificate) = (problem(), certificate());
    change(&mut problem, &mut certificate);
    check(&problem, &certificate).unwrap_err()
}

/// Is it refused with the pattern after the change?
macro_rules! refused {
    ($name:ident, $pattern:pat, $change:expr) => {
        #[test]
        fn $name() {
            let found = refusal($change);
            assert!(matches!(found, $pattern), "{found}");
        }
    };
}

#[test]
fn the_example_is_accepted_with_and_without_strictness() {
    assert_eq!(check(&problem(), &certificate()), Ok(()));
    let mut weaker = problem();
    weaker.strict = false;
    assert_eq!(check(&weaker, &certificate()), Ok(()));
}

refused!(
    an_unknown_hypothesis_in_the_multiplier,
    Refusal::UnknownHypothesis { index: 2, .. },
    |_, c| c.multiplier = vec![(2, 1)]
);
refused!(
    an_unknown_hypothesis_in_a_product,
    Refusal::UnknownHypothesis { index: 9, .. },
    |_, c| c.products[1].factors = vec![(9, 1)]
);
refused!(
    an_unknown_hypothesis_in_a_square,
    Refusal::UnknownHypothesis { index: 9, .. },
    |_, c| c.squares[0].factors = vec![(9, 1)]
);
refused!(
    an_unknown_equation,
    Refusal::UnknownEquation { index: 1, .. },
    |_, c| c.multiples[0].equation = 1
);
refused!(
    a_negative_weight_of_a_product,
    Refusal::NegativeWeight { .. },
    |_, c| c.products[0].weight = ratio(-1, 2)
);
refused!(
    a_negative_weight_of_a_square,
    Refusal::NegativeWeight { .. },
    |_, c| c.squares[0].weight = ratio(-1, 2)
);
refused!(
    a_multiplier_that_may_be_zero,
    Refusal::MultiplierNotStrict { index: 0, .. },
    |p, _| p.hypotheses[0].strict = false
);
refused!(
    a_power_of_zero,
    Refusal::ZeroPower { index: 0, .. },
    |_, c| c.multiplier = vec![(0, 0)]
);
refused!(
    factors_out_of_order,
    Refusal::Order {
        index: 0,
        previous: 1,
        ..
    },
    |_, c| c.products[1].factors = vec![(1, 1), (0, 1)]
);
refused!(a_repeated_equation, Refusal::Order { .. }, |_, c| c
    .multiples
    .push(c.multiples[0].clone()));
refused!(another_goal, Refusal::IdentityFails { .. }, |p, _| p.goal =
    p.goal.minus(&Polynomial::one()));
refused!(another_weight, Refusal::IdentityFails { .. }, |_, c| c
    .products[0]
    .weight =
    ratio(2, 1));
refused!(another_square, Refusal::IdentityFails { .. }, |_, c| c
    .squares[0]
    .polynomial =
    var("y"));
refused!(another_multiple, Refusal::IdentityFails { .. }, |_, c| c
    .multiples[0]
    .by =
    var("x"));
refused!(
    too_high_a_power,
    Refusal::Factors { factors: 65, .. },
    |_, c| c.multiplier = vec![(0, 65)]
);
refused!(the_highest_power, Refusal::Factors { .. }, |_, c| c
    .multiplier =
    vec![(0, u32::MAX), (1, u32::MAX)]);
refused!(too_high_a_degree, Refusal::Degree { .. }, |_, c| {
    let power = (0..33).fold(Polynomial::one(), |p, _| p.times(&var("y")));
    c.squares[0].polynomial = power;
});
refused!(too_much_to_multiply_out, Refusal::Work { .. }, |_, c| {
    let sum = ["C", "w", "x", "y"]
        .map(var)
        .iter()
        .fold(Polynomial::one(), |s, v| s.plus(v));
    c.squares[0].polynomial = (0..16).fold(Polynomial::one(), |p, _| p.times(&sum));
});
refused!(
    a_variable_that_is_not_declared,
    Refusal::UnknownVariable { .. },
    |p, _| p.goal = var("v")
);
refused!(
    a_variable_that_is_not_declared_in_a_square,
    Refusal::UnknownVariable { .. },
    |_, c| c.squares[0].polynomial = var("v")
);
refused!(a_variable_twice, Refusal::VariableTwice { .. }, |p, _| p
    .variables
    .push("C".into()));
refused!(
    a_variable_that_cannot_be_read_back,
    Refusal::VariableName { .. },
    |p, _| p.variables.push("a*b".into())
);
refused!(a_name_twice, Refusal::NameTwice { .. }, |p, _| p
    .equations[0]
    .0 =
    "large".into());
refused!(
    a_name_of_control_characters,
    Refusal::Name { .. },
    |p, _| p.equations[0].0 = "\u{1b}".into()
);

#[test]
fn a_difference_names_the_first_monomial() {
    let found = refusal(|_, c| c.products[0].weight = ratio(3, 1));
    let text = "the coefficient of 1 is 0 in multiplier*goal, but 2 in the certificate's sum";
    assert_eq!(found.to_string(), text);
}

/// x >= 0 proves x >= 0, but not x > 0; nor does a product of weight 0 that is strict.
#[test]
fn a_strict_goal_needs_a_strict_product() {
    let mut problem = problem();
    problem.hypotheses[1].polynomial = var("x");
    problem.goal = var("x");
    let product = |weight, factors| Product {
        weight: ratio(weight, 1),
        factors,
    };
    let certificate = Certificate {
        products: vec![product(1, vec![(1, 1)]), product(0, vec![])],
        ..Certificate::default()
    };
    let found = check(&problem, &certificate);
    assert_eq!(found, Err(Refusal::StrictnessNotShown));
    problem.strict = false;
    assert_eq!(check(&problem, &certificate), Ok(()));
}

#[test]
fn a_point_meets_the_hypotheses_or_it_is_said_which_not() {
    let at = |values: [i64; 4]| -> BTreeMap<String, Rational> {
        let values = values.map(|n| ratio(n, 1));
        problem().variables.into_iter().zip(values).collect()
    };
    let met = |values| problem().satisfied_by(&at(values));
    assert_eq!(met([1, 1, 1, 0]), Ok(()));
    assert!(matches!(
        met([0, 1, 1, 0]),
        Err(Refusal::HypothesisFails { rule: ">", .. })
    ));
    assert!(matches!(
        met([1, 1, 0, 0]),
        Err(Refusal::HypothesisFails { rule: ">=", .. })
    ));
    assert!(matches!(
        met([1, 2, 1, 0]),
        Err(Refusal::EquationFails { .. })
    ));
    let mut point = at([1, 1, 1, 0]);
    point.insert("v".into(), one());
    assert!(matches!(
        problem().satisfied_by(&point),
        Err(Refusal::SpareValue { .. })
    ));
    point.remove("v");
    point.remove("y");
    assert!(matches!(
        problem().satisfied_by(&point),
        Err(Refusal::NoValue { .. })
    ));
}
