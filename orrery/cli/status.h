#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace orrery::cli {

/// The kind of JSON on the standard output if the command fails.
enum class WantedJson : std::uint8_t {
  kNone,
  kOfRun,
  kOfDevsRun,
  kOfTaskRun,
  kOfJointRun,
  kOfOther,  ///< No run: the keys that every error has.
};

/// Calls `command` and prints what it throws; the body of `main`.
/// @param program the name in messages.
/// @returns the exit code.
int Guarded(const std::string& program,
            WantedJson json,
            const std::function<int()>& command);

}  // namespace orrery::cli
