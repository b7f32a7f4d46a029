#include "orrery/compile/system/equation_loops.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "orrery/compile/system/system.h"
#include "orrery/symbolic/element.h"
#include "orrery/symbolic/node_index.h"

namespace orrery::compile::internal {
namespace {

// Returns the number of passes of all iterators together.
std::int64_t CountPasses(ExprGraph& graph, std::span<const Expr> iterators) {
  std::int64_t count = 1;
  for (const Expr& iterator : iterators) {
    count *= graph.IteratorRange(iterator).count;
  }
  return count;
}

// True if loops may compute the variable, or elements of it.
bool IsFit(const Variable& variable) {
  return variable.variability == Variability::kContinuous &&
         variable.causality != Causality::kInput &&
         variable.symbol.type() == ValueType::kReal;
}

bool IsLarge(Expr symbol) {
  return NumElements(symbol.shape()) >= kLeastLoop;
}

class LoopFinder {
 public:
  LoopFinder(const FlatModel& model, const std::vector<bool>& unrolled)
      : model_(model), graph_(*model.graph), boxes_(model.variables.size()) {
    for (std::uint32_t v = 0; v < model.variables.size(); ++v) {
      const Variable& variable = model.variables[v];
      if (IsParameter(variable)) {
        is_parameter_.Set(variable.symbol.id(), 1);
      }
      const bool is_fit = IsFit(variable) && !unrolled[v];
      if (is_fit && variable.symbol.is_scalar()) {
        scalar_of_.Set(variable.symbol.id(), v);
      } else if (is_fit && IsLarge(variable.symbol)) {
        variable_of_.Set(variable.symbol.id(), v);
      }
    }
  }

  std::vector<EquationLoop> Run() {
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

  // Refuses connected, reinitialised and assigned variables: scalars name
  // single elements of them.
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

  // Notes the parts of variables that are differentiated: states, no unknowns.
  void NoteDerivatives(const std::array<Expr, 2>& sides) {
    if (NamesThePast(sides)) {
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
      for (const std::uint32_t part : Reachable(std::array{of})) {
        differentiated_.Set(part, 1);
      }
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
    const std::array written = {equation.left, equation.right};
    const auto sides = AsLargeLoop(graph_, equation);
    if (!sides) {
      NoteDerivatives(written);
      const bool is_scalar = equation.iterators.empty() &&
                             written[0].is_scalar() && written[1].is_scalar();
      if (is_scalar && HasLargeLoop(written) && MakesNoEvents(written)) {
        loops_.push_back({.equation = number,
                          .slice = {},
                          .left = written[0],
                          .right = written[1]});
      }
      return;
    }
    NoteDerivatives({sides->left, sides->right});
    if (MakesNoEvents({sides->left, sides->right})) {
      EquationLoop loop{.equation = number,
                        .slice = {},
                        .left = sides->left,
                        .right = sides->right};
      loop.slice.iterators = sides->iterators;
      loops_.push_back(std::move(loop));
    }
  }

  [[nodiscard]] bool HasLargeLoop(const std::array<Expr, 2>& sides) const {
    const auto has_iterator = [](Expr side) {
      return side.Contains(Trait::kIterator);
    };
    return std::ranges::any_of(sides, has_iterator) &&
           std::ranges::any_of(Reachable(sides), [this](std::uint32_t id) {
             const Expr node = graph_.At(id);
             return node.op() == Op::kIterator &&
                    graph_.IteratorRange(node).count >= kLeastLoop;
           });
  }

  // True if pre(), sample() or delay() is in the formulas.
  [[nodiscard]] bool NamesThePast(const std::array<Expr, 2>& sides) const {
    return std::ranges::any_of(
               sides, [](Expr side) { return side.Contains(Trait::kEvent); }) &&
           std::ranges::any_of(Reachable(sides), [this](std::uint32_t id) {
             const Op op = graph_.At(id).op();
             return op == Op::kPre || op == Op::kSample || op == Op::kDelay ||
                    op == Op::kTransport;
           });
  }

  // True if every operation that jumps or has a kink is within noEvent() or
  // depends on iterators and parameters alone.
  [[nodiscard]] bool MakesNoEvents(const std::array<Expr, 2>& sides) const {
    if (NamesThePast(sides)) {
      return false;
    }
    const bool has_extremum =
        std::ranges::any_of(Reachable(sides), [this](std::uint32_t id) {
          const Op op = graph_.At(id).op();
          return (op == Op::kMinimum || op == Op::kMaximum) &&
                 Varies(graph_.At(id));
        });
    if (has_extremum) {
      return false;  // Its kinks are between scalars.
    }
    std::vector<Expr> pending(sides.begin(), sides.end());
    NodeIndex met;
    while (!pending.empty()) {
      const Expr node = pending.back();
      pending.pop_back();
      const bool is_done = !IsOfEvents(node) || !met.Insert(node.id(), 1) ||
                           node.op() == Op::kNoEvent;
      if (is_done) {
        continue;
      }
      if (IsBreak(node.op()) && Varies(node)) {
        return false;
      }
      for (std::size_t i = 0; i < node.num_operands(); ++i) {
        pending.push_back(node.operand(i));
      }
    }
    return true;
  }

  // True if the formula contains anything but constants and parameters.
  [[nodiscard]] bool Varies(Expr formula) const {
    const std::array roots = {formula};
    return std::ranges::any_of(Reachable(roots), [this](std::uint32_t id) {
      return graph_.At(id).op() == Op::kSymbol && is_parameter_[id] == kNone;
    });
  }

  // Chooses the unknown that the equation is written to define: a side of it,
  // else the only derivative in it, else the only element that is no state.
  bool ChooseUnknown(EquationLoop& loop) const {
    if (loop.is_scalar()) {
      return TakeScalar(loop, loop.left, loop.right) ||
             TakeScalar(loop, loop.right, loop.left);
    }
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

  // Takes `node`, a scalar or its derivative, as the unknown if the equation
  // gives it. @returns true if so.
  bool TakeScalar(EquationLoop& loop, Expr node, Expr other) const {
    const bool is_derivative = node.op() == Op::kDer;
    const Expr symbol = is_derivative ? node.operand(0) : node;
    const std::uint32_t variable =
        symbol.op() == Op::kSymbol ? scalar_of_[symbol.id()] : kNone;
    const std::array roots = {other};
    if (variable == kNone ||
        (!is_derivative && differentiated_[symbol.id()] != kNone) ||
        std::ranges::binary_search(Reachable(roots),
                                   (is_derivative ? node : symbol).id())) {
      return false;
    }
    loop.variable = variable;
    loop.unknown = node;
    return true;
  }

  // Takes `node` as the unknown if the loop may be solved for it. @returns true
  // if so.
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
    if (!slice || slice->size() < kLeastLoop ||
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

  // If loops share elements of a variable, drops all loops for this variable.
  void DropOverlaps() {
    std::vector<std::vector<const Box*>> taken(model_.variables.size());
    std::vector<bool> is_shared(model_.variables.size());
    std::set<std::uint32_t> taken_scalars;
    for (const EquationLoop& loop : loops_) {
      if (loop.is_scalar()) {
        is_shared[loop.variable] = is_shared[loop.variable] ||
                                   !taken_scalars.insert(loop.variable).second;
        continue;
      }
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
  NodeMap variable_of_;     // By symbol of an array that may have slices.
  NodeMap scalar_of_;       // By symbol of a scalar variable.
  NodeMap is_parameter_;    // By symbol: set for parameters.
  NodeMap differentiated_;  // By formula: set within operands of der().
  std::vector<std::vector<Box>> boxes_;  // By variable: its states.
  std::vector<EquationLoop> loops_;
};

}  // namespace

std::optional<LoopSides> AsLargeLoop(ExprGraph& graph,
                                     const Equation& equation) {
  const Shape& shape =
      (equation.left.is_scalar() ? equation.right : equation.left).shape();
  const bool agree = equation.left.is_scalar() || equation.right.is_scalar() ||
                     equation.left.shape() == equation.right.shape();
  if (!agree || CountPasses(graph, equation.iterators) * NumElements(shape) <
                    kLeastLoop) {
    return std::nullopt;
  }
  constexpr std::string_view kNames = "ijklmn";
  std::vector<Expr> subscripts;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    subscripts.push_back(graph.Iterator(
        std::string(1, kNames[k % kNames.size()]), {.count = shape[k]}));
  }
  LoopSides sides{.left = ElementAt(equation.left, subscripts),
                  .right = ElementAt(equation.right, subscripts),
                  .iterators = equation.iterators};
  sides.iterators.insert(
      sides.iterators.end(), subscripts.begin(), subscripts.end());
  return sides.left && sides.right ? std::optional(sides) : std::nullopt;
}

std::vector<EquationLoop> FindEquationLoops(const FlatModel& model,
                                            const std::vector<bool>& unrolled) {
  for (std::uint32_t v = 0; v < model.variables.size(); ++v) {
    const Variable& variable = model.variables[v];
    if (IsLarge(variable.symbol) && IsFit(variable) && !unrolled[v]) {
      return LoopFinder(model, unrolled).Run();
    }
  }
  return {};
}

}  // namespace orrery::compile::internal
