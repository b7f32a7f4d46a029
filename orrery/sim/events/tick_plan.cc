#include "orrery/sim/events/tick_plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "orrery/sim/events/value_numbers.h"

namespace orrery::sim::internal {
namespace {

constexpr std::size_t kMostStages = 100;

// True if no move changes what a later one reads.
bool AreIndependent(std::span<const TickPlan::Move> moves) {
  std::set<std::uint32_t> changed;
  return std::ranges::all_of(moves, [&](const TickPlan::Move& move) {
    const bool is_free = !changed.contains(move.from);
    changed.insert({move.to, move.previous});
    return is_free;
  });
}

// The assignments of a handler; none if they do not follow each other so.
std::vector<TickPlan::Move> MovesOf(const Handler& handler) {
  std::vector<TickPlan::Move> moves;
  for (const auto& [target, value_slot] : handler.assignments) {
    moves.push_back({.from = value_slot,
                     .to = target.slot,
                     .previous = target.slot,
                     .sign = static_cast<double>(target.sign)});
  }
  return AreIndependent(moves) ? moves : std::vector<TickPlan::Move>();
}

// Lets the only handler of the stage before write previous values, too, where
// it assigns all of these.
void MovePre(TickPlan::Stage& stage, TickPlan::Stage& before) {
  if (before.actions.size() != 1) {
    return;
  }
  std::vector<TickPlan::Move>& moves = before.actions.front().moves;
  std::map<std::uint32_t, std::size_t> last;  // Move by target.
  for (std::size_t k = 0; k < moves.size(); ++k) {
    last[moves[k].to] = k;
  }
  std::vector<TickPlan::Move> moved = moves;
  std::vector<PreValues> left;
  for (const PreValues& pre : stage.pre) {
    std::uint32_t i = 0;
    for (; i < pre.count && last.contains(pre.of_slot + i); ++i) {
      moved[last[pre.of_slot + i]].previous = pre.slot + i;
    }
    if (i < pre.count) {
      left.push_back(pre);
    }
  }
  if (AreIndependent(moved)) {
    moves = std::move(moved);
    stage.pre = std::move(left);
  }
}

// Carries out an event as `EventEngine` does, with numbers that stand for all
// values.
class Planner {
 public:
  explicit Planner(const Program& program)
      : program_(program),
        events_(program.events),
        numbers_(*program.tape),
        is_due_(events_.handlers.size()),
        is_due_next_(events_.handlers.size()) {}

  std::optional<TickPlan> Plan(std::span<const std::size_t> ticking);

 private:
  bool EndLastEvent();
  [[nodiscard]] std::vector<PreValues> TakePre();
  [[nodiscard]] bool HasChanged() const;
  bool RunSchedule(TickPlan::Stage& stage);
  bool FindConditions(TickPlan::Stage& stage);
  bool RunHandlers(TickPlan::Stage& stage);
  bool RunHandler(const Handler& handler);
  [[nodiscard]] bool OnlyMoves(
      const TickPlan& plan, std::span<const ValueNumbers::Number> before) const;
  void SetTicks(std::span<const std::size_t> ticking, double value);

  [[nodiscard]] bool AnyDue() const {
    return std::ranges::find(is_due_, true) != is_due_.end();
  }

  const Program& program_;
  const EventProgram& events_;
  ValueNumbers numbers_;
  std::vector<bool> is_due_;       // By handler.
  std::vector<bool> is_due_next_;  // After those.
};

std::optional<TickPlan> Planner::Plan(std::span<const std::size_t> ticking) {
  if (!EndLastEvent()) {
    return std::nullopt;
  }
  const std::vector<ValueNumbers::Number> before = numbers_.numbers();
  numbers_.Set(program_.time_slot, numbers_.New());
  SetTicks(ticking, 1);
  TickPlan plan;
  for (bool goes_on = true; goes_on;) {
    plan.num_microsteps += AnyDue() ? 0 : 1;
    TickPlan::Stage stage;
    stage.pre = TakePre();
    if (!RunSchedule(stage) || !FindConditions(stage) || !RunHandlers(stage) ||
        plan.stages.size() == kMostStages) {
      return std::nullopt;
    }
    goes_on = !stage.actions.empty() || plan.stages.empty();
    if (!goes_on && HasChanged()) {
      return std::nullopt;
    }
    SetTicks(ticking, 0);
    plan.stages.push_back(std::move(stage));
  }
  for (std::size_t k = 1; k < plan.stages.size(); ++k) {
    MovePre(plan.stages[k], plan.stages[k - 1]);
  }
  plan.only_moves = OnlyMoves(plan, before);
  return plan;
}

// Each event ends with a microstep in which nothing happens: what is found out
// about its values holds when the next one begins.
bool Planner::EndLastEvent() {
  for (const std::uint32_t slot :
       {events_.initial_slot, events_.terminal_slot, events_.after_slot}) {
    numbers_.Set(slot, numbers_.Constant(0));
  }
  for (const Tick& tick : events_.ticks) {
    numbers_.Set(tick.slot, numbers_.Constant(0));
  }
  static_cast<void>(TakePre());
  TickPlan::Stage stage;
  return RunSchedule(stage);
}

void Planner::SetTicks(std::span<const std::size_t> ticking, double value) {
  for (const std::size_t tick : ticking) {
    numbers_.Set(events_.ticks[tick].slot, numbers_.Constant(value));
  }
}

// @returns those that were other values.
std::vector<PreValues> Planner::TakePre() {
  std::vector<PreValues> taken;
  for (const PreValues& pre : events_.pre) {
    PreValues piece = {.count = 0};  // Adjacent ones.
    for (std::uint32_t i = 0; i < pre.count; ++i) {
      const ValueNumbers::Number number = numbers_[pre.of_slot + i];
      if (numbers_[pre.slot + i] == number) {
        continue;
      }
      numbers_.Set(pre.slot + i, number);
      if (piece.count > 0 && piece.slot + piece.count == pre.slot + i) {
        ++piece.count;
        taken.back() = piece;
      } else {
        piece = {.of_slot = pre.of_slot + i, .slot = pre.slot + i, .count = 1};
        taken.push_back(piece);
      }
    }
  }
  return taken;
}

bool Planner::HasChanged() const {
  return std::ranges::any_of(events_.pre, [this](const PreValues& pre) {
    for (std::uint32_t i = 0; pre.are_discrete && i < pre.count; ++i) {
      if (numbers_[pre.of_slot + i] != numbers_[pre.slot + i]) {
        return true;
      }
    }
    return false;
  });
}

bool Planner::RunSchedule(TickPlan::Stage& stage) {
  const std::vector<ValueNumbers::Number> before = numbers_.numbers();
  const std::size_t checks_before = numbers_.num_checks();
  for (const ScheduleStep& step : events_.schedule) {
    if (!numbers_.Run(step.index)) {
      return false;
    }
  }
  stage.runs_schedule = numbers_.num_checks() != checks_before;
  const auto scratch = static_cast<std::uint32_t>(program_.tape->scratch());
  for (std::uint32_t slot = 0; slot < scratch; ++slot) {
    if (numbers_[slot] == before[slot]) {
      continue;
    }
    if (const auto value = numbers_.ValueOf(numbers_[slot])) {
      stage.constants.push_back({.slot = slot, .value = *value});
    } else {
      stage.runs_schedule = true;
    }
  }
  if (stage.runs_schedule) {
    stage.constants.clear();
  }
  return true;
}

// The named events that take place, and the handlers that become due.
bool Planner::FindConditions(TickPlan::Stage& stage) {
  for (std::size_t i = 0; i < events_.named.size(); ++i) {
    const auto holds =
        numbers_.ValueOf(numbers_[events_.named[i].condition_slot]);
    if (!holds) {
      return false;
    }
    if (*holds != 0) {
      stage.named.push_back(i);
    }
  }
  for (std::size_t i = 0; i < events_.handlers.size(); ++i) {
    const auto holds =
        numbers_.ValueOf(numbers_[events_.handlers[i].condition_slot]);
    if (!holds) {
      return false;
    }
    is_due_next_[i] = is_due_next_[i] || *holds != 0;
  }
  if (!AnyDue()) {
    std::swap(is_due_, is_due_next_);
  }
  return true;
}

bool Planner::RunHandlers(TickPlan::Stage& stage) {
  for (std::size_t i = 0; i < is_due_.size(); ++i) {
    if (!is_due_[i]) {
      continue;
    }
    if (!stage.actions.empty() && events_.handlers[i].sees_earlier) {
      break;
    }
    is_due_[i] = false;
    stage.actions.push_back(
        {.handler = i, .moves = MovesOf(events_.handlers[i])});
    if (!RunHandler(events_.handlers[i])) {
      return false;
    }
  }
  return true;
}

bool Planner::RunHandler(const Handler& handler) {
  if (handler.section && !numbers_.Run(*handler.section)) {
    return false;
  }
  std::vector<ValueNumbers::Number> values;
  for (const auto& [target, value_slot] : handler.assignments) {
    const ValueNumbers::Number value = numbers_[value_slot];
    values.push_back(target.sign > 0 ? value : numbers_.Negated(value));
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    numbers_.Set(handler.assignments[k].target.slot, values[k]);
  }
  return true;
}

bool Planner::OnlyMoves(const TickPlan& plan,
                        std::span<const ValueNumbers::Number> before) const {
  std::set<std::uint32_t> moved;
  for (const TickPlan::Stage& stage : plan.stages) {
    for (const TickPlan::Action& action : stage.actions) {
      for (const TickPlan::Move& move : action.moves) {
        moved.insert(move.to);
      }
    }
  }
  return std::ranges::all_of(
      program_.varying_slots, [&](const SlotRange& range) {
        for (std::uint32_t slot = range.begin; slot < range.end; ++slot) {
          if (numbers_[slot] != before[slot] && !moved.contains(slot)) {
            return false;
          }
        }
        return true;
      });
}

}  // namespace

std::optional<TickPlan> PlanTicks(const Program& program,
                                  std::span<const std::size_t> ticking) {
  return Planner(program).Plan(ticking);
}

}  // namespace orrery::sim::internal
