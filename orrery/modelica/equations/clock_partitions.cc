#include "orrery/modelica/equations/clock_partitions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "orrery/modelica/session/session.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

// True if a use derives its result's clock from its argument's clock.
bool IsConversion(ClockUse::Kind kind) {
  return kind >= ClockUse::Kind::kSubSample &&
         kind <= ClockUse::Kind::kBackSample;
}

Expr SymbolOf(Expr variable) {
  return variable.op() == Op::kIndex ? variable.operand(0) : variable;
}

ClockRate RateOfUse(const ClockUse& use) {
  const Rational ratio(use.counter, use.resolution);
  switch (use.kind) {
    case ClockUse::Kind::kSubSample:
      return {.factor = ratio, .shift = 0};
    case ClockUse::Kind::kSuperSample:
      return {.factor = 1 / ratio, .shift = 0};
    case ClockUse::Kind::kShiftSample:
      return {.factor = 1, .shift = ratio};
    case ClockUse::Kind::kBackSample:
      return {.factor = 1, .shift = -ratio};
    default:
      return {};
  }
}

// The number as a short decimal fraction; none if there is none.
std::optional<Rational> AsDecimal(double number) {
  constexpr double kLargest = 1e15;
  std::int64_t denominator = 1;
  for (int digits = 0; digits <= 9; ++digits, denominator *= 10) {
    const double scaled = number * static_cast<double>(denominator);
    const double whole = std::round(scaled);
    if (whole < kLargest &&
        whole / static_cast<double>(denominator) == number) {
      return Rational(static_cast<std::int64_t>(whole), denominator);
    }
  }
  return std::nullopt;
}

}  // namespace

ClockPartitions::ClockPartitions(Session& session,
                                 std::span<const ClockUse* const> uses)
    : session_(session), uses_(uses) {
  for (const Variable& variable : session.flat.variables) {
    if (variable.variability > Variability::kParameter &&
        !session.clocks.IsClock(variable.symbol)) {
      variables_.insert(variable.symbol.id());
    }
  }
  for (const ClockUse* const use : uses) {
    if (use->result && !session.clocks.IsClock(use->result)) {
      variables_.insert(use->result.id());
    }
  }
}

void ClockPartitions::Find() {
  for (const ClockUse* const use : uses_) {
    if (use->kind == Kind::kWhen) {
      JoinClause(*use);
    }
  }
  TakeClockEquations();
  for (const Equation& equation : session_.flat.equations) {
    JoinAll(std::array{equation.left, equation.right});
  }
  for (const Connection& connection : session_.flat.connections) {
    JoinAll(std::array{connection.a.variable, connection.b.variable});
  }
  for (const ClockUse* const use : uses_) {
    JoinUse(*use);
  }
  for (const ClockUse* const use : uses_) {
    MarkUse(*use);
  }
  CheckMarks();
  FindTimes();
}

const TickTimes* ClockPartitions::ClockOf(Expr variable) {
  const Partition& partition = PartitionOf(variable);
  return partition.times ? &*partition.times : nullptr;
}

Rational ClockPartitions::PartsOf(const ClockUse& source) const {
  boost::multiprecision::cpp_int parts = 1;
  for (const auto& [top, partition] : partitions_) {
    if (partition.times && partition.times->source == &source) {
      const ClockRate& rate = partition.times->rate;
      parts =
          lcm(parts, lcm(denominator(rate.factor), denominator(rate.shift)));
    }
  }
  return parts;
}

const TickTimes* ClockPartitions::ClockOf(const Equation& equation) {
  const auto variables = VariablesIn(std::array{equation.left, equation.right});
  return variables.empty() ? nullptr : ClockOf(variables.front());
}

// Partitions ----------------------------------------------------------------

// A variable has one number for all of its elements; each clock has its own.
std::size_t ClockPartitions::IndexOf(Expr variable) {
  const Expr key =
      session_.clocks.IsClock(variable) ? variable : SymbolOf(variable);
  const auto [found, is_new] = index_.try_emplace(key.id(), joined_.size());
  if (is_new) {
    joined_.Add();
  }
  return found->second;
}

void ClockPartitions::Join(Expr a, Expr b) {
  joined_.Merge(IndexOf(a), IndexOf(b));
}

std::vector<Expr> ClockPartitions::VariablesIn(
    std::span<const Expr> formulas) const {
  std::vector<Expr> variables;
  for (const std::uint32_t id : Reachable(formulas)) {
    if (variables_.contains(id)) {
      variables.push_back(session_.graph.At(id));
    }
  }
  return variables;
}

void ClockPartitions::JoinAll(std::span<const Expr> formulas) {
  const std::vector<Expr> variables = VariablesIn(formulas);
  for (const Expr variable : variables) {
    Join(variables.front(), variable);
  }
}

void ClockPartitions::JoinClause(const ClockUse& use) {
  for (std::size_t i = use.first_equation; i < use.last_equation; ++i) {
    const Equation& equation = session_.flat.equations[i];
    for (const Expr variable :
         VariablesIn(std::array{equation.left, equation.right})) {
      Join(use.argument, variable);
    }
  }
}

void ClockPartitions::TakeClockEquations() {
  std::erase_if(session_.flat.equations, [&](const Equation& equation) {
    return JoinClocks(equation.left, equation.right, equation.span);
  });
  std::erase_if(session_.flat.connections, [&](const Connection& connection) {
    return JoinClocks(
        connection.a.variable, connection.b.variable, connection.span);
  });
}

// Joins the two sides. Returns false if they are not clocks.
bool ClockPartitions::JoinClocks(Expr left,
                                 Expr right,
                                 const SourceSpan& span) {
  const ClockTable& clocks = session_.clocks;
  orrery::Elements elements(session_.graph);
  if (left.type() != ValueType::kInteger || NumElements(left.shape()) == 0) {
    return false;
  }
  if (!clocks.IsClock(left) && !clocks.IsClock(right)) {
    return false;
  }
  const std::vector<Expr> lefts = elements.All(left);
  const std::vector<Expr> rights = elements.All(right);
  for (std::size_t i = 0; i < lefts.size(); ++i) {
    if (!clocks.IsClock(lefts[i]) || !clocks.IsClock(rights[i])) {
      session_.Fail(span,
                    "a clock cannot change during a run, as by an if that a "
                    "variable decides",
                    "choose between clocked variables");
    }
    Join(lefts[i], rights[i]);
  }
  return true;
}

void ClockPartitions::JoinUse(const ClockUse& use) {
  switch (use.kind) {
    case Kind::kPrevious:
    case Kind::kSolver:
    case Kind::kVarying:
      Join(use.result, use.argument);
      return;
    case Kind::kInterval:
    case Kind::kFirstTick:
      if (use.argument) {
        Join(use.result, use.argument);
      }
      return;
    case Kind::kSample:
      if (use.clock) {
        Join(use.result, use.clock);
      }
      return;
    default:
      return;
  }
}

void ClockPartitions::MarkUse(const ClockUse& use) {
  const auto mark = [&](Expr what, Mark Partition::*kind) {
    if (what && !session_.clocks.IsClock(what)) {
      Mark& known = PartitionOf(what).*kind;
      if (known.use == nullptr) {
        known = {.use = &use, .what = what};
      }
    }
  };
  switch (use.kind) {
    case Kind::kHold:
      mark(use.argument, &Partition::clocked);
      mark(use.result, &Partition::continuous);
      return;
    case Kind::kSample:
      mark(use.argument, &Partition::continuous);
      mark(use.result, &Partition::clocked);
      return;
    case Kind::kEvent:
      mark(use.condition, &Partition::continuous);
      return;
    case Kind::kWhen: {
      Partition& partition = PartitionOf(use.argument);
      if (partition.clocked.use == nullptr) {
        partition.clocked = {.use = &use, .what = use.argument};
      }
      return;
    }
    default:
      mark(use.argument, &Partition::clocked);
      mark(use.result, &Partition::clocked);
  }
}

void ClockPartitions::CheckMarks() {
  for (const auto& [top, partition] : partitions_) {
    const Mark& clocked = partition.clocked;
    const Mark& other = partition.continuous;
    if (clocked.use != nullptr && other.use != nullptr) {
      session_.Fail(clocked.use->span,
                    "'" + orrery::ToText(clocked.what) + "' is clocked, and '" +
                        orrery::ToText(other.what) + "' (" +
                        PlaceOf(other.use->span) +
                        "), which equations bind it to, is not",
                    "go from one to the other by sample() and hold()");
    }
  }
}

// Times ---------------------------------------------------------------------

void ClockPartitions::FindTimes() {
  for (const ClockUse* const use : uses_) {
    AddSource(*use);
  }
  std::vector<const ClockUse*> unknown;
  for (const ClockUse* const use : uses_) {
    if (IsConversion(use->kind)) {
      if (use->counter == 0 &&
          (use->kind == Kind::kSubSample || use->kind == Kind::kSuperSample)) {
        unknown.push_back(use);
      } else {
        Derive(*use);
      }
    }
  }
  while (std::erase_if(unknown,
                       [&](const ClockUse* use) { return Infer(*use); }) > 0) {
  }
  GiveClocks();
  for (auto& [top, partition] : partitions_) {
    SetTimes(partition);
  }
  for (const ClockUse* const use : unknown) {
    session_.Fail(use->span,
                  "the factor between the clocks of '" +
                      orrery::ToText(use->argument) + "' and '" +
                      orrery::ToText(use->result) + "' is not known",
                  "give it as a second argument, or derive both clocks from "
                  "one");
  }
}

std::size_t ClockPartitions::RateOf(Expr variable) {
  std::optional<std::size_t>& clock = PartitionOf(variable).clock;
  if (!clock) {
    clock = rates_.Add();
  }
  return *clock;
}

std::size_t ClockPartitions::SecondsFrom() {
  if (!seconds_) {
    seconds_ = rates_.AddBase();
    bases_.emplace(*seconds_, nullptr);
  }
  return *seconds_;
}

void ClockPartitions::AddSource(const ClockUse& use) {
  std::size_t base = 0;
  ClockRate rate;
  const auto decimal = use.kind == Kind::kPeriodic && use.interval.is_constant()
                           ? AsDecimal(use.interval.value())
                           : std::nullopt;
  if (use.kind == Kind::kRational) {
    base = SecondsFrom();
    rate.factor = Rational(use.counter, use.resolution);
  } else if (decimal) {
    base = SecondsFrom();
    rate.factor = *decimal;
  } else if (use.kind == Kind::kPeriodic) {
    const auto [known, is_new] = intervals_.try_emplace(use.interval.id(), 0);
    if (is_new) {
      known->second = rates_.AddBase();
      bases_.emplace(known->second, &use);
    }
    base = known->second;
  } else if (use.kind == Kind::kEvent || use.kind == Kind::kVarying) {
    base = rates_.AddBase();
    bases_.emplace(base, &use);
  } else {
    if (use.kind == Kind::kSolver) {
      const ClockUse*& solver = PartitionOf(use.result).solver;
      if (solver != nullptr && solver->method != use.method) {
        FailConflict(use);
      }
      solver = &use;
    }
    return;
  }
  if (!rates_.Derive(RateOf(use.result), base, rate)) {
    FailConflict(use);
  }
}

void ClockPartitions::Derive(const ClockUse& use) {
  if (!rates_.Derive(
          RateOf(use.result), RateOf(use.argument), RateOfUse(use))) {
    FailConflict(use);
  }
}

// Infers a missing factor, once the clocks on both sides are known.
bool ClockPartitions::Infer(const ClockUse& use) {
  auto rate = rates_.Between(RateOf(use.result), RateOf(use.argument));
  if (!rate) {
    return false;
  }
  if (use.kind == Kind::kSuperSample) {
    rate->factor = 1 / rate->factor;
  }
  if (denominator(rate->factor) != 1 || rate->shift != 0) {
    FailConflict(use);
  }
  return true;
}

// Lets partitions tick every second of which nothing says when they do, as
// other tools do: the specification leaves it open.
void ClockPartitions::GiveClocks() {
  std::vector<Partition*> clocked;
  for (auto& [top, partition] : partitions_) {
    if (partition.clocked.use != nullptr) {
      clocked.push_back(&partition);
    }
  }
  std::ranges::sort(clocked, {}, [](const Partition* partition) {
    const Mark& mark = partition->clocked;
    return std::pair(mark.use, mark.what.id());
  });
  for (Partition* const partition : clocked) {
    const Mark& mark = partition->clocked;
    const std::size_t root = rates_.Find(RateOf(mark.what)).root;
    if (!rates_.IsBase(root) && rates_.Derive(root, SecondsFrom(), {})) {
      session_.diagnostics.Warning(
          mark.use->span,
          "nothing says when '" + orrery::ToText(mark.what) +
              "' ticks: it ticks every second",
          "give a sample() that equations bind to it a clock, as in sample(u, "
          "Clock(0.1))");
    }
  }
}

void ClockPartitions::SetTimes(Partition& partition) {
  if (!partition.clock) {
    return;
  }
  const auto place = rates_.Find(*partition.clock);
  if (!rates_.IsBase(place.root)) {
    return;
  }
  if (place.rate.shift < 0) {
    session_.Fail(partition.clocked.use != nullptr
                      ? partition.clocked.use->span
                      : bases_.at(place.root)->span,
                  "a clock would tick before the one it is derived from: "
                  "'backSample' takes back what 'shiftSample' has shifted, no "
                  "more");
  }
  partition.times = TickTimes{.source = bases_.at(place.root),
                              .rate = place.rate,
                              .solver = partition.solver};
}

void ClockPartitions::FailConflict(const ClockUse& use) {
  session_.Fail(use.span,
                "this clock does not fit what else is said of it: a variable "
                "has one clock",
                "sample with one clock, and convert with subSample(), "
                "superSample(), shiftSample(), backSample() or noClock()");
}

}  // namespace orrery::modelica::internal
