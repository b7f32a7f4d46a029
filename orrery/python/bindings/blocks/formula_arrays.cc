#include "orrery/python/bindings/blocks/formula_arrays.h"

#include <cstdint>
#include <string>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "orrery/python/bindings/blocks/formulas.h"
#include "orrery/symbolic/element.h"
#include "orrery/symbolic/transform.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

/// A shape and iterators over it; makes loops around a formula of them.
class Loops {
 public:
  Loops(ExprGraph& graph, const Shape& shape)
      : graph_(graph), iterators_(MakeIterators(graph, shape)) {}

  [[nodiscard]] Expr At(Expr array) const {
    return ElementOf(array, iterators_);
  }

  [[nodiscard]] Expr Around(Op op, Expr body) const {
    for (std::size_t k = iterators_.size(); k-- > 0;) {
      body = graph_.Loop(op, iterators_[k], body);
    }
    return body;
  }

 private:
  ExprGraph& graph_;
  std::vector<Expr> iterators_;
};

Formula Reduce(const Formula& array, Op op) {
  const Expr expr = array.expr();
  const Loops loops(expr.graph(), expr.shape());
  return {loops.Around(op, loops.At(expr)), array.trace()};
}

/// A subscript of Python, from 0 on, as one of the engine, from 1 on.
std::int64_t SubscriptOf(py::handle number, std::int64_t extent) {
  const auto index = PyNumber_AsSsize_t(number.ptr(), PyExc_IndexError);
  if (PyErr_Occurred() != nullptr) {
    throw py::error_already_set();
  }
  if (index < -extent || index >= extent) {
    throw py::index_error("no element " + std::to_string(index) + " among " +
                          std::to_string(extent));
  }
  return (index < 0 ? index + extent : index) + 1;
}

py::tuple AsTuple(const py::object& key) {
  return PyTuple_Check(key.ptr()) ? py::cast<py::tuple>(key)
                                  : py::make_tuple(key);
}

void CheckSubscripts(const py::tuple& keys, const Shape& shape) {
  if (shape.empty()) {
    throw py::type_error(Here() + "cannot take elements: it is a scalar");
  }
  if (keys.size() > shape.size()) {
    throw py::index_error(std::to_string(keys.size()) +
                          " subscripts for an array of " +
                          std::to_string(shape.size()) + " dimensions");
  }
}

/// An element or, by slices, a part of an array: a loop over the elements.
Formula Subscript(const Formula& array, const py::object& key) {
  const Expr expr = array.expr();
  ExprGraph& graph = expr.graph();
  const py::tuple keys = AsTuple(key);
  const Shape shape = expr.shape();
  CheckSubscripts(keys, shape);
  std::vector<Expr> subscripts;
  std::vector<Expr> loops;
  for (std::size_t d = 0; d < keys.size(); ++d) {
    const py::object at = keys[d];
    if (PySlice_Check(at.ptr())) {
      Py_ssize_t start = 0;
      Py_ssize_t stop = 0;
      Py_ssize_t step = 0;
      if (PySlice_Unpack(at.ptr(), &start, &stop, &step) < 0) {
        throw py::error_already_set();
      }
      const Py_ssize_t count =
          PySlice_AdjustIndices(shape[d], &start, &stop, step);
      if (count == 0) {
        throw py::value_error(Here() + "cannot take an empty part of an array");
      }
      loops.push_back(
          graph.Iterator("s" + std::to_string(d + 1),
                         {.start = start + 1, .step = step, .count = count}));
      subscripts.push_back(loops.back());
    } else if (PyIndex_Check(at.ptr()) && !py::isinstance<Formula>(at) &&
               !py::isinstance<PyQuantity>(at)) {
      subscripts.push_back(graph.Constant(
          static_cast<double>(SubscriptOf(at, shape[d])), ValueType::kInteger));
    } else {
      subscripts.push_back(
          graph.Binary(Op::kAdd,
                       ToExpr(at, array.trace()),
                       graph.Constant(1, ValueType::kInteger)));
    }
  }
  Expr result = ElementOf(expr, subscripts);
  for (std::size_t k = loops.size(); k-- > 0;) {
    result = graph.Loop(Op::kBuild, loops[k], result);
  }
  return {result, array.trace()};
}

/// The elements as an array of objects.
py::object ToObjects(const Formula& formula) {
  const Expr expr = formula.expr();
  const Shape shape = expr.shape();
  py::list elements;
  if (shape.empty()) {
    elements.append(formula);
  } else {
    std::vector<Expr> at(shape.size());
    const std::int64_t count = NumElements(shape);
    for (std::int64_t flat = 0; flat < count; ++flat) {
      std::int64_t rest = flat;
      for (std::size_t d = shape.size(); d-- > 0;) {
        at[d] = expr.graph().Constant(static_cast<double>(rest % shape[d] + 1),
                                      ValueType::kInteger);
        rest /= shape[d];
      }
      elements.append(Formula(ElementOf(expr, at), formula.trace()));
    }
  }
  const py::module_ numpy = py::module_::import("numpy");
  py::object result = numpy.attr("empty")(py::len(elements), "O");
  for (std::size_t i = 0; i < elements.size(); ++i) {
    result[py::int_(i)] = elements[i];
  }
  return result.attr("reshape")(py::tuple(py::cast(shape)));
}

}  // namespace

Expr ElementOf(Expr array, std::span<const Expr> subscripts) {
  if (subscripts.empty()) {
    return array;
  }
  const Expr element = ElementAt(array, subscripts);
  return element ? element : array.graph().Index(array, subscripts);
}

Formula MatMul(py::handle a, py::handle b) {
  auto trace = TraceOf(a);
  trace = trace == nullptr ? TraceOf(b) : trace;
  const Expr left = ToExpr(a, trace);
  const Expr right = ToExpr(b, trace);
  const Shape x = left.shape();
  const Shape y = right.shape();
  if (x.empty() || y.empty() || x.size() > 2 || y.size() > 2 ||
      x.back() != y.front()) {
    throw py::value_error(
        Here() +
        "cannot multiply by @: give vectors and matrices whose inner "
        "dimensions agree");
  }
  ExprGraph& graph = left.graph();
  const Expr k =
      graph.Iterator("k", {.start = 1, .step = 1, .count = x.back()});
  std::vector<Expr> outer;
  std::vector<Expr> at_left = {k};
  std::vector<Expr> at_right = {k};
  if (x.size() == 2) {
    outer.push_back(
        graph.Iterator("i", {.start = 1, .step = 1, .count = x.front()}));
    at_left.insert(at_left.begin(), outer.back());
  }
  if (y.size() == 2) {
    outer.push_back(
        graph.Iterator("j", {.start = 1, .step = 1, .count = y.back()}));
    at_right.push_back(outer.back());
  }
  Expr result = graph.Loop(
      Op::kSum, k, ElementOf(left, at_left) * ElementOf(right, at_right));
  for (std::size_t i = outer.size(); i-- > 0;) {
    result = graph.Loop(Op::kBuild, outer[i], result);
  }
  return {result, trace};
}

void BindArrays(py::class_<Formula>& formula) {
  formula
      .def_property_readonly("shape",
                             [](const Formula& f) {
                               return py::tuple(py::cast(f.expr().shape()));
                             })
      .def("__getitem__", &Subscript)
      .def("__len__",
           [](const Formula& f) {
             const Shape& shape = f.expr().shape();
             if (shape.empty()) {
               throw py::type_error(Here() + "a scalar formula has no length");
             }
             return shape.front();
           })
      .def("_objects", &ToObjects)
      .def("_sum", [](const Formula& f) { return Reduce(f, Op::kSum); })
      .def("_prod", [](const Formula& f) { return Reduce(f, Op::kProduct); })
      .def("_min", [](const Formula& f) { return Reduce(f, Op::kMinimum); })
      .def("_max", [](const Formula& f) { return Reduce(f, Op::kMaximum); });
}

}  // namespace orrery::python
