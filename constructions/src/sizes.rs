//! The sizes of a backcopy scenario, and the rules they obey.

use thiserror::Error;

/// Largest T, C, D or d that is accepted.
pub const LARGEST: usize = 1 << 20;
/// Largest estimate of memory that is accepted, in GB.
pub const LARGEST_GB: usize = 16;
/// Bytes that a full check takes for each token x(t, i), measured from T = 1024 to 100000.
const BYTES_A_TOKEN: usize = 1500;

/// `T` context length, `C` copy tokens, `D` dormant tokens, `d` the width.
///
/// The orthonormal vectors are `h_0` (BOS), `h_1..h_C` (copy), `h_{C+1}..h_{C+D}` (dormant), `p_0..p_T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sizes {
    /// Context length `T`.
    pub t: usize,
    /// Number of copy tokens `C`.
    pub c: usize,
    /// Number of dormant tokens `D`.
    pub d: usize,
    /// Width of the residual stream.
    pub width: usize,
}

/// Why sizes were refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SizeError {
    /// T, C or D is zero.
    #[error("{name} = 0: the backcopy task needs {name} >= 1")]
    Zero {
        /// Which letter.
        name: &'static str,
    },
    /// A size beyond all memory.
    #[error("{name} = {value}: at most {LARGEST} is supported")]
    TooLarge {
        /// Which letter.
        name: &'static str,
        /// The value given.
        value: usize,
    },
    /// Sizes that together are beyond memory.
    #[error(
        "T = {t}, C = {c}, D = {d}: T (C + D) = {tokens} tokens take about {gigabytes} GB; at most {LARGEST_GB} GB are supported"
    )]
    Memory {
        /// T.
        t: usize,
        /// C.
        c: usize,
        /// D.
        d: usize,
        /// T (C + D).
        tokens: usize,
        /// What the check would take.
        gigabytes: usize,
    },
    /// The orthonormal vectors do not fit.
    #[error(
        "d = {width}: the {needed} orthonormal vectors h_0..h_{{C+D}}, p_0..p_T need d >= T + C + D + 2 = {needed}"
    )]
    Narrow {
        /// The width given.
        width: usize,
        /// N = T + C + D + 2.
        needed: usize,
    },
}

impl Sizes {
    /// Checks the sizes; `width` of `None` means the least width N = T + C + D + 2.
    ///
    /// # Errors
    /// A zero, a size beyond memory, or a width below N.
    pub fn new(t: usize, c: usize, d: usize, width: Option<usize>) -> Result<Sizes, SizeError> {
        for (name, value) in [("T", t), ("C", c), ("D", d), ("d", width.unwrap_or(1))] {
            if value == 0 && name != "d" {
                return Err(SizeError::Zero { name });
            }
            if value > LARGEST {
                return Err(SizeError::TooLarge { name, value });
            }
        }
        // At most 2^41 after the checks above, so nothing overflows on 64 bits.
        let tokens = t.saturating_mul(c + d);
        let gigabytes = tokens.saturating_mul(BYTES_A_TOKEN) >> 30;
        if gigabytes > LARGEST_GB {
            return Err(SizeError::Memory {
                t,
                c,
                d,
                tokens,
                gigabytes,
            });
        }
        let needed = t + c + d + 2;
        let width = width.unwrap_or(needed);
        if width < needed {
            return Err(SizeError::Narrow { width, needed });
        }
        if width > LARGEST {
            return Err(SizeError::TooLarge {
                name: "d",
                value: width,
            });
        }
        Ok(Sizes { t, c, d, width })
    }

    /// V = C + D, the number of context tokens other than BOS.
    pub fn v(&self) -> usize {
        self.c + self.d
    }

    /// N = T + C + D + 2, the number of orthonormal vectors.
    pub fn n(&self) -> usize {
        self.t + self.v() + 2
    }

    /// m = min(C, D).
    pub fn m(&self) -> usize {
        self.c.min(self.d)
    }

    /// Frame index of `h_i`, `i` in 0..=V.
    pub fn h(&self, i: usize) -> usize {
        i
    }

    /// Frame index of `p_t`, `t` in 0..=T.
    pub fn p(&self, t: usize) -> usize {
        self.v() + 1 + t
    }

    /// Is token `i` a copy token (1..=C)?
    pub fn is_copy(&self, i: usize) -> bool {
        (1..=self.c).contains(&i)
    }

    /// Name of frame vector `k`: `h_3`, `p_0`, or `q_k` beyond the N named ones.
    pub fn name(&self, k: usize) -> String {
        if k <= self.v() {
            format!("h_{k}")
        } else if k < self.n() {
            format!("p_{}", k - self.v() - 1)
        } else {
            format!("q_{k}")
        }
    }
}
