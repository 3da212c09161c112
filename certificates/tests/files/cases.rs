//! What `sinkproof/cases-1` refuses of its own.

use super::*;
use cases::{Cases, Fact, Linear, Node};
use certificates::cases::CasesError;

fn linear(terms: &[(&str, &str)], constant: &str) -> Linear {
    let terms = terms.iter().map(|(n, x)| ((*n).into(), (*x).into()));
    Linear {
        terms: terms.collect(),
        constant: constant.into(),
    }
}

/// The example with its nodes changed.
fn nodes(change: impl FnOnce(&mut Vec<Node>)) -> Result<Checked, FileError> {
    changed::<Cases>("cases", |_, c| change(&mut c.nodes))
}

/// The example with its first hypothesis in other words.
fn hypothesis(form: Linear) -> Result<Checked, FileError> {
    changed::<Cases>("cases", |p, _| p.facts[0] = Fact::NonNegative(form))
}

refused!(
    a_tampered_multiplier_of_a_case,
    FileError::Cases(CasesError::NotAbsurd { .. }),
    nodes(|n| n[1] = Node::Absurd(vec![(0, "2".into()), (1, "-1".into())]))
);
refused!(
    a_missing_multiplier_of_a_case,
    FileError::Cases(CasesError::NotAbsurd { .. }),
    nodes(|n| n[1] = Node::Absurd(vec![(0, "1".into())]))
);
refused!(
    a_negative_multiplier_of_an_inequality,
    FileError::Cases(CasesError::Negative { .. }),
    nodes(|n| n[1] = Node::Absurd(vec![(0, "-1".into()), (1, "1".into())]))
);
refused!(
    a_multiplier_of_no_fact,
    FileError::Cases(CasesError::NoSuchFact { .. }),
    nodes(|n| n[1] = Node::Absurd(vec![(7, "1".into())]))
);
refused!(
    multipliers_in_wrong_order,
    FileError::Order { .. },
    nodes(|n| n[1] = Node::Absurd(vec![(1, "-1".into()), (0, "1".into())]))
);
refused!(
    a_multiplier_given_twice,
    FileError::Order { .. },
    nodes(|n| n[1] = Node::Absurd(vec![(0, "1".into()), (0, "1".into())]))
);
refused!(
    a_multiplier_with_denominator_zero,
    FileError::ZeroDenominator { .. },
    nodes(|n| n[1] = Node::Absurd(vec![(0, "1/0".into())]))
);
refused!(
    a_huge_multiplier,
    FileError::NumberTooLong { .. },
    nodes(|n| n[1] = Node::Absurd(vec![(0, "9".repeat(10_001))]))
);
refused!(
    a_branch_left_out,
    FileError::Cases(CasesError::MissingNode),
    nodes(|n| drop(n.pop()))
);
refused!(
    no_nodes,
    FileError::Cases(CasesError::MissingNode),
    nodes(Vec::clear)
);
refused!(
    a_node_too_many,
    FileError::Cases(CasesError::SpareNode { at: 4 }),
    nodes(|n| n.push(Node::Evaluate))
);
refused!(
    branches_in_wrong_order,
    FileError::Cases(CasesError::NotAbsurd { case: 1, .. }),
    nodes(|n| n.swap(1, 3))
);
refused!(
    an_evaluation_where_the_goal_fails,
    FileError::Cases(CasesError::Fails { case: 1, .. }),
    nodes(|n| n[1] = Node::Evaluate)
);
refused!(
    a_split_too_deep,
    FileError::Cases(CasesError::TooDeep),
    nodes(|n| *n = vec![n[0].clone(); 1000])
);
refused!(
    too_many_steps,
    FileError::Cases(CasesError::Work { .. }),
    changed::<Cases>("cases", |p, c| {
        p.facts = vec![p.facts[0].clone(); 20_000];
        p.goal = cases::Goal::Where(p.facts.clone(), Box::new(p.goal.clone()));
        c.nodes = vec![Node::Evaluate];
    })
);
refused!(
    a_wrong_bound,
    FileError::Cases(CasesError::Fails { .. }),
    changed::<Cases>("cases", |p, _| p.bound = "2".into())
);
refused!(
    a_hypothesis_left_out,
    FileError::Cases(_),
    changed::<Cases>("cases", |p, _| p.facts.clear())
);
refused!(
    hypotheses_that_the_example_does_not_meet,
    FileError::Cases(CasesError::Example { .. }),
    changed::<Cases>("cases", |_, c| c.example[0].1 = "0".into())
);
refused!(
    a_case_without_an_example,
    FileError::Cases(CasesError::Example { .. }),
    changed::<Cases>("cases", |_, c| c.example.clear())
);
refused!(
    an_example_given_twice,
    FileError::Order { .. },
    changed::<Cases>("cases", |_, c| c.example.push(c.example[0].clone()))
);
refused!(
    a_fraction_for_an_integer,
    FileError::NotInteger { .. },
    hypothesis(linear(&[("x", "1/2")], "-1"))
);
refused!(
    a_number_beyond_64_bits,
    FileError::NotInteger { .. },
    hypothesis(linear(&[("x", "1")], "-9223372036854775809"))
);
refused!(
    a_negation_beyond_64_bits,
    FileError::Cases(CasesError::Overflow(_)),
    nodes(|n| n[0] = Node::Split(Fact::NonNegative(linear(&[], "-9223372036854775808"))))
);
refused!(
    a_factor_of_zero,
    FileError::Zero { .. },
    hypothesis(linear(&[("x", "0")], "-1"))
);
refused!(
    variables_in_wrong_order,
    FileError::Order { .. },
    hypothesis(linear(&[("x", "1"), ("a", "1")], "-1"))
);
refused!(
    a_name_that_is_none,
    FileError::Refused(certificates::positivity::Refusal::VariableName { .. }),
    hypothesis(linear(&[("x\u{1b}[2J", "1")], "-1"))
);
refused!(a_goal_nested_too_deep, FileError::Syntax(_), {
    let goal = "{\"relu\":".repeat(500) + "{\"number\":\"1\"}" + &"}".repeat(500);
    let text = example("cases");
    let start = text.find("\"goal\": ").unwrap() + 8;
    let end = text.find("\"relation\"").unwrap();
    check_text(&format!("{}{goal},{}", &text[..start], &text[end..]))
});
