#include "orrery/compile/sorting/unreduced_system.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "orrery/base/error.h"
#include "orrery/compile/scalarize/scalarize.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::compile::internal {
namespace {

std::string NoteOn(OriginKind kind) {
  switch (kind) {
    case OriginKind::kConnection:
      return " (a connection)";
    case OriginKind::kFlowSum:
      return " (the flows of a connection)";
    case OriginKind::kOpenFlow:
      return " (a flow that nothing is connected to)";
    default:
      return "";
  }
}

// Returns the value that a when-clause assigns, that of its first branch, if
// the equation is of one: its last branch is pre() of the assigned quantity.
Expr AssignedByWhen(const System& system, const ScalarEquation& equation) {
  Expr last = equation.right;
  while (last.op() == Op::kSelect) {
    last = last.operand(2);
  }
  const std::uint32_t scalar = system.ScalarAt(equation.left);
  const bool is_of_when = last != equation.right && scalar != kNone &&
                          system.scalars[scalar].pre != kNone &&
                          system.scalars[scalar].pre == system.ScalarAt(last);
  return is_of_when ? equation.right.operand(1) : Expr();
}

}  // namespace

UnreducedSystem::UnreducedSystem(const System& reduced)
    : reduced_(reduced), written_(reduced.model) {
  if (reduced.has_loops) {
    throw Retry{.reason =
                    Retry::Reason::kFewerLoops};  // An author is told of
                                                  // elements by their names.
  }
  Diagnostics known;  // The first build had no errors.
  BuildScalars(written_, {}, known);
  ORRERY_CHECK(written_.scalars.size() <= reduced.scalars.size());
  std::vector<bool> is_kept(num_equations());
  for (const ScalarEquation& equation : reduced.equations) {
    if (equation.number != kNone) {
      is_kept[equation.number] = true;
    }
  }
  for (std::uint32_t number = 0; number < is_kept.size(); ++number) {
    const auto scalars = ScalarsIn(number);
    if (!is_kept[number] && scalars.size() == 2) {
      AddLink(scalars[0], scalars[1], number);
    }
  }
}

const ScalarEquation& UnreducedSystem::At(std::uint32_t number) const {
  return number < num_equations()
             ? written_.equations[number]
             : written_.initial_equations[number - num_equations()];
}

std::vector<std::uint32_t> UnreducedSystem::ScalarsIn(std::uint32_t number) {
  const std::array sides = {At(number).left, At(number).right};
  const auto scalars = written_.walk.Scalars(sides);
  return {scalars.begin(), scalars.end()};
}

std::vector<std::uint32_t> UnreducedSystem::ScalarsIn(
    const ScalarEquation& row) {
  if (row.number != kNone && row.order == 0) {
    return ScalarsIn(row.number);
  }
  const std::array sides = {row.left, row.right};
  FormulaWalk walk(reduced_);
  const auto scalars = walk.Scalars(sides);
  return {scalars.begin(), scalars.end()};
}

UnreducedSystem::Line UnreducedSystem::LineOf(std::uint32_t number) const {
  const ScalarEquation& equation = At(number);
  const Origin& origin = written_.origins[equation.origin];
  const Expr assigned = AssignedByWhen(written_, equation);
  return {.text = assigned ? ToText(equation.left, 200) + " = " +
                                 ToText(assigned, 200) + " (in a when-clause)"
                           : written_.TextOf(equation) + NoteOn(origin.kind),
          .origin = origin,
          .number = number};
}

UnreducedSystem::Line UnreducedSystem::LineOf(const ScalarEquation& row) const {
  Line line = LineOf(row.number);
  if (row.order > 0) {
    line.text.insert(0,
                     row.order == 1
                         ? "the derivative of "
                         : "derivative " + std::to_string(row.order) + " of ");
  }
  return line;
}

void UnreducedSystem::AddLink(std::uint32_t a,
                              std::uint32_t b,
                              std::uint32_t number) {
  links_[a].push_back({.to = b, .number = number});
  links_[b].push_back({.to = a, .number = number});
  const std::uint32_t rate_a = written_.scalars[a].derivative;
  const std::uint32_t rate_b = written_.scalars[b].derivative;
  if (rate_a != kNone && rate_b != kNone) {
    AddLink(rate_a, rate_b, number);
  }
}

UnreducedSystem::Links UnreducedSystem::Connect(
    const std::vector<std::uint32_t>& scalars) const {
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> classes;
  for (const std::uint32_t scalar : scalars) {
    classes[reduced_.aliases[scalar].scalar].push_back(scalar);
  }
  Links links;
  for (const auto& [root, members] : classes) {
    ConnectClass(members, links);
  }
  for (auto* list : {&links.numbers, &links.scalars}) {
    std::ranges::sort(*list);
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  return links;
}

// Adds the paths from all members to the first one, found breadth first.
void UnreducedSystem::ConnectClass(const std::vector<std::uint32_t>& members,
                                   Links& links) const {
  std::unordered_map<std::uint32_t, Link> towards_first;
  std::vector<std::uint32_t> queue = {members.front()};
  towards_first.try_emplace(members.front());
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto found = links_.find(queue[i]);
    if (found == links_.end()) {
      continue;
    }
    for (const Link& link : found->second) {
      const Link back{.to = queue[i], .number = link.number};
      if (towards_first.try_emplace(link.to, back).second) {
        queue.push_back(link.to);
      }
    }
  }
  std::unordered_set<std::uint32_t> joined;  // Their paths are in the links.
  for (const std::uint32_t member : members) {
    links.scalars.push_back(member);
    for (std::uint32_t here = member; joined.insert(here).second;) {
      const auto step = towards_first.find(here);
      if (step == towards_first.end() || step->second.to == kNone) {
        break;
      }
      links.scalars.push_back(step->second.to);
      links.numbers.push_back(step->second.number);
      here = step->second.to;
    }
  }
}

std::vector<UnreducedSystem::Line> UnreducedSystem::LinesOf(
    const std::vector<ScalarEquation>& equations) {
  std::vector<Line> lines;
  std::vector<std::uint32_t> scalars;
  for (const ScalarEquation& equation : equations) {
    if (equation.number != kNone) {
      lines.push_back(LineOf(equation));
      const auto inside = ScalarsIn(equation);
      scalars.insert(scalars.end(), inside.begin(), inside.end());
    }
  }
  for (const std::uint32_t number : Connect(scalars).numbers) {
    lines.push_back(LineOf(number));
  }
  std::ranges::stable_sort(lines, {}, &Line::number);
  return lines;
}

bool UnreducedSystem::IsRegularOnceDifferentiated() {
  std::vector<std::uint32_t> columns(written_.scalars.size(), kNone);
  std::uint32_t num_columns = 0;
  for (std::uint32_t i = 0; i < columns.size(); ++i) {
    const std::uint32_t state = written_.scalars[i].derivative_of;
    if (!written_.IsHeld(i)) {
      columns[i] = state == kNone ? num_columns++ : columns[state];
    }
  }
  if (num_columns != num_equations()) {
    return false;
  }
  Incidence incidence;
  for (std::uint32_t number = 0; number < num_equations(); ++number) {
    std::vector<std::uint32_t> row;
    for (const std::uint32_t scalar : ScalarsIn(number)) {
      if (columns[scalar] != kNone &&
          std::ranges::find(row, columns[scalar]) == row.end()) {
        row.push_back(columns[scalar]);
      }
    }
    incidence.AddRow(row);
  }
  const std::vector<std::uint32_t> no_preference(num_equations(), kNone);
  return MaximumMatching(incidence, num_columns, no_preference).is_perfect();
}

}  // namespace orrery::compile::internal
