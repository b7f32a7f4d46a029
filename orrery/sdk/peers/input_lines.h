#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "orrery/base/time.h"

namespace orrery {

/// The lines that arrive at a file descriptor, read with a timeout.
class InputLines {
 public:
  /// Longer lines are cut; they are no requests.
  static constexpr std::size_t kMaxLine = std::size_t{1} << 20U;

  enum class State : std::uint8_t {
    kLine,   ///< There is one.
    kNone,   ///< There is none yet.
    kClosed  ///< The input has ended.
  };

  /// @param descriptor stays open and belongs to the caller.
  explicit InputLines(int descriptor) : descriptor_(descriptor) {}

  /// Waits for at most `patience` for the next line, and writes it into `line`
  /// without its end. The last line needs no end.
  [[nodiscard]] State Next(std::string& line, Duration patience);

 private:
  bool TakeLine(std::string& line);

  int descriptor_;
  std::string buffer_;
  bool is_closed_ = false;
};

}  // namespace orrery
