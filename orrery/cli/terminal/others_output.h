#pragma once

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

}  // namespace orrery::cli
