#include "orrery/python/bindings/results.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "orrery/plot/plot_spec.h"
#include "orrery/plot/render.h"
#include "orrery/python/bindings/arrays.h"
#include "orrery/python/bindings/errors.h"
#include "orrery/results/csv.h"
#include "orrery/results/hdf5.h"
#include "orrery/results/mat.h"
#include "orrery/results/output_file.h"
#include "orrery/results/trajectory.h"
#include "orrery/results/trajectory_file.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

const char* NameOf(SignalVariability variability) {
  switch (variability) {
    case SignalVariability::kConstant:
      return "constant";
    case SignalVariability::kDiscrete:
      return "discrete";
    case SignalVariability::kContinuous:
      return "continuous";
  }
  return "continuous";
}

SignalVariability VariabilityOf(const std::string& name) {
  return name == "constant"   ? SignalVariability::kConstant
         : name == "discrete" ? SignalVariability::kDiscrete
                              : SignalVariability::kContinuous;
}

std::vector<std::string> NamesOf(const Trajectory& run) {
  std::vector<std::string> names;
  names.reserve(run.signals().size());
  for (const SignalInfo& signal : run.signals()) {
    names.push_back(signal.name);
  }
  return names;
}

std::vector<std::string> NamesWithNumbers(const Trajectory& run) {
  std::vector<std::string> names;
  names.reserve(run.signals().size());
  for (const SignalInfo& signal : run.signals()) {
    names.push_back(signal.name_with_numbers.empty()
                        ? signal.name
                        : signal.name_with_numbers.str());
  }
  return names;
}

py::dict InfoOf(const SignalInfo& signal) {
  py::dict info;
  info["name"] = signal.name;
  info["unit"] = signal.unit;
  info["description"] = signal.description;
  info["variability"] = NameOf(signal.variability);
  info["column"] = signal.column;
  info["negated"] = signal.negated;
  info["derivative"] = signal.derivative;
  info["value_names"] = *signal.value_names;
  info["is_boolean"] = signal.is_boolean();
  info["name_with_numbers"] = signal.name_with_numbers.str();
  return info;
}

SignalInfo InfoFrom(const py::dict& info) {
  SignalInfo signal{
      .name = info["name"].cast<std::string>(),
      .unit = info["unit"].cast<std::string>(),
      .description = info["description"].cast<std::string>(),
      .variability = VariabilityOf(info["variability"].cast<std::string>()),
      .column = info["column"].cast<int>(),
      .negated = info["negated"].cast<bool>(),
      .derivative = info["derivative"].cast<int>(),
      .name_with_numbers = info["name_with_numbers"].cast<std::string>()};
  const auto names = info["value_names"].cast<std::vector<std::string>>();
  if (info["is_boolean"].cast<bool>()) {
    signal.value_names = TruthNames();
  } else if (!names.empty()) {
    signal.value_names.Edit() = names;
  }
  return signal;
}

// The values of a signal in all rows. Those of a column are looked at.
py::array ArrayOf(const py::object& self, std::size_t index) {
  const auto& run = self.cast<const Trajectory&>();
  const SignalInfo& info = run.signals().at(index);
  if (info.column == SignalInfo::kNone) {
    const Signal signal = run.signal(index);
    return run.rows() == 0 ? Frozen({}) : Repeated(signal[0], run.rows());
  }
  if (info.negated) {
    return Frozen(run.signal(index).values());
  }
  return ViewOf(run.column(static_cast<std::size_t>(info.column)), self);
}

py::array ValuesAt(const Trajectory& run,
                   std::size_t index,
                   const Numbers& times,
                   bool is_left) {
  const Signal signal = run.signal(index);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(times.size()));
  for (const double t : SpanOf(times)) {
    values.push_back(is_left ? signal.LeftLimit(t) : signal.at(t));
  }
  return Frozen(std::move(values));
}

// The reverse of InfoOf and ArrayOf, for pickles.
// @throws Error kInvalidArgument if they do not fit together.
Trajectory Restored(const py::list& signals,
                    const Numbers& time,
                    const std::vector<Numbers>& columns,
                    const std::vector<double>& constants) {
  std::vector<SignalInfo> infos;
  for (const py::handle& info : signals) {
    infos.push_back(InfoFrom(info.cast<py::dict>()));
  }
  for (const SignalInfo& info : infos) {
    Require(
        info.column >= SignalInfo::kNone && info.column < std::ssize(columns),
        "the column of a signal");
    Require(info.derivative >= SignalInfo::kNone &&
                info.derivative < std::ssize(infos),
            "the derivative of a signal");
  }
  Require(constants.size() == infos.size(), "the number of constants");
  for (const Numbers& column : columns) {
    Require(column.size() == time.size(), "the length of a column");
  }
  TrajectoryBuilder builder(infos);
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].column == SignalInfo::kNone) {
      builder.SetConstant(i, constants.at(i));
    }
  }
  const std::span<const double> times = SpanOf(time);
  builder.Reserve(times.size());
  std::vector<double> row(columns.size());
  for (std::size_t r = 0; r < times.size(); ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      row[c] = columns[c].data()[r];
    }
    builder.Append(times[r], row);
  }
  return builder.Take();
}

// A table of values over time as a run.
Trajectory ReadCsv(const std::string& path) {
  const Table table = ParseTableOverTime(SourceFile::Read(path));
  std::vector<SignalInfo> signals;
  for (const TableColumn& column : table.columns()) {
    if (&column != &table.times()) {
      signals.push_back({.name = column.name,
                         .unit = column.unit,
                         .column = static_cast<int>(signals.size())});
    }
  }
  TrajectoryBuilder builder(std::move(signals));
  std::vector<double> row;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    row.clear();
    for (const TableColumn& column : table.columns()) {
      if (&column != &table.times()) {
        row.push_back(column.values[r]);
      }
    }
    builder.Append(table.times().values[r], row);
  }
  return builder.Take();
}

Trajectory ReadRun(const std::string& path) {
  const std::string ending = FormatEnding(path);
  if (ending == ".csv") {
    return ReadCsv(path);
  }
  if (ending == ".mat") {
    return ReadMat(path);
  }
  if (ending == ".h5" || ending == ".hdf5") {
    return ReadHdf5(path);
  }
  RefuseEnding("cannot read '" + path + "'", ending, kTrajectoryEndings);
}

std::string SvgOf(const Trajectory& run,
                  const std::string& curves,
                  const std::string& title,
                  int width,
                  int height) {
  return RenderSvg(MakeFigure(run, ParsePlotSpec(curves), title),
                   {.width = width, .height = height});
}

// The columns of a table over time: (name, unit, numbers), the time first.
py::list ReadColumns(const std::string& path) {
  const Table table = ParseTableOverTime(SourceFile::Read(path));
  py::list columns;
  columns.append(py::make_tuple("time", "", Frozen(table.times().values)));
  for (const TableColumn& column : table.columns()) {
    if (&column != &table.times()) {
      columns.append(
          py::make_tuple(column.name, column.unit, Frozen(column.values)));
    }
  }
  return columns;
}

// The names of the columns of a table.
std::vector<std::string> ReadNames(const std::string& path) {
  const Table table = ReadTable(path);
  std::vector<std::string> names;
  names.reserve(table.columns().size());
  for (const TableColumn& column : table.columns()) {
    names.push_back(column.name);
  }
  return names;
}

void BindTrajectory(py::module_& m) {
  py::class_<Trajectory>(m, "Trajectory")
      .def_property_readonly("rows", &Trajectory::rows)
      .def_property_readonly("time",
                             [](const py::object& self) {
                               return ViewOf(
                                   self.cast<const Trajectory&>().time(), self);
                             })
      .def("names", &NamesOf)
      .def("names_with_numbers", &NamesWithNumbers)
      .def("info",
           [](const Trajectory& run, std::size_t index) {
             return InfoOf(run.signals().at(index));
           })
      .def("find",
           [](const Trajectory& run, const std::string& name) {
             return run.table()->Find(name);
           })
      .def("array", &ArrayOf)
      .def("columns",
           [](const Trajectory& run) { return run.table()->columns(); })
      .def("column",
           [](const py::object& self, std::size_t column) {
             return ViewOf(self.cast<const Trajectory&>().column(column), self);
           })
      .def("final",
           [](const Trajectory& run, std::size_t index) {
             return run.signal(index).final();
           })
      .def("at", &ValuesAt)
      .def("save",
           [](const Trajectory& run,
              const std::string& path,
              std::vector<std::string> names) {
             const py::gil_scoped_release free;
             WriteTrajectory(path, run, {.signals = std::move(names)});
           })
      .def("svg", &SvgOf)
      .def_static("restored", &Restored);
}

void BindEventLog(py::module_& m) {
  using Entry = EventLog::Entry;
  py::class_<EventLog>(m, "EventLog")
      .def("__len__", &EventLog::size)
      .def_property_readonly(
          "time",
          [](const py::object& self) {
            const auto& entries = self.cast<const EventLog&>().entries();
            return entries.empty() ? Frozen({})
                                   : ViewOf(&entries.data()->t,
                                            entries.size(),
                                            sizeof(Entry),
                                            self);
          })
      .def("names",
           [](const EventLog& log) {
             py::list names;
             for (const Entry& entry : log.entries()) {
               names.append(log.NameOf(entry));
             }
             return names;
           })
      .def("directions", [](const EventLog& log) {
        py::list names;
        for (const Entry& entry : log.entries()) {
          names.append(std::string(Describe(entry.direction)));
        }
        return names;
      });
}

}  // namespace

py::dict ToPython(const Summary& summary) {
  py::list switches;
  for (const MethodSwitch& its : summary.switches) {
    switches.append(py::make_tuple(
        its.t, std::string(its.from), std::string(its.to), its.reason));
  }
  using py::literals::operator""_a;
  return py::dict("outcome"_a = std::string(Describe(summary.outcome)),
                  "completed"_a = summary.completed(),
                  "message"_a = summary.message,
                  "start"_a = summary.start,
                  "end_time"_a = summary.end_time,
                  "stop"_a = summary.stop,
                  "solver"_a = summary.solver,
                  "switches"_a = switches,
                  "events"_a = summary.events,
                  "steps"_a = summary.steps,
                  "rejected_steps"_a = summary.rejected_steps,
                  "rhs_evaluations"_a = summary.rhs_evaluations,
                  "jacobian_evaluations"_a = summary.jacobian_evaluations,
                  "loop_iterations"_a = summary.loop_iterations);
}

py::tuple ToPython(RunResult result, const py::object& exception) {
  return py::make_tuple(std::move(result.trajectory),
                        std::move(result.events),
                        std::make_unique<Summary>(std::move(result.summary)),
                        exception);
}

void BindResults(py::module_& m) {
  BindTrajectory(m);
  BindEventLog(m);
  py::class_<Summary>(m, "Summary")
      .def_property_readonly("completed",
                             [](const Summary& its) { return its.completed(); })
      .def_property_readonly("was_interrupted",
                             [](const Summary& its) {
                               return its.outcome == RunOutcome::kInterrupted;
                             })
      .def_readonly("message", &Summary::message)
      .def("diagnostics",
           [](const Summary& its) { return ToPython(its.diagnostics); })
      .def("fields", [](const Summary& its) { return ToPython(its); });
  m.def("read_table", &ReadColumns);
  m.def("read_names", &ReadNames);
  m.def("read_trajectory", [](const std::string& path) {
    const py::gil_scoped_release free;
    return ReadRun(path);
  });
}

}  // namespace orrery::python
