#include "orrery/sim/timeline.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/sim/internal/timeline.h"
#include "orrery/sim/internal/timeline_run.h"

namespace orrery {

// SystemVariable
// --------------------------------------------------------------------

const std::string& SystemVariable::name() const {
  return timeline_->quantities[number_].name;
}

double SystemVariable::Get() const {
  return timeline_->quantities.Get(number_);
}

bool SystemVariable::Compares(process::Relation relation,
                              const process::Polynomial& bound) const {
  return timeline_->quantities.Compares(number_, relation, bound);
}

void SystemVariable::Set(double value) const {
  internal::Timeline& timeline = *timeline_;
  const std::size_t number = number_;
  timeline.quantities.CheckMayConnect(number, "a task", true);
  if (timeline.run == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot set '" + name() +
                    "': its simulation does not run; set it from a task, or "
                    "by `settings` before the run");
  }
  timeline.quantities.NoteSet();
  const auto act = [&timeline, number, value] {
    timeline.run->StageValue(0, number, value);
  };
  if (timeline.outbox.has_task_at_work()) {
    timeline.outbox.Add(act);
  } else {
    act();
  }
}

// System ----------------------------------------------------------------------

SystemVariable System::operator[](std::string_view name) const {
  return {*timeline_,
          timeline_->quantities.NumberOf(
              *timeline_->program, *timeline_->names, name)};
}

const Program& System::program() const noexcept {
  return *timeline_->program;
}

// Simulation ------------------------------------------------------------------

Simulation::Simulation() : timeline_(std::make_unique<internal::Timeline>()) {
  NewLink("a task that sets it");
}

Simulation::~Simulation() = default;

System& Simulation::Add(std::shared_ptr<const Program> program) {
  ORRERY_CHECK(program != nullptr);
  if (timeline_->program != nullptr) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot add model " + program->name +
                    " to a simulation: it has the equations of " +
                    timeline_->program->name +
                    " already; join both in a Diagram and add that");
  }
  timeline_->program = std::move(program);
  timeline_->names.emplace(*timeline_->program);
  return timeline_->system;
}

void Simulation::Connect(const process::Resource& from,
                         const SystemVariable& to) {
  AddFollower(
      from.Path(), to, std::nullopt, [&from] { return from.Dynamics(); });
}

TimelineResult Simulation::Run(const TimelineOptions& options,
                               const Observer& observer) {
  return internal::TimelineRun(*timeline_, options, observer).Run();
}

devs::Coupled& Simulation::network() {
  return timeline_->network;
}

void Simulation::Adopt(std::string_view name,
                       std::unique_ptr<process::Model> part) {
  timeline_->tasks.Adopt(*part, name);
  timeline_->parts.push_back(std::move(part));
}

void Simulation::AddBeginning(std::unique_ptr<internal::Beginning> beginning) {
  timeline_->beginnings.push_back(std::move(beginning));
}

void Simulation::AddCrossing(const Crossing& from,
                             std::function<void(const Crossed&)> tell) {
  if (!std::isfinite(from.threshold)) {
    throw Error(ErrorCode::kInvalidModel,
                fmt::format("cannot find where '{}' comes to {}: give a finite "
                            "threshold",
                            from.quantity.name(),
                            from.threshold));
  }
  timeline_->crossings.push_back({.crossing = from, .tell = std::move(tell)});
}

void Simulation::AddSampled(const Sampled& from,
                            std::function<void(double)> tell) {
  if (from.interval <= Duration(0) || from.offset < Duration(0)) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot sample '" + from.quantity.name() + "' every " +
                    ToText(from.interval) + " from " + ToText(from.offset) +
                    " on: give a positive interval, and an offset that is not "
                    "negative");
  }
  timeline_->samples.push_back({.sampled = from, .tell = std::move(tell)});
}

void Simulation::AddFollower(const std::string& from,
                             const SystemVariable& to,
                             const std::optional<process::Polynomial>& initial,
                             std::function<process::Polynomial()> number) {
  internal::Timeline& timeline = *timeline_;
  timeline.quantities.CheckMayConnect(to.number_, "'" + from + "'", false);
  timeline.quantities.SetSource(to.number_, "'" + from + "'");
  const std::size_t link = NewLink(to.name() + " <- " + from);
  if (initial) {
    timeline.initials.push_back({.quantity = to.number_, .curve = *initial});
  }
  timeline.followers.push_back(std::make_unique<process::Follower>(
      &timeline.tasks,
      fmt::format("({})", link),
      std::move(number),
      [&timeline, link, quantity = to.number_](
          const process::Polynomial& curve) {
        timeline.run->StageCurve(link, quantity, curve);
      }));
}

void Simulation::AddExitTo(std::shared_ptr<const void> port,
                           std::function<void(const devs::Bag&)> tell) {
  timeline_->exits.push_back(
      {.port = std::move(port), .tell = std::move(tell)});
}

std::size_t Simulation::NewLink(std::string text) {
  timeline_->links.push_back(std::move(text));
  return timeline_->links.size() - 1;
}

std::size_t Simulation::LinkTo(const SystemVariable& to,
                               const std::string& from) {
  internal::QuantityPort& quantities = timeline_->quantities;
  quantities.CheckMayConnect(to.number_, "'" + from + "'", true);
  quantities.SetSource(to.number_, "'" + from + "'");
  return NewLink(to.name() + " <- " + from);
}

std::string Simulation::NewPortName() {
  return fmt::format("connection {}", timeline_->num_ports++);
}

void Simulation::Stage(std::size_t link, std::function<void()> act) {
  timeline_->run->Stage(link, std::move(act));
}

void Simulation::StageValue(std::size_t link,
                            const SystemVariable& to,
                            double value) {
  timeline_->run->StageValue(link, to.number_, value);
}

void Simulation::Post(std::function<void()> act) {
  timeline_->outbox.Add(std::move(act));
}

devs::Simulator& Simulation::devs_run() {
  return timeline_->run->devs();
}

process::Simulator& Simulation::tasks_run() {
  return timeline_->run->tasks();
}

Duration Simulation::now() const {
  return timeline_->run->now();
}

}  // namespace orrery
