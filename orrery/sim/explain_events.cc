#include "orrery/sim/internal/explain_events.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "orrery/symbolic/print.h"

namespace orrery::internal {
namespace {

constexpr std::size_t kMaxFormula = 80;
constexpr std::size_t kMaxNames = 6;

Diagnostic At(const SourceSpan& span,
              const std::string& path,
              std::string message,
              std::string hint = {}) {
  Diagnostic diagnostic = MakeDiagnostic(
      Severity::kError, span, std::move(message), std::move(hint));
  diagnostic.path = path;
  return diagnostic;
}

std::string ValueText(const RunMessage::Part& part, double value) {
  if (part.type == ValueType::kBoolean) {
    return value != 0 ? "true" : "false";
  }
  return part.type == ValueType::kInteger
             ? fmt::format("{:.0f}", value)
             : fmt::format("{:.{}g}", value, part.digits);
}

std::string TextOf(Machine& machine, const RunMessage& message) {
  const auto section = machine.program().events.message_section;
  if (section) {
    static_cast<void>(machine.RunSection(*section));
  }
  std::string text;
  for (const RunMessage::Part& part : message.parts) {
    text += part.text;
    if (part.slot != RunMessage::kNone) {
      text += ValueText(part, machine.memory()[part.slot]);
    }
  }
  return text;
}

Explanation ExplainCheck(Machine& machine, const Check& check, double t) {
  Explanation result;
  const std::string text = TextOf(machine, check.message);
  if (check.kind == Check::Kind::kTermination) {
    result.outcome = RunOutcome::kTerminated;
    result.message = fmt::format("terminated at t = {:.6g} s: {}", t, text);
    return result;
  }
  result.outcome = RunOutcome::kAssertion;
  result.message = fmt::format("assertion fails at t = {:.6g} s: {}", t, text);
  result.diagnostics.push_back(At(check.span, check.path, result.message));
  return result;
}

// Appends what changes to the message and its places as notes.
Explanation Blame(const Program& program,
                  std::span<const std::size_t> relations,
                  std::string message,
                  std::string hint) {
  Explanation result{.outcome = RunOutcome::kTooManyEvents};
  std::string names;
  std::vector<Diagnostic> notes;
  for (const std::size_t k :
       relations.first(std::min(relations.size(), kMaxNames))) {
    const WatchedRelation& relation = program.events.relations[k];
    const std::string text = "'" + ToText(relation.formula, kMaxFormula) + "'";
    names += (names.empty() ? "" : ", ") + text;
    notes.push_back(At(relation.span, relation.path, text + " changes here"));
    notes.back().severity = Severity::kNote;
  }
  result.message =
      std::move(message) + (names.empty() ? "" : "; what changes is " + names);
  result.diagnostics.push_back(At({}, {}, result.message, std::move(hint)));
  result.diagnostics.insert(
      result.diagnostics.end(), notes.begin(), notes.end());
  return result;
}

Explanation ExplainEndless(Machine& machine, EventEngine& engine, double t) {
  return Blame(
      machine.program(),
      engine.FindRestless(),
      fmt::format(
          "cannot go on at t = {:.6g} s: events follow each other without end",
          t),
      "let one not undo the other, or let time pass between them");
}

}  // namespace

Explanation ExplainEvent(Machine& machine,
                         EventEngine& engine,
                         const EventOutcome& outcome,
                         double t) {
  const EventProgram& events = machine.program().events;
  switch (outcome.kind) {
    case EventOutcome::Kind::kDone:
      break;
    case EventOutcome::Kind::kFailed:
      return ExplainFailure(machine, *outcome.failure);
    case EventOutcome::Kind::kAssertion:
    case EventOutcome::Kind::kTerminated:
      return ExplainCheck(machine, events.checks[outcome.number], t);
    case EventOutcome::Kind::kEndless:
      return ExplainEndless(machine, engine, t);
    case EventOutcome::Kind::kBadInterval: {
      const Tick& tick = events.ticks[outcome.number];
      Explanation result{.outcome = RunOutcome::kBadClock};
      result.message = fmt::format(
          "cannot sample every {:.6g} s from {:.6g} s on: the interval must be "
          "positive",
          machine.memory()[tick.interval_slot],
          machine.memory()[tick.start_slot]);
      result.diagnostics.push_back(At(tick.span, tick.path, result.message));
      return result;
    }
  }
  return {};
}

Explanation ExplainPace(const Machine& machine,
                        const EventEngine& engine,
                        const EventPace::Trouble& trouble,
                        double t) {
  if (trouble.is_zeno) {
    return Blame(
        machine.program(),
        engine.last_changed(),
        fmt::format("cannot go on at t = {:.9g} s: events follow each other "
                    "ever faster, without end before t = {:.9g} s (a Zeno "
                    "point)",
                    t,
                    trouble.limit),
        "let the motion come to rest: below a small speed, hold the state "
        "instead of reflecting it");
  }
  return Blame(
      machine.program(),
      engine.last_changed(),
      fmt::format("cannot go on at t = {:.9g} s: the model chatters: events "
                  "undo each other at once",
                  t),
      "give the relation a hysteresis, or an equation for the motion along "
      "the switching surface");
}

}  // namespace orrery::internal
