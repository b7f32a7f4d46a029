#include "orrery/sim/explain/explain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "orrery/sim/explain/explain_loops.h"
#include "orrery/sim/explain/explain_parts.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/transform.h"

namespace orrery::sim::internal {
namespace {

// True if a condition depends on parameters alone: it stays the same in a run.
bool IsOfParameters(const Program& program, Expr condition) {
  const std::array roots = {condition};
  return std::ranges::none_of(Reachable(roots), [&](std::uint32_t id) {
    const Expr part = condition.graph().At(id);
    if (part.op() != Op::kSymbol) {
      return false;
    }
    const std::string name = ToText(part);
    const auto variable = std::ranges::find_if(
        program.variables, [&name](const ProgramVariable& each) {
          return each.name == name || each.name.starts_with(name + "[");
        });
    return variable == program.variables.end() ||
           variable->kind != VariableKind::kParameter;
  });
}

// True if a part of a formula is in a branch whose condition makes events.
bool IsInChoice(const Program& program, Expr formula, std::uint32_t part) {
  std::vector<Expr> stack = {formula};
  std::unordered_set<std::uint32_t> seen;
  while (!stack.empty()) {
    const Expr top = stack.back();
    stack.pop_back();
    if (top.op() == Op::kNoEvent || !seen.insert(top.id()).second) {
      continue;
    }
    if (top.op() == Op::kSelect) {
      const std::array branches = {top.operand(1), top.operand(2)};
      if (std::ranges::binary_search(Reachable(branches), part) &&
          !IsOfParameters(program, top.operand(0))) {
        return true;
      }
    }
    for (std::size_t i = 0; i < top.num_operands(); ++i) {
      stack.push_back(top.operand(i));
    }
  }
  return false;
}

// A hint for a division by 0 that the values of parameters alone cause; empty
// for others.
std::string HintForDivision(const Program& program, Expr node) {
  if (node.op() != Op::kDivide) {
    return "";
  }
  const std::array divisor = {node.operand(1)};
  std::string parameters;
  for (const std::uint32_t id : Reachable(divisor)) {
    const Expr part = node.graph().At(id);
    if (part.op() != Op::kSymbol) {
      continue;
    }
    const std::string name = ToText(part);
    const auto variable =
        std::ranges::find(program.variables, name, &ProgramVariable::name);
    if (variable == program.variables.end() ||
        variable->kind != VariableKind::kParameter) {
      return "";
    }
    parameters += (parameters.empty() ? "" : " or ") + name;
  }
  return parameters.empty() ? ""
                            : fmt::format("{} is 0: give {} another value",
                                          ToText(divisor[0], kMaxEquationText),
                                          parameters);
}

// A hint for a root whose radicand is below zero by no more than the error of a
// step, as where a tank has run dry; empty for others.
std::string HintForRoot(Expr node, const Tape::Fault& fault) {
  constexpr double kError = 1e-6;
  const bool is_root = node.op() == Op::kSqrt || node.op() == Op::kPower;
  if (!is_root || fault.operands.empty() || !(fault.operands[0] < 0) ||
      fault.operands[0] < -kError) {
    return "";
  }
  const std::string radicand = ToText(node.operand(0), kMaxEquationText);
  return fmt::format(
      "{0} has come below 0 by the error of a step: write max({0}, 0) there",
      radicand);
}

// The operand, if the function is not defined for all numbers and has just left
// its domain; else empty.
std::string OutsideOf(Expr node, const Tape::Fault& fault) {
  constexpr std::array kNotEverywhere = {
      Op::kSqrt, Op::kPower, Op::kLog, Op::kLog10, Op::kAsin, Op::kAcos};
  const bool is_outside =
      std::ranges::find(kNotEverywhere, node.op()) != kNotEverywhere.end() &&
      !fault.operands.empty() && std::isnan(fault.result);
  return is_outside ? ToText(node.operand(0), kMaxEquationText) : "";
}

// True for a call of code of others: it tells by itself what failed, and when.
bool IsForeign(const Program& program, Expr node) {
  const Expr call = node.op() == Op::kOutput ? node.operand(0) : node;
  if (call.op() != Op::kOpaque || call.num_operands() == 0) {
    return false;
  }
  const std::string name = ToText(call.operand(0));
  const auto handle =
      std::ranges::find(program.variables, name, &ProgramVariable::name);
  return handle != program.variables.end() &&
         std::ranges::find(program.foreign,
                           program.references[handle->first_reference].slot,
                           &ForeignCode::handle_slot) != program.foreign.end();
}

Explanation ExplainFault(const ProgramEvaluator& evaluator,
                         std::size_t section,
                         const Tape::Fault& fault) {
  const Program& program = evaluator.program();
  Explanation result{.outcome = RunOutcome::kNotFinite};
  const bool is_known =
      section < program.section_equations.size() &&
      fault.assignment < program.section_equations[section].size();
  if (!is_known) {
    result.message = fmt::format(
        "cannot go on at t = {:.6g} s: {}", evaluator.t(), fault.message);
    result.diagnostics.push_back(DiagnosticWithoutPlace(result.message));
    return result;
  }
  const ScheduledEquation& equation =
      program.section_equations[section][fault.assignment];
  std::string where;
  std::string hint;
  if (!fault.message.empty() && fault.node < equation.value.graph().size() &&
      IsForeign(program, equation.value.graph().At(fault.node))) {
    result.message = "cannot go on: " + fault.message;
    result.diagnostics.push_back(DiagnosticWithoutPlace(result.message));
    return result;
  }
  if (fault.node < equation.value.graph().size()) {
    const Expr part = equation.value.graph().At(fault.node);
    const std::string node = ToText(part, kMaxEquationText);
    if (node != ToText(equation.value, kMaxEquationText)) {
      where = "in " + node + ", ";
    }
    hint = HintForDivision(program, part) + HintForRoot(part, fault);
    if (!IsInChoice(program, equation.value, fault.node)) {
      result.outside = OutsideOf(part, fault);
    } else {
      hint =
          "outside of noEvent() a condition changes at events only, and may "
          "let through what it is to guard: write noEvent(if ...)";
    }
  }
  result.message = fmt::format("cannot evaluate {} at t = {:.6g} s: {}{}",
                               EquationText(equation),
                               evaluator.t(),
                               where,
                               fault.message);
  result.diagnostics.push_back(
      DiagnosticAt(equation, result.message, std::move(hint)));
  return result;
}

RunOutcome OutcomeOf(StepOutcome outcome) {
  switch (outcome) {
    case StepOutcome::kStepped:
      return RunOutcome::kCompleted;
    case StepOutcome::kStepTooSmall:
      return RunOutcome::kStepTooSmall;
    case StepOutcome::kNotFinite:
    case StepOutcome::kEvaluationFailed:
      return RunOutcome::kNotFinite;
    case StepOutcome::kNoConvergence:
      return RunOutcome::kNoConvergence;
    case StepOutcome::kStepLimit:
      return RunOutcome::kStepLimit;
  }
  return RunOutcome::kNotFinite;
}

template <typename Equation>
const Equation* FindByTarget(const std::vector<Equation>& equations,
                             std::string_view target) {
  const auto found =
      std::ranges::find_if(equations, [target](const Equation& equation) {
        return equation.target &&
               ToText(equation.target, kMaxEquationText) == target;
      });
  return found == equations.end() ? nullptr : &*found;
}

std::optional<ScheduledEquation> FindAssignment(const Program& program,
                                                std::string_view target) {
  for (const auto& section : program.section_equations) {
    if (const auto* equation = FindByTarget(section, target)) {
      return *equation;
    }
  }
  return std::nullopt;
}

// The equation that gives a state's derivative, if it is listed.
std::optional<ScheduledEquation> EquationOf(const Program& program,
                                            std::size_t state) {
  const std::string target = "der(" + StateName(program, state) + ")";
  if (auto equation = FindAssignment(program, target)) {
    return equation;
  }
  const auto* alias = FindByTarget(program.aliases, target);
  if (alias == nullptr) {
    return std::nullopt;
  }
  const Expr other =
      alias->value.op() == Op::kNegate ? alias->value.operand(0) : alias->value;
  if (auto equation =
          FindAssignment(program, ToText(other, kMaxEquationText))) {
    return equation;
  }
  return ScheduledEquation{
      .target = alias->target,
      .value = alias->value,
      .iterators = {},
      .span = program.variables[alias->variable].notes->span,
      .path = {}};
}

}  // namespace

Error AsError(const Explanation& why) {
  return why.diagnostics.empty()
             ? Error(ErrorCode::kInvalidModel, why.message)
             : Error(ErrorCode::kInvalidModel, why.diagnostics);
}

std::vector<std::size_t> SectionsOf(const Program& program,
                                    std::span<const ScheduleStep> schedule) {
  std::vector<std::size_t> sections;
  for (const ScheduleStep& step : schedule) {
    sections.push_back(step.kind == ScheduleStep::Kind::kSection
                           ? step.index
                           : program.blocks[step.index].residual_section);
  }
  return sections;
}

namespace {

Explanation ExplainDelay(const ProgramEvaluator& evaluator,
                         const Delay& delay) {
  const double time = evaluator.memory()[delay.time_slot];
  const double most = evaluator.memory()[delay.most_slot];
  Explanation result{.outcome = RunOutcome::kAssertion};
  result.message = fmt::format(
      "cannot delay by {:.6g} s at t = {:.6g} s in '{}': {}",
      time,
      evaluator.t(),
      ToText(delay.formula, 60),
      time > most ? fmt::format("the longest delay is {:.6g} s", most)
                  : "what comes is not known yet");
  Diagnostic diagnostic =
      MakeDiagnostic(Severity::kError,
                     delay.span,
                     result.message,
                     time > most ? "give a longer delayMax, or limit the delay"
                                 : "a delay must not be negative");
  diagnostic.path = delay.path;
  result.diagnostics.push_back(std::move(diagnostic));
  return result;
}

// The sections that ran with the same values before the failure: outputs follow
// derivatives.
std::vector<std::size_t> SectionsBefore(const Program& program,
                                        const Failure& failure) {
  std::vector<std::size_t> sections;
  if (failure.before.data() == program.outputs.data()) {
    sections = SectionsOf(program, program.derivatives);
  }
  std::ranges::move(SectionsOf(program, failure.before),
                    std::back_inserter(sections));
  return sections;
}

}  // namespace

std::optional<Tape::Fault> FindFirstFault(
    const ProgramEvaluator& evaluator, std::span<const std::size_t> sections) {
  const Tape& tape = *evaluator.program().tape;
  for (const std::size_t section : sections) {
    if (auto fault = tape.FindFault(section, evaluator.memory())) {
      return fault;
    }
  }
  return std::nullopt;
}

std::optional<Explanation> ExplainFirstFault(
    const ProgramEvaluator& evaluator, std::span<const std::size_t> sections) {
  const Tape& tape = *evaluator.program().tape;
  for (const std::size_t section : sections) {
    if (const auto fault = tape.FindFault(section, evaluator.memory())) {
      return ExplainFault(evaluator, section, *fault);
    }
  }
  return std::nullopt;
}

Explanation ExplainFailure(const ProgramEvaluator& evaluator,
                           const Failure& failure) {
  if (!evaluator.goes_on()) {
    return {.outcome = RunOutcome::kInterrupted, .message = {}};
  }
  const Program& program = evaluator.program();
  if (failure.delay) {
    return ExplainDelay(evaluator, program.delays[*failure.delay]);
  }
  const bool is_block = failure.step.kind == ScheduleStep::Kind::kBlock;
  const std::size_t section =
      is_block ? program.blocks[failure.step.index].residual_section
               : failure.step.index;
  const bool is_loop = is_block && failure.loop != LoopResult::kTape;
  if (is_loop && failure.loop != LoopResult::kNotFinite) {
    return ExplainLoop(evaluator, failure.step.index, failure.loop);
  }
  if (auto cause =
          ExplainFirstFault(evaluator, SectionsBefore(program, failure))) {
    return std::move(*cause);
  }
  if (const auto fault = program.tape->FindFault(section, evaluator.memory())) {
    Explanation result = ExplainFault(evaluator, section, *fault);
    if (!is_loop) {
      result.outcome = RunOutcome::kAssertion;
    }
    return result;
  }
  if (is_block) {
    return ExplainLoop(evaluator, failure.step.index, failure.loop);
  }
  Explanation result{.outcome = RunOutcome::kAssertion};
  result.message = fmt::format(
      "cannot go on at t = {:.6g} s: a function of the model failed",
      evaluator.t());
  result.diagnostics.push_back(DiagnosticWithoutPlace(result.message));
  return result;
}

Explanation ExplainNotFinite(const ProgramEvaluator& evaluator,
                             std::span<const std::size_t> sections,
                             const std::optional<NamedScalar>& scalar) {
  if (auto cause = ExplainFirstFault(evaluator, sections)) {
    return std::move(*cause);
  }
  const Program& program = evaluator.program();
  Explanation result{.outcome = RunOutcome::kNotFinite};
  SourceSpan span;
  std::string what = "a quantity has no finite value";
  if (scalar) {
    span = program.variables[scalar->variable].notes->span;
    const double value = evaluator.Value(ReferenceOf(program, *scalar));
    what = fmt::format(
        "'{}' is {}",
        NameOf(program, *scalar),
        std::isnan(value) ? "not a number" : fmt::format("{}", value));
  }
  result.message =
      fmt::format("cannot go on at t = {:.6g} s: {}", evaluator.t(), what);
  result.diagnostics.push_back(
      MakeDiagnostic(Severity::kError, span, result.message));
  return result;
}

void ExplainEndOfSolution(double speed, Explanation& why) {
  why.message += "; the solution ends there";
  Diagnostic& first = why.diagnostics.front();
  first.message = why.message;
  first.hint = fmt::format(
      "{} {} on there, by {:.3g} a second: end the run before, as by "
      "terminate(), or write what holds from there on",
      why.outside,
      speed < 0 ? "falls" : "rises",
      std::abs(speed));
}

namespace {

// Steps became small one after the other, or none was possible after a long
// one.
std::string DescribeTooSmall(double t, double last_step) {
  constexpr double kSmall = 1e-6;  // Relative to time, or to 1 s.
  if (last_step > kSmall * std::max(1.0, std::abs(t))) {
    return fmt::format(
        "no step is short enough behind the last one, of {:.3g} s", last_step);
  }
  const std::string text(Describe(StepOutcome::kStepTooSmall));
  return last_step > 0
             ? fmt::format("{} (the last one was {:.3g} s)", text, last_step)
             : text;
}

}  // namespace

Explanation ExplainStep(const Program& program,
                        const StepResult& result,
                        double t,
                        double last_step) {
  Explanation explanation{.outcome = OutcomeOf(result.outcome)};
  std::string blame;
  std::optional<ScheduledEquation> equation;
  if (result.index >= 0) {
    const auto index = static_cast<std::size_t>(result.index);
    const std::size_t state = index % program.state_slots.size();
    equation = EquationOf(program, state);
    blame = fmt::format("; {}'{}' varies most for its tolerance",
                        index == state ? "" : "a sensitivity of ",
                        StateName(program, state));
    if (equation) {
      blame += ", by " + EquationText(*equation);
    }
  }
  explanation.message = fmt::format("cannot go on at t = {:.6g} s: {}{}",
                                    t,
                                    result.outcome == StepOutcome::kStepTooSmall
                                        ? DescribeTooSmall(t, last_step)
                                        : std::string(Describe(result.outcome)),
                                    blame);
  explanation.diagnostics.push_back(
      equation ? DiagnosticAt(*equation, explanation.message)
               : DiagnosticWithoutPlace(explanation.message));
  if (result.outcome == StepOutcome::kNoConvergence) {
    explanation.diagnostics.back().hint =
        "if an equation is ever steeper there, as sqrt(x) is towards x = 0, "
        "give it a finite slope near that place, or take dopri5";
  } else if (result.outcome == StepOutcome::kStepLimit) {
    explanation.diagnostics.back().hint =
        "let the run be shorter, its tolerance larger or its step longer; of a "
        "stiff model, rodas and cvode-bdf take few steps";
  }
  return explanation;
}

Explanation ExplainSteep(const Program& program,
                         std::size_t state,
                         double t,
                         std::string_view method) {
  const auto equation = EquationOf(program, state);
  Explanation explanation{.outcome = RunOutcome::kNotFinite};
  explanation.message = fmt::format(
      "cannot go on at t = {:.6g} s: der({}) changes infinitely fast there{}, "
      "and {} needs to know how it changes; take a method that does not, such "
      "as dopri5",
      t,
      StateName(program, state),
      equation ? ", by " + EquationText(*equation) : "",
      method);
  explanation.diagnostics.push_back(
      equation ? DiagnosticAt(*equation, explanation.message)
               : DiagnosticWithoutPlace(explanation.message));
  return explanation;
}

}  // namespace orrery::sim::internal
