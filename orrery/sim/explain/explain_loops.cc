#include "orrery/sim/explain/explain_loops.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/sim/explain/explain_parts.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::sim::internal {
namespace {

// "x = 1, y = 2"
std::string ListUnknowns(const ResidualBlock& block,
                         std::span<const double> values) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    texts.push_back(fmt::format(
        "{} = {:.6g}", ToText(block.unknowns[i], kMaxEquationText), values[i]));
  }
  return Join(texts);
}

std::string WhyLoop(const ProgramEvaluator& evaluator,
                    std::size_t number,
                    LoopResult result) {
  const ResidualBlock& block = evaluator.program().blocks[number];
  if (result == LoopResult::kSingular) {
    return block.is_linear
               ? "its equations do not determine its unknowns (the matrix is "
                 "singular)"
               : "its equations no longer determine its unknowns (the matrix "
                 "of their derivatives is singular)";
  }
  std::vector<double> start;
  for (const std::uint32_t slot : block.unknown_slots) {
    start.push_back(evaluator.memory()[slot]);
  }
  const LoopMiss& miss = evaluator.loop(number).miss();
  if (result == LoopResult::kNotFinite && miss.z.empty()) {
    return "its equations have no finite value at " +
           ListUnknowns(block, start);
  }
  std::string why = "no real solution found near " + ListUnknowns(block, start);
  if (!miss.z.empty() && miss.equation < block.equations.size()) {
    why += fmt::format(", nearest to one at {}, where {} is off by {:.6g}",
                       ListUnknowns(block, miss.z),
                       EquationText(block.equations[miss.equation]),
                       miss.residual);
  }
  return why;
}

std::string LoopHint(const ProgramEvaluator& evaluator,
                     std::size_t number,
                     LoopResult why) {
  const ResidualBlock& block = evaluator.program().blocks[number];
  if (why == LoopResult::kSingular) {
    return block.is_linear ? "check the loop's signs and gains"
                           : "two solutions meet here and end, or there are "
                             "many: check the loop's equations";
  }
  const LoopSolver& loop = evaluator.loop(number);
  if (loop.miss().z.empty()) {
    return "";
  }
  return loop.was_accepted()
             ? "it was solved up to here: check whether its equations still "
               "have a solution, and one that does not jump"
             : fmt::format(
                   "if there is a solution, begin nearer to it, by the "
                   "start value of {}",
                   ToText(block.unknowns[0], kMaxEquationText));
}

// The equations of the loop's residuals, then the assignments that give its
// other members: one of each, though some are made between events, in events
// and at the start.
std::vector<const ScheduledEquation*> EquationsOf(const Program& program,
                                                  const ResidualBlock& block) {
  std::vector<const ScheduledEquation*> equations;
  for (const ScheduledEquation& equation : block.equations) {
    equations.push_back(&equation);
  }
  for (std::size_t i = 0; i < program.section_equations.size(); ++i) {
    if (i == block.residual_section) {
      continue;
    }
    for (const ScheduledEquation& equation : program.section_equations[i]) {
      const bool is_member =
          std::ranges::find(block.members, equation.target) !=
          block.members.end();
      const bool is_unknown =
          std::ranges::find(block.unknowns, equation.target) !=
          block.unknowns.end();
      const bool is_known =
          std::ranges::find(equations,
                            equation.target,
                            &ScheduledEquation::target) != equations.end();
      if (is_member && !is_unknown && !is_known) {
        equations.push_back(&equation);
      }
    }
  }
  return equations;
}

std::string ListMembers(const std::vector<Expr>& members) {
  std::vector<std::string> names;
  names.reserve(members.size());
  for (const Expr member : members) {
    names.push_back(ToText(member, kMaxEquationText));
  }
  return Join(names);
}

// One error at the first of a loop's equations, with the places of the others.
std::vector<Diagnostic> PointAt(
    const std::vector<const ScheduledEquation*>& equations,
    const std::string& message,
    const std::string& hint) {
  if (equations.empty()) {
    return {DiagnosticWithoutPlace(message)};
  }
  std::vector<Diagnostic> found = {
      DiagnosticAt(*equations.front(), message, hint)};
  for (std::size_t i = 1; i < std::min(equations.size(), kMaxListed); ++i) {
    found.push_back(DiagnosticAt(
        *equations[i], "also of this loop: " + EquationText(*equations[i])));
    found.back().severity = Severity::kNote;
  }
  return found;
}

std::string ListEquations(
    const std::vector<const ScheduledEquation*>& equations) {
  std::vector<std::string> texts;
  texts.reserve(equations.size());
  for (const ScheduledEquation* equation : equations) {
    texts.push_back(EquationText(*equation));
  }
  return Join(texts);
}

Explanation ExplainSingular(const ProgramEvaluator& evaluator,
                            const LoopDeterminant& loop) {
  std::vector<std::string> gains;
  for (const LoopDeterminant::Gain& gain : loop.gains) {
    gains.push_back(fmt::format("{} = {}",
                                ToText(gain.parameter, kMaxEquationText),
                                evaluator.memory()[gain.slot]));
  }
  std::vector<const ScheduledEquation*> equations;
  for (const ScheduledEquation& equation : loop.equations) {
    equations.push_back(&equation);
  }
  Explanation result{.outcome = RunOutcome::kLoopUnsolved};
  result.message = fmt::format(
      "cannot solve the algebraic loop {{{}}}: {}its equations {}: {}",
      ListMembers(loop.members),
      gains.empty() ? "" : "with " + Join(gains) + " ",
      loop.is_homogeneous ? "leave it free, there are infinitely many solutions"
                          : "contradict each other or leave it free",
      ListEquations(equations));
  result.diagnostics =
      PointAt(equations,
              result.message,
              fmt::format("change {}, or check the loop's signs and gains",
                          loop.gains.size() == 1 ? "this parameter"
                                                 : "these parameters"));
  return result;
}

}  // namespace

std::string NameOfLoop(const ResidualBlock& loop) {
  return "{" + ListMembers(loop.members) + "}";
}

Explanation ExplainLoop(const ProgramEvaluator& evaluator,
                        std::size_t number,
                        LoopResult why) {
  const ResidualBlock& block = evaluator.program().blocks[number];
  const auto equations = EquationsOf(evaluator.program(), block);
  Explanation result{.outcome = RunOutcome::kLoopUnsolved};
  result.message = fmt::format(
      "cannot solve the algebraic loop {{{}}} at t = {:.6g} s: {}; "
      "its equations: {}",
      ListMembers(block.members),
      evaluator.t(),
      WhyLoop(evaluator, number, why),
      ListEquations(equations));
  result.diagnostics =
      PointAt(equations, result.message, LoopHint(evaluator, number, why));
  return result;
}

std::vector<Diagnostic> WarnOfFreedom(const ProgramEvaluator& evaluator) {
  const Program& program = evaluator.program();
  std::vector<Diagnostic> warnings;
  for (std::size_t i = 0; i < program.blocks.size(); ++i) {
    const auto& freedom = evaluator.loop(i).freedom();
    if (!freedom || warnings.size() == kMaxListed) {
      continue;
    }
    const ResidualBlock& block = program.blocks[i];
    std::vector<Expr> unknowns;
    for (const std::size_t number : freedom->unknowns) {
      unknowns.push_back(block.unknowns[number]);
    }
    const auto equations = EquationsOf(program, block);
    const std::string message = fmt::format(
        "from t = {:.6g} s on, nothing determines {}: of all solutions of the "
        "algebraic loop {{{}}}, the one that changes them least is taken",
        freedom->t,
        ListMembers(unknowns),
        ListMembers(block.members));
    warnings.push_back(
        equations.empty()
            ? DiagnosticWithoutPlace(message)
            : DiagnosticAt(*equations.front(),
                           message,
                           "give them an equation, if they matter"));
    warnings.back().severity = Severity::kWarning;
  }
  return warnings;
}

std::optional<Explanation> ExplainIfSingular(ProgramEvaluator& evaluator,
                                             bool at_start) {
  const Program& program = evaluator.program();
  if (program.determinants.empty() ||
      evaluator.RunSection(program.determinant_section)) {
    return std::nullopt;
  }
  std::optional<Explanation> result;
  std::size_t count = 0;
  for (const LoopDeterminant& loop : program.determinants) {
    const auto memory = evaluator.memory();
    if (LoopDeterminant::IsRegular(memory[loop.slot],
                                   memory[loop.terms_slot]) ||
        (loop.is_of_start && !at_start) || ++count > kMaxListed) {
      continue;
    }
    Explanation next = ExplainSingular(evaluator, loop);
    if (!result) {
      result = std::move(next);
    } else {
      std::ranges::move(next.diagnostics,
                        std::back_inserter(result->diagnostics));
    }
  }
  if (count > 1) {
    result->message += fmt::format(" (and {} more)", count - 1);
  }
  return result;
}

}  // namespace orrery::sim::internal
