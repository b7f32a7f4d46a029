#include "orrery/python/bindings/timeline/variable.h"

#include <string>

#include "orrery/base/error.h"
#include "orrery/python/bindings/py_types.h"
#include "orrery/python/bindings/py_value.h"
#include "orrery/python/bindings/tasks/conditions.h"
#include "orrery/python/bindings/tasks/waits.h"

namespace py = pybind11;

namespace orrery::python {

namespace {

// `variable` REL `bound`, as a condition.
py::object CompareVariable(const py::object& self,
                           const py::object& bound,
                           int relation) {
  const auto& its = self.cast<const Variable&>();
  const PyValue keeps = PyValue::Borrow(self.ptr());
  if (const auto number = AsNumber(bound.ptr())) {
    return py::reinterpret_steal<py::object>(NewCondition(
        AnyCondition::Of(keeps,
                         VariableComparison<process::internal::Constant>(
                             its.variable, RelationOf(relation), {*number}))));
  }
  if (const auto term = TermOf(bound.ptr())) {
    return py::reinterpret_steal<py::object>(NewCondition(
        AnyCondition::Of(keeps,
                         VariableComparison<AnyTerm>(
                             its.variable, RelationOf(relation), *term))));
  }
  throw Error(ErrorCode::kInvalidArgument,
              "cannot compare '" + its.variable.name() + "' with " +
                  ReprOf(bound.ptr()) +
                  ": give a number or a cell; for two quantities of the "
                  "equations add their difference to these");
}

template <int kRelation>
py::object Compare(const py::object& self, const py::object& bound) {
  return CompareVariable(self, bound, kRelation);
}

// A crossing or a series of samples, with the simulation it is of.
Crossing CrossingOf(const Variable& its,
                    double threshold,
                    Direction direction) {
  return {
      .quantity = its.variable, .threshold = threshold, .direction = direction};
}

}  // namespace

void BindVariable(py::module_& m) {
  py::class_<Crossing>(m, "Crossing", "An event that a connection is told of.");
  py::class_<Sampled>(m, "Sampled", "Samples of a quantity.");
  py::class_<Crossed>(m, "Crossed", "A crossing, as a function sees it.")
      .def_readonly("value", &Crossed::value)
      .def_property_readonly("is_rising", [](const Crossed& crossed) {
        return crossed.direction == Direction::kRising;
      });
  py::class_<Variable>(m, "Variable", "A quantity of the equations.")
      .def_property_readonly(
          "name", [](const Variable& its) { return its.variable.name(); })
      .def_property_readonly(
          "value",
          [](const Variable& its) { return its.variable.Get(); },
          "The value at the end of the last microstep.")
      .def(
          "set",
          [](const Variable& its, double value) { its.variable.Set(value); },
          py::arg("value"),
          "Sets an input or a state, at once; an input keeps the value.")
      .def(
          "rises",
          [](const Variable& its, double threshold) {
            return CrossingOf(its, threshold, Direction::kRising);
          },
          py::arg("threshold"),
          "It comes to the threshold from below.")
      .def(
          "falls",
          [](const Variable& its, double threshold) {
            return CrossingOf(its, threshold, Direction::kFalling);
          },
          py::arg("threshold"),
          "It comes to the threshold from above.")
      .def(
          "crosses",
          [](const Variable& its, double threshold) {
            return CrossingOf(its, threshold, Direction::kEither);
          },
          py::arg("threshold"),
          "It comes to the threshold.")
      .def(
          "every",
          [](const Variable& its,
             const py::object& interval,
             const py::object& offset) {
            return Sampled{.quantity = its.variable,
                           .interval = DurationOf(interval.ptr()),
                           .offset = DurationOf(offset.ptr())};
          },
          py::arg("interval"),
          py::arg("offset") = 0.0,
          "Its values at equal intervals.")
      .def("__lt__", &Compare<Py_LT>)
      .def("__le__", &Compare<Py_LE>)
      .def("__gt__", &Compare<Py_GT>)
      .def("__ge__", &Compare<Py_GE>);
}

}  // namespace orrery::python
