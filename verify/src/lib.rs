//! Decides exactly whether statements about attention constructions hold: claims, verdicts, reports, command line.

pub mod cell;
pub mod claims;
pub mod cli;
pub mod cluster;
pub mod evidence;
pub mod files;
pub mod frame_norm;
pub mod gate;
pub mod grid;
pub mod kill;
pub mod linear;
pub mod nuclear;
pub mod oversmoothing;
pub mod place;
pub mod proofs;
pub mod proposals;
pub mod report;
pub mod runner;
pub mod solvers;
