#pragma once

#include <memory>

#include "orrery/program/native_code.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery {

/// Machine code for a tape's sections, by LLVM for the processor at hand. LLVM
/// is loaded when the first section is compiled.
///
/// The code computes the same bits as the interpreter: elementary functions are
/// the same functions, and nothing is contracted or reordered. Straight code
/// that is long is compiled in pieces, so that the time it takes stays linear;
/// loops stay loops and are made for vectors where their passes are
/// independent.
[[nodiscard]] std::shared_ptr<NativeCode> MakeNativeCode(
    std::shared_ptr<const Tape> tape);

}  // namespace orrery
