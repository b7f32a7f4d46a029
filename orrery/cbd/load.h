#pragma once

#include <memory>

#include "orrery/base/diagnostic.h"
#include "orrery/base/files/file_set.h"
#include "orrery/base/source_file.h"
#include "orrery/model/flat_model.h"

namespace orrery {

/// Reads a causal block diagram, a netlist with one block a line:
///
///     W, number, P1, e1[, P2, e2[, P3, e3]];  weighted sum  P1*e1 + P2*e2 +
///     ...
///     +, number, P1, e1[, P2, e2[, P3, e3]];  summer        signs of P count
///     I, number, IC, e1;                      integrator    starts at IC
///     -, number, e1;                          minus         -e1
///     X, number, e1, e2;                      multiplier    e1*e2
///     /, number, e1, e2;                      divider       e1/e2
///     K, number, P1;                          constant      P1
///     O, number, e1;                          output        e1
///     U, number;                              input         of the model
///     N, number, file[, e1, e2, ...];         netlist       of that file
///
/// Each `e` is the number of a block, a whole number from 0 on. `P` and `IC`
/// are numbers in C notation. The semicolon may be missing, spaces may stand
/// anywhere between fields, `#` begins a comment, and blocks come in any order.
/// In a summer a `P` of 0 has no sign, so its input does not count.
///
/// The signal of block 4 is the variable `b4`, an output of the model if the
/// block is an O and an input if it is a U. The numbers of block 4 are
/// parameters: `b4.P1`, `b4.P2`, `b4.P3` (except in a summer) and `b4.IC`.
///
/// A netlist that is block 7 has the names `b7.b4`, `b7.b4.P1`, ... Its file is
/// beside the one that names it. Its blocks U, by ascending numbers, get the
/// signals e1, e2, ...; `7.4` as an `e` reads its block 4, which must be an O,
/// and `7` its only O. Source: requirement 3 (docs/reference/requirements.md),
/// "Time-slicing simulator pseudo-code", for all but U and N.
///
/// @param files contains the netlists that the text names.
/// @param diagnostics receives all errors.
/// @returns the model, named as the file without folder and ending; after
///     errors, the part that could be read.
[[nodiscard]] FlatModel LoadCbd(const std::shared_ptr<const SourceFile>& source,
                                const FileSet& files,
                                Diagnostics& diagnostics);

}  // namespace orrery
