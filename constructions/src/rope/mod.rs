//! Rotary positions (Section 7, after Theorem 7.1): queries and keys are rotated, by angles that grow with the position, after
//! their projections.
//!
//! A plane of the head is a complex number, and the rotation frequencies are 2 pi f/(T+1), f = 1..T/2, T even: every entry lies in
//! the cyclotomic field of order T + 1, so logits are exact.

pub mod cyclotomic;
pub mod head;
