//! The float reading agrees with the exact one, and its singular values with the exact costs.
#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use constructions::Sizes;
use constructions::backcopy::{bounds, sink};
use constructions::basis::{Basis, dense};
use constructions::language::Matrix;
use constructions::reading::{Side, float, float_nuclear_norm, operator};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn floats_agree_with_exact_numbers(
        (t, c, d, extra) in (1usize..7, 1usize..4, 1usize..4, 0usize..3),
        seed in 0u64..4,
    ) {
        let sizes = Sizes::new(t, c, d, Some(t + c + d + 2 + extra)).unwrap();
        let bases = [Basis::standard(), Basis::rotated(&sizes, seed).unwrap()];
        let basis = &bases[(seed % 2) as usize];
        let side = Side::Residual;
        let read = |m: &Matrix| float(m, side, side, &sizes, basis);
        for definition in [sink::qk(), sink::qk_first(), sink::vo(), sink::vo_projector()] {
            let exact = dense(&operator(&definition, side, side, &sizes, basis));
            let difference = exact.map(|x| x.to_f64()) - read(&definition);
            prop_assert!(difference.amax() < 1e-12);
        }
        let costs = [
            (sink::qk(), bounds::sink_qk(&sizes).unwrap().to_f64()),
            (sink::qk_first(), bounds::sink_qk_first(&sizes).unwrap().to_f64()),
            (sink::vo(), sizes.width as f64 - 2.0),
        ];
        for (definition, cost) in costs {
            let norm = float_nuclear_norm(&read(&definition)).unwrap();
            prop_assert!((norm - cost).abs() < 1e-9, "{definition}: {norm}, exactly {cost}");
        }
        if t >= 2 {
            let norm = float_nuclear_norm(&read(&sink::vo_projector())).unwrap();
            let cost = bounds::vo_printed(&sizes).to_f64();
            prop_assert!((norm - cost).abs() < 1e-6, "{norm}, exactly {cost}");
        }
    }
}
