#pragma once

#include <memory>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/model/flat_model.h"

namespace orrery {

/// Reads a causal block diagram, a netlist with one block a line:
///
///     W, number, P1, e1[, P2, e2[, P3, e3]];   weighted sum  P1*e1 + P2*e2 +
///     ...
///     +, number, P1, e1[, P2, e2[, P3, e3]];   summer        the signs of P
///     count I, number, IC, e1;                       integrator    starts at
///     IC
///     -, number, e1;                           minus         -e1
///     X, number, e1, e2;                       multiplier    e1*e2
///     /, number, e1, e2;                       divider       e1/e2
///     K, number, P1;                           constant      P1
///     O, number, e1;                           output        e1
///
/// `e` are numbers of blocks, whole and not negative, `P` and `IC` numbers as C
/// writes them. The semicolon may be missing, spaces stand anywhere between
/// fields, `#` begins a comment, and blocks come in any order. In a summer a
/// `P` of 0 has no sign, so that its input does not count.
///
/// The signal of block 4 is the variable `b4`, an output of the model if the
/// block is an O. The numbers of block 4 are parameters: `b4.P1`, `b4.P2`,
/// `b4.P3` (not those of a summer) and `b4.IC`.
/// Source: requirement 3, "Time-slicing simulator pseudo-code".
///
/// @param diagnostics takes all that is wrong.
/// @returns the model, named as the file without folder and ending; what could
///     be read of it if there are errors.
[[nodiscard]] FlatModel LoadCbd(const std::shared_ptr<const SourceFile>& source,
                                Diagnostics& diagnostics);

}  // namespace orrery
