#include "orrery/python/bindings/blocks/formulas.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "orrery/python/bindings/arrays.h"
#include "orrery/python/bindings/blocks/formula_arrays.h"
#include "orrery/symbolic/print/print.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

// NOLINTNEXTLINE(*-avoid-non-const-global-variables): one of each thread.
thread_local std::shared_ptr<Trace> current_trace;

[[noreturn]] void NoTruth() {
  throw py::type_error(
      Here() +
      "cannot decide by a formula: it has no value while equations are "
      "traced; write where(condition, a, b) for a value that depends on it, "
      "when(condition) for an event, and_, or_ and not_ in a condition, "
      "maximum and minimum in place of max and min");
}

[[noreturn]] void HasEnded() {
  throw py::value_error(
      Here() +
      "cannot use this formula any more: it was made in a call of equations "
      "that has ended; make it again where you need it");
}

[[noreturn]] void NoNumber() {
  throw py::type_error(
      Here() +
      "cannot make a number of a formula: it has no value while equations are "
      "traced; use orrery.sin or numpy.sin in place of math.sin and its kind, "
      "and .value for the number of a parameter");
}

bool IsArray(py::handle value) {
  return py::isinstance<py::array>(value);
}

bool IsList(py::handle value) {
  return PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()) ||
         (IsArray(value) && py::cast<py::array>(value).dtype().kind() == 'O' &&
          py::cast<py::array>(value).ndim() > 0);
}

Expr FromNumbers(py::handle value, ExprGraph& graph) {
  const bool is_text =
      PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr());
  const Numbers numbers = is_text ? Numbers() : Numbers::ensure(value);
  if (is_text || !numbers) {
    PyErr_Clear();
    throw py::type_error(
        Here() + "cannot use " + std::string(py::repr(value)) +
        " in a formula: it is of type " +
        std::string(py::str(py::type::handle_of(value).attr("__name__"))) +
        "; give numbers, quantities of the block or formulas");
  }
  const bool is_truth =
      IsArray(value) && py::cast<py::array>(value).dtype().kind() == 'b';
  const ValueType type = is_truth ? ValueType::kBoolean : ValueType::kReal;
  if (numbers.ndim() == 0) {
    return graph.Constant(*numbers.data(), type);
  }
  return graph.ArrayConstant(
      std::span(numbers.data(), static_cast<std::size_t>(numbers.size())),
      Shape(numbers.shape(), numbers.shape() + numbers.ndim()),
      type);
}

struct Operator {
  const char* name = "";
  Op op = Op::kConstant;
  bool is_reflected = false;
};

constexpr std::array<Operator, 18> kBinary = {{
    {"__add__", Op::kAdd},
    {"__radd__", Op::kAdd, true},
    {"__sub__", Op::kSubtract},
    {"__rsub__", Op::kSubtract, true},
    {"__mul__", Op::kMultiply},
    {"__rmul__", Op::kMultiply, true},
    {"__truediv__", Op::kDivide},
    {"__rtruediv__", Op::kDivide, true},
    {"__pow__", Op::kPower},
    {"__rpow__", Op::kPower, true},
    {"__mod__", Op::kMod},
    {"__rmod__", Op::kMod, true},
    {"__lt__", Op::kLess},
    {"__gt__", Op::kLess, true},
    {"__le__", Op::kLessEqual},
    {"__ge__", Op::kLessEqual, true},
    {"__and__", Op::kAnd},
    {"__or__", Op::kOr},
}};

constexpr std::array<Operator, 3> kUnary = {{
    {"__neg__", Op::kNegate},
    {"__abs__", Op::kAbs},
    {"__invert__", Op::kNot},
}};

// Names of operations in Python, those of numpy where it has one.
constexpr std::array<Operator, 32> kNamed = {{
    {"abs", Op::kAbs},
    {"sign", Op::kSign},
    {"sqrt", Op::kSqrt},
    {"exp", Op::kExp},
    {"log", Op::kLog},
    {"log10", Op::kLog10},
    {"sin", Op::kSin},
    {"cos", Op::kCos},
    {"tan", Op::kTan},
    {"arcsin", Op::kAsin},
    {"arccos", Op::kAcos},
    {"arctan", Op::kAtan},
    {"sinh", Op::kSinh},
    {"cosh", Op::kCosh},
    {"tanh", Op::kTanh},
    {"floor", Op::kFloor},
    {"ceil", Op::kCeil},
    {"add", Op::kAdd},
    {"subtract", Op::kSubtract},
    {"multiply", Op::kMultiply},
    {"divide", Op::kDivide},
    {"power", Op::kPower},
    {"arctan2", Op::kAtan2},
    {"minimum", Op::kMin},
    {"maximum", Op::kMax},
    {"mod", Op::kMod},
    {"fmod", Op::kRem},
    {"quotient", Op::kQuotient},
    {"not_equal", Op::kNotEqual},
    {"and_", Op::kAnd},
    {"or_", Op::kOr},
    {"not_", Op::kNot},
}};

/// The operation on numbers, to the bits of runs.
py::object OnNumbers(Op op, std::initializer_list<py::handle> arguments) {
  std::array<double, 3> numbers{};
  std::size_t count = 0;
  for (const py::handle argument : arguments) {
    numbers.at(count++) = py::cast<double>(argument);
  }
  const double result = EvaluateOp(op, numbers[0], numbers[1], numbers[2]);
  const bool is_truth = op == Op::kAnd || op == Op::kOr || op == Op::kNot ||
                        (op >= Op::kLess && op <= Op::kNotEqual);
  return is_truth ? py::object(py::bool_(result != 0))
                  : py::object(py::float_(result));
}

PyEquation Equate(const py::object& a, const py::object& b) {
  auto trace = TraceOf(a);
  trace = trace == nullptr ? TraceOf(b) : trace;
  return {{ToExpr(a, trace), trace}, {ToExpr(b, trace), trace}};
}

/// The formula of an argument of a function that works in `equations` only.
Formula FormulaOf(const py::object& value) {
  auto trace = TraceOf(value);
  trace = trace == nullptr ? Trace::Current() : trace;
  if (trace == nullptr) {
    throw py::value_error(
        "this function makes a formula: call it in the equations of a block");
  }
  if (trace->equations == nullptr) {
    HasEnded();
  }
  return {ToExpr(value, trace), trace};
}

void BindFunctions(py::module_& m) {
  for (const Operator& named : kNamed) {
    const Op op = named.op;
    if (ElementwiseOperands(op) == 1) {
      m.def(named.name, [op](const py::object& a) { return Apply(op, {a}); });
    } else {
      m.def(named.name, [op](const py::object& a, const py::object& b) {
        return Apply(op, {a, b});
      });
    }
  }
  m.def("where",
        [](const py::object& condition,
           const py::object& a,
           const py::object& b) {
          return Apply(Op::kSelect, {condition, a, b});
        });
  m.def("is_formula",
        [](const py::object& value) { return TraceOf(value) != nullptr; });
  m.def("der", [](const py::object& value) {
    const Formula a = FormulaOf(value);
    const Expr expr = a.expr();
    Expr base = expr;
    while (base.op() == Op::kBuild || base.op() == Op::kIndex) {
      base = base.operand(base.op() == Op::kBuild ? 1 : 0);
    }
    if (base.op() == Op::kSymbol) {  // Says that the state has a derivative.
      static_cast<void>(a.trace()->equations->Der(base));
    }
    return Formula(expr.graph().Der(expr), a.trace());
  });
  m.def("pre", [](const py::object& value) {
    const Formula a = FormulaOf(value);
    return Formula(a.expr().graph().Pre(a.expr()), a.trace());
  });
  m.def("no_event", [](const py::object& value) {
    const Formula a = FormulaOf(value);
    return Formula(a.expr().graph().NoEvent(a.expr()), a.trace());
  });
  m.def("sample", [](const py::object& start, const py::object& interval) {
    const Formula a = FormulaOf(start);
    const Formula b = FormulaOf(interval);
    return Formula(a.expr().graph().Sample(a.expr(), b.expr()), a.trace());
  });
  m.def("delay",
        [](const py::object& value, const py::object& by, double most) {
          const Formula a = FormulaOf(value);
          const Expr delay = ToExpr(by, a.trace());
          return Formula(a.trace()->equations->Delay(a.expr(), delay, most),
                         a.trace());
        });
  m.def("symbol_of_run", [](const std::string& name) {
    const Formula zero = FormulaOf(py::float_(0.0));
    const EquationSet& eq = *zero.trace()->equations;
    return Formula(name == "time"      ? eq.time()
                   : name == "initial" ? eq.initial()
                                       : eq.terminal(),
                   zero.trace());
  });
  m.def("matmul", &MatMul);
}

}  // namespace

const std::shared_ptr<Trace>& Trace::Current() {
  return current_trace;
}

std::shared_ptr<Trace> Trace::SetCurrent(std::shared_ptr<Trace> trace) {
  return std::exchange(current_trace, std::move(trace));
}

std::string Here() {
  if (current_trace != nullptr && !current_trace->place.empty()) {
    return current_trace->place;
  }
  // The innermost frame that belongs to the author of the block.
  auto frame = py::reinterpret_borrow<py::object>(
      reinterpret_cast<PyObject*>(PyEval_GetFrame()));
  while (frame && !frame.is_none()) {
    const auto module = py::cast<std::string>(
        py::str(frame.attr("f_globals").attr("get")("__name__", "")));
    if (!module.starts_with("orrery.") && !module.starts_with("numpy.")) {
      return py::cast<std::string>(frame.attr("f_code").attr("co_filename")) +
             ":" + py::cast<std::string>(py::str(frame.attr("f_lineno"))) +
             ": ";
    }
    frame = frame.attr("f_back");
  }
  return "";
}

Expr Formula::expr() const {
  if (trace_->equations == nullptr) {
    HasEnded();
  }
  return expr_;
}

std::shared_ptr<Trace> TraceOf(py::handle value) {
  if (py::isinstance<Formula>(value)) {
    return py::cast<const Formula&>(value).trace();
  }
  if (py::isinstance<PyQuantity>(value)) {
    return py::cast<const PyQuantity&>(value).formula().trace();
  }
  if (py::isinstance<PyEquation>(value)) {
    return py::cast<const PyEquation&>(value).left.trace();
  }
  if (IsList(value)) {
    for (const py::handle item : value) {
      if (auto trace = TraceOf(item); trace != nullptr) {
        return trace;
      }
    }
  }
  return nullptr;
}

Expr ToExpr(py::handle value, const std::shared_ptr<Trace>& trace) {
  ExprGraph& graph = trace->equations->graph();
  if (PyFloat_CheckExact(value.ptr())) {
    return graph.Constant(PyFloat_AS_DOUBLE(value.ptr()));
  }
  if (PyBool_Check(value.ptr())) {
    return graph.Boolean(value.ptr() == Py_True);
  }
  Expr result;
  if (py::isinstance<Formula>(value)) {
    result = py::cast<const Formula&>(value).expr();
  } else if (py::isinstance<PyQuantity>(value)) {
    result = py::cast<const PyQuantity&>(value).formula().expr();
  } else if (py::isinstance<PyEquation>(value)) {
    const auto& equation = py::cast<const PyEquation&>(value);
    result =
        graph.Binary(Op::kEqual, equation.left.expr(), equation.right.expr());
  } else if (IsList(value)) {
    std::vector<Expr> elements;
    for (const py::handle item : value) {
      elements.push_back(ToExpr(item, trace));
    }
    return graph.MakeArray(elements);
  } else {
    return FromNumbers(value, graph);
  }
  if (&result.graph() != &graph) {
    throw py::value_error(
        Here() +
        "cannot join formulas of two blocks: each block's equations are "
        "formulas of its own quantities; connect outputs to inputs");
  }
  return result;
}

py::object Apply(Op op, std::initializer_list<py::handle> arguments) {
  std::shared_ptr<Trace> trace;
  for (const py::handle argument : arguments) {
    trace = trace == nullptr ? TraceOf(argument) : trace;
  }
  if (trace == nullptr) {
    return OnNumbers(op, arguments);
  }
  if (trace->equations == nullptr) {
    HasEnded();
  }
  std::array<Expr, 3> operands;
  std::size_t count = 0;
  for (const py::handle argument : arguments) {
    operands.at(count++) = ToExpr(argument, trace);
  }
  ExprGraph& graph = trace->equations->graph();
  Expr result;
  if (op == Op::kSelect) {
    result = graph.Select(operands[0], operands[1], operands[2]);
  } else if (count == 2) {
    result = graph.Binary(op, operands[0], operands[1]);
  } else {
    result = graph.Unary(op, operands[0]);
  }
  return py::cast(Formula(result, trace));
}

void BindOperators(py::object type) {
  const auto define = [&](const char* name, auto function) {
    type.attr(name) = py::cpp_function(
        function, py::name(name), py::is_method(type), py::is_operator());
  };
  for (const Operator& binary : kBinary) {
    const Op op = binary.op;
    if (binary.is_reflected) {
      define(binary.name, [op](const py::object& a, const py::object& b) {
        return Apply(op, {b, a});
      });
    } else {
      define(binary.name, [op](const py::object& a, const py::object& b) {
        return Apply(op, {a, b});
      });
    }
  }
  for (const Operator& unary : kUnary) {
    const Op op = unary.op;
    define(unary.name, [op](const py::object& a) { return Apply(op, {a}); });
  }
  define("__eq__", &Equate);
  define("__ne__", [](const py::object& a, const py::object& b) {
    return Apply(Op::kNotEqual, {a, b});
  });
  define("__hash__",
         [](const py::object& a) { return std::hash<const void*>{}(a.ptr()); });
  define("__matmul__",
         [](const py::object& a, const py::object& b) { return MatMul(a, b); });
  define("__rmatmul__",
         [](const py::object& a, const py::object& b) { return MatMul(b, a); });
  define("__bool__", [](const py::object&) -> bool { NoTruth(); });
  for (const char* const name : {"__float__", "__complex__"}) {
    define(name, [](const py::object&) -> double { NoNumber(); });
  }
  for (const char* const name : {"__int__", "__trunc__"}) {
    define(name, [](const py::object&) -> std::int64_t { NoNumber(); });
  }
}

void BindFormulas(py::module_& m) {
  py::class_<Formula> formula(m, "Expr");
  BindOperators(formula);
  formula.def("__repr__", [](const Formula& f) { return ToText(f.expr()); });
  BindArrays(formula);
  py::class_<PyEquation> equation(m, "Equation");
  equation
      .def_property_readonly(
          "sides",
          [](const PyEquation& e) { return std::make_pair(e.left, e.right); })
      .def("__bool__", [](const PyEquation&) -> bool { NoTruth(); })
      .def("__and__",
           [](const py::object& a, const py::object& b) {
             return Apply(Op::kAnd, {a, b});
           })
      .def("__or__",
           [](const py::object& a, const py::object& b) {
             return Apply(Op::kOr, {a, b});
           })
      .def("__invert__",
           [](const py::object& a) { return Apply(Op::kNot, {a}); })
      .def("__repr__", [](const PyEquation& e) {
        return ToText(e.left.expr()) + " == " + ToText(e.right.expr());
      });
  py::module_ functions = m.def_submodule("formulas");
  BindFunctions(functions);
}

}  // namespace orrery::python
