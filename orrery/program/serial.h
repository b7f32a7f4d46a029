#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "orrery/program/program.h"

namespace orrery {

/// A program as bytes, for this version of Orrery and machines like this one. A
/// run of the restored program computes the same bits. Without texts of the
/// model: messages name variables and show formulas, but no lines of a file.
/// @throws Error kUnsupported for code that is not part of the program: opaque
///     functions, and jitter of clocks.
[[nodiscard]] std::string BytesOf(const Program& program);

/// Restores a program; it has no native code.
/// @throws Error kInvalidModel if the bytes are damaged or of another version.
[[nodiscard]] std::shared_ptr<const Program> ProgramFromBytes(
    std::string_view bytes);

}  // namespace orrery
