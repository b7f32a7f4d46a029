#include "orrery/server/results/windows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/server/http/json_response.h"
#include "orrery/server/http/parse_json.h"
#include "orrery/server/http/small_letters.h"
#include "orrery/server/results/binary_table.h"

namespace orrery::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kBins = 20;

Json NumberOrNull(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

// Numbers of values in parts of equal width from the least to the greatest.
Json HistogramOf(const std::vector<double>& column,
                 const std::vector<std::size_t>& chosen) {
  double low = kInfinity;
  double high = -kInfinity;
  for (const std::size_t run : chosen) {
    if (std::isfinite(column[run])) {
      low = std::min(low, column[run]);
      high = std::max(high, column[run]);
    }
  }
  std::array<std::int64_t, kBins> counts{};
  for (const std::size_t run : chosen) {
    if (!std::isfinite(column[run])) {
      continue;
    }
    // Both may be large: their difference would not be finite.
    const double part =
        high > low ? (column[run] / 2 - low / 2) / (high / 2 - low / 2) : 0;
    const auto bin = static_cast<std::size_t>(part * kBins);
    ++counts.at(std::min(bin, kBins - 1));
  }
  return {{"min", NumberOrNull(low)},
          {"max", NumberOrNull(high)},
          {"counts", counts}};
}

Json ColumnsAsJson(const RunTable& table) {
  Json columns = Json::array();
  for (const RunColumn& column : table.columns) {
    columns.push_back({{"name", column.name},
                       {"unit", column.unit},
                       {"varied", column.role == RunColumn::Role::kVaried}});
  }
  return columns;
}

std::span<const std::size_t> PartOf(const std::vector<std::size_t>& chosen,
                                    const Window& window) {
  const std::size_t begin = std::min(window.offset, chosen.size());
  return std::span(chosen).subspan(
      begin, std::min(window.limit, chosen.size() - begin));
}

const char* KindOf(const SignalEntry& entry) {
  if (entry.signal == nullptr) {
    return "component";
  }
  switch (entry.signal->variability) {
    case SignalVariability::kConstant:
      return "constant";
    case SignalVariability::kDiscrete:
      return "discrete";
    case SignalVariability::kContinuous:
      return "continuous";
  }
  return "";
}

}  // namespace

std::string RunsAsJson(const RunTable& table,
                       const std::vector<std::size_t>& chosen,
                       const Window& window,
                       const std::vector<RunFailure>& failures) {
  std::map<std::int64_t, std::string> messages;
  for (const RunFailure& failure : failures) {
    messages.emplace(failure.run, failure.message);
  }
  Json rows = Json::array();
  for (const std::size_t run : PartOf(chosen, window)) {
    Json values = Json::array();
    for (const std::vector<double>& column : table.values) {
      values.push_back(NumberOrNull(column[run]));
    }
    rows.push_back({{"run", run},
                    {"status", std::string(Describe(table.status[run]))},
                    {"values", std::move(values)}});
    const auto message = messages.find(static_cast<std::int64_t>(run));
    if (message != messages.end()) {
      rows.back()["message"] = message->second;
    }
  }
  Json columns = ColumnsAsJson(table);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    columns[c]["histogram"] = HistogramOf(table.values[c], chosen);
  }
  return PrintJson({{"total", chosen.size()},
                    {"columns", std::move(columns)},
                    {"rows", std::move(rows)}});
}

std::string RunsAsBytes(const RunTable& table,
                        const std::vector<std::size_t>& chosen,
                        const Window& window) {
  const std::span<const std::size_t> part = PartOf(chosen, window);
  std::vector<std::vector<double>> columns(table.columns.size() + 2);
  for (const std::size_t run : part) {
    columns[0].push_back(static_cast<double>(run));
    columns[1].push_back(static_cast<double>(table.status[run]));
    for (std::size_t c = 0; c < table.values.size(); ++c) {
      columns[c + 2].push_back(table.values[c][run]);
    }
  }
  Json names = {{{"name", "run"}, {"unit", ""}},
                {{"name", "status"}, {"unit", ""}}};
  for (Json& column : ColumnsAsJson(table)) {
    names.push_back(std::move(column));
  }
  return BinaryTable(PrintJson({{"total", chosen.size()},
                                {"rows", part.size()},
                                {"columns", std::move(names)}}),
                     columns);
}

std::string SignalsAsJson(const SignalWindow& window, const Trajectory& last) {
  Json items = Json::array();
  for (const SignalEntry& entry : window.entries) {
    const bool has_value =
        entry.signal != nullptr && last.rows() > 0 && last.Contains(entry.name);
    items.push_back(
        {{"name", entry.name},
         {"unit", entry.signal == nullptr ? "" : entry.signal->unit},
         {"text", entry.signal == nullptr ? "" : entry.signal->description},
         {"kind", KindOf(entry)},
         {"last", has_value ? NumberOrNull(last[entry.name].final()) : Json()},
         {"children", entry.children},
         {"events", 0}});
  }
  return PrintJson({{"total", window.total}, {"items", std::move(items)}});
}

std::string CurvesAsBytes(const Trajectory& run, const CurvesWanted& wanted) {
  std::vector<Signal> signals;
  if (!wanted.x.empty()) {
    signals.push_back(run[wanted.x]);
  }
  for (const std::string& name : wanted.names) {
    signals.push_back(run[name]);
  }
  const bool is_empty = run.rows() == 0;
  const double begin = is_empty ? 0 : run.time().front();
  const double end = is_empty ? 0 : run.time().back();
  const DrawnRange range{.from = wanted.from.value_or(begin),
                         .to = wanted.to.value_or(end),
                         .pixels = wanted.pixels};
  const std::vector<std::size_t> rows = RowsToDraw(run, signals, range);
  Json names = Json::array();
  std::vector<std::vector<double>> columns;
  if (wanted.x.empty()) {
    names.push_back({{"name", "time"}, {"unit", "s"}});
    std::vector<double>& time = columns.emplace_back();
    for (const std::size_t row : rows) {
      time.push_back(run.time()[row]);
    }
  }
  for (const Signal& signal : signals) {
    names.push_back(
        {{"name", signal.name()},
         {"unit", signal.unit()},
         {"discrete",
          signal.info().variability != SignalVariability::kContinuous}});
    std::vector<double>& values = columns.emplace_back();
    for (const std::size_t row : rows) {
      values.push_back(signal[row]);
    }
  }
  return BinaryTable(PrintJson({{"columns", std::move(names)},
                                {"rows", rows.size()},
                                {"from", range.from},
                                {"to", range.to},
                                {"begin", begin},
                                {"end", end}}),
                     columns);
}

std::string EventsAsJson(const EventLog& events, const EventsWanted& wanted) {
  const std::string text = InSmallLetters(wanted.text);
  Json items = Json::array();
  std::size_t total = 0;
  for (const EventLog::Entry& entry : events.entries()) {
    const std::string& name = events.NameOf(entry);
    if (entry.t < wanted.from.value_or(-kInfinity) ||
        entry.t > wanted.to.value_or(kInfinity) ||
        InSmallLetters(name).find(text) == std::string::npos) {
      continue;
    }
    if (total >= wanted.window.offset && items.size() < wanted.window.limit) {
      // The component of an event that has a plain name.
      const bool is_name = name.find_first_of(" <>=()") == std::string::npos;
      const std::size_t dot = is_name ? name.rfind('.') : std::string::npos;
      items.push_back(
          {{"time", entry.t},
           {"kind", std::string(Describe(entry.direction))},
           {"text", name},
           {"component", dot == std::string::npos ? "" : name.substr(0, dot)}});
    }
    ++total;
  }
  return PrintJson({{"total", total}, {"items", std::move(items)}});
}

}  // namespace orrery::server
