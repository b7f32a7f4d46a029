// Finds the relations that the motion of the states may depend on.

#include "orrery/compile/emit/acting_relations.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/compile/emit/emit.h"
#include "orrery/compile/emit/event_writer.h"
#include "orrery/compile/emit/step_search.h"
#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {
namespace {

std::vector<Expr> AllFormulasOf(std::span<const Step> steps) {
  std::vector<Expr> all;
  for (const Step& step : steps) {
    const std::span<const Expr> formulas = FormulasOf(step);
    all.insert(all.end(), formulas.begin(), formulas.end());
  }
  return all;
}

// Searches back from the quantities that the motion depends on to the
// relations, through the equations of an event, pre() values and handlers.
class ActingSearch {
 public:
  ActingSearch(System& system,
               const CompiledSystem& compiled,
               std::span<const Step> in_event)
      : system_(system),
        in_event_(in_event),
        step_of_(system.scalars.size(), kNone),
        result_of_(system.scalars.size(), kNone),
        handlers_of_(system.scalars.size()),
        acts_(system.scalars.size()) {
    for (std::uint32_t i = 0; i < in_event.size(); ++i) {
      if (in_event[i].equation != nullptr) {
        step_of_[in_event[i].equation->scalar] = i;
        continue;
      }
      for (const std::uint32_t scalar : in_event[i].loop->torn) {
        step_of_[scalar] = i;
      }
    }
    for (const IteratedScalar& item : compiled.events.iterated) {
      result_of_[item.scalar] = item.result;
    }
    for (const EventAction& handler : system.events.handlers) {
      for (const std::uint32_t target : handler.targets) {
        handlers_of_[Base(target)].push_back(&handler);
      }
    }
  }

  // Notes that the motion depends on these.
  void Add(std::span<const Expr> formulas) {
    for (const std::uint32_t scalar : system_.walk.Scalars(formulas)) {
      Add(scalar);
    }
  }

  void Add(std::uint32_t scalar) {
    const std::uint32_t base = Base(scalar);
    if (!acts_[base]) {
      acts_[base] = true;
      grown_.push_back(base);
    }
  }

  void Run() {
    while (!grown_.empty()) {
      const std::uint32_t scalar = grown_.back();
      grown_.pop_back();
      if (step_of_[scalar] != kNone) {
        Add(FormulasOf(in_event_[step_of_[scalar]]));
      }
      if (result_of_[scalar] != kNone) {
        Add(result_of_[scalar]);
      }
      for (const EventAction* const handler : handlers_of_[scalar]) {
        Add(std::span(&handler->condition, 1));
        Add(handler->values);
      }
    }
  }

  [[nodiscard]] bool Acts(std::uint32_t scalar) const {
    return acts_[Base(scalar)];
  }

 private:
  // Returns the scalar that stands for a quantity and for its pre() value.
  [[nodiscard]] std::uint32_t Base(std::uint32_t scalar) const {
    const std::uint32_t same = system_.aliases[scalar].scalar;
    const std::uint32_t of = system_.scalars[same].pre_of;
    return of == kNone ? same : system_.aliases[of].scalar;
  }

  System& system_;
  std::span<const Step> in_event_;
  std::vector<std::uint32_t> step_of_;    // By scalar.
  std::vector<std::uint32_t> result_of_;  // By scalar, if it is iterated.
  std::vector<std::vector<const EventAction*>> handlers_of_;  // By scalar.
  std::vector<bool> acts_;                                    // By scalar.
  std::vector<std::uint32_t> grown_;
};

// Adds all that restarts the integration at an event or ends the run, except
// the quantities that the derivatives read.
void AddActingParts(const System& system, ActingSearch& search) {
  const EventParts& events = system.events;
  const auto add = [&search](const EventAction& action) {
    search.Add(std::span(&action.condition, 1));
  };
  std::ranges::for_each(events.reinits, add);
  std::ranges::for_each(events.terminations, add);
  for (std::size_t i = 0; i < events.assertions.size(); ++i) {
    if (!system.model.assertions[i].is_warning) {
      add(events.assertions[i]);
    }
  }
  for (const EventAction& handler : events.handlers) {
    if (std::ranges::any_of(handler.targets, [&](std::uint32_t target) {
          return system.IsState(target);
        })) {
      add(handler);
    }
  }
  for (const DelayPart& delay : events.delays) {
    search.Add(std::array{delay.operand, delay.time, delay.most});
  }
}

// Finds kinks whose equations no derivative depends on. The formula of a kink
// may have been transformed and is then not found; such a kink acts.
class KinkSearch {
 public:
  KinkSearch(std::span<const Step> in_event,
             std::span<const Step> of_derivatives)
      : in_event_(Reachable(AllFormulasOf(in_event))),
        of_derivatives_(Reachable(AllFormulasOf(of_derivatives))) {
    for (const Step& step : of_derivatives) {
      if (step.equation != nullptr) {
        origins_.push_back(step.equation->origin);
        continue;
      }
      for (const ScalarEquation& equation : step.loop->residual_equations) {
        origins_.push_back(equation.origin);
      }
    }
    std::ranges::sort(origins_);
  }

  [[nodiscard]] bool IsOfOutputs(const Watch& kink) const {
    const std::uint32_t node = kink.formula.id();
    return kink.hold == kNone &&
           !std::ranges::binary_search(origins_, kink.origin) &&
           !std::ranges::binary_search(of_derivatives_, node) &&
           std::ranges::binary_search(in_event_, node);
  }

 private:
  std::vector<std::uint32_t> in_event_;  // Nodes, ascending.
  std::vector<std::uint32_t> of_derivatives_;
  std::vector<std::uint32_t> origins_;  // Ascending.
};

}  // namespace

std::vector<bool> FindActing(System& system,
                             const CompiledSystem& compiled,
                             std::span<const Step> in_event,
                             std::span<const Step> of_derivatives) {
  ActingSearch search(system, compiled, in_event);
  for (const std::uint32_t scalar : HeldScalars(system, of_derivatives)) {
    search.Add(scalar);
  }
  AddActingParts(system, search);
  search.Run();
  if (std::ranges::any_of(system.model.handlers,
                          &EventHandler::is_of_each_event)) {
    return std::vector<bool>(system.events.watches.size(), true);
  }
  const KinkSearch kinks(in_event, of_derivatives);
  std::vector<bool> acting;
  acting.reserve(system.events.watches.size());
  for (const Watch& watch : system.events.watches) {
    acting.push_back(watch.truth != kNone ? search.Acts(watch.truth)
                                          : !kinks.IsOfOutputs(watch));
  }
  return acting;
}

}  // namespace orrery::compile::internal
