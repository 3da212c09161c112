//! One place where claims are decided: sizes, reading, basis, kappa, and a user's own matrices.

use constructions::Sizes;
use constructions::backcopy::block::Block;
use constructions::backcopy::labels::{self, Labels};
use constructions::backcopy::margins::{self, Margins};
use constructions::backcopy::{Pattern, Queries, Reading, Task, sink};
use constructions::basis::Basis;
use constructions::language::Matrix;
use constructions::matrix::{Hidden, HiddenMap, Operator, Sparse};
use constructions::reading::{Layer, Side, hidden_map, operator};
use exact::Rational;
use std::sync::OnceLock;

/// Matrices that replace the printed ones, already pulled back to frame coordinates.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Replaces eq. (7).
    pub qk: Option<Operator>,
    /// Replaces eq. (8).
    pub vo: Option<Operator>,
    /// Replaces eq. (9).
    pub w1: Option<HiddenMap>,
    /// Replaces eq. (10).
    pub w2: Option<Operator>,
    /// Bias of the hidden layer.
    pub b1: Option<Hidden>,
    /// Bias of the output.
    pub b2: Option<Sparse>,
}

impl Overrides {
    /// Does anything differ from the printed block?
    pub fn any(&self) -> bool {
        let Overrides {
            qk,
            vo,
            w1,
            w2,
            b1,
            b2,
        } = self;
        qk.is_some() || vo.is_some() || w1.is_some() || w2.is_some() || b1.is_some() || b2.is_some()
    }
}

/// A cell.
pub struct Cell {
    /// The task.
    pub task: Task,
    /// The orthonormal frame.
    pub basis: Basis,
    /// The margin after which softmax is taken as hard, if fixed.
    pub kappa: Option<Rational>,
    /// A user's own matrices.
    pub overrides: Overrides,
    printed: OnceLock<Block>,
    margins: OnceLock<Margins>,
    first: OnceLock<Margins>,
}

impl Cell {
    /// A cell with the printed constructions.
    pub fn new(task: Task, basis: Basis, kappa: Option<Rational>) -> Cell {
        Cell {
            task,
            basis,
            kappa,
            overrides: Overrides::default(),
            printed: OnceLock::new(),
            margins: OnceLock::new(),
            first: OnceLock::new(),
        }
    }

    /// Replaces printed matrices by a user's.
    pub fn with(mut self, overrides: Overrides) -> Cell {
        self.overrides = overrides;
        self
    }

    /// The sizes.
    pub fn sizes(&self) -> &Sizes {
        &self.task.sizes
    }

    /// A residual-to-residual definition, read exactly.
    pub fn read(&self, definition: &Matrix) -> Operator {
        operator(
            definition,
            Side::Residual,
            Side::Residual,
            self.sizes(),
            &self.basis,
        )
    }

    /// The printed block, eqs. (7) to (10), with the user's matrices in place of those they replace.
    pub fn printed(&self) -> &Block {
        self.printed.get_or_init(|| {
            let o = &self.overrides;
            let hidden = Side::Hidden(Layer::Ambient);
            Block {
                qk: o.qk.clone().unwrap_or_else(|| self.read(&sink::qk())),
                vo: o.vo.clone().unwrap_or_else(|| self.read(&sink::vo())),
                w1: o.w1.clone().unwrap_or_else(|| {
                    hidden_map(&sink::w1(), Layer::Ambient, self.sizes(), &self.basis)
                }),
                w2: o.w2.clone().unwrap_or_else(|| {
                    operator(
                        &sink::w2(),
                        Side::Residual,
                        hidden,
                        self.sizes(),
                        &self.basis,
                    )
                }),
                b1: o.b1.clone(),
                b2: o.b2.clone(),
            }
        })
    }

    /// The mended block: eq. (7), the projector, the MLP on T + D units with kill 1; in reading L the first-position repair.
    pub fn mended(&self) -> Block {
        let one = Rational::integer(1);
        let literal = self.task.reading == Reading::L;
        let layer = Layer::Units {
            extra: usize::from(literal),
        };
        let (qk, w1, w2) = if literal {
            (sink::qk_first(), sink::w1_first(&one), sink::w2_first())
        } else {
            (sink::qk(), sink::w1_units(&one), sink::w2_units())
        };
        Block {
            qk: self.read(&qk),
            vo: self.read(&sink::vo_projector()),
            w1: hidden_map(&w1, layer, self.sizes(), &self.basis),
            w2: operator(
                &w2,
                Side::Residual,
                Side::Hidden(layer),
                self.sizes(),
                &self.basis,
            ),
            b1: None,
            b2: None,
        }
    }

    /// Sink margins of the printed block (or the user's), copy queries from t = 2 on.
    pub fn margins(&self) -> &Margins {
        self.margins.get_or_init(|| {
            margins::check(
                &self.printed().qk,
                &self.task,
                Pattern::Sink,
                Queries::Proof,
            )
        })
    }

    /// The literal reading of this task.
    pub fn literal(&self) -> Task {
        Task {
            reading: Reading::L,
            ..self.task
        }
    }

    /// Sink margins of copy queries at t = 1 under reading L.
    pub fn first_margins(&self) -> &Margins {
        self.first.get_or_init(|| {
            margins::check(
                &self.printed().qk,
                &self.literal(),
                Pattern::Sink,
                Queries::First,
            )
        })
    }

    /// Labels of the printed block (or the user's).
    pub fn labels(&self) -> Labels {
        labels::check(
            self.printed(),
            &self.task,
            Pattern::Sink,
            Queries::Proof,
            &self.margins().failing,
        )
    }

    /// Where the cell is, in one line.
    pub fn describe(&self) -> String {
        let s = self.sizes();
        let kappa = self
            .kappa
            .as_ref()
            .map_or(String::new(), |k| format!(", kappa = {k}"));
        let basis = if self.basis.is_standard() {
            String::new()
        } else {
            format!(", basis {}", self.basis.name)
        };
        format!(
            "T = {}, C = {}, D = {}, d = {}, reading {}{kappa}{basis}",
            s.t, s.c, s.d, s.width, self.task.reading
        )
    }
}
