#include "orrery/compile/internal/equation_loops.h"

#include <algorithm>
#include <array>
#include <string>

#include "orrery/compile/internal/system.h"

namespace orrery::internal {
namespace {

// What is smaller is taken apart: scalars can be renamed, turned and torn.
constexpr std::int64_t kLeastSize = 16;

class LoopFinder {
 public:
  LoopFinder(const FlatModel& model, const std::vector<bool>& unrolled)
      : model_(model), graph_(*model.graph), boxes_(model.variables.size()) {
    for (std::uint32_t v = 0; v < model.variables.size(); ++v) {
      const Variable& variable = model.variables[v];
      const bool is_fit = variable.variability == Variability::kContinuous &&
                          variable.causality != Causality::kInput &&
                          variable.symbol.type() == ValueType::kReal &&
                          NumElements(variable.symbol.shape()) >= kLeastSize;
      if (is_fit && (unrolled.empty() || !unrolled[v])) {
        variable_of_.Set(variable.symbol.id(), v);
        any_ = true;
      }
    }
  }

  std::vector<EquationLoop> Run() {
    if (!any_) {
      return {};
    }
    RefuseWhatIsSetAtEvents();
    for (const Equation& equation : model_.initial_equations) {
      NoteDerivatives({equation.left, equation.right});
    }
    for (std::size_t i = 0; i < model_.equations.size(); ++i) {
      Add(i);
    }
    std::erase_if(loops_,
                  [this](EquationLoop& loop) { return !ChooseUnknown(loop); });
    DropOverlaps();
    return std::move(loops_);
  }

 private:
  void Refuse(Expr formula) {
    const std::array roots = {formula};
    for (const std::uint32_t id : Reachable(roots)) {
      if (variable_of_[id] != kNone) {
        variable_of_.Set(id, kNone);
      }
    }
  }

  // Single elements of what is connected or assigned are named by scalars.
  void RefuseWhatIsSetAtEvents() {
    for (const Connection& connection : model_.connections) {
      Refuse(connection.a.variable);
      Refuse(connection.b.variable);
    }
    for (const Reinit& reinit : model_.reinits) {
      Refuse(reinit.state);
    }
    for (const EventHandler& handler : model_.handlers) {
      for (const EventHandler::Assignment& assignment : handler.assignments) {
        Refuse(assignment.target);
      }
    }
  }

  // What of each variable is differentiated, and so no unknown.
  void NoteDerivatives(const std::array<Expr, 2>& sides) {
    if (sides[0].Contains(Trait::kEvent) || sides[1].Contains(Trait::kEvent)) {
      Refuse(sides[0]);
      Refuse(sides[1]);
    }
    if (!sides[0].Contains(Trait::kDer) && !sides[1].Contains(Trait::kDer)) {
      return;
    }
    for (const std::uint32_t id : Reachable(sides)) {
      const Expr node = graph_.At(id);
      if (node.op() != Op::kDer) {
        continue;
      }
      const Expr of = node.operand(0);
      const Expr symbol = of.op() == Op::kIndex ? of.operand(0) : of;
      if (const std::uint32_t v = VariableAt(symbol); v != kNone) {
        boxes_[v].push_back(ReadOf(of, {}).BoxOver({}));
      } else {
        Refuse(of);
      }
    }
  }

  [[nodiscard]] std::uint32_t VariableAt(Expr symbol) const {
    return symbol.op() == Op::kSymbol ? variable_of_[symbol.id()] : kNone;
  }

  void Add(std::size_t number) {
    const Equation& equation = model_.equations[number];
    EquationLoop loop{.equation = number,
                      .slice = {},
                      .left = equation.left,
                      .right = equation.right};
    std::vector<Expr> iterators = equation.iterators;
    std::int64_t count = 1;
    for (const Expr& iterator : iterators) {
      count *= graph_.IteratorRange(iterator).count;
    }
    const Shape& shape =
        (loop.left.is_scalar() ? loop.right : loop.left).shape();
    const bool agree = loop.left.is_scalar() || loop.right.is_scalar() ||
                       loop.left.shape() == loop.right.shape();
    if (count * NumElements(shape) < kLeastSize || !agree) {
      NoteDerivatives({loop.left, loop.right});
      return;
    }
    std::vector<Expr> subscripts;
    for (std::size_t k = 0; k < shape.size(); ++k) {
      subscripts.push_back(
          graph_.Iterator(std::string(1, static_cast<char>('i' + k % 12)),
                          {.count = shape[k]}));
    }
    iterators.insert(iterators.end(), subscripts.begin(), subscripts.end());
    loop.left = ElementAt(loop.left, subscripts);
    loop.right = ElementAt(loop.right, subscripts);
    if (!loop.left || !loop.right) {
      NoteDerivatives({equation.left, equation.right});
      return;
    }
    NoteDerivatives({loop.left, loop.right});
    if (!IsOfEvents(loop.left) && !IsOfEvents(loop.right)) {
      loop.slice.iterators = std::move(iterators);
      loops_.push_back(std::move(loop));
    }
  }

  // What the equation is written to define: a side of it, or the only
  // derivative in it, or the only element that is no state.
  bool ChooseUnknown(EquationLoop& loop) const {
    const std::vector<Expr> iterators = loop.slice.iterators;
    if (Take(loop, loop.left, iterators) || Take(loop, loop.right, iterators)) {
      return true;
    }
    const std::array sides = {loop.left, loop.right};
    std::vector<Expr> derivatives;
    std::vector<Expr> elements;
    for (const std::uint32_t id : Reachable(sides)) {
      const Expr node = graph_.At(id);
      EquationLoop trial;
      if (Take(trial, node, iterators)) {
        (trial.is_of_derivatives() ? derivatives : elements).push_back(node);
      }
    }
    if (derivatives.size() == 1) {
      return Take(loop, derivatives[0], iterators);
    }
    return derivatives.empty() && elements.size() == 1 &&
           Take(loop, elements[0], iterators);
  }

  // Whether the loop may be solved for `node`; notes it if so.
  bool Take(EquationLoop& loop,
            Expr node,
            std::span<const Expr> iterators) const {
    const bool is_derivative = node.op() == Op::kDer;
    const Expr element = is_derivative ? node.operand(0) : node;
    if (element.op() != Op::kIndex || !element.is_scalar()) {
      return false;
    }
    const std::uint32_t variable = VariableAt(element.operand(0));
    if (variable == kNone) {
      return false;
    }
    std::vector<Expr> subscripts;
    for (std::size_t k = 1; k < element.num_operands(); ++k) {
      subscripts.push_back(element.operand(k));
    }
    const auto slice =
        AsSlice(subscripts, iterators, element.operand(0).shape());
    if (!slice || slice->size() < kLeastSize ||
        (!is_derivative && IsDifferentiated(variable, slice->box))) {
      return false;
    }
    loop.variable = variable;
    loop.slice = *slice;
    loop.unknown = node;
    return true;
  }

  [[nodiscard]] bool IsDifferentiated(std::uint32_t variable,
                                      const Box& box) const {
    return std::ranges::any_of(boxes_[variable], [&](const Box& other) {
      return Overlap(box, other);
    });
  }

  // Where loops share elements, none of the variable's stays.
  void DropOverlaps() {
    std::vector<std::vector<const Box*>> taken(model_.variables.size());
    std::vector<bool> is_shared(model_.variables.size());
    for (const EquationLoop& loop : loops_) {
      auto& boxes = taken[loop.variable];
      for (const Box* box : boxes) {
        if (Overlap(*box, loop.slice.box)) {
          is_shared[loop.variable] = true;
        }
      }
      boxes.push_back(&loop.slice.box);
    }
    std::erase_if(loops_, [&](const EquationLoop& loop) {
      return is_shared[loop.variable];
    });
  }

  const FlatModel& model_;
  ExprGraph& graph_;
  NodeMap variable_of_;  // By symbol: what may have slices.
  bool any_ = false;
  std::vector<std::vector<Box>> boxes_;  // By variable: differentiated.
  std::vector<EquationLoop> loops_;
};

}  // namespace

std::vector<EquationLoop> FindEquationLoops(const FlatModel& model,
                                            const std::vector<bool>& unrolled) {
  return LoopFinder(model, unrolled).Run();
}

}  // namespace orrery::internal
