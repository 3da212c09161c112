//! Proofs for all sizes: claims decided from the symbolic reading of the definitions, by certificates that are checked.

pub mod backcopy;
pub mod search;
pub mod step;
