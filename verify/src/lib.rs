//! Decides exactly whether statements about attention constructions hold: claims, verdicts, reports, command line.

pub mod cell;
pub mod claims;
pub mod evidence;
pub mod nuclear;
pub mod proposals;
