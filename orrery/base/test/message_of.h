#pragma once

#include <functional>
#include <string>

#include "orrery/base/error.h"

namespace orrery {

/// For tests: the message of the Error that `action` throws; "no error" if it
/// throws none.
[[nodiscard]] inline std::string MessageOf(
    const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace orrery
