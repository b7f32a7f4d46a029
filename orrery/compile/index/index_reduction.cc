#include "orrery/compile/index/index_reduction.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "orrery/compile/index/fixed_quantities.h"
#include "orrery/compile/scalarize/declare.h"
#include "orrery/compile/sorting/discrete.h"
#include "orrery/symbolic/derivatives/derivative.h"

namespace orrery::compile::internal {
namespace {

// Models of machines are of index 3 at most; a signal may be differentiated
// more often. A model that needs more is wrong.
constexpr int kMostDifferentiations = 24;

// A quantity, or a derivative of one.
struct Node {
  std::uint32_t scalar = kNone;      // kNone: still to be made.
  std::uint32_t derivative = kNone;  // The node of its derivative.
  int sign = 1;                      // Sign of the derivative.
  std::uint32_t line = kNone;        // The line that determines it.
};

// An equation, or a derivative of one.
struct Row {
  std::uint32_t equation = kNone;  // Into `System::equations`, or kNone.
  std::vector<std::uint32_t> nodes;
  std::uint32_t derivative = kNone;  // The line of its derivative.
  std::uint32_t node = kNone;        // The node that it determines.
};

// Makes the numbers unique and ascending.
void SortOut(std::vector<std::uint32_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

// Finds how often each equation has to be differentiated until it determines
// the highest derivative of a quantity. Uses the structure only, not the
// formulas.
class Differentiations {
 public:
  Differentiations(System& system, const SortProblem& problem)
      : system_(system), problem_(problem) {}

  // @returns true if that is possible.
  bool Find() {
    MakeNodes();
    MakeLines();
    const auto count = static_cast<std::uint32_t>(lines.size());
    for (std::uint32_t equation = 0; equation < count; ++equation) {
      std::uint32_t line = equation;
      for (int times = 0; !Match(line); ++times) {
        if (times == kMostDifferentiations || !DifferentiateMet()) {
          return false;
        }
        line = lines[line].derivative;
      }
    }
    return true;
  }

  // The equations that are differentiated.
  [[nodiscard]] std::vector<std::uint32_t> Equations() const {
    std::vector<std::uint32_t> equations;
    for (const Row& line : lines) {
      if (line.equation != kNone && line.derivative != kNone) {
        equations.push_back(line.equation);
      }
    }
    return equations;
  }

  std::vector<Node> nodes;
  std::vector<Row> lines;

 private:
  std::uint32_t NodeOf(std::uint32_t scalar) {
    std::uint32_t& node = node_of_[scalar];
    if (node == kNone) {
      node = static_cast<std::uint32_t>(nodes.size());
      nodes.push_back({.scalar = scalar});
    }
    return node;
  }

  void MakeNodes() {
    node_of_.assign(system_.scalars.size(), kNone);
    for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
      const std::uint32_t derivative = system_.scalars[i].derivative;
      if (derivative == kNone || system_.aliases[i].scalar != i) {
        continue;
      }
      const Alias alias = system_.aliases[derivative];
      const std::uint32_t to = NodeOf(alias.scalar);
      Node& node = nodes[NodeOf(i)];
      node.derivative = to;
      node.sign = alias.sign;
    }
  }

  // Other equations determine discrete quantities than continuous ones.
  void MakeLines() {
    const Incidence incidence = FindIncidence(system_, problem_);
    const auto candidates = FindCandidates(system_, problem_, incidence);
    for (std::uint32_t row = 0; row < problem_.equations.size(); ++row) {
      Row& line = lines.emplace_back(Row{.equation = row});
      bool is_discrete = false;
      for (const std::uint32_t column :
           (candidates ? *candidates : incidence).row(row)) {
        const std::uint32_t unknown = problem_.unknowns[column];
        is_discrete = is_discrete || system_.scalars[unknown].is_discrete;
        line.nodes.push_back(NodeOf(unknown));
      }
      if (!is_discrete) {
        AddStates(problem_.equations[row], line);
      }
    }
  }

  void AddStates(const ScalarEquation& equation, Row& line) {
    const std::array sides = {equation.left, equation.right};
    for (const std::uint32_t scalar : system_.walk.Scalars(sides)) {
      if (system_.scalars[scalar].derivative != kNone) {
        line.nodes.push_back(NodeOf(scalar));
      }
    }
    SortOut(line.nodes);
  }

  // Looks for an alternating path from `line` to a highest derivative that no
  // line determines yet, and flips the matching along it.
  bool Match(std::uint32_t line) {
    met_lines_.assign(1, line);
    met_nodes_.clear();
    from_.resize(nodes.size(), kNone);
    for (std::size_t next = 0; next < met_lines_.size(); ++next) {
      const std::uint32_t at = met_lines_[next];
      for (const std::uint32_t node : lines[at].nodes) {
        if (nodes[node].derivative != kNone || from_[node] != kNone) {
          continue;
        }
        from_[node] = at;
        met_nodes_.push_back(node);
        if (nodes[node].line == kNone) {
          Shift(node, line);
          ForgetPath();
          return true;
        }
        met_lines_.push_back(nodes[node].line);
      }
    }
    ForgetPath();
    return false;
  }

  void Shift(std::uint32_t node, std::uint32_t first) {
    for (std::uint32_t line = kNone; line != first;) {
      line = from_[node];
      nodes[node].line = line;
      node = std::exchange(lines[line].node, node);
    }
  }

  void ForgetPath() {
    for (const std::uint32_t node : met_nodes_) {
      from_[node] = kNone;
    }
  }

  bool DifferentiateMet() {
    const auto is_discrete = [this](std::uint32_t node) {
      const std::uint32_t scalar = nodes[node].scalar;
      return scalar != kNone && system_.scalars[scalar].is_discrete;
    };
    if (std::ranges::any_of(met_nodes_, is_discrete)) {
      return false;
    }
    for (const std::uint32_t node : met_nodes_) {
      nodes[node].derivative = static_cast<std::uint32_t>(nodes.size());
      nodes.push_back({});
    }
    for (const std::uint32_t line : met_lines_) {
      Row derivative{.nodes = lines[line].nodes};
      for (const std::uint32_t node : lines[line].nodes) {
        derivative.nodes.push_back(nodes[node].derivative);
      }
      SortOut(derivative.nodes);
      lines[line].derivative = static_cast<std::uint32_t>(lines.size());
      lines.push_back(std::move(derivative));
    }
    for (const std::uint32_t node : met_nodes_) {
      const std::uint32_t line = lines[nodes[node].line].derivative;
      nodes[nodes[node].derivative].line = line;
      lines[line].node = nodes[node].derivative;
    }
    return true;
  }

  System& system_;
  const SortProblem& problem_;
  std::vector<std::uint32_t> node_of_;  // By scalar.
  // State of the last search.
  std::vector<std::uint32_t> met_lines_;
  std::vector<std::uint32_t> met_nodes_;
  std::vector<std::uint32_t> from_;  // By node.
};

// Chooses the unknowns of equations that are differentiated (dummy
// derivatives), and writes the differentiated equations.
class Reduction {
 public:
  Reduction(System& system, const StartTable& starts, Differentiations& found)
      : system_(system),
        starts_(starts),
        nodes_(found.nodes),
        lines_(found.lines) {}

  bool Run() {
    ForbidReinitialised();
    FindBound();
    if (!std::ranges::all_of(bound_, &Bound::can_be_differentiated) ||
        !(ChooseAll(&Reduction::ByStarts) || ChooseAll(&Reduction::AsMatched) ||
          ChooseSome())) {
      return false;
    }
    MakeDerivatives();
    MakeEquations();
    return true;
  }

 private:
  [[nodiscard]] const ScalarEquation& EquationOf(std::uint32_t line) const {
    return system_.equations[lines_[line].equation];
  }

  // A quantity that reinit() sets must stay a state.
  void ForbidReinitialised() {
    for (const Reinit& reinit : system_.model.reinits) {
      const std::array formulas = {reinit.state};
      for (const std::uint32_t scalar : system_.walk.Scalars(formulas)) {
        reinitialised_.push_back(system_.aliases[scalar].scalar);
      }
    }
  }

  // An equation that is differentiated.
  struct Bound {
    std::uint32_t line = 0;
    std::vector<std::uint32_t> candidates;  // Nodes with a constant factor.
    bool can_be_differentiated = true;
  };

  using Order = void (Reduction::*)(Bound&) const;

  // The equation with the fewest candidates chooses first.
  void FindBound() {
    for (std::uint32_t line = 0; line < lines_.size(); ++line) {
      if (lines_[line].equation == kNone || lines_[line].derivative == kNone) {
        continue;
      }
      Bound& bound = bound_.emplace_back(Bound{
          .line = line,
          .candidates = {},
          .can_be_differentiated = !HasSignals(system_, EquationOf(line))});
      std::ranges::copy_if(lines_[line].nodes,
                           std::back_inserter(bound.candidates),
                           [&](std::uint32_t node) {
                             return HasConstantFactor(node, EquationOf(line));
                           });
    }
    std::ranges::stable_sort(
        bound_, {}, [](const Bound& bound) { return bound.candidates.size(); });
  }

  // Lets each equation determine a quantity in it, and each derivative of the
  // equation the derivative of that quantity.
  bool ChooseAll(Order order) {
    line_of_dummy_.assign(nodes_.size(), kNone);
    return std::ranges::all_of(bound_,
                               [&](Bound& bound) {
                                 (this->*order)(bound);
                                 return std::ranges::any_of(
                                     bound.candidates, [&](std::uint32_t node) {
                                       return Take(bound.line, node);
                                     });
                               }) &&
           AreOthersStates();
  }

  // If an equation cannot determine any of its states, these stay states.
  bool ChooseSome() {
    line_of_dummy_.assign(nodes_.size(), kNone);
    is_constraint_.assign(lines_.size(), false);
    for (Bound& bound : bound_) {
      ByStarts(bound);
      is_constraint_[bound.line] = std::ranges::none_of(
          bound.candidates,
          [&](std::uint32_t node) { return Take(bound.line, node); });
    }
    const bool are_states = AreOthersStates();
    if (!are_states && system_.may_ask_for_rates) {
      AskForRates();
    }
    return are_states;
  }

  // Asks for variables for derivatives that have to be states. Their quantities
  // become states, although the model has no der() of these derivatives.
  void AskForRates() const {
    std::vector<std::uint32_t> variables;
    for (const Node& node : nodes_) {
      if (node.derivative == kNone || IsStateOrNone(node.derivative)) {
        continue;
      }
      const std::uint32_t scalar = node.scalar;
      if (scalar != kNone && system_.scalars[scalar].variable != kNone &&
          system_.scalars[scalar].derivative_of == kNone) {
        variables.push_back(system_.scalars[scalar].variable);
      }
    }
    if (!variables.empty()) {
      SortOut(variables);
      throw Retry{.reason = Retry::Reason::kRates,
                  .variables = std::move(variables)};
    }
  }

  void ByStarts(Bound& bound) const {
    std::ranges::stable_sort(bound.candidates, {}, [&](std::uint32_t node) {
      return RankOf(node, EquationOf(bound.line));
    });
  }

  // Puts the quantity first that the last derivative of the equation
  // determines.
  void AsMatched(Bound& bound) const {
    const auto is_other = [&](std::uint32_t node) {
      std::uint32_t line = bound.line;
      for (; lines_[line].derivative != kNone && node != kNone;
           line = lines_[line].derivative) {
        node = nodes_[node].derivative;
      }
      return node != lines_[line].node;
    };
    std::ranges::stable_sort(bound.candidates, {}, is_other);
  }

  // States with a stronger `stateSelect`, and with more known of their start,
  // rank higher and are left later.
  [[nodiscard]] std::tuple<StateSelect, bool, bool, bool, bool> RankOf(
      std::uint32_t node, const ScalarEquation& equation) const {
    const std::uint32_t scalar = nodes_[node].scalar;
    const bool has_start = scalar < starts_.size();
    return {has_start ? starts_[scalar].select : StateSelect::kDefault,
            has_start && starts_[scalar].is_fixed,
            system_.scalars[scalar].derivative != kNone,
            has_start && static_cast<bool>(starts_[scalar].value),
            equation.left != system_.scalars[scalar].key};
  }

  bool HasConstantFactor(std::uint32_t node, const ScalarEquation& equation) {
    const Expr key = system_.scalars[nodes_[node].scalar].key;
    Tangent tangent(system_.graph, {{key.id(), system_.graph.Constant(1)}});
    const Expr factor = tangent.Of(equation.left) - tangent.Of(equation.right);
    return factor.is_constant() && factor.value() != 0;
  }

  bool Take(std::uint32_t line, std::uint32_t node) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> taken;
    for (; lines_[line].derivative != kNone;
         line = lines_[line].derivative, node = nodes_[node].derivative) {
      if (!IsFree(node) || ReachesBack(line, node)) {
        for (const auto& [other, of_other] : taken) {
          line_of_dummy_[of_other] = kNone;
        }
        return false;
      }
      line_of_dummy_[node] = line;
      taken.emplace_back(line, node);
    }
    return true;
  }

  [[nodiscard]] bool IsFree(std::uint32_t node) const {
    return nodes_[node].derivative != kNone && line_of_dummy_[node] == kNone &&
           std::ranges::find(reinitialised_, nodes_[node].scalar) ==
               reinitialised_.end();
  }

  // True if another quantity in the line depends on `node`: the lines must
  // determine their quantities one after the other.
  bool ReachesBack(std::uint32_t line, std::uint32_t node) {
    ++search_;
    searched_.resize(lines_.size());
    searched_[line] = search_;
    std::vector<std::uint32_t> pending = {line};
    while (!pending.empty()) {
      const std::uint32_t at = pending.back();
      pending.pop_back();
      for (const std::uint32_t other : lines_[at].nodes) {
        if (other == node && at != line) {
          return true;
        }
        const std::uint32_t next = line_of_dummy_[other];
        if (next != kNone && searched_[next] != search_) {
          searched_[next] = search_;
          pending.push_back(next);
        }
      }
    }
    return false;
  }

  [[nodiscard]] bool AreOthersStates() const {
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
      if (!IsStateOrNone(node)) {
        return false;
      }
    }
    return true;
  }

  // True if the node is determined by a line or may be a state. A node that is
  // made up here is never a state.
  [[nodiscard]] bool IsStateOrNone(std::uint32_t node) const {
    const std::uint32_t scalar = nodes_[node].scalar;
    return nodes_[node].derivative == kNone || line_of_dummy_[node] != kNone ||
           (scalar != kNone && system_.scalars[scalar].variable != kNone &&
            system_.scalars[scalar].derivative_of == kNone);
  }

  // A derivative that is made here has a greater number than its quantity.
  void MakeDerivatives() {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const std::uint32_t derivative = nodes_[i].derivative;
      const std::uint32_t scalar = nodes_[i].scalar;
      if (derivative == kNone) {
        continue;
      }
      const bool is_dummy = line_of_dummy_[i] != kNone;
      if (nodes_[derivative].scalar == kNone) {
        nodes_[derivative].scalar =
            is_dummy ? system_.AddScalar("der(" + system_.NameOf(scalar) + ")",
                                         ValueType::kReal,
                                         false)
                     : DeclareDerivative(system_, scalar);
      }
      system_.scalars[scalar].is_dummy = is_dummy;
    }
  }

  void MakeEquations() {
    for (std::uint32_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].equation == kNone || lines_[i].derivative == kNone) {
        continue;
      }
      ScalarEquation equation = EquationOf(i);
      const bool is_constraint = !is_constraint_.empty() && is_constraint_[i];
      if (is_constraint) {
        system_.equations[lines_[i].equation] = KeepAsConstraint(equation, i);
      }
      for (std::uint32_t line = i; lines_[line].derivative != kNone;
           line = lines_[line].derivative) {
        Tangent tangent(system_.graph);
        tangent.Seed(system_.model.time, system_.graph.Constant(1));
        for (const std::uint32_t node : lines_[line].nodes) {
          const Node& to = nodes_[nodes_[node].derivative];
          const Expr key = system_.scalars[to.scalar].key;
          tangent.Seed(system_.scalars[nodes_[node].scalar].key,
                       nodes_[node].sign > 0 ? key : -key);
        }
        equation.left = tangent.Of(equation.left);
        equation.right = tangent.Of(equation.right);
        ++equation.order;
        equation.homotopy = kNone;
        const std::uint32_t next = lines_[line].derivative;
        const bool is_last = lines_[next].derivative == kNone;
        system_.equations.push_back(is_constraint && !is_last
                                        ? KeepAsConstraint(equation, next)
                                        : equation);
      }
    }
  }

  // @returns the equation of its residual.
  ScalarEquation KeepAsConstraint(const ScalarEquation& equation,
                                  std::uint32_t line) {
    const std::uint32_t residual =
        system_.AddScalar("residual", ValueType::kReal, /*is_discrete=*/false);
    std::uint8_t level = 0;
    for (; lines_[line].derivative != kNone; line = lines_[line].derivative) {
      ++level;
    }
    system_.constraints.push_back(
        {.residual = residual, .equation = equation, .level = level});
    ScalarEquation definition = equation;
    definition.left = system_.scalars[residual].key;
    definition.right = equation.left - equation.right;
    definition.homotopy = kNone;
    return definition;
  }

  System& system_;
  const StartTable& starts_;
  std::vector<Node>& nodes_;
  std::vector<Row>& lines_;
  std::vector<std::uint32_t> reinitialised_;  // Scalars.
  std::vector<Bound> bound_;
  std::vector<std::uint32_t> line_of_dummy_;  // By node: the line that
                                              // determines it; kNone: a state.
  std::vector<bool> is_constraint_;  // By line: its states stay; may be empty.
  std::vector<std::uint32_t> searched_;  // By line: the last search there.
  std::uint32_t search_ = 0;
};

}  // namespace

bool ReduceIndex(System& system,
                 const SortProblem& problem,
                 const StartTable& starts) {
  Differentiations differentiations(system, problem);
  if (!differentiations.Find()) {
    return false;
  }
  const Replacements fixed =
      FixedQuantities(system, differentiations.Equations());
  if (fixed.empty()) {
    return Reduction(system, starts, differentiations).Run();
  }
  const std::vector<ScalarEquation> as_given = system.equations;
  SortProblem inserted = problem;
  InsertFixed(system, fixed, system.equations);
  InsertFixed(system, fixed, inserted.equations);
  Differentiations again(system, inserted);
  if (again.Find() && Reduction(system, starts, again).Run()) {
    return true;
  }
  system.equations = as_given;
  return Reduction(system, starts, differentiations).Run();
}

}  // namespace orrery::compile::internal
