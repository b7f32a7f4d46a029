#include "orrery/cli/commands/pass_log.h"

#include <algorithm>

#include <fmt/format.h>

#include "orrery/base/error.h"

namespace orrery::cli {

void PassLog::OnPass(const PassReport& report) {
  num_attempts_ = report.attempt;
  auto row = std::ranges::find(rows_, report.pass, &Row::pass);
  if (row == rows_.end()) {
    row = rows_.insert(rows_.end(), {.pass = std::string(report.pass)});
  }
  ++row->runs;
  row->ms += 1e3 * report.seconds;
  if (report.pass == dump_after_) {
    dump_ = report.equations();
    has_dump_ = true;
  }
}

void PassLog::OnRetry(std::string_view reason) {
  reasons_.emplace_back(reason);
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

std::string PassLog::dump() const {
  if (!dump_after_.empty() && !has_dump_) {
    std::string names;
    for (const Row& row : rows_) {
      names += (names.empty() ? "" : ", ") + row.pass;
    }
    throw Error(ErrorCode::kInvalidArgument,
                "no pass '" + dump_after_ + "' has run; these have: " + names);
  }
  return dump_;
}

}  // namespace orrery::cli
