#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// One pass of the compiler that has ended.
struct PassReport {
  std::string_view pass;  ///< Its name, "match".
  int attempt = 1;        ///< The number of the attempt to compile the model.
  /// The equations as they are after the pass, as text. May be called while
  /// `PassWatch::OnPass` runs only.
  std::function<std::string()> equations;
};

/// Follows a compilation pass by pass.
class PassWatch {
 public:
  PassWatch() = default;
  PassWatch(const PassWatch&) = delete;
  PassWatch& operator=(const PassWatch&) = delete;
  virtual ~PassWatch() = default;

  virtual void OnPass(const PassReport& report) = 0;

  /// The last attempt came to nothing, and another one begins.
  virtual void OnRetry(std::string_view reason) = 0;
};

/// The names of the passes in the order in which they run.
[[nodiscard]] std::vector<std::string_view> PassNames();

}  // namespace orrery
