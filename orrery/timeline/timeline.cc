#include "orrery/timeline/timeline.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/timeline/simulation_parts.h"
#include "orrery/timeline/simulation_run.h"

namespace orrery {

namespace internal = timeline::internal;

// SystemVariable
// --------------------------------------------------------------------

const std::string& SystemVariable::name() const {
  return parts_->quantities[number_].name;
}

double SystemVariable::Get() const {
  return parts_->quantities.Get(number_);
}

bool SystemVariable::Compares(process::Relation relation,
                              const process::Polynomial& bound) const {
  if (parts_->run != nullptr && parts_->run->is_to_set()) {
    parts_->quantities.ObserveEarly();
  }
  return parts_->quantities.Compares(number_, relation, bound);
}

void SystemVariable::Set(double value) const {
  internal::SimulationParts& parts = *parts_;
  const std::size_t number = number_;
  parts.quantities.CheckMayConnect(number, "a task", true);
  if (parts.run == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot set '" + name() +
                    "': its simulation does not run; set it from a task, or "
                    "by `settings` before the run");
  }
  parts.run->CheckMaySet(number, value);
  const std::size_t link = parts.quantities.LinkOfTasks(number, parts.links);
  const auto act = [&parts, link, number, value] {
    parts.run->StageValue(link, number, value);
  };
  if (parts.outbox.has_task_at_work()) {
    parts.outbox.Add(act);
  } else {
    act();
  }
}

// System ----------------------------------------------------------------------

SystemVariable System::operator[](std::string_view name) const {
  return {*parts_,
          parts_->quantities.NumberOf(*parts_->program, *parts_->names, name)};
}

const Program& System::program() const noexcept {
  return *parts_->program;
}

// Simulation ------------------------------------------------------------------

Simulation::Simulation()
    : parts_(std::make_unique<internal::SimulationParts>()) {}

Simulation::~Simulation() = default;

System& Simulation::Add(std::shared_ptr<const Program> program) {
  ORRERY_CHECK(program != nullptr);
  if (parts_->program != nullptr) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot add model " + program->name +
                    " to a simulation: it has the equations of " +
                    parts_->program->name +
                    " already; join both in a Diagram and add that");
  }
  parts_->program = std::move(program);
  parts_->names.emplace(*parts_->program);
  return parts_->system;
}

void Simulation::Connect(const process::Resource& from,
                         const SystemVariable& to) {
  CheckIsOurs(from);
  AddFollower(
      from.Path(), to, std::nullopt, [&from] { return from.Dynamics(); });
}

TimelineResult Simulation::Run(const TimelineOptions& options,
                               const Observer& observer) {
  return internal::SimulationRun(*parts_, options, observer).Run();
}

const Program* Simulation::equations() const noexcept {
  return parts_->program.get();
}

const devs::Coupled& Simulation::devs_models() const noexcept {
  return parts_->network;
}

const process::Model& Simulation::task_models() const noexcept {
  return parts_->tasks;
}

devs::Coupled& Simulation::devs_models() noexcept {
  return parts_->network;
}

void Simulation::Adopt(std::string_view name,
                       std::unique_ptr<process::Model> part) {
  parts_->tasks.Adopt(*part, name);
  parts_->parts.push_back(std::move(part));
}

void Simulation::Adopt(std::string_view name, process::Model& part) {
  parts_->tasks.Adopt(part, name);
}

void Simulation::AddBeginning(std::unique_ptr<internal::Beginning> beginning) {
  parts_->beginnings.push_back(std::move(beginning));
}

void Simulation::CheckIsOurs(const SystemVariable& variable) const {
  if (variable.parts_ != parts_.get()) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot connect '" + variable.name() +
                    "': it is of another simulation; take a quantity of the "
                    "System that this one has");
  }
}

void Simulation::CheckIsOurs(const process::Member& member) const {
  if (&member.owner().outermost() != &parts_->tasks) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot connect '" + member.Path() +
                    "': its model was not added to the simulation; let Add "
                    "make the model");
  }
}

void Simulation::AddCrossing(const Crossing& from,
                             std::function<void(const Crossed&)> tell) {
  CheckIsOurs(from.quantity);
  if (!std::isfinite(from.threshold)) {
    throw Error(ErrorCode::kInvalidModel,
                fmt::format("cannot find where '{}' comes to {}: give a finite "
                            "threshold",
                            from.quantity.name(),
                            from.threshold));
  }
  parts_->crossings.push_back({.crossing = from, .tell = std::move(tell)});
}

void Simulation::AddSampled(const Sampled& from,
                            std::function<void(double)> tell) {
  CheckIsOurs(from.quantity);
  if (from.interval <= Duration(0) || from.offset < Duration(0)) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot sample '" + from.quantity.name() + "' every " +
                    ToText(from.interval) + " from " + ToText(from.offset) +
                    " on: give a positive interval, and an offset that is not "
                    "negative");
  }
  parts_->samples.push_back({.sampled = from, .tell = std::move(tell)});
}

void Simulation::AddFollower(
    const std::string& from,
    const SystemVariable& to,
    const std::optional<process::Polynomial>& initial,
    const std::function<process::Polynomial()>& number) {
  CheckIsOurs(to);
  internal::SimulationParts& parts = *parts_;
  parts.quantities.CheckMayConnect(to.number_, "'" + from + "'", false);
  parts.quantities.SetSource(to.number_, "'" + from + "'");
  const std::size_t link = NewLink(to.name() + " <- " + from);
  if (initial) {
    parts.initials.push_back({.quantity = to.number_, .curve = *initial});
  }
  parts.followers.push_back(std::make_unique<process::Follower>(
      &parts.tasks,
      fmt::format("({})", link),
      number,
      [&parts, link, quantity = to.number_](const process::Polynomial& curve) {
        parts.run->StageCurve(link, quantity, curve);
      }));
}

void Simulation::AddExitTo(std::shared_ptr<const void> port,
                           std::function<void(const devs::Bag&)> tell) {
  parts_->exits.push_back({.port = std::move(port), .tell = std::move(tell)});
}

std::size_t Simulation::NewLink(std::string text) {
  parts_->links.push_back(std::move(text));
  return parts_->links.size() - 1;
}

std::size_t Simulation::LinkTo(const SystemVariable& to,
                               const std::string& from) {
  CheckIsOurs(to);
  internal::QuantityPort& quantities = parts_->quantities;
  quantities.CheckMayConnect(to.number_, "'" + from + "'", true);
  quantities.SetSource(to.number_, "'" + from + "'");
  return NewLink(to.name() + " <- " + from);
}

std::string Simulation::NewPortName() {
  return fmt::format("connection {}", parts_->num_ports++);
}

void Simulation::Stage(std::size_t link, std::function<void()> act) {
  parts_->run->Stage(link, std::move(act));
}

void Simulation::StageValue(std::size_t link,
                            const SystemVariable& to,
                            double value) {
  parts_->run->StageValue(link, to.number_, value);
}

void Simulation::Post(std::function<void()> act) {
  parts_->outbox.Add(std::move(act));
}

devs::Simulator& Simulation::devs_run() {
  return parts_->run->devs();
}

process::Simulator& Simulation::tasks_run() {
  return parts_->run->tasks();
}

Duration Simulation::now() const {
  return parts_->run->now();
}

}  // namespace orrery
