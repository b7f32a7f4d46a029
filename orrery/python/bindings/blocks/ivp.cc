#include "orrery/python/bindings/blocks/ivp.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "orrery/base/error.h"
#include "orrery/compile/compile.h"
#include "orrery/model/flat_model.h"
#include "orrery/python/bindings/arrays.h"
#include "orrery/python/bindings/background.h"
#include "orrery/python/bindings/beside.h"
#include "orrery/python/bindings/blocks/blocks.h"
#include "orrery/python/bindings/watch.h"
#include "orrery/sdk/model/model.h"
#include "orrery/sim/simulation.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

/// The formulas of a traced model as bytes: models with the same bytes have the
/// same program.
class Fingerprint {
 public:
  /// @returns false for functions that cannot be compared.
  bool Add(ExprGraph& graph) {
    for (std::uint32_t id = 0; id < graph.size(); ++id) {
      if (!Add(graph.At(id))) {
        return false;
      }
    }
    return true;
  }

  void Add(const FlatModel& model) {
    for (const Variable& v : model.variables) {
      Add(v.symbol, v.start, v.nominal, v.binding);
    }
    for (const Equation& e : model.equations) {
      Add(e.left, e.right);
      for (const Expr& iterator : e.iterators) {
        Add(iterator);
      }
    }
    for (const EventHandler& handler : model.handlers) {
      Add(handler.condition);
      for (const EventHandler::Assignment& a : handler.assignments) {
        Add(a.target, a.value);
      }
    }
    for (const Termination& termination : model.terminations) {
      Add(termination.condition);
    }
  }

  [[nodiscard]] py::bytes bytes() const { return {bytes_}; }

 private:
  bool Add(Expr node) {
    Put(node.op());
    Put(node.type());
    for (const std::int64_t extent : node.shape()) {
      Put(extent);
    }
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      Put(node.operand(i).id());
    }
    ExprGraph& graph = node.graph();
    switch (node.op()) {
      case Op::kConstant:
        Put(node.value());
        return true;
      case Op::kArrayConstant:
        for (const double value : graph.ArrayValues(node)) {
          Put(value);
        }
        return true;
      case Op::kIterator:
        Put(graph.IteratorRange(node));
        return true;
      case Op::kOutput:
      case Op::kCall:
      case Op::kOpaque:
        return false;
      default:
        return true;
    }
  }

  template <typename... Exprs>
  void Add(const Expr& first, const Exprs&... rest) {
    for (const Expr& e : {first, rest...}) {
      Put(e ? e.id() : std::numeric_limits<std::uint32_t>::max());
    }
  }

  template <typename T>
  void Put(const T& value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    bytes_.append(bytes, sizeof(T));
  }

  std::string bytes_;
};

SimulationOptions OptionsOf(const py::dict& given) {
  SimulationOptions options{.attendant = TheAttendant()};
  const auto number = [&](const char* name) -> std::optional<Seconds> {
    if (given[name].is_none()) {
      return std::nullopt;
    }
    return Seconds(py::cast<double>(given[name]));
  };
  options.start = number("start");
  options.stop = number("stop");
  options.interval = number("interval");
  options.max_step = number("max_step");
  options.step = number("step");
  options.tolerance = py::cast<double>(given["rtol"]);
  options.absolute_tolerance = py::cast<double>(given["atol"]);
  options.method = MethodFromName(py::cast<std::string>(given["method"]));
  options.output_times = py::cast<std::vector<double>>(given["times"]);
  options.follow = py::cast<std::vector<std::string>>(given["follow"]);
  const auto start = py::cast<std::vector<double>>(given["y0"]);
  for (std::size_t i = 0; i < start.size(); ++i) {
    options.settings.push_back({"y[" + std::to_string(i + 1) + "]", start[i]});
  }
  return options;
}

/// A finished run of an initial value problem.
struct IvpRun {
  RunResult result;
  std::vector<Signal> states;

  /// The values of the states in these rows.
  [[nodiscard]] Numbers Rows(const std::vector<std::size_t>& rows) const {
    Numbers values({states.size(), rows.size()});
    double* next = values.mutable_data();
    for (const Signal& state : states) {
      for (const std::size_t row : rows) {
        *next++ = state[row];
      }
    }
    return values;
  }

  /// The last row of each instant.
  [[nodiscard]] std::vector<std::size_t> Instants() const {
    const auto time = result.trajectory.time();
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < time.size(); ++i) {
      if (i + 1 == time.size() || time[i + 1] != time[i]) {
        rows.push_back(i);
      }
    }
    return rows;
  }

  /// The last rows at these times; times without a row are left out.
  [[nodiscard]] std::vector<std::size_t> RowsAt(
      const std::vector<double>& times) const {
    const auto time = result.trajectory.time();
    std::vector<std::size_t> rows;
    for (const double t : times) {
      const auto next = std::ranges::upper_bound(time, t);
      if (next != time.begin() && *(next - 1) == t) {
        rows.push_back(static_cast<std::size_t>(next - time.begin()) - 1);
      }
    }
    return rows;
  }

  [[nodiscard]] Numbers TimesOf(const std::vector<std::size_t>& rows) const {
    Numbers values(static_cast<py::ssize_t>(rows.size()));
    std::ranges::transform(rows, values.mutable_data(), [&](std::size_t row) {
      return result.trajectory.time()[row];
    });
    return values;
  }

  [[nodiscard]] Numbers At(const Numbers& times) const {
    const auto count = static_cast<std::size_t>(times.size());
    Numbers values({states.size(), count});
    double* next = values.mutable_data();
    for (const Signal& state : states) {
      for (std::size_t i = 0; i < count; ++i) {
        *next++ = state.at(times.data()[i]);
      }
    }
    return values;
  }
};

IvpRun Solve(const std::shared_ptr<const Program>& program,
             const py::dict& given) {
  const SimulationOptions options = OptionsOf(given);
  IvpRun run;
  Watch watch{py::none()};
  {
    const py::gil_scoped_release no_gil;
    run.result = Simulate(program, options, [&](const Progress& now) {
      return watch.GoesOn(now.t);
    });
  }
  watch.RaiseException();
  for (std::size_t i = 1; i <= py::len(given["y0"]); ++i) {
    run.states.push_back(run.result.trajectory["y[" + std::to_string(i) + "]"]);
  }
  return run;
}

/// A model that is compiled once.
struct IvpModel {
  Model model;
  std::shared_ptr<const Program> program = nullptr;
};

}  // namespace

void BindIvp(py::module_& m) {
  py::class_<IvpModel>(m, "IvpModel")
      .def(py::init(
          [](BlockCore& core) { return IvpModel{MakeModel(*core.block)}; }))
      .def("fingerprint",
           [](const IvpModel& its) -> py::object {
             const auto flat = FlatModelOf(its.model);
             Fingerprint print;
             if (!print.Add(*flat->graph)) {
               return py::none();
             }
             print.Add(*flat);
             return print.bytes();
           })
      .def("compile",
           [](IvpModel& its) {
             DoWatched([&](const Watch& /*watch*/) {
               its.program = Compile(its.model);
             });
           })
      .def("solve", [](const IvpModel& its, const py::dict& options) {
        return Solve(its.program, options);
      });
  py::class_<IvpRun>(m, "IvpRun")
      .def_property_readonly(
          "is_complete",
          [](const IvpRun& r) { return r.result.summary.completed(); })
      .def_property_readonly("is_terminated",
                             [](const IvpRun& r) {
                               return r.result.summary.outcome ==
                                      RunOutcome::kTerminated;
                             })
      .def_property_readonly(
          "message", [](const IvpRun& r) { return r.result.summary.message; })
      .def_property_readonly(
          "solver", [](const IvpRun& r) { return r.result.summary.solver; })
      .def_property_readonly("counts",
                             [](const IvpRun& r) {
                               return py::make_tuple(
                                   r.result.summary.rhs_evaluations,
                                   r.result.summary.jacobian_evaluations);
                             })
      .def("steps",
           [](const IvpRun& r) {
             const auto rows = r.Instants();
             return py::make_tuple(r.TimesOf(rows), r.Rows(rows));
           })
      .def("rows_at",
           [](const IvpRun& r, const std::vector<double>& times) {
             const auto rows = r.RowsAt(times);
             return py::make_tuple(r.TimesOf(rows), r.Rows(rows));
           })
      .def("events",
           [](const IvpRun& r, const std::string& name) {
             const auto rows = r.RowsAt(r.result.events.TimesOf(name));
             return py::make_tuple(r.TimesOf(rows), r.Rows(rows));
           })
      .def("at", &IvpRun::At);
}

}  // namespace orrery::python
