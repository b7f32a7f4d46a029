#pragma once

#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/fmi/description.h"

namespace orrery::fmi {

/// Result of a function of an FMU; in this order in C.
enum class CallStatus : std::uint8_t {
  kOk,
  kWarning,
  kDiscard,  ///< The FMU cannot do this, but goes on.
  kError,    ///< The instance is of no more use.
  kFatal,    ///< All of its instances are.
  kPending   ///< FMI 2.0: it goes on in another thread.
};

[[nodiscard]] std::string_view NameOf(CallStatus status) noexcept;

/// A function of an FMU has failed: the end of a run, not a mistake of the
/// caller.
class CallFailure : public std::runtime_error {
 public:
  CallFailure(const std::string& message, CallStatus status)
      : std::runtime_error(message), status_(status) {}

  [[nodiscard]] CallStatus status() const noexcept { return status_; }

 private:
  CallStatus status_;
};

/// The last messages of an instance of an FMU, and what is made of them.
class MessageLog {
 public:
  static constexpr std::size_t kMost = 20;

  /// @param description must outlive the log.
  /// @param name of the instance.
  MessageLog(const Description& description, std::string name)
      : description_(description), name_(std::move(name)) {}

  /// Names of variables take the places of `#r12#` (FMI 2.0, section 2.1.5).
  void Add(CallStatus status,
           std::string_view category,
           std::string_view message);

  /// Forgets all messages: they are about what is tried anew.
  void Forget() noexcept { lines_.clear(); }

  [[nodiscard]] const std::deque<std::string>& lines() const noexcept {
    return lines_;
  }

  /// The lines as the end of a message; empty if there are none.
  [[nodiscard]] std::string AsHint() const;

  /// @throws CallFailure with the function, the time and the messages, unless
  ///     the status is kOk or kWarning.
  void Check(int status, std::string_view function, double t) const;

 private:
  const Description& description_;
  std::string name_;
  std::deque<std::string> lines_;
};

}  // namespace orrery::fmi
