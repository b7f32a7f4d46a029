#include "orrery/compile/listing.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/compile/compile.h"
#include "orrery/compile/equation_list.h"
#include "orrery/symbolic/print/print.h"

namespace orrery {
namespace {

// The look of lines and loops in one notation.
struct Notation {
  std::function<std::string(Expr target, Expr value)> equation;
  std::string (*iteration)(Expr iterator);
  std::function<std::string(const ResidualBlock&)> loop_head;
  std::string loop;  // Before the iterators of an equation.
  std::string constraints_head;
  std::string events_head;
  std::function<std::string(const std::string& head,
                            const std::vector<std::string>& lines)>
      group;
};

class Lister {
 public:
  Lister(const Program& program, const Notation& notation)
      : program_(program), notation_(notation) {}

  // Lists the loops of both schedules.
  std::vector<LoopListing> Loops() {
    const auto steps = StepsOf({&program_.derivatives, &program_.outputs});
    FindTargets(steps);
    std::vector<LoopListing> loops;
    for (const ScheduleStep& step : steps) {
      if (step.kind != ScheduleStep::Kind::kBlock) {
        continue;
      }
      const ResidualBlock& block = program_.blocks[step.index];
      loops.push_back({.block = &block,
                       .members = NamesOf(block.members),
                       .solved_for = NamesOf(block.unknowns),
                       .equations = EquationsOf(block)});
    }
    return loops;
  }

  // The equations as data, too.
  std::vector<ListedEquation> Rows() {
    rows_.emplace();
    (void)Run();
    return std::move(*rows_);
  }

  std::vector<std::string> Run() {
    std::vector<std::string> lines =
        LinesOf({&program_.derivatives, &program_.outputs});
    AddEquations(program_.aliases, lines);
    std::vector<std::string> kept;
    for (const StateConstraint& constraint : program_.constraints.constraints) {
      kept.push_back(LineOf(constraint.equation));
    }
    AddGroup(notation_.constraints_head, kept, lines);
    AddGroup(
        notation_.events_head, LinesOf({&program_.events.schedule}), lines);
    return lines;
  }

 private:
  static std::vector<ScheduleStep> StepsOf(
      std::initializer_list<const Schedule*> schedules) {
    std::vector<ScheduleStep> steps;
    for (const Schedule* const schedule : schedules) {
      steps.insert(steps.end(), schedule->begin(), schedule->end());
    }
    return steps;
  }

  void FindTargets(const std::vector<ScheduleStep>& steps) {
    for (const ScheduleStep& step : steps) {
      if (step.kind == ScheduleStep::Kind::kSection) {
        for (const auto& equation : program_.section_equations[step.index]) {
          by_target_.emplace(equation.target.id(), &equation);
        }
      }
    }
  }

  static std::vector<std::string> NamesOf(const std::vector<Expr>& formulas) {
    std::vector<std::string> names;
    names.reserve(formulas.size());
    for (const Expr& formula : formulas) {
      names.push_back(ToText(formula));
    }
    return names;
  }

  // Returns lines for equations and loops that have none yet.
  std::vector<std::string> LinesOf(
      std::initializer_list<const Schedule*> schedules) {
    const std::vector<ScheduleStep> steps = StepsOf(schedules);
    FindTargets(steps);
    std::vector<std::string> lines;
    for (const ScheduleStep& step : steps) {
      if (step.kind == ScheduleStep::Kind::kBlock) {
        AddLoop(program_.blocks[step.index], lines);
      } else {
        AddEquations(program_.section_equations[step.index], lines);
      }
    }
    return lines;
  }

  template <typename Equation>
  void AddEquations(const std::vector<Equation>& equations,
                    std::vector<std::string>& lines) {
    for (const Equation& equation : equations) {
      if (listed_.insert(equation.target.id()).second) {
        AddLine(equation, lines);
      }
    }
  }

  // Writes a discrete quantity as its author did: `time > 2` in place of its
  // threshold, and no line for `x > 1` if the relation has no other name.
  void AddLine(const ScheduledEquation& equation,
               std::vector<std::string>& lines) {
    ScheduledEquation written = equation;
    if (ThresholdName(written.target)) {
      return;
    }
    Expr reached = written.value;
    for (const auto& [op, operand] :
         {std::pair(Op::kNot, 0U), std::pair(Op::kSelect, 1U)}) {
      reached = reached.op() == op ? reached.operand(operand) : reached;
    }
    if (reached.op() == Op::kLessEqual) {
      if (const auto name = ThresholdName(reached.operand(0))) {
        written.value = reached.graph().Symbol(
            {.name = *name, .type = ValueType::kBoolean, .shape = {}});
      }
    }
    if (written.value.type() != ValueType::kBoolean ||
        ToText(written.target) != ToText(written.value)) {
      lines.push_back(LineOf(written));
    }
  }

  void AddLine(const AliasEquation& equation, std::vector<std::string>& lines) {
    AddRow({.target = equation.target, .value = equation.value});
    lines.push_back(notation_.equation(equation.target, equation.value));
  }

  // For a threshold, returns the relation that changes there.
  [[nodiscard]] static std::optional<std::string> ThresholdName(Expr formula) {
    constexpr std::string_view kPrefix = "threshold of ";
    if (formula.op() != Op::kSymbol) {
      return std::nullopt;
    }
    const std::string name = formula.graph().NameOf(formula);
    return name.starts_with(kPrefix)
               ? std::optional(name.substr(kPrefix.size()))
               : std::nullopt;
  }

  void AddRow(const ScheduledEquation& equation) {
    if (!rows_) {
      return;
    }
    ListedEquation row = {
        .text = ToText(equation.target) + " = " + ToText(equation.value),
        .latex = ToLatex(equation.target) + " = " + ToLatex(equation.value),
        .span = equation.span,
        .path = std::string(equation.path),
        .block = block_};
    for (const Expr iterator : equation.iterators) {
      const bool is_first = iterator == equation.iterators.front();
      row.text += (is_first ? " for " : ", ") + IterationToText(iterator);
      row.latex += (is_first ? ", \\quad " : ", ") + IterationToLatex(iterator);
    }
    rows_->push_back(std::move(row));
    block_ += is_in_loop_ ? 0 : 1;
  }

  [[nodiscard]] std::string LineOf(const ScheduledEquation& equation) {
    AddRow(equation);
    std::string line = notation_.equation(equation.target, equation.value);
    for (const Expr iterator : equation.iterators) {
      line += iterator == equation.iterators.front() ? notation_.loop : ", ";
      line += notation_.iteration(iterator);
    }
    return line;
  }

  void AddLoop(const ResidualBlock& block, std::vector<std::string>& lines) {
    bool is_new = false;
    for (const Expr& unknown : block.unknowns) {
      is_new = listed_.insert(unknown.id()).second || is_new;
    }
    if (is_new) {
      is_in_loop_ = true;
      lines.push_back(
          notation_.group(notation_.loop_head(block), EquationsOf(block)));
      is_in_loop_ = false;
      ++block_;
    }
  }

  // Returns the equations of the inner unknowns, then the residuals.
  std::vector<std::string> EquationsOf(const ResidualBlock& block) {
    std::vector<std::string> equations;
    for (const Expr& member : block.members) {
      const auto found = by_target_.find(member.id());
      if (found != by_target_.end()) {
        listed_.insert(member.id());
        equations.push_back(LineOf(*found->second));
      }
    }
    for (const ScheduledEquation& residual : block.equations) {
      equations.push_back(LineOf(residual));
    }
    return equations;
  }

  void AddGroup(const std::string& head,
                const std::vector<std::string>& members,
                std::vector<std::string>& lines) const {
    if (!members.empty()) {
      lines.push_back(notation_.group(head, members));
    }
  }

  const Program& program_;
  const Notation& notation_;
  std::unordered_map<std::uint32_t, const ScheduledEquation*> by_target_;
  std::unordered_set<std::uint32_t> listed_;  // Targets that have a line.
  std::optional<std::vector<ListedEquation>> rows_;  // If they are asked for.
  std::size_t block_ = 0;
  bool is_in_loop_ = false;
};

std::string TornNames(const ResidualBlock& block,
                      const std::function<std::string(Expr)>& print) {
  std::string names;
  for (const Expr& unknown : block.unknowns) {
    names += (names.empty() ? "" : ", ") + print(unknown);
  }
  return names;
}

// As the command `equations` prints them.
Notation TextNotation() {
  const auto print = [](Expr formula) {
    return ToText(formula);
  };
  return {
      .equation =
          [=](Expr target, Expr value) {
            return print(target) + " = " + print(value);
          },
      .iteration = IterationToText,
      .loop_head =
          [=](const ResidualBlock& block) {
            return "solve for " + TornNames(block, print) +
                   (block.is_linear ? " (linear)" : "");
          },
      .loop = " for ",
      .constraints_head = "the states keep to",
      .events_head = "at events",
      .group =
          [](const std::string& head, const std::vector<std::string>& lines) {
            std::string text = "[ " + head;
            for (const std::string& line : lines) {
              text += "\n    " + line;
            }
            return text + "\n]";
          }};
}

}  // namespace

std::vector<LoopListing> ListLoops(const Program& program) {
  const Notation notation = TextNotation();
  return Lister(program, notation).Loops();
}

std::vector<ListedEquation> EquationRows(const Program& program) {
  const Notation notation = TextNotation();
  return Lister(program, notation).Rows();
}

std::string ListEquations(const Program& program) {
  const Notation notation = TextNotation();
  std::string text;
  for (const std::string& line : Lister(program, notation).Run()) {
    text += line + "\n";
  }
  return text;
}

std::string ListEquationsAsLatex(const Program& program) {
  const auto print = [](Expr formula) {
    return ToLatex(formula);
  };
  const Notation notation{
      .equation =
          [&](Expr target, Expr value) {
            return print(target) + " &= " + print(value);
          },
      .iteration = IterationToLatex,
      .loop_head =
          [&](const ResidualBlock& block) {
            return "\\text{solve for } " + TornNames(block, print);
          },
      .loop = ", \\quad ",
      .constraints_head = "\\text{the states keep to}",
      .events_head = "\\text{at events}",
      .group =
          [](const std::string& head, const std::vector<std::string>& lines) {
            std::string text = "&\\left[\\;\\begin{aligned}\n    &" + head;
            for (const std::string& line : lines) {
              text += " \\\\\n    " + line;
            }
            return text + "\n  \\end{aligned}\\;\\right]";
          }};
  std::string text = "\\begin{align*}\n";
  bool is_first = true;
  for (const std::string& line : Lister(program, notation).Run()) {
    text += (is_first ? "  " : " \\\\\n  ") + line;
    is_first = false;
  }
  return text + "\n\\end{align*}\n";
}

}  // namespace orrery
