#include "orrery/sim/events/explain_events.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "orrery/symbolic/print/print.h"

namespace orrery::sim::internal {
namespace {

constexpr std::size_t kMaxConditionText = 80;
constexpr std::size_t kMaxConditionsNamed = 6;

Diagnostic At(const SourceSpan& span,
              const std::string& path,
              std::string message,
              std::string hint = {}) {
  Diagnostic diagnostic = MakeDiagnostic(
      Severity::kError, span, std::move(message), std::move(hint));
  diagnostic.path = path;
  return diagnostic;
}

Explanation ExplainCheck(ProgramEvaluator& evaluator,
                         const EventOutcome& outcome,
                         double t) {
  Explanation result;
  const Check& check = evaluator.program().events.checks[outcome.number];
  const std::string text =
      TextOf(evaluator, check.message, outcome.is_at_start);
  if (check.kind == Check::Kind::kTermination) {
    result.outcome = RunOutcome::kTerminated;
    result.message = fmt::format(
        "terminated at t = {:.6g} s: {}{}", t, text, evaluator.EndWords());
    return result;
  }
  result.outcome = RunOutcome::kAssertion;
  result.message = fmt::format("assertion fails at t = {:.6g} s: {}", t, text);
  result.diagnostics.push_back(At(check.span, check.path, result.message));
  return result;
}

// True if an element of the variable is in one of the slots, which ascend.
bool IsIn(const std::vector<std::uint32_t>& slots,
          const Program& program,
          const ProgramVariable& variable) {
  const auto count = static_cast<std::size_t>(NumElements(variable.shape));
  const std::span elements =
      std::span(program.references).subspan(variable.first_reference, count);
  return std::ranges::any_of(elements, [&](Reference at) {
    return std::ranges::binary_search(slots, at.slot);
  });
}

// Appends the names of the causes to the message, and their places as notes.
Explanation Blame(const Program& program,
                  const EventCauses& causes,
                  std::string message,
                  std::string hint) {
  std::vector<std::string> names;
  std::vector<Diagnostic> notes;
  // @returns true if `name` is new and there is room for it.
  const auto add = [&names](const std::string& name) {
    const std::string quoted = "'" + name + "'";
    if (names.size() == kMaxConditionsNamed ||
        std::ranges::count(names, quoted) > 0) {
      return false;
    }
    names.push_back(quoted);
    return true;
  };
  for (const std::size_t k : causes.relations) {
    const WatchedRelation& relation = program.events.relations[k];
    const std::string name = relation.event.empty()
                                 ? ToText(relation.formula, kMaxConditionText)
                                 : relation.event;
    if (add(name) && relation.span.file != nullptr) {
      notes.push_back(
          At(relation.span, relation.path, names.back() + " changes here"));
      notes.back().severity = Severity::kNote;
    }
  }
  for (const std::size_t k : causes.named) {
    add(program.events.named[k].name);
  }
  for (const ProgramVariable& variable : program.variables) {
    if (variable.kind == VariableKind::kDiscrete &&
        IsIn(causes.discrete, program, variable) && add(variable.name) &&
        variable.notes->span.file != nullptr) {
      notes.push_back(
          At(variable.notes->span, {}, names.back() + " is declared here"));
      notes.back().severity = Severity::kNote;
    }
  }
  Explanation result{.outcome = RunOutcome::kTooManyEvents};
  result.message = std::move(message);
  if (!names.empty()) {
    result.message +=
        fmt::format("; what changes is {}", fmt::join(names, ", "));
  }
  result.diagnostics.push_back(At({}, {}, result.message, std::move(hint)));
  result.diagnostics.insert(
      result.diagnostics.end(), notes.begin(), notes.end());
  return result;
}

struct Reason {
  std::string why;
  std::string hint;
};

// Explains a run that relations keep from going on at `t`.
Explanation BlameRelations(const Program& program,
                           const std::vector<std::size_t>& relations,
                           double t,
                           const Reason& reason) {
  return Blame(program,
               {.relations = relations, .named = {}, .discrete = {}},
               fmt::format("cannot go on at t = {:.9g} s: {}", t, reason.why),
               reason.hint);
}

Explanation ExplainEndless(ProgramEvaluator& evaluator,
                           EventEngine& engine,
                           double t) {
  return Blame(
      evaluator.program(),
      engine.FindChattering(),
      fmt::format(
          "cannot go on at t = {:.6g} s: events follow each other without end",
          t),
      "let one not undo the other, or let time pass between them");
}

Explanation ExplainClock(const ProgramEvaluator& evaluator,
                         const EventOutcome& outcome,
                         double t) {
  const Tick& tick = evaluator.program().events.ticks[outcome.number];
  const double interval = evaluator.memory()[tick.interval_slot];
  Explanation result{.outcome = RunOutcome::kBadClock};
  if (outcome.kind == EventOutcome::Kind::kBadJitter) {
    result.message = fmt::format(
        "cannot go on at t = {:.9g} s: the next tick of '{}' is not later; its "
        "jitter is more than its period, or the period less than rounding",
        t,
        tick.name);
  } else if (outcome.kind == EventOutcome::Kind::kTooManyTicks) {
    result.message = fmt::format(
        "cannot run that far: '{}' would tick every {:.6g} s, more than 1e10 "
        "times; let it tick less often, or let the run end earlier",
        tick.name,
        interval);
  } else {
    result.message = fmt::format(
        "cannot let '{}' tick every {:.6g} s from {:.6g} s on: give it an "
        "interval that is {}",
        tick.name,
        interval,
        evaluator.memory()[tick.start_slot],
        interval > 0 ? "longer than rounding of the time" : "positive");
  }
  result.diagnostics.push_back(At(tick.span, tick.path, result.message));
  return result;
}

// The place and the name of the state that `reset` sets.
std::pair<SourceSpan, std::string> StateOf(const Program& program,
                                           const StateReset& reset) {
  const auto variable =
      std::ranges::find_if(program.variables, [&](const ProgramVariable& one) {
        return one.kind == VariableKind::kState &&
               IsIn({reset.state.slot}, program, one);
      });
  const auto state = std::ranges::find(program.state_slots, reset.state.slot);
  const auto number =
      static_cast<std::size_t>(state - program.state_slots.begin());
  return {variable == program.variables.end() ? SourceSpan{}
                                              : variable->notes->span,
          StateName(program, number)};
}

// Blames the formula of the new value, or an earlier one that has a fault.
Explanation ExplainBadReset(const ProgramEvaluator& evaluator,
                            const EventOutcome& outcome,
                            double t) {
  const Program& program = evaluator.program();
  std::string why = fmt::format(
      "its new value is {}",
      evaluator.memory()[program.events.resets[outcome.number].value_slot]);
  for (const std::size_t section :
       SectionsOf(program, program.events.schedule)) {
    if (const auto fault =
            program.tape->FindFault(section, evaluator.memory())) {
      why = fault->message;
      break;
    }
  }
  const StateReset& reset = program.events.resets[outcome.number];
  const auto [span, name] = StateOf(program, reset);
  Explanation result{.outcome = RunOutcome::kNotFinite};
  result.message =
      fmt::format("cannot reinit '{}' at t = {:.9g} s: {}", name, t, why);
  result.diagnostics.push_back(At(span, {}, result.message));
  return result;
}

Explanation ExplainTwoResets(const ProgramEvaluator& evaluator,
                             const EventOutcome& outcome,
                             double t) {
  const StateReset& reset = evaluator.program().events.resets[outcome.number];
  const auto [span, name] = StateOf(evaluator.program(), reset);
  Explanation result{.outcome = RunOutcome::kConflict};
  result.message = fmt::format(
      "cannot reinit '{}' at t = {:.9g} s to both {:.6g} and {:.6g}: two "
      "when-clauses do so at once",
      name,
      t,
      outcome.other_value,
      evaluator.Value(reset.state));
  result.diagnostics.push_back(
      At(span,
         {},
         result.message,
         "join them to 'when ... elsewhen ...', which says which one wins"));
  return result;
}

}  // namespace

std::string TextOf(ProgramEvaluator& evaluator,
                   const RunMessage& message,
                   bool is_at_start) {
  const EventProgram& events = evaluator.program().events;
  if (events.message_section) {
    double& initial = evaluator.memory()[events.initial_slot];
    const double before = std::exchange(initial, is_at_start ? 1 : 0);
    static_cast<void>(evaluator.RunSection(*events.message_section));
    initial = before;
  }
  std::string text;
  for (const RunMessage::Part& part : message.parts) {
    text += part.text;
    if (part.slot != RunMessage::kNone) {
      text += ToText(part.type, evaluator.memory()[part.slot], part.format);
    }
  }
  return text;
}

Diagnostic ExplainWarning(const Program& program,
                          const CheckWarning& warning,
                          double t) {
  const Check& check = program.events.checks[warning.check];
  Diagnostic diagnostic =
      At(check.span,
         check.path,
         fmt::format("at t = {:.6g} s: {}", t, warning.text));
  diagnostic.severity = Severity::kWarning;
  return diagnostic;
}

Explanation ExplainEvent(ProgramEvaluator& evaluator,
                         EventEngine& engine,
                         const EventOutcome& outcome,
                         double t) {
  switch (outcome.kind) {
    case EventOutcome::Kind::kDone:
      break;
    case EventOutcome::Kind::kFailed:
      return ExplainFailure(evaluator, engine.failure());
    case EventOutcome::Kind::kAssertion:
    case EventOutcome::Kind::kTerminated:
      return ExplainCheck(evaluator, outcome, t);
    case EventOutcome::Kind::kEndless:
      return ExplainEndless(evaluator, engine, t);
    case EventOutcome::Kind::kBadInterval:
    case EventOutcome::Kind::kTooManyTicks:
    case EventOutcome::Kind::kBadJitter:
      return ExplainClock(evaluator, outcome, t);
    case EventOutcome::Kind::kTwoResets:
      return ExplainTwoResets(evaluator, outcome, t);
    case EventOutcome::Kind::kBadReset:
      return ExplainBadReset(evaluator, outcome, t);
  }
  return {};
}

Explanation ExplainPace(const ProgramEvaluator& evaluator,
                        const EventEngine& engine,
                        const EventPace::PaceFailure& pace_failure,
                        double t) {
  const Program& program = evaluator.program();
  if (pace_failure.is_zeno) {
    return BlameRelations(
        program,
        engine.last_changed(),
        t,
        {.why = fmt::format("events follow each other ever faster, without end "
                            "before t = {:.9g} s (a Zeno point)",
                            pace_failure.limit),
         .hint = "let the motion come to rest: below a small speed, hold the "
                 "state instead of reflecting it"});
  }
  return BlameRelations(
      program,
      engine.last_changed(),
      t,
      {.why = "the model chatters: events undo each other at once",
       .hint = "give the relation a hysteresis, or an equation for the motion "
               "along the switching surface"});
}

Explanation ExplainOpposed(const Program& program,
                           const std::vector<std::size_t>& relations,
                           double t) {
  return BlameRelations(
      program,
      relations,
      t,
      {.why = "the model chatters: its equations push back from both sides to "
              "where a relation changes",
       .hint = "let the motion slide along that surface (option --sliding, "
               "SimulationOptions::sliding), or give the relation a "
               "hysteresis"});
}

Explanation ExplainTwoSurfaces(const Program& program,
                               const std::vector<std::size_t>& relations,
                               double t) {
  return BlameRelations(
      program,
      relations,
      t,
      {.why = "the motion would have to slide along two switching surfaces at "
              "once, where it is not determined",
       .hint = "give one of the relations a hysteresis"});
}

}  // namespace orrery::sim::internal
