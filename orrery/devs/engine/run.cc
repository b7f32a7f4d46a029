#include "orrery/devs/engine/run.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/devs/engine/transitions.h"
#include "orrery/devs/simulation/check_injection.h"

namespace orrery::devs::internal {

namespace {

// Checks the options that only one of the formalisms allows.
void CheckOptions(const Coupled& root, const Options& options) {
  const bool is_parallel = options.formalism == Formalism::kParallel;
  if (is_parallel && !options.priority.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run " + root.Path() +
                    " by a list of priorities in parallel DEVS: all that is "
                    "due moves at once; take Formalism::kClassic");
  }
  if (!is_parallel && options.executor != nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run " + root.Path() +
                    " on threads in classic DEVS: one model moves at a time; "
                    "take Formalism::kParallel, or no executor");
  }
}

}  // namespace

Run::Run(const Coupled& root, Coupled* changeable, Options wanted)
    : network(root),
      options(std::move(wanted)),
      threads(options.executor),
      changes(changeable) {
  CheckOptions(root, options);
  LayOut();
  Guard(*this, [this] {
    for (std::uint32_t i = 0; i < models.slots.size(); ++i) {
      lane.model = i;
      models.Initialize(i, options.seed);
      Move(*this, i, Transition::kStart);
    }
  });
}

void Run::LayOut() {
  router.LayOut();
  models.LayOut(network);
  if (options.formalism == Formalism::kClassic) {
    selection.LayOut(network, options);
  }
}

std::int64_t Run::NextTime() {
  return has_work() ? now()
                    : std::min(injections.NextTime(), schedule.NextTime());
}

void Run::Inject(const Port& port, std::int64_t at, Injections::Send send) {
  CheckInjection(network.root(), port, Duration(at), Duration(now()));
  injections.Add(at, std::move(send));
}

}  // namespace orrery::devs::internal
