#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orrery/cli/terminal/stopwatch.h"
#include "orrery/sdk/model/model.h"

namespace orrery::cli {

/// The passes of a compilation, their times, and the equations after one of
/// them.
class PassLog : public PassWatch {
 public:
  /// @param dump_after the pass whose equations are kept. Empty for none.
  /// @throws Error kInvalidArgument if there is no such pass.
  explicit PassLog(std::string dump_after = {});

  /// The model has been read and flattened.
  void OnRead();

  void OnPass(const PassReport& report) override;
  void OnRetry(std::string_view reason) override;

  /// A table: each pass, how often it ran and how long it took in all.
  [[nodiscard]] std::string TimingsAsText() const;

  /// The equations after the last time that the pass asked for ran.
  [[nodiscard]] const std::string& dump() const noexcept { return dump_; }

 private:
  struct Row {
    std::string pass;
    int runs = 0;
    double ms = 0;
  };

  std::string dump_after_;
  std::string dump_;
  Stopwatch lap_;  // Since the end of the last pass.
  double read_ms_ = 0;
  int num_attempts_ = 0;
  std::vector<Row> rows_;
  std::vector<std::string> reasons_;
};

}  // namespace orrery::cli
