#pragma once

#include <memory>
#include <string>

namespace orrery::cli {

/// While this exists, prints of code of others to the standard output go to the
/// standard error: the standard output is for results.
class OthersOutput {
 public:
  OthersOutput();
  OthersOutput(const OthersOutput&) = delete;
  OthersOutput& operator=(const OthersOutput&) = delete;
  ~OthersOutput();

 private:
  int output_;  // Below 0: there is none.
};

/// Keeps what the code of the model in `file` prints out of the results while
/// it exists; null if the file is no FMU.
[[nodiscard]] std::unique_ptr<OthersOutput> OutputOf(const std::string& file);

}  // namespace orrery::cli
