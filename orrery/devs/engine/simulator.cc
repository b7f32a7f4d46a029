#include "orrery/devs/simulation/simulator.h"

#include <string>
#include <string_view>
#include <utility>

#include "orrery/devs/engine/instant.h"
#include "orrery/devs/engine/run.h"
#include "orrery/devs/engine/snapshot.h"

namespace orrery::devs {
namespace {

// Is true while it lives.
class Flag {
 public:
  explicit Flag(bool& flag) : flag_(flag) { flag_ = true; }

  ~Flag() { flag_ = false; }

  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;

 private:
  bool& flag_;
};

Options Checked(const Coupled& root, Options options) {
  if (options.max_microsteps < 1) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run " + root.Path() + " with a max_microsteps of " +
                    std::to_string(options.max_microsteps) +
                    ": whatever happens takes a step; give 1 or more");
  }
  return options;
}

}  // namespace

Duration Snapshot::time() const noexcept {
  return Duration(saved_->now);
}

Simulator::Simulator(const Coupled& root, Options options)
    : root_(&root),
      run_(std::make_unique<internal::Run>(
          root, nullptr, Checked(root, std::move(options)))) {}

Simulator::Simulator(Coupled& root, Options options)
    : root_(&root),
      run_(std::make_unique<internal::Run>(
          root, &root, Checked(root, std::move(options)))) {}

Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

Duration Simulator::now() const noexcept {
  return Duration(run_->now());
}

Duration Simulator::next_time() const {
  return Duration(run_->NextTime());
}

void Simulator::CheckIsIdle(std::string_view purpose) const {
  if (is_running_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + std::string(purpose) + " " + root_->Path() +
                    " in the middle of an instant: observers and models are "
                    "called from there; do it between two calls of RunUntil");
  }
}

void Simulator::RunUntil(Duration end) {
  CheckIsIdle("run");
  const Flag running(is_running_);
  internal::RunUntil(*run_, end.count());
}

bool Simulator::Step() {
  CheckIsIdle("run");
  const Flag running(is_running_);
  const Duration next = next_time();
  if (next == kPassive) {
    return false;
  }
  internal::RunInstant(*run_, next.count());
  return true;
}

bool Simulator::Microstep() {
  CheckIsIdle("run");
  const Flag running(is_running_);
  const Duration next = next_time();
  if (next == kPassive) {
    return false;
  }
  internal::RunMicrostep(*run_, next.count());
  return true;
}

const Statistics& Simulator::statistics() const noexcept {
  return run_->statistics;
}

void Simulator::InjectBy(const Port& port,
                         Duration at,
                         std::function<void(Bag&)> send) {
  run_->Inject(port, at.count(), std::move(send));
}

Snapshot Simulator::Save() const {
  CheckIsIdle("save a run of");
  Snapshot snapshot;
  snapshot.saved_ = internal::Save(*run_);
  return snapshot;
}

void Simulator::Restore(const Snapshot& snapshot) {
  CheckIsIdle("restore a run of");
  internal::Restore(*run_, *snapshot.saved_);
}

void Simulator::Observe(Observer& observer, std::string_view pattern) {
  CheckIsIdle("observe a run of");
  run_->watchers.Add(observer, pattern);
}

void Simulator::Observe(Observer& observer, const Model& model) {
  CheckIsIdle("observe a run of");
  run_->watchers.Add(observer, model);
}

void Simulator::Ignore(const Observer& observer) {
  run_->watchers.Ignore(observer);
}

const void* Simulator::StateOf(const Model& model) const {
  return run_->StateOf(model);
}

}  // namespace orrery::devs
