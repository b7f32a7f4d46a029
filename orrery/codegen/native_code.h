#pragma once

#include <memory>

#include "orrery/program/native_code.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery {

/// Machine code for a tape's sections, by LLVM for this processor. LLVM is
/// loaded when the first section is compiled.
///
/// The code computes the same bits as the interpreter: it calls the same
/// elementary functions, and nothing is contracted or reordered. Long straight
/// code is compiled in pieces, so that the time stays linear. Loops stay loops,
/// and are vectorised if their passes are independent.
[[nodiscard]] std::shared_ptr<NativeCode> MakeNativeCode(
    std::shared_ptr<const Tape> tape);

}  // namespace orrery
