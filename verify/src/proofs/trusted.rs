//! The facts of mathematics that lead from the steps of proofs to the claims and that the program does not prove.

/// Attention that is hard where margins hold: what the labels are read from.
pub const HARD: &str =
    "a query puts all its weight on the key that leads by the margin (hard attention)";
/// The singular values of an orthogonal sum.
pub const ORTHOGONAL: &str = "a sum of outer products with orthogonal left and orthogonal right vectors has their norms as singular values";
/// What D.1 knows of a mean of dormants.
pub const AVERAGES: &str = "the mean mu of unit vectors lambda dbar_c + eta with eta orthogonal to dbar_c has lambda^2 <= |mu|^2 <= 1";
/// Nuisances are orthogonal to the span.
pub const COHERENT: &str =
    "|<c_c, mu>| = lambda |<c_c, dbar_c>| <= lambda phi, nuisances being orthogonal to copy tokens";
/// The duals exist and see no nuisance.
pub const DUALS: &str = "for 2 C phi < 1 the special vectors are independent (Gershgorin), so duals exist in their span, orthogonal to every nuisance";
/// The projector onto the nuisances.
pub const PROJECTOR: &str = "sum_k g_k g_k*^T is the orthogonal projector onto the nuisances, which keeps eta and kills the span of b, dbar and c";
/// What Delta says.
pub const SEPARATED: &str = "nuisances have one norm, so |eta|^2 - <eta, eta'> = |eta - eta'|^2 / 2, at least Delta/2 where two dormants must be told apart";
/// The base map.
pub const BASE: &str = "T_base keeps centroids and nuisances and kills copy tokens";
/// RMSNorm only scales.
pub const HOMOGENEOUS: &str =
    "ReLU without biases is positively homogeneous, so a silent MLP is silent at every scale";

/// The norm of a projector.
pub const PROJECTION: &str = "sum e e^T - g g^T/|g|^2, with orthonormal e whose span contains g, is an orthogonal projector, whose nuclear norm is its rank, the number of the e less 1";
/// The Frobenius norm.
pub const FROBENIUS: &str = "the squared Frobenius norm of a sum of outer products with orthogonal right vectors is the sum of |left|^2 |right|^2, and the all-ones vector of d hidden units has the square d";
/// What factors and units cost at least.
pub const BALANCE: &str = "the least |A|_F^2 + |B|_F^2 over the factorisations of AB is 2 |AB|_*, and a ReLU unit that reads w and writes v can be rescaled to cost 2 |w| |v|";
/// Norms of sums.
pub const TRIANGLE: &str = "the nuclear norm of a sum is at most the sum of norms, and of an orthogonal sum of outer products the sum of |left| |right|";
/// What coherence does.
pub const GRAM: &str = "by Gershgorin the Gram matrix of b, dbar and c has its eigenvalues in [1 - 2 C phi, 1 + 2 C phi], so |Pi|_2^2 <= gamma and |Pi^T M Pi|_* <= gamma |M|_*, |U|_2^2 <= 1 + 2 C phi";
/// The norm of the base map.
pub const BASE_NORM: &str = "|P_eta|_* = r_eta, and |Q_cent|_* <= |U|_2 C |Pi|_2 <= C beta";
/// What a hidden unit reads.
pub const DUAL_NORM: &str =
    "a dual of the special vectors has norm at most sqrt gamma, that of g_k has 1/|g_k|";
/// Blocks.
pub const BLOCKS: &str = "M_diag falls apart into C equal blocks on (e_c, e_{C+c}), and a 2 x 2 matrix of squares' sum F has the nuclear norm sqrt(F + 2 |det|)";
/// The parts of the dual matrix.
pub const APART: &str = "Sigma_D acts on the nuisances and the copy rows on the special vectors, which are orthogonal, so their bounds add";
/// Rows of copy margins.
pub const ROWS: &str = "scores of copy queries at dormants depend on the group only, as the task assumes, and p I + q J, J all ones, has the norm max(p, p + C q)";
/// Softmax weights.
pub const DECAY: &str = "e^-x falls, so each of n competitors with a gap of at least kappa adds at most e^-kappa to the target's softmax sum";
/// What makes a sum of a closed form.
pub const INDUCTION: &str = "induction over n";
/// What makes a bound of margins.
pub const DUALITY: &str = "margins with nonnegative multipliers add up, and <Y, B> <= |Y|_2 |B|_*; an outer product has the norm |g| |f|, an orthogonal sum the larger one, any sum at most the sum";
/// The mean over pairs of tokens.
pub const AVERAGED: &str = "the mean of h_i - h_a over dormant i and copy a is f, and |f|^2 = 1/C + 1/D, the h being orthonormal";
/// Summation by parts.
pub const PARTS: &str =
    "summation by parts: in sum_t W_t (p_t - p_{t-1}), t = 2..T, p_r has the factor W_r - W_{r+1}";
/// The norm of what reading B adds.
pub const REMAINDER: &str =
    "sum_a (hbar_D - h_a) h_a^T has the Gram matrix I + J/D, J all ones, whose norm is 1 + C/D";

/// The groups are counted.
pub const COUNTED: &str =
    "C is an integer and phi <= 1/20, so 2 C phi <= C/10 and C = 1, C = 2, C >= 3 are all cases";
/// More weights, more choice.
pub const CHOICE: &str = "equal weights are one choice of w >= 0";
/// How the MLP's outputs are tested.
pub const LAPLACIAN: &str = "L 1 = 0, so F L^{1/2} = sum v_k (L^{1/2} relu(D^T w_k + bias))^T, of nuclear norm at most sum |v_k| (w_k^T Sigma_w w_k)^{1/2}; tr(D Phi L D^T) adds up over the edges of L and is at most |F L^{1/2}|_* |D L^{1/2}|_2, |D L^{1/2}|_2^2 = |Sigma_w|_2";

/// What turns sums of weights into expectations.
pub const LINEAR: &str = "expectation and trace are linear: E[Z_k^T M Z_l] = tr(CM) + [k = l] tr(BM), and for weights u, v with sum 1 the double sum of these is tr(CM) + (sum u_k v_k) tr(BM)";
/// Transposes under the trace.
pub const SYMMETRIC: &str = "C and B are symmetric, so tr(C W^T) = tr(CW) and tr(B W^T) = tr(BW)";
/// B is a covariance.
pub const COVARIANCE: &str =
    "B = E[(Z_i - Z_j)(Z_i - Z_j)^T]/2 is positive semidefinite, so q = tr(B W^T W) >= 0";
/// A vanishing q.
pub const VANISHES: &str =
    "for B positive semidefinite, tr(B W^T W) = 0 means that W B = 0, so that tr(BW) = 0";
/// A mean of growing terms.
pub const MEAN: &str = "positive numbers are ordered as their squares, and a mean of strictly monotone terms is strictly monotone";
/// RMSNorm forgets positive factors.
pub const DIRECTION: &str =
    "RMS(c v) = RMS(v) for c > 0, and vectors are equal where all coordinates are";

/// Equal weights.
pub const MEANS: &str = "j - 2 keys of weight 1/(j-2) each put out their mean, content included, W_V and W_O being identities";
/// The exact part.
pub const INJECTIVE: &str = "a linear map of a space of finite dimension onto itself, or onto one of the same dimension, is injective";
/// The norms of the quantitative part.
pub const STABLE: &str = "|Yc| >= sigma |c|, |E| <= 2 eta sqrt r and |S| <= B sqrt r (Frobenius), so that S has rank r where sigma > 2 eta sqrt r, and l(s) <= |l| |s|";
/// The Gram matrix of a broadcast.
pub const EIGENVALUES: &str = "s^2 I + ((1-s^2)/n) 1 1^T has the eigenvalues 1, once, and s^2, n - 1 times; the sink's value is the same in every context unless it is their mean";
