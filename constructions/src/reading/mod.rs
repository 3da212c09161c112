//! The readings of a definition at given sizes.

mod exact_reading;
mod float_reading;
mod outers;
pub mod symbolic_reading;

pub use exact_reading::{Layer, Side, hidden_map, operator, rank_ones};
pub use float_reading::{dense as float, nuclear_norm as float_nuclear_norm};
pub use outers::{Meaning, outers};
