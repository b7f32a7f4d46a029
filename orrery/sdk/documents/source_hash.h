#pragma once

#include <string>

#include "orrery/sdk/documents/run_document.h"

namespace orrery {

/// The hash of the bytes of a file, as stores keep it: 16 hexadecimal digits.
/// @throws Error kIo if it cannot be read.
[[nodiscard]] std::string HashOfCode(const std::string& file);

/// The hash of the model's text, or of its code if there is no text. A model
/// that was made in a program has none: its hash is empty.
/// @throws Error kIo if its file cannot be read.
[[nodiscard]] std::string SourceHashOf(const RunDocument& document);

}  // namespace orrery
