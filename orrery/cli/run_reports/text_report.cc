#include "orrery/cli/run_reports/text_report.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/duration.h"
#include "orrery/cli/terminal/columns.h"

namespace orrery::cli {
namespace {

constexpr std::size_t kMaxValues = 24;
constexpr std::size_t kLineWidth = 78;

// The first lines of a list, and its length.
struct FinalList {
  std::vector<std::string> values;  // At most kMaxValues.
  std::size_t all = 0;
};

// Variables that are not constant, without derivatives, which would double the
// list.
FinalList FinalValues(const Trajectory& run) {
  FinalList list;
  if (run.rows() == 0) {
    return list;
  }
  for (std::size_t i = 0; i < run.signals().size(); ++i) {
    const SignalInfo& info = run.signals()[i];
    if (info.column == SignalInfo::kNone || info.name.starts_with("der(")) {
      continue;
    }
    if (++list.all <= kMaxValues) {
      list.values.push_back(
          fmt::format("{}  {}{}{}",
                      info.name,
                      ValueText(*info.value_names, run.signal(i).final()),
                      info.unit.empty() ? "" : " ",
                      info.unit));
    }
  }
  return list;
}

std::string InColumns(const FinalList& list) {
  const std::vector<std::string>& values = list.values;
  std::size_t width = 0;
  for (const std::string& value : values) {
    width = std::max(width, value.size() + 4);
  }
  const std::size_t columns =
      std::max<std::size_t>(1, width == 0 ? 1 : kLineWidth / width);
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool ends_line = (i + 1) % columns == 0 || i + 1 == values.size();
    text += i % columns == 0 ? "  " : "";
    text +=
        ends_line ? values[i] + "\n" : fmt::format("{:<{}}", values[i], width);
  }
  if (list.all > kMaxValues) {
    text += fmt::format("  ... and {} more; --output FILE writes them all\n",
                        list.all - kMaxValues);
  }
  return text;
}

}  // namespace

std::string Milliseconds(double ms) {
  return ms < 10 ? fmt::format("{:.1f} ms", ms)
                 : (ms < 10'000 ? fmt::format("{:.0f} ms", ms)
                                : fmt::format("{:.1f} s", ms / 1000));
}

std::string Counted(std::int64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string HeadLine(const Program& program, const RunTiming& timing) {
  return fmt::format("{}  {}  compiled in {}\n",
                     program.name,
                     Counted(program.state_slots.size(), "state", "states"),
                     Milliseconds(timing.compile_ms));
}

std::string SolverText(const Summary& summary) {
  std::string text;
  if (!summary.solver.empty()) {
    text += fmt::format(
        "  {}: {}", summary.solver, Counted(summary.steps, "step", "steps"));
    if (summary.rejected_steps > 0) {
      text += fmt::format(", {} rejected", summary.rejected_steps);
    }
  }
  if (summary.events > 0) {
    text += (summary.solver.empty() ? "  " : ", ") +
            Counted(summary.events, "event", "events");
  }
  return text;
}

std::string SolverNotes(const Summary& summary) {
  std::string text;
  if (summary.outcome == RunOutcome::kTerminated) {
    text += "  " + summary.message + "\n";
  }
  for (const MethodSwitch& change : summary.switches) {
    text += fmt::format("  at t = {:.4g} s from {} to {}: {}\n",
                        change.t,
                        change.from,
                        change.to,
                        change.reason);
  }
  return text;
}

std::string FinalText(const Trajectory& run) {
  return InColumns(FinalValues(run));
}

std::string TextReport(const RunResult& result, const RunTiming& timing) {
  return fmt::format("t = {:.6g} s{}  {}\n{}{}",
                     TimeReached(result),
                     SolverText(result.summary),
                     Milliseconds(timing.run_ms),
                     SolverNotes(result.summary),
                     FinalText(result.trajectory));
}

std::string LagLine(const std::optional<LagReport>& lag) {
  if (!lag) {
    return "";
  }
  const auto ms = [](Duration time) {
    return fmt::format("{:.3g} ms", 1e3 * Seconds(time).value);
  };
  return fmt::format(
      "lag at most {} (at t = {}), {} on average; {} of {} late\n",
      ms(lag->max),
      ToText(lag->max_at),
      ms(lag->mean),
      lag->late,
      Counted(lag->instants, "instant", "instants"));
}

std::string EventReport(const EventLog& log) {
  std::vector<std::string> times;
  std::size_t width = 0;
  for (const EventLog::Entry& entry : log.entries()) {
    times.push_back(fmt::format("{} s", entry.t));
    width = std::max(width, times.back().size());
  }
  std::string text;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const EventLog::Entry& entry = log.entries()[i];
    text += fmt::format("  t = {:<{}}  {:<8} {}\n",
                        times[i],
                        width,
                        Describe(entry.direction),
                        log.NameOf(entry));
  }
  return text.empty() ? "  no events\n" : text;
}

}  // namespace orrery::cli
