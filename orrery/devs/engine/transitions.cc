#include "orrery/devs/engine/transitions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/devs/engine/failures.h"
#include "orrery/devs/engine/run.h"

namespace orrery::devs::internal {

namespace {

// Calls a function of an observer of `model`.
template <typename Function>
void CallObserver(Run& run, const Model& model, Function function) {
  try {
    function();
  } catch (...) {
    FailInObserver(run, model);
  }
}

// Calls `show` with each observer of the model.
template <typename Show>
void ShowTo(Run& run, std::uint32_t model, Show show) {
  run.watchers.ForEach(model, [&](Observer& observer) {
    CallObserver(run, *run.models.slots[model].model, [&] { show(observer); });
  });
}

// Outputs ---------------------------------------------------------------------

// The messages that a model sends into a lane.
Bag OutputsOf(Run& run, Lane& lane, const Slot& slot) {
  return {*slot.model,
          &lane.outbox,
          run.router.mail().outputs.data() + slot.first_output,
          slot.first_output};
}

void CallOutput(Run& run, Lane& lane, std::uint32_t model) {
  const Slot& slot = run.models.slots[model];
  lane.model = model;
  Bag y = OutputsOf(run, lane, slot);
  slot.ops->output(*slot.model, slot.state, y);
}

void ShowOutput(Run& run, std::uint32_t model) {
  if (run.models.marks[model].is_observed) {
    const Slot& slot = run.models.slots[model];
    const Bag y = OutputsOf(run, run.lane, slot);
    ShowTo(run, model, [&](Observer& observer) {
      observer.OnOutput(Duration(run.now()), *slot.model, y);
    });
  }
}

void SendOnThreads(Run& run, std::span<const std::uint32_t> models) {
  const ThreadLanes::Failures failures = run.threads.ShareOut(
      run, run.lane, models.size(), [&](Lane& lane, std::size_t i) {
        CallOutput(run, lane, models[i]);
      });
  DoForAll(run, models, [&](std::size_t i) {
    ThreadLanes::RethrowIfAt(i, failures);
    ShowOutput(run, models[i]);
  });
}

void ShowExits(Run& run) {
  if (!run.watchers.has_exits() || !run.router.has_exits()) {
    return;
  }
  const Model& root = run.network.root();
  const Bag y = run.router.Exits();
  run.watchers.ForEachOfExits([&](Observer& observer) {
    CallObserver(
        run, root, [&] { observer.OnOutput(Duration(run.now()), root, y); });
  });
}

// Transitions -----------------------------------------------------------------

// Counts the transition, and shows what the model has received.
void Announce(Run& run, std::uint32_t model, Transition transition) {
  switch (transition) {
    case Transition::kStart:
      return;
    case Transition::kInternal:
      ++run.statistics.internal;
      return;
    case Transition::kExternal:
      ++run.statistics.external;
      break;
    case Transition::kConfluent:
      ++run.statistics.confluent;
      break;
  }
  if (run.models.marks[model].is_observed) {
    const Slot& slot = run.models.slots[model];
    const Bag x = run.router.Received(slot);
    ShowTo(run, model, [&](Observer& observer) {
      observer.OnInput(Duration(run.now()), *slot.model, x);
    });
  }
}

Duration Call(Run& run,
              Lane& lane,
              std::uint32_t model,
              Transition transition) {
  const Slot& slot = run.models.slots[model];
  lane.model = model;
  switch (transition) {
    case Transition::kStart:
      break;
    case Transition::kInternal:
      return slot.ops->internal(*slot.model, slot.state, lane);
    case Transition::kExternal:
      return slot.ops->external(*slot.model,
                                slot.state,
                                Duration(run.now() - slot.last),
                                run.router.Received(slot),
                                lane);
    case Transition::kConfluent:
      return slot.ops->confluent(
          *slot.model, slot.state, run.router.Received(slot), lane);
  }
  return slot.ops->advance(*slot.model, slot.state);
}

// Shows the new state, and schedules the next transition.
void Settle(Run& run,
            std::uint32_t model,
            Transition transition,
            Duration advance) {
  Slot& slot = run.models.slots[model];
  Marks& marks = run.models.marks[model];
  marks.has_input = false;
  if (marks.is_observed) {
    ShowTo(run, model, [&](Observer& observer) {
      observer.OnTransition(
          Duration(run.now()), *slot.model, transition, slot.state);
    });
  }
  if (advance < Duration(0)) {
    Fail(run,
         "the time advance of " + slot.model->Path() + " is " +
             ToText(advance) + "; a time advance is not negative");
  }
  run.schedule.Set(model, slot, advance);
}

// Calls the models concurrently; then settles one after the other.
void MoveOnThreads(Run& run,
                   std::span<const std::uint32_t> models,
                   Transition without_input,
                   Transition with_input) {
  const auto transition_of = [&](std::uint32_t model) {
    return run.models.marks[model].has_input ? with_input : without_input;
  };
  std::vector<Duration>& advances = run.advances;
  advances.resize(models.size());
  const ThreadLanes::Failures failures = run.threads.ShareOut(
      run, run.lane, models.size(), [&](Lane& lane, std::size_t i) {
        advances[i] = Call(run, lane, models[i], transition_of(models[i]));
      });
  DoForAll(run, models, [&](std::size_t i) {
    const Transition transition = transition_of(models[i]);
    Announce(run, models[i], transition);
    ThreadLanes::RethrowIfAt(i, failures);
    Settle(run, models[i], transition, advances[i]);
  });
}

}  // namespace

void SendAll(Run& run, std::span<const std::uint32_t> models) {
  if (run.threads.Takes(models.size())) {
    SendOnThreads(run, models);
    return;
  }
  DoForAll(run, models, [&](std::size_t i) { Send(run, models[i]); });
}

void Send(Run& run, std::uint32_t model) {
  CallOutput(run, run.lane, model);
  ShowOutput(run, model);
}

void SendInjected(Run& run) {
  run.lane.model = Lane::kNone;
  if (run.injections.NextTime() != run.now()) {
    return;
  }
  const std::uint32_t entry =
      run.network.first_output(run.network.atomics().size());
  Bag y(run.network.root(),
        &run.lane.outbox,
        run.router.mail().outputs.data() + entry,
        entry);
  run.injections.SendAll(run.now(), y);
}

void Deliver(Run& run) {
  run.statistics.messages += run.router.Deliver(run.lane.outbox.sent);
  ShowExits(run);
}

void Forget(Run& run) {
  Outbox& outbox = run.lane.outbox;
  outbox.DestroyMessages();
  run.threads.DestroyMessages();
  run.router.Clear(outbox.sent);
  outbox.Clear();
}

void Move(Run& run, std::uint32_t model, Transition transition) {
  Announce(run, model, transition);
  Settle(run, model, transition, Call(run, run.lane, model, transition));
}

void MoveImminent(Run& run, std::span<const std::uint32_t> imminent) {
  if (run.threads.Takes(imminent.size())) {
    MoveOnThreads(run, imminent, Transition::kInternal, Transition::kConfluent);
    return;
  }
  DoForAll(run, imminent, [&](std::size_t i) {
    const std::uint32_t model = imminent[i];
    if (run.models.marks[model].has_input) {
      Move(run, model, Transition::kConfluent);
    } else {
      Move(run, model, Transition::kInternal);
    }
  });
}

void MoveReceivers(Run& run) {
  std::vector<std::uint32_t>& receivers = run.router.receivers();
  if (!run.watchers.empty()) {
    std::ranges::sort(receivers);
  }
  if (run.threads.has_threads()) {
    std::erase_if(receivers, [&](std::uint32_t model) {
      return !run.models.marks[model].has_input;
    });
  }
  if (run.threads.Takes(receivers.size())) {
    MoveOnThreads(run, receivers, Transition::kExternal, Transition::kExternal);
    return;
  }
  DoForAll(run, receivers, [&](std::size_t i) {
    if (run.models.marks[receivers[i]].has_input) {
      Move(run, receivers[i], Transition::kExternal);
    }
  });
}

}  // namespace orrery::devs::internal
