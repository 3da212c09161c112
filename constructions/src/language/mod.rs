//! The language in which constructions are written: as the paper writes them.
//!
//! A [`Matrix`] is a sum of terms; a term is a coefficient, sums over index ranges, and an outer product of two
//! [`Vector`]s; a vector is a linear combination of members of basis families, themselves possibly summed:
//!
//! ```
//! use constructions::language::*;
//! let (k, t) = (var("k"), var("t"));
//! let qk = (h(0) + p(0)) * total(k, DORMANT, h(k)).t() + sum(t, steps(1, T - 1), p(t) * p(t + 1).t());
//! assert_eq!(qk.to_string(), "(h_0 + p_0) (sum_{k in D} h_k)^T + sum_{t=1}^{T - 1} p_t p_{t+1}^T");
//! ```
//!
//! A member outside its family, such as `p_{T+1}`, is the zero vector.
//!
//! The definitions are data: every reading (exact, float, and a symbolic one) starts from the same value.

mod index;
mod mutate;
mod print;
mod term;

pub use index::{
    Affine, C, CONTEXT, COPY, D, DORMANT, Extents, FRAME, Index, NUISANCES, Range, SECOND, T, Var,
    steps, var,
};
pub use mutate::{Mutation, mutations};
pub use term::{
    Atom, Coefficient, Covector, Family, Matrix, Member, Powers, Term, Vector, VectorTerm, bos,
    centroid, copy, epsilon, frame, h, identity, lambda, nuisance, one_over, ones, p, ramp,
    separation, sum, total, unit_first, unit_h, unit_p,
};
