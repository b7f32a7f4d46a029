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
  explicit PassLog(std::string dump_after = {})
      : dump_after_(std::move(dump_after)) {}

  /// The model has been read and flattened.
  void OnRead() { read_ms_ = watch_.Milliseconds(); }

  void OnPass(const PassReport& report) override;
  void OnRetry(std::string_view reason) override;

  /// A table: each pass, how often it ran and how long it took in all.
  [[nodiscard]] std::string TimingsAsText() const;

  /// The equations after the last time that the pass asked for ran.
  /// @throws Error kInvalidArgument if no such pass ran.
  [[nodiscard]] std::string dump() const;

 private:
  struct Row {
    std::string pass;
    int runs = 0;
    double ms = 0;
  };

  std::string dump_after_;
  std::string dump_;
  bool has_dump_ = false;
  Stopwatch watch_;
  double read_ms_ = 0;
  int num_attempts_ = 0;
  std::vector<Row> rows_;
  std::vector<std::string> reasons_;
};

}  // namespace orrery::cli
