#include "orrery/python/bindings/options.h"

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include <pybind11/stl.h>

#include "orrery/base/error.h"
#include "orrery/python/bindings/arrays.h"
#include "orrery/python/bindings/background.h"
#include "orrery/results/csv.h"
#include "orrery/solver/method.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

std::shared_ptr<const Table> TableFrom(const py::handle& inputs) {
  const auto [name, columns] = inputs.cast<std::pair<std::string, py::list>>();
  std::vector<TableColumn> its;
  for (const py::handle& column : columns) {
    auto [title, unit, numbers] =
        column.cast<std::tuple<std::string, std::string, Numbers>>();
    const std::span<const double> values = SpanOf(numbers);
    its.push_back({.name = std::move(title),
                   .unit = std::move(unit),
                   .values = {values.begin(), values.end()}});
  }
  return std::make_shared<const Table>(name, std::move(its));
}

void Take(const std::string& name,
          const py::handle& value,
          SimulationOptions& options) {
  const auto names = [&] {
    return value.cast<std::vector<std::string>>();
  };
  const auto times = [&] {
    const auto numbers = value.cast<Numbers>();
    const std::span<const double> all = SpanOf(numbers);
    return std::vector<double>(all.begin(), all.end());
  };
  if (name == "start") {
    options.start = value.cast<double>();
  } else if (name == "stop") {
    options.stop = value.cast<double>();
  } else if (name == "tolerance") {
    options.tolerance = value.cast<double>();
  } else if (name == "absolute_tolerance") {
    options.absolute_tolerance = value.cast<double>();
  } else if (name == "method") {
    options.method = MethodFromName(value.cast<std::string>());
  } else if (name == "step") {
    options.step = value.cast<double>();
  } else if (name == "interval") {
    options.interval = value.cast<double>();
  } else if (name == "output_times") {
    options.output_times = times();
  } else if (name == "step_times") {
    options.step_times = times();
  } else if (name == "max_step") {
    options.max_step = value.cast<double>();
  } else if (name == "max_steps") {
    options.max_steps = value.cast<std::int64_t>();
  } else if (name == "max_consecutive_events") {
    options.max_consecutive_events = value.cast<int>();
  } else if (name == "sliding") {
    options.sliding = value.cast<bool>();
  } else if (name == "code") {
    options.code = CodeChoiceFromName(value.cast<std::string>());
  } else if (name == "inputs") {
    options.inputs = TableFrom(value);
  } else if (name == "sensitivities") {
    options.sensitivities = names();
  } else if (name == "record") {
    options.record = names();
  } else if (name == "follow") {
    options.follow = names();
  } else {
    throw Error(ErrorCode::kInternal, "no option of a run: " + name);
  }
}

}  // namespace

SimulationOptions OptionsFrom(const py::dict& options) {
  SimulationOptions result{.attendant = TheAttendant()};
  for (const auto& [name, value] : options) {
    Take(name.cast<std::string>(), value, result);
  }
  return result;
}

std::vector<Setting> SettingsFrom(const py::dict& numbers) {
  std::vector<Setting> settings;
  settings.reserve(numbers.size());
  for (const auto& [name, value] : numbers) {
    settings.push_back(
        {.name = name.cast<std::string>(), .value = value.cast<double>()});
  }
  return settings;
}

}  // namespace orrery::python
