#include "orrery/cli/terminal/report_stream.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "orrery/base/text/pattern.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::chrono::milliseconds kBetweenReports{100};
constexpr std::size_t kMostWatched = 16;
constexpr std::size_t kPixelsOfReport =
    500;  // For the rows of a tenth of a second.

// JSON has no number that is not finite.
Json FiniteNumber(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

std::string ReportLine(const char* about, Json what) {
  return Json{{about, std::move(what)}}.dump(
             -1, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

Json NoticeAsJson(const Diagnostic& notice) {
  Json json = {{"severity", std::string(NameOf(notice.severity))},
               {"message", notice.message}};
  if (!notice.path.empty()) {
    json["path"] = notice.path;
  }
  if (!notice.file.empty()) {
    json["file"] = notice.file;
    json["line"] = notice.line;
    json["column"] = notice.column;
    json["length"] = notice.length;
  }
  if (!notice.hint.empty()) {
    json["hint"] = notice.hint;
  }
  return json;
}

}  // namespace

ReportStream::ReportStream(int descriptor, std::vector<std::string> watched)
    : descriptor_(descriptor), watched_(std::move(watched)) {
  if (is_wanted()) {
    std::signal(SIGPIPE, SIG_IGN);
  }
}

void ReportStream::Write(const std::string& line) {
  for (std::string_view rest = line; !rest.empty() && is_wanted();) {
    const ssize_t count = write(descriptor_, rest.data(), rest.size());
    if (count >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      descriptor_ = kNone;
    }
  }
}

bool ReportStream::IsDue() {
  if (!is_wanted() || Clock::now() < due_) {
    return false;
  }
  due_ = Clock::now() + kBetweenReports;
  return true;
}

void ReportStream::Begin(ExperimentId experiment, const std::string& model) {
  Write(ReportLine("begin", {{"experiment", experiment}, {"model", model}}));
}

void ReportStream::Show(const Progress& progress) {
  if (IsDue()) {
    Write(ReportLine("progress",
                     {{"t", FiniteNumber(progress.t)},
                      {"start", FiniteNumber(progress.start)},
                      {"stop", FiniteNumber(progress.stop)},
                      {"steps", progress.steps}}));
  }
}

void ReportStream::Show(const SeriesProgress& progress) {
  if (progress.ended == progress.asked || IsDue()) {
    Write(ReportLine("runs",
                     {{"ended", progress.ended},
                      {"failed", progress.failed},
                      {"asked", progress.asked}}));
  }
}

void ReportStream::Show(const OptimisationProgress& progress, double best) {
  if (IsDue()) {
    Write(ReportLine("search",
                     {{"evaluations", progress.evaluations},
                      {"best", FiniteNumber(best)},
                      {"failed", progress.failed}}));
  }
}

void ReportStream::Show(const FitProgress& progress) {
  if (IsDue()) {
    Write(ReportLine("search",
                     {{"evaluations", progress.evaluations},
                      {"best", FiniteNumber(progress.cost)},
                      {"failed", 0}}));
  }
}

// Signals are chosen anew when a parameter begins to vary.
void ReportStream::Choose(const Trajectory& rows) {
  if (table_ == rows.table()) {
    return;
  }
  table_ = rows.table();
  signals_.clear();
  for (std::size_t i = 0; i < rows.signals().size(); ++i) {
    const SignalInfo& signal = rows.signals()[i];
    const bool is_watched =
        std::ranges::any_of(watched_, [&](const std::string& pattern) {
          return FitsPattern(pattern, signal.name);
        });
    if (is_watched && signal.column != SignalInfo::kNone &&
        signals_.size() < kMostWatched) {
      signals_.push_back(i);
    }
  }
}

void ReportStream::Show(const NewRows& news) {
  if (!is_wanted() || watched_.empty()) {
    return;
  }
  const Trajectory& rows = news.rows;
  if (news.are_all) {
    rows_ = 0;
  }
  if (rows.rows() == 0) {
    return;
  }
  Choose(rows);
  std::vector<Signal> signals;
  for (const std::size_t index : signals_) {
    signals.push_back(rows.signal(index));
  }
  Json time = Json::array();
  std::vector<Json> columns(signals.size(), Json::array());
  for (const std::size_t row : RowsToDraw(rows,
                                          signals,
                                          {.from = rows.time().front(),
                                          .to = rows.time().back(),
                                          .pixels = kPixelsOfReport})) {
    time.push_back(FiniteNumber(rows.time()[row]));
    for (std::size_t c = 0; c < columns.size(); ++c) {
      columns[c].push_back(FiniteNumber(signals[c][row]));
    }
  }
  const auto told = static_cast<std::int64_t>(time.size());
  Json by_name = Json::object();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    by_name[signals[c].name()] = std::move(columns[c]);
  }
  Write(ReportLine("rows",
                   {{"from", rows_},
                    {"time", std::move(time)},
                    {"columns", std::move(by_name)}}));
  rows_ += told;
}

void ReportStream::Tell(std::span<const Diagnostic> notices) {
  for (const Diagnostic& notice : notices) {
    Write(ReportLine("notice", NoticeAsJson(notice)));
  }
}

void ReportStream::End(ExperimentStatus status, const std::string& message) {
  Write(ReportLine(
      "end",
      {{"status", std::string(Describe(status))}, {"message", message}}));
}

void ReportNotices(int descriptor, std::span<const Diagnostic> notices) {
  ReportStream(descriptor).Tell(notices);
}

}  // namespace orrery::cli
