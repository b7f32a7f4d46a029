#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace orrery::cli {

/// What of JSON is wanted on the standard output if the command fails.
enum class WantedJson : std::uint8_t {
  kNone,
  kOfRun,
  kOfDevsRun,
  kOfTaskRun,
  kOfJointRun,
  kOfOther,  ///< No run: what every error has.
};

/// Does the work of `main`: calls `command` and tells what it throws.
/// @param program what messages begin with.
/// @returns the exit code.
int Guarded(const std::string& program,
            WantedJson json,
            const std::function<int()>& command);

}  // namespace orrery::cli
