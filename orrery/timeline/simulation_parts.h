#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/devs/modeling/coupled.h"
#include "orrery/process/model/facility.h"
#include "orrery/process/model/model.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/types/polynomial.h"
#include "orrery/program/program.h"
#include "orrery/timeline/quantity_port.h"
#include "orrery/timeline/timeline.h"

namespace orrery::timeline::internal {

class SimulationRun;

/// Keeps the effects of tasks on the world outside of their run until their
/// batch is committed. Then they are carried out in the order of the steps.
class Outbox final : public process::Facility {
 public:
  Outbox(process::Model* owner, std::string_view name)
      : Facility(owner, name) {}

  /// Adds an effect, in a step of a task.
  void Add(std::function<void()> act) {
    acts_.push_back(std::move(act));
    PostEffect(acts_.size() - 1);
  }

  [[nodiscard]] bool has_task_at_work() const {
    return static_cast<bool>(task_at_work());
  }

 private:
  void Reset() override { acts_.clear(); }

  void OnRequested(process::Request& /*request*/) override {}

  void OnPosted(std::uint64_t argument) override { acts_[argument](); }

  void Settle() override { acts_.clear(); }

  std::vector<std::function<void()>> acts_;
};

/// The parts of a Simulation.
struct SimulationParts {
  struct CrossingLink {
    Crossing crossing;
    std::function<void(const Crossed&)> tell;
  };

  struct SampledLink {
    Sampled sampled;
    std::function<void(double)> tell;
  };

  struct ExitLink {
    std::shared_ptr<const void> port;
    std::function<void(const devs::Bag&)> tell;
  };

  struct Initial {
    std::size_t quantity = 0;
    process::Polynomial curve;
  };

  explicit SimulationParts() : system(*this) {}

  devs::Coupled network{"model"};
  process::Model tasks;
  QuantityPort quantities{&tasks, "(equations)"};
  Outbox outbox{&tasks, "(outbox)"};
  std::vector<std::unique_ptr<process::Model>> parts;
  std::vector<std::unique_ptr<process::Follower>> followers;
  std::vector<std::unique_ptr<Beginning>> beginnings;
  bool has_begun = false;  ///< Beginnings were used.

  std::shared_ptr<const Program> program;
  std::optional<NameTable> names;
  System system;

  std::vector<std::string> links;  ///< For people.
  std::vector<CrossingLink> crossings;
  std::vector<SampledLink> samples;
  std::vector<ExitLink> exits;
  std::vector<Initial> initials;  ///< For connected inputs.
  std::size_t num_ports = 0;

  SimulationRun* run = nullptr;
};

}  // namespace orrery::timeline::internal
