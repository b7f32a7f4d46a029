#include "orrery/python/bindings/blocks/py_block.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "orrery/base/error.h"
#include "orrery/python/bindings/blocks/formula_arrays.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

using SourceHandle = std::shared_ptr<const SourceFile>;

/// The range of line `line`, from 1, of a text, without its indentation.
SourceSpan PlaceOf(const SourceHandle& file, int line) {
  const std::string_view text = file->Line(line);
  const std::size_t indent = text.find_first_not_of(" \t");
  if (indent == std::string_view::npos) {
    return {.file = file};
  }
  const auto begin =
      static_cast<std::uint32_t>(text.data() - file->text().data()) +
      static_cast<std::uint32_t>(indent);
  return {.file = file,
          .begin = begin,
          .end = begin + static_cast<std::uint32_t>(text.size() - indent)};
}

/// True for a quantity or an element of one.
bool IsPlace(Expr expr) {
  while (expr.op() == Op::kIndex) {
    expr = expr.operand(0);
  }
  return expr.op() == Op::kSymbol;
}

bool IsScalarLoop(Expr expr) {
  while (expr.op() == Op::kBuild) {
    expr = expr.operand(1);
  }
  return IsPlace(expr);
}

/// The quantities of a block while it is traced, by their symbols.
class Targets {
 public:
  Targets(Block& block, EquationSet& eq) : eq_(eq) {
    for (const Declaration& quantity : block.quantities()) {
      const Expr symbol = block[quantity.name];
      kinds_.emplace(symbol.id(), quantity.kind);
    }
  }

  /// States `left == right`, as an equation for a quantity if `left` is the
  /// quantity or its derivative.
  void State(Expr left, Expr right) {
    const bool is_derivative = left.op() == Op::kDer;
    const Expr target = is_derivative ? left.operand(0) : left;
    if (IsPlace(target)) {
      StateFor(target, is_derivative, left, right);
    } else if (!left.is_scalar() && IsScalarLoop(target)) {
      StateElements(left, right, 0, {});
    } else if (target.op() == Op::kMakeArray) {
      StateStacked(target, is_derivative, right);
    } else {
      eq_.Add(left, right);
    }
  }

 private:
  [[nodiscard]] std::optional<QuantityKind> KindOf(Expr place) const {
    while (place.op() == Op::kIndex) {
      place = place.operand(0);
    }
    const auto found = kinds_.find(place.id());
    return found == kinds_.end() ? std::nullopt : std::optional(found->second);
  }

  void StateFor(Expr target, bool is_derivative, Expr left, Expr right) {
    const std::optional<QuantityKind> kind = KindOf(target);
    if (is_derivative && kind) {
      eq_.Der(target) = right;
    } else if (!kind || kind == QuantityKind::kInput ||
               kind == QuantityKind::kState) {
      eq_.Add(left, right);
    } else {
      eq_.Set(target) = right;
    }
  }

  // The equations of a part of an array, as a loop.
  void StateElements(Expr left,
                     Expr right,
                     std::size_t dimension,
                     std::vector<Expr> at) {
    if (dimension == left.shape().size()) {
      State(ElementOf(left, at),
            right.is_scalar() ? right : ElementOf(right, at));
      return;
    }
    eq_.For(1, left.shape()[dimension], [&](Expr i) {
      std::vector<Expr> longer = at;
      longer.push_back(i);
      StateElements(left, right, dimension + 1, std::move(longer));
    });
  }

  void StateStacked(Expr stack, bool is_derivative, Expr right) {
    ExprGraph& graph = stack.graph();
    for (std::size_t i = 0; i < stack.num_operands(); ++i) {
      const Expr number =
          graph.Constant(static_cast<double>(i + 1), ValueType::kInteger);
      const Expr row = stack.operand(i);
      State(is_derivative ? graph.Der(row) : row,
            right.is_scalar() ? right : ElementOf(right, {&number, 1}));
    }
  }

  EquationSet& eq_;
  std::map<std::uint32_t, QuantityKind> kinds_;
};

void AddHandler(EquationSet& eq,
                const std::shared_ptr<Trace>& trace,
                py::handle condition,
                py::handle assignments) {
  const bool is_event =
      py::isinstance<PyQuantity>(condition) &&
      !HasValue(py::cast<const PyQuantity&>(condition).quantity.kind());
  const bool is_clock =
      py::isinstance<PyQuantity>(condition) &&
      py::cast<const PyQuantity&>(condition).quantity.kind() ==
          QuantityKind::kClock;
  EquationSet::Handler handler =
      is_event || is_clock
          ? eq.On(py::cast<const PyQuantity&>(condition).quantity)
          : eq.When(ToExpr(condition, trace));
  for (const py::handle item : assignments) {
    const auto pair = py::cast<std::pair<py::object, py::object>>(item);
    handler.Set(ToExpr(pair.first, trace)) = ToExpr(pair.second, trace);
  }
}

// Closes the trace when the call of `equations` ends in any way.
class TraceScope {
 public:
  TraceScope(EquationSet& eq, std::shared_ptr<Trace>& slot) : slot_(slot) {
    slot = std::make_shared<Trace>(Trace{.equations = &eq});
    former_ = Trace::SetCurrent(slot);
  }

  ~TraceScope() {
    slot_->equations = nullptr;
    slot_ = nullptr;
    Trace::SetCurrent(std::move(former_));
  }

  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

 private:
  std::shared_ptr<Trace>& slot_;
  std::shared_ptr<Trace> former_;
};

/// The source and the line, what kind it is, and its parts; as
/// `orrery.tracing.equations_of` gives it.
using Statement =
    std::tuple<SourceHandle, int, std::string, py::object, py::object>;

void Take(const Statement& statement,
          EquationSet& eq,
          Targets& targets,
          const std::shared_ptr<Trace>& trace) {
  const auto& [file, line, kind, a, b] = statement;
  eq.SetPlace(PlaceOf(file, line));
  trace->place = file->name() + ":" + std::to_string(line) + ": ";
  if (kind == "equation") {
    targets.State(ToExpr(a, trace), ToExpr(b, trace));
  } else if (kind == "initial") {
    eq.Initial(ToExpr(a, trace), ToExpr(b, trace));
  } else if (kind == "when") {
    AddHandler(eq, trace, a, b);
  } else if (kind == "assert") {
    eq.Assert(ToExpr(a, trace), py::cast<std::string>(b));
  } else if (kind == "terminate") {
    eq.Terminate(ToExpr(a, trace), py::cast<std::string>(b));
  }
  trace->place.clear();
}

/// Throws an error of the engine that Python has on its way as one at its line;
/// any other exception as it is. To be called where it has been caught.
[[noreturn]] void Rethrow(py::error_already_set& error, EquationSet& eq) {
  const py::object kind =
      py::module_::import("orrery.errors").attr("ModelError");
  if (!error.matches(kind) || py::len(error.value().attr("diagnostics")) != 0) {
    throw error;
  }
  const auto [file, line] = py::cast<std::pair<SourceHandle, int>>(
      py::module_::import("orrery.tracing").attr("place_of")(error.trace()));
  eq.SetPlace(PlaceOf(file, line));
  throw Error(ErrorCode::kInvalidModel,
              py::cast<std::string>(error.value().attr("message")));
}

}  // namespace

const EquationNotation& PyBlock::notation() const noexcept {
  static constexpr EquationNotation kPython{
      .place = "equations",
      .derivative = "yield der(self.%) == ...",
      .value = "yield self.% == ...",
      .assignment = "yield when(condition).set(%=...)"};
  return kPython;
}

void PyBlock::Equations(EquationSet& eq) {
  const py::gil_scoped_acquire gil;
  const TraceScope scope(eq, trace_);
  Targets targets(*this, eq);
  const py::object entries =
      py::module_::import("orrery.tracing").attr("equations_of")(self_);
  try {
    for (const py::handle entry : entries) {
      Take(py::cast<Statement>(entry), eq, targets, trace_);
    }
  } catch (py::error_already_set& error) {
    Rethrow(error, eq);
  }
}

}  // namespace orrery::python
