//! Section 5 and Appendix B: oversmoothing.

mod curve;
mod layers;
mod table;
pub mod theorem;

use super::{Claim, Decide, Kind, decided};
use constructions::oversmoothing::moments::Moments;
use theorem::Condition;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "thm-5.1.moments",
        kind: Kind::Bound,
        place: "Theorem 5.1, eq. (2)",
        statement: "E[Y_i^T Y_j] for i < j and E[|Y_k|^2] are the polynomials in lambda, 1/j and 1/k of (2)",
        needs: &[],
        repairs: None,
        explain: "The rows of A_lambda = (1-lambda) I + lambda A_u add up to 1, so only sums of products of weights matter: sum_k a_ik a_jk = lambda/j for \
                  i < j, and 1 - lambda(2-lambda)(1-1/i) for i = j. These are shown for all i, j by induction over the columns, as identities of \
                  polynomials in lambda, 1/i and 1/j, from the weights as they are defined. Besides, (2) is compared with two oracles: the double \
                  sum over all pairs of tokens with d x d matrices, and expectations over every atom of finite distributions of tokens.",
        decide: Decide::Once {
            alone: || decided(theorem::moments(&Moments::printed())),
            smoothing: |cell| decided(theorem::moments_at(cell)),
        },
    },
    Claim {
        id: "thm-5.1.increasing",
        kind: Kind::Bound,
        place: "Theorem 5.1 (i)",
        statement: "Where all E[Y_i^T Y_j] are positive and p = beta tr(BW) > 0, rho-hat(Y(lambda)) is strictly increasing",
        needs: &["thm-5.1.moments"],
        repairs: None,
        explain: "From (2): N_j(mu) - N_j(lambda) = (mu-lambda)(p+q)/j > 0, and D_k(lambda) - D_k(mu) = (1-1/k)(mu-lambda)(2p + q(1-lambda) + q(1-mu)) >= 0 \
                  for lambda < mu, so every N_j/sqrt(D_i D_j) grows. The printed proof says that every D_k falls strictly, exactly if p > 0; D_1 is \
                  constant, and D_k falls strictly at p = 0 as well. The similarity is also compared at nine lambdas over a table of settings, exactly.",
        decide: Decide::Once {
            alone: || decided(theorem::monotone(Condition::Increasing)),
            smoothing: |cell| theorem::monotone_at(cell, Condition::Increasing),
        },
    },
    Claim {
        id: "thm-5.1.decreasing",
        kind: Kind::Bound,
        place: "Theorem 5.1 (ii)",
        statement: "Where all E[Y_i^T Y_j] are positive and p + q < 0, q = tr(B W^T W), rho-hat(Y(lambda)) is strictly decreasing",
        needs: &["thm-5.1.moments"],
        repairs: None,
        explain: "From (2), for lambda < mu: N_j falls by (mu-lambda)|p+q|/j, and D_k(mu) - D_k(lambda) = (1-1/k)(mu-lambda)(q(lambda+mu) - 2(p+q)) >= 0. \
                  The printed proof says that every D_k grows strictly, exactly if p + q < 0; D_1 is constant, and D_k grows strictly at p + q = 0 as well.",
        decide: Decide::Once {
            alone: || decided(theorem::monotone(Condition::Decreasing)),
            smoothing: |cell| theorem::monotone_at(cell, Condition::Decreasing),
        },
    },
    Claim {
        id: "thm-5.1.monotone~",
        kind: Kind::Bound,
        place: "Theorem 5.1, sharper",
        statement: "Where all E[Y_i^T Y_j] are positive: q > 0 and p >= 0 make rho-hat strictly increasing, q > 0 and p + q <= 0 strictly decreasing, q = 0 constant",
        needs: &["thm-5.1.moments"],
        repairs: None,
        explain: "The steps of (i) and (ii) with the end points. At p = 0 the numerators N_j still grow with the slope q/j. At p + q = 0 they are constant, \
                  but D_j grows strictly for j >= 2, and every pair has one. q = 0 makes WB = 0, so p = 0 and nothing depends on lambda. This covers \
                  beta = 0, attention without a skip connection: rho-hat grows. What is left is p < 0 < p + q (rem-B.4.turning).",
        decide: Decide::Once {
            alone: || decided(theorem::monotone(Condition::Sharp)),
            smoothing: theorem::sharp_at,
        },
    },
    Claim {
        id: "thm-5.1.positivity",
        kind: Kind::Bound,
        place: "Theorem 5.1",
        statement: "p > 0 makes rho-hat(Y(lambda)) strictly increasing also where some E[Y_i^T Y_j] is not positive",
        needs: &[],
        repairs: None,
        explain: "Two scalar tokens with eps_2 = -eps_1 = +-1 and zbar = 0, W = beta = 1: p = q = 2, N_2 = 2 lambda - 4 < 0, D_1 = 4, D_2 = (2-lambda)^2, so that \
                  rho-hat = -1 for every lambda < 2. The squares with their signs are computed at nine lambdas.",
        decide: Decide::Alone(|| decided(theorem::positivity())),
    },
    Claim {
        id: "rem-B.4.turning",
        kind: Kind::Bound,
        place: "Remark B.4",
        statement: "Where p < 0 < p + q, token norms fall up to lambda* = (p+q)/q in (0, 1) and grow from there, rho-hat grows up to lambda*, and need not be monotone",
        needs: &["thm-5.1.moments"],
        repairs: None,
        explain: "D_k(lambda) - D_k(mu) = (1-1/k)(mu-lambda) q (2 lambda* - lambda - mu), from (2): for all k >= 2 and all lambda < mu (D_1 is constant). \
                  Instances of every regime follow, with T = 2, Z_i = (1, +-1), beta = 1 and W diagonal, and the exact squares of rho-hat; with \
                  W = diag(0, -3/2) it grows up to 2 lambda* = 2/3 and falls after it.",
        decide: Decide::Once {
            alone: || decided(theorem::turning()),
            smoothing: theorem::turning_at,
        },
    },
    Claim {
        id: "prop-B.1",
        kind: Kind::Bound,
        place: "Proposition B.1",
        statement: "With W_VO v_1 = lambda v_1, W_VO v_i = lambda (v_i - v_{i-1}) and lambda > 0, uniform attention keeps every token's direction at every layer",
        needs: &[],
        repairs: None,
        explain: "The sum of W_VO v_k over k <= i telescopes to lambda v_i, so X_i = r v_i goes to (r + lambda/i) v_i with a positive factor. Multi-layer runs of (5) \
                  in R^4, with columns whose norms are rational, agree exactly; lambda < 0 with r + lambda/i < 0 turns a token around, with \
                  r + lambda/i = 0 leaves nothing for RMSNorm to scale.",
        decide: Decide::Alone(|| decided(layers::directions())),
    },
    Claim {
        id: "prop-B.1.iff~",
        kind: Kind::Bound,
        place: "Remark B.2",
        statement: "A W_VO as in Proposition B.1 exists, for lambda != 0, exactly if the tokens have full column rank",
        needs: &[],
        repairs: None,
        explain: "W_VO V = lambda V L has a solution exactly if V y = 0 implies V L y = 0. L is the identity less a shift, so a kernel of V that L maps into itself \
                  holds a vector that the shift kills, y = e_1, and then v_1 = 0, which no output of RMSNorm is. Here existence is decided by elimination, with \
                  the vector y where there is no W_VO, and compared with the rank for all choices of up to three tokens from a list in R^4.",
        decide: Decide::Alone(|| decided(layers::existence())),
    },
    Claim {
        id: "prop-B.3",
        kind: Kind::Bound,
        place: "Proposition B.3",
        statement: "For d >= T, full column rank and an invertible attention matrix, some W_VO makes a layer X -> sigma Q X, for every orthogonal Q that keeps the span of the tokens and sigma > 0",
        needs: &[],
        repairs: None,
        explain: "The printed formula for W_VO is run for several layers with rational reflections Q, in the span of the tokens or orthogonal to it; X^T X must be \
                  multiplied by sigma^2 exactly, which preserves cosines and rank. Without one of the hypotheses, the linear system for W_VO has no solution, as a vector shows: \
                  rows no_width (d < T), no_rank (parallel tokens) and no_inverse (a token that attends to another one only).",
        decide: Decide::Alone(|| decided(layers::rotations())),
    },
];
