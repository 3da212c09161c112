//! The two expectations (2), as printed.

use super::formula::{Formula, Symbol, sum};

/// `E[Y_i^T Y_j]` for i < j, and `E[|Y_k|^2]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moments {
    /// In lambda and 1/j.
    pub pair: Formula,
    /// In lambda and 1/i, i standing for k.
    pub norm: Formula,
}

impl Moments {
    /// As in (2), multiplied out.
    pub fn printed() -> Moments {
        use Symbol::{
            Beta, Lambda, OverI, OverJ, TraceB, TraceBw, TraceBww, TraceC, TraceCw, TraceCww,
        };
        Moments {
            pair: sum(&[
                (1, &[Beta, Beta, TraceC]),
                (2, &[Beta, TraceCw]),
                (1, &[TraceCww]),
                (1, &[Lambda, OverJ, Beta, TraceBw]),
                (1, &[Lambda, OverJ, TraceBww]),
            ]),
            norm: sum(&[
                (1, &[Beta, Beta, TraceB]),
                (1, &[Beta, Beta, TraceC]),
                (2, &[Beta, TraceBw]),
                (2, &[Beta, TraceCw]),
                (1, &[TraceBww]),
                (1, &[TraceCww]),
                (-2, &[Beta, TraceBw, Lambda]),
                (2, &[Beta, TraceBw, Lambda, OverI]),
                (-2, &[TraceBww, Lambda]),
                (2, &[TraceBww, Lambda, OverI]),
                (1, &[TraceBww, Lambda, Lambda]),
                (-1, &[TraceBww, Lambda, Lambda, OverI]),
            ]),
        }
    }
}
