//! A definition printed as a formula.

use super::index::{Affine, Index, Range, Var};
use super::term::{Atom, Coefficient, Family, Matrix, Member, Powers, Term, Vector};
use exact::Rational;
use std::fmt::{self, Display, Formatter};

impl Display for Index {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match (self.var, self.offset) {
            (None, k) => write!(f, "{k}"),
            (Some(v), 0) => write!(f, "{}", v.0),
            (Some(v), k) => write!(f, "{{{}{k:+}}}", v.0),
        }
    }
}

impl Display for Affine {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let mut parts = Vec::new();
        for (factor, name) in [(self.t, "T"), (self.c, "C"), (self.d, "D")] {
            match factor {
                0 => {}
                1 => parts.push(name.to_string()),
                k => parts.push(format!("{k}{name}")),
            }
        }
        if parts.is_empty() {
            return write!(f, "{}", self.constant);
        }
        write!(f, "{}", parts.join(" + "))?;
        match self.constant {
            0 => Ok(()),
            k if k < 0 => write!(f, " - {}", -k),
            k => write!(f, " + {k}"),
        }
    }
}

impl Display for Range {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Range::Copy => write!(f, "C"),
            Range::Dormant => write!(f, "D"),
            Range::Context => write!(f, "V"),
            Range::Second => write!(f, "{{2}}, T >= 2"),
            Range::Nuisances => write!(f, "[r_eta]"),
            Range::Frame => write!(f, "[d]"),
            Range::Steps(from, to) => write!(f, "{from}..{to}"),
        }
    }
}

fn write_sum(f: &mut Formatter, (v, range): &(Var, Range)) -> fmt::Result {
    match range {
        Range::Copy => write!(f, "sum_{{{} in C}} ", v.0),
        Range::Dormant => write!(f, "sum_{{{} in D}} ", v.0),
        Range::Context => write!(f, "sum_{{{} in V}} ", v.0),
        Range::Second => write!(f, "sum_{{{}=2, T >= 2}} ", v.0),
        Range::Nuisances => write!(f, "sum_{{{} in [r_eta]}} ", v.0),
        Range::Frame => write!(f, "sum_{{{} in [d]}} ", v.0),
        Range::Steps(from, to) => write!(f, "sum_{{{}={from}}}^{{{to}}} ", v.0),
    }
}

impl Display for Atom {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self.family {
            Family::Context => write!(f, "h_{}", self.index),
            Family::Position => write!(f, "p_{}", self.index),
            Family::Frame => write!(f, "q_{}", self.index),
            Family::ContextUnit | Family::PositionUnit => write!(f, "e_{}", self.index),
            Family::FirstUnit => write!(f, "e_*"),
            Family::Ones => write!(f, "1"),
            Family::Cluster(Member::Bos) => write!(f, "b"),
            Family::Dual(Member::Bos) => write!(f, "b*"),
            Family::ClusterUnit(Member::Bos) => write!(f, "e_b"),
            Family::Cluster(of) => write!(f, "{of}_{}", self.index),
            Family::Dual(of) => write!(f, "{of}*_{}", self.index),
            Family::ClusterUnit(of) => write!(f, "e_({of}_{})", self.index),
        }
    }
}

impl Display for Member {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(match self {
            Member::Bos => "b",
            Member::Centroid => "dbar",
            Member::Copy => "c",
            Member::Nuisance => "g",
        })
    }
}

/// Writes the sign (a leading plus is dropped) and the absolute value unless it is 1.
fn write_factor(f: &mut Formatter, value: &Rational, first: bool) -> fmt::Result {
    match (value.is_negative(), first) {
        (true, true) => write!(f, "-")?,
        (true, false) => write!(f, " - ")?,
        (false, true) => {}
        (false, false) => write!(f, " + ")?,
    }
    let size = value.abs();
    if size != Rational::from(1i64) {
        write!(f, "{size} ")
    } else {
        Ok(())
    }
}

impl Display for Vector {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        for (k, term) in self.0.iter().enumerate() {
            write_factor(f, &term.coefficient, k == 0)?;
            if let Some(over) = &term.over {
                write_sum(f, over)?;
                if term.by_index {
                    write!(f, "{} ", over.0.0)?;
                }
            }
            write!(f, "{}", term.atom)?;
        }
        Ok(())
    }
}

fn bracketed(vector: &Vector) -> String {
    match vector.0.as_slice() {
        [single] if single.over.is_none() && single.coefficient == Rational::from(1i64) => {
            vector.to_string()
        }
        _ => format!("({vector})"),
    }
}

fn write_coefficient(f: &mut Formatter, c: &Coefficient, first: bool) -> fmt::Result {
    write_factor(f, &c.value, first)?;
    if let Some(form) = &c.over {
        write!(f, "1/({form}) ")?;
    }
    let Powers {
        lambda,
        separation,
        epsilon,
    } = c.powers;
    for (name, power) in [
        ("lambda", lambda),
        ("Delta", separation),
        ("epsilon", epsilon),
    ] {
        match power {
            0 => {}
            1 => write!(f, "{name} ")?,
            k => write!(f, "{name}^{k} ")?,
        }
    }
    Ok(())
}

impl Display for Matrix {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        for (
            k,
            Term {
                coefficient,
                over,
                left,
                right,
            },
        ) in self.0.iter().enumerate()
        {
            write_coefficient(f, coefficient, k == 0)?;
            if let Some(over) = over {
                write_sum(f, over)?;
            }
            write!(f, "{} {}^T", bracketed(left), bracketed(right))?;
        }
        Ok(())
    }
}
