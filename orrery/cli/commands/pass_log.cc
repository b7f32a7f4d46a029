#include "orrery/cli/commands/pass_log.h"

#include <algorithm>

#include <fmt/format.h>

#include "orrery/base/error.h"

namespace orrery::cli {

PassLog::PassLog(std::string dump_after) : dump_after_(std::move(dump_after)) {
  const std::vector<std::string_view> passes = PassNames();
  if (!dump_after_.empty() &&
      std::ranges::find(passes, dump_after_) == passes.end()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("no pass '{}'; the passes are {}",
                            dump_after_,
                            fmt::join(passes, ", ")));
  }
}

void PassLog::OnRead() {
  read_ms_ = lap_.Milliseconds();
  lap_ = {};
}

void PassLog::OnPass(const PassReport& report) {
  const double ms = lap_.Milliseconds();
  num_attempts_ = report.attempt;
  auto row = std::ranges::find(rows_, report.pass, &Row::pass);
  if (row == rows_.end()) {
    row = rows_.insert(rows_.end(), {.pass = std::string(report.pass)});
  }
  ++row->runs;
  row->ms += ms;
  if (report.pass == dump_after_) {
    dump_ = report.equations();
  }
  lap_ = {};
}

void PassLog::OnRetry(std::string_view reason) {
  reasons_.emplace_back(reason);
  lap_ = {};
}

std::string PassLog::TimingsAsText() const {
  std::string text = fmt::format("{:<20} {:>5} {:>10}\n", "pass", "runs", "ms");
  double total = read_ms_;
  text += fmt::format("{:<20} {:>5} {:>10.3f}\n", "read", 1, read_ms_);
  for (const Row& row : rows_) {
    text += fmt::format("{:<20} {:>5} {:>10.3f}\n", row.pass, row.runs, row.ms);
    total += row.ms;
  }
  text += fmt::format("{:<20} {:>5} {:>10.3f}\n", "all", num_attempts_, total);
  for (const std::string& reason : reasons_) {
    text += fmt::format("compiled anew: {}\n", reason);
  }
  return text;
}

}  // namespace orrery::cli
