#include "orrery/experiment/cluster/run_bytes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "orrery/base/error.h"

namespace orrery::experiment::internal {
namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little,
              "numbers of runs are sent as they stand in memory");

void Append(std::string& bytes, std::span<const double> values) {
  bytes.append(reinterpret_cast<const char*>(values.data()),
               values.size_bytes());
}

// Takes numbers from the front of bytes.
class NumberReader {
 public:
  explicit NumberReader(std::string_view bytes) : bytes_(bytes) {}

  // Number of doubles left.
  [[nodiscard]] std::size_t left() const {
    return bytes_.size() / sizeof(double);
  }

  [[nodiscard]] std::vector<double> Take(std::size_t count) {
    std::vector<double> values(count);
    const auto its = std::as_writable_bytes(std::span(values));
    std::copy_n(bytes_.data(), its.size(), reinterpret_cast<char*>(its.data()));
    bytes_.remove_prefix(its.size());
    return values;
  }

 private:
  std::string_view bytes_;
};

Json AsJson(const SignalInfo& signal) {
  return {{"name", signal.name},
          {"unit", signal.unit},
          {"variability", static_cast<int>(signal.variability)},
          {"column", signal.column},
          {"negated", signal.negated},
          {"value_names", *signal.value_names},
          {"name_with_numbers", signal.name_with_numbers.str()},
          {"derivative", signal.derivative}};
}

std::optional<SignalInfo> SignalOf(const Json& json,
                                   std::size_t columns,
                                   std::size_t signals) {
  SignalInfo signal{
      .name = json.at("name").get<std::string>(),
      .unit = json.at("unit").get<std::string>(),
      .description = {},
      .column = json.at("column").get<int>(),
      .negated = json.at("negated").get<bool>(),
      .derivative = json.at("derivative").get<int>(),
      .name_with_numbers = json.value("name_with_numbers", std::string())};
  auto names = json.at("value_names").get<std::vector<std::string>>();
  if (!names.empty()) {
    signal.value_names.Edit() = std::move(names);
  }
  const int variability = json.at("variability").get<int>();
  const auto is_place = [](int place, std::size_t size) {
    return place == SignalInfo::kNone ||
           (place >= 0 && std::cmp_less(place, size));
  };
  if (variability < 0 ||
      variability > static_cast<int>(SignalVariability::kContinuous) ||
      !is_place(signal.column, columns) ||
      !is_place(signal.derivative, signals)) {
    return std::nullopt;
  }
  signal.variability = static_cast<SignalVariability>(variability);
  return signal;
}

std::optional<std::vector<SignalInfo>> SignalsOf(const Json& list,
                                                 std::size_t columns) {
  std::vector<SignalInfo> signals;
  for (const Json& json : list) {
    std::optional<SignalInfo> signal = SignalOf(json, columns, list.size());
    if (!signal) {
      return std::nullopt;
    }
    signals.push_back(*std::move(signal));
  }
  return signals;
}

// Reads the numbers: times, columns, then the value of each constant signal.
std::optional<Trajectory> TrajectoryOf(std::vector<SignalInfo> signals,
                                       std::size_t rows,
                                       NumberReader numbers) {
  TrajectoryBuilder builder(std::move(signals));
  const std::vector<double> time = numbers.Take(rows);
  if (!std::ranges::all_of(time, [](double t) { return std::isfinite(t); }) ||
      !std::ranges::is_sorted(time)) {
    return std::nullopt;
  }
  const std::shared_ptr<const SignalTable> table = builder.Build().table();
  std::vector<std::vector<double>> columns;
  for (std::size_t k = 0; k < table->columns(); ++k) {
    columns.push_back(numbers.Take(rows));
  }
  for (std::size_t i = 0; i < table->signals().size(); ++i) {
    if (table->signals()[i].column == SignalInfo::kNone) {
      builder.SetConstant(i, numbers.Take(1).front());
    }
  }
  builder.Reserve(rows);
  std::vector<double> row(columns.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      row[k] = columns[k][i];
    }
    builder.Append(time[i], row);
  }
  return builder.Take();
}

std::optional<SubjectRun> RunOf(const Json& json, NumberReader numbers) {
  const auto rows = json.at("rows").get<std::size_t>();
  const auto columns = json.at("columns").get<std::size_t>();
  auto signals = SignalsOf(json.at("signals"), columns);
  if (!signals) {
    return std::nullopt;
  }
  const auto num_constants = static_cast<std::size_t>(std::ranges::count(
      *signals, static_cast<int>(SignalInfo::kNone), &SignalInfo::column));
  // A row has its time, so that neither number exceeds the numbers received.
  const std::size_t left = numbers.left();
  const bool fits = rows <= left && columns <= left &&
                    left == rows * (columns + 1) + num_constants;
  if (!fits) {
    return std::nullopt;
  }
  auto trajectory = TrajectoryOf(*std::move(signals), rows, numbers);
  if (!trajectory || trajectory->table()->columns() != columns) {
    return std::nullopt;
  }
  return SubjectRun{.trajectory = *std::move(trajectory),
                    .events = {},
                    .failure = json.at("failure").get<std::string>()};
}

}  // namespace

std::string ToBytes(const SubjectRun& run) {
  const Trajectory& trajectory = run.trajectory;
  Json signals = Json::array();
  std::vector<double> constants;
  for (std::size_t i = 0; i < trajectory.signals().size(); ++i) {
    const SignalInfo& signal = trajectory.signals()[i];
    signals.push_back(AsJson(signal));
    if (signal.column == SignalInfo::kNone) {
      constants.push_back(trajectory.signal(i)[0]);
    }
  }
  const std::size_t columns = trajectory.table()->columns();
  const Json head = {{"failure", run.failure},
                     {"rows", trajectory.rows()},
                     {"columns", columns},
                     {"signals", std::move(signals)}};
  std::string bytes =
      head.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  Append(bytes, trajectory.time());
  for (std::size_t k = 0; k < columns; ++k) {
    Append(bytes, trajectory.column(k));
  }
  Append(bytes, constants);
  return bytes;
}

std::optional<SubjectRun> SubjectRunFrom(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos ||
      (bytes.size() - end - 1) % sizeof(double) != 0) {
    return std::nullopt;
  }
  try {
    return RunOf(Json::parse(bytes.substr(0, end)),
                 NumberReader(bytes.substr(end + 1)));
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const Error&) {  // Two signals have the same name, or one has none.
    return std::nullopt;
  }
}

}  // namespace orrery::experiment::internal
