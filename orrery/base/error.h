#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/diagnostic.h"

namespace orrery {

/// Tells who must act on an error.
enum class ErrorCode : std::uint8_t {
  kInvalidModel,     ///< The author of the model.
  kInvalidArgument,  ///< The author of the calling code or command line.
  kUnsupported,      ///< Nobody: valid input that this build cannot handle.
  kIo,               ///< The operator: a file, a port, a permission.
  kInternal,         ///< Us: a bug in orrery.
};

/// The one exception type that leaves orrery.
///
/// Messages read `cannot <what was asked>: <why not>; <what would work>`. They
/// name every model element by its full path and carry the offending values. A
/// run that ends early for a numerical reason is not an error: see `Outcome`.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message)
      : std::runtime_error(message), code_(code) {}

  /// An error in a text or a model: `what()` is the rendered diagnostics.
  /// @param diagnostics at least one of them an error.
  Error(ErrorCode code, std::vector<Diagnostic> diagnostics);

  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

  /// The findings, in source order; empty for an error without a source.
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const noexcept {
    return diagnostics_;
  }

 private:
  ErrorCode code_;
  std::vector<Diagnostic> diagnostics_;
};

/// Returns the entry of `known` that `wanted` most likely misspells; empty if
/// none is near. An entry is near within two edits and under half of its
/// length, or if only case differs. A swap of neighbours counts as one edit,
/// and so does a difference in case only.
[[nodiscard]] std::string Nearest(std::string_view wanted,
                                  std::span<const std::string> known);

/// Returns "did you mean 'x'?" for the nearest entry of `known`; "known: a, b,
/// c" if none is near but they are few; otherwise "".
[[nodiscard]] std::string Suggest(std::string_view wanted,
                                  std::span<const std::string> known);

/// Returns a hint as the end of a message: "; " and the hint, or "" for none.
[[nodiscard]] std::string Clause(const std::string& hint);

namespace base::internal {
[[noreturn]] void CheckFailed(const char* condition,
                              const char* file,
                              int line);
}  // namespace base::internal

}  // namespace orrery

/// Throws Error kInternal if `condition`, an internal invariant, does not hold.
/// Active in every build.
#define ORRERY_CHECK(condition)                         \
  ((condition) ? static_cast<void>(0)                   \
               : ::orrery::base::internal::CheckFailed( \
                     #condition, __FILE__, __LINE__))
