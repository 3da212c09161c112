//! The trigger-conditional task: at the trigger, put out the mean of the tokens before it (BOS apart); elsewhere, put out 0.
//!
//! Positions are 1..L, BOS stands at 1. [`relu`] is the model of the companion paper's Theorem 3, [`softmax`] holds finite data of the
//! task and solutions with weights on the simplex.

pub mod relu;
pub mod softmax;
