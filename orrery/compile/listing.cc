#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "orrery/compile/compile.h"
#include "orrery/symbolic/print.h"

namespace orrery {
namespace {

// What a line or a loop looks like in one notation.
struct Notation {
  std::function<std::string(Expr target, Expr value)> equation;
  std::string (*iteration)(Expr iterator);
  std::function<std::string(const ResidualBlock&)> loop_head;
  std::string loop;  // Before the iterators that an equation has.
  std::string constraints_head;
  std::function<std::string(const std::string& head,
                            const std::vector<std::string>& lines)>
      group;
};

class Lister {
 public:
  Lister(const Program& program, const Notation& notation)
      : program_(program), notation_(notation) {
    ForEachStep([this](const ScheduleStep& step) {
      if (step.kind == ScheduleStep::Kind::kSection) {
        for (const auto& equation : program_.section_equations[step.index]) {
          by_target_.emplace(equation.target.id(), &equation);
        }
      }
    });
  }

  std::vector<std::string> Run() {
    std::vector<std::string> lines;
    ForEachStep([&](const ScheduleStep& step) {
      if (step.kind == ScheduleStep::Kind::kBlock) {
        lines.push_back(Loop(program_.blocks[step.index]));
      } else {
        AddEquations(program_.section_equations[step.index], lines);
      }
    });
    AddEquations(program_.aliases, lines);
    std::vector<std::string> kept;
    for (const StateConstraint& constraint : program_.constraints.constraints) {
      kept.push_back(LineOf(constraint.equation));
    }
    if (!kept.empty()) {
      lines.push_back(notation_.group(notation_.constraints_head, kept));
    }
    return lines;
  }

 private:
  template <typename Use>
  void ForEachStep(Use use) const {
    for (const Schedule* schedule :
         {&program_.derivatives, &program_.outputs}) {
      std::ranges::for_each(*schedule, use);
    }
  }

  template <typename Equation>
  void AddEquations(const std::vector<Equation>& equations,
                    std::vector<std::string>& lines) const {
    for (const Equation& equation : equations) {
      if (!in_loop_.contains(equation.target.id())) {
        lines.push_back(LineOf(equation));
      }
    }
  }

  [[nodiscard]] std::string LineOf(const ScheduledEquation& equation) const {
    std::string line = notation_.equation(equation.target, equation.value);
    for (const Expr iterator : equation.iterators) {
      line += iterator == equation.iterators.front() ? notation_.loop : ", ";
      line += notation_.iteration(iterator);
    }
    return line;
  }

  [[nodiscard]] std::string LineOf(const AliasEquation& equation) const {
    return notation_.equation(equation.target, equation.value);
  }

  std::string Loop(const ResidualBlock& block) {
    std::vector<std::string> lines;
    for (const Expr& member : block.members) {
      const auto found = by_target_.find(member.id());
      if (found != by_target_.end()) {
        in_loop_.insert(member.id());
        lines.push_back(LineOf(*found->second));
      }
    }
    for (const ScheduledEquation& residual : block.equations) {
      lines.push_back(LineOf(residual));
    }
    return notation_.group(notation_.loop_head(block), lines);
  }

  const Program& program_;
  const Notation& notation_;
  std::unordered_map<std::uint32_t, const ScheduledEquation*> by_target_;
  std::unordered_set<std::uint32_t> in_loop_;
};

std::string TornNames(const ResidualBlock& block,
                      const std::function<std::string(Expr)>& print) {
  std::string names;
  for (const Expr& unknown : block.unknowns) {
    names += (names.empty() ? "" : ", ") + print(unknown);
  }
  return names;
}

}  // namespace

std::string ListEquations(const Program& program) {
  const auto print = [](Expr formula) {
    return ToText(formula);
  };
  const Notation notation{
      .equation =
          [&](Expr target, Expr value) {
            return print(target) + " = " + print(value);
          },
      .iteration = IterationToText,
      .loop_head =
          [&](const ResidualBlock& block) {
            return "solve for " + TornNames(block, print) +
                   (block.is_linear ? " (linear)" : "");
          },
      .loop = " for ",
      .constraints_head = "the states keep to",
      .group =
          [](const std::string& head, const std::vector<std::string>& lines) {
            std::string text = "[ " + head;
            for (const std::string& line : lines) {
              text += "\n    " + line;
            }
            return text + "\n]";
          }};
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
