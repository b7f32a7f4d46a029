#pragma once

namespace orrery::cli {

/// What code of others prints to the standard output goes to the standard error
/// while this exists: the standard output is for results.
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
