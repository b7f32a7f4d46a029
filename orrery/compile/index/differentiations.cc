#include "orrery/compile/index/differentiations.h"

#include <algorithm>
#include <array>
#include <utility>

#include "orrery/compile/sorting/discrete.h"

namespace orrery::compile::internal {
namespace {

// Models of machines are of index 3 at most; a signal may be differentiated
// more often. A model that needs more is wrong.
constexpr int kMostDifferentiations = 24;

}  // namespace

void SortOut(std::vector<std::uint32_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

bool Differentiations::Find() {
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

std::vector<std::uint32_t> Differentiations::Equations() const {
  std::vector<std::uint32_t> equations;
  for (const DerivativeLine& line : lines) {
    if (line.is_bound()) {
      equations.push_back(line.equation);
    }
  }
  return equations;
}

std::uint32_t Differentiations::NodeOf(std::uint32_t scalar) {
  std::uint32_t& node = node_of_[scalar];
  if (node == kNone) {
    node = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back({.scalar = scalar});
  }
  return node;
}

void Differentiations::MakeNodes() {
  node_of_.assign(system_.scalars.size(), kNone);
  for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
    const std::uint32_t derivative = system_.scalars[i].derivative;
    if (derivative == kNone || system_.aliases[i].scalar != i) {
      continue;
    }
    const Alias alias = system_.aliases[derivative];
    const std::uint32_t to = NodeOf(alias.scalar);
    DerivativeNode& node = nodes[NodeOf(i)];
    node.derivative = to;
    node.sign = alias.sign;
  }
  for (const std::uint32_t scalar : differentiated_) {
    const std::uint32_t node = NodeOf(scalar);
    nodes[node].derivative = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back({});
  }
}

// Other equations determine discrete quantities than continuous ones.
void Differentiations::MakeLines() {
  const Incidence incidence = FindIncidence(system_, problem_);
  const auto candidates = FindCandidates(system_, problem_, incidence);
  for (std::uint32_t row = 0; row < problem_.equations.size(); ++row) {
    DerivativeLine& line = lines.emplace_back(DerivativeLine{.equation = row});
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

void Differentiations::AddStates(const ScalarEquation& equation,
                                 DerivativeLine& line) {
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
bool Differentiations::Match(std::uint32_t line) {
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

void Differentiations::Shift(std::uint32_t node, std::uint32_t first) {
  for (std::uint32_t line = kNone; line != first;) {
    line = from_[node];
    nodes[node].line = line;
    node = std::exchange(lines[line].node, node);
  }
}

void Differentiations::ForgetPath() {
  for (const std::uint32_t node : met_nodes_) {
    from_[node] = kNone;
  }
}

bool Differentiations::DifferentiateMet() {
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
    DerivativeLine derivative{.nodes = lines[line].nodes};
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

}  // namespace orrery::compile::internal
