//! Section 5: how the mean cosine similarity of tokens changes as attention becomes uniform.
//!
//! Tokens are `Z_i = zbar + eps_i`, `X_i = beta Z_i`, and `Y(lambda) = beta Z + W Z A_lambda^T`. With
//! `B = Sigma_V - Sigma_C` and `C = zbar zbar^T + Sigma_C`, both symmetric, `E[Z_k^T M Z_l] = tr(CM) + [k = l] tr(BM)` for every
//! matrix M. The rows of A_lambda add up to 1, so for weights u and v of two rows
//!
//! `sum_{k,l} u_k v_l E[Z_k^T M Z_l] = tr(CM) + (sum_k u_k v_k) tr(BM)`.
//!
//! What is left are sums of products of weights. For i < j, the i - 1 columns below i give `(i-1) lambda^2/(ij)`, column i gives
//! `(1 - lambda + lambda/i) lambda/j`, together `lambda/j`; for i = j they give `1 - lambda (2 - lambda)(1 - 1/i)`. This is (2).
//!
//! With p = beta tr(BW), q = tr(B W^T W) >= 0 and s = p + q, a pair's expectation `N_j = n + lambda s/j` has the slope s/j, and
//! `D_k(lambda) - D_k(mu) = (1 - 1/k)(mu - lambda)(2s - q (lambda + mu))`. So D_k falls up to `lambda* = s/q` and grows after it
//! (k >= 2; D_1 is constant), and where all `N_j` and `D_k` are positive, each `N_j/sqrt(D_i D_j)` with i < j
//!
//! * grows strictly if q > 0 and p >= 0 (then lambda* >= 1),
//! * falls strictly if q > 0 and s <= 0 (then lambda* <= 0; at s = 0 because D_j grows, and j >= 2),
//! * is constant if q = 0, which makes W vanish on the range of B, and p = 0,
//! * grows at least up to lambda* in the regime between.
//!
//! With T = 2, n = N(0) and e = D_1 - n, the similarity squared turns at `s (2n + e)/(nq + s^2/2)`, which is at least 2 lambda*
//! since s^2 <= e q: with two tokens it grows on all of [0, min(1, 2 lambda*)].
//!
//! [`layers`] holds the dynamics (5) of Appendix B.1.

pub mod curve;
pub mod formula;
pub mod law;
pub mod layers;
pub mod moments;
pub mod setting;
pub mod weights;
