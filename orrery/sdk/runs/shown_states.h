#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/devs/modeling/coupled.h"
#include "orrery/devs/simulation/observer.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/process/types/polynomial.h"

namespace orrery::sdk::internal {

/// Returns the models with these paths, with or without the name of the
/// outermost one.
/// @throws Error kInvalidArgument for an unknown path, with the nearest one;
///     and for any in parallel DEVS.
[[nodiscard]] std::vector<const devs::Model*> ModelsCalled(
    std::span<const std::string> paths,
    const devs::Coupled& root,
    const devs::Options& engine);

/// The numbers in the states of atomic models, as their `Describe` gives them,
/// and the last numbers at the outputs of the outermost model.
class ShownStates : public devs::Observer {
 public:
  /// @param run must outlive it, as must `root`, its outermost model.
  ShownStates(const devs::Coupled& root, devs::Simulator& run);

  /// "path.field" of all states at present, and "port" of outputs of numbers.
  [[nodiscard]] const std::vector<std::string>& names() const noexcept {
    return names_;
  }

  /// Returns the full name for `name`, whose path may lack the name of the
  /// outermost model. Any field of an output is accepted, since only the run
  /// shows the fields of its messages.
  [[nodiscard]] std::optional<std::string> Find(const std::string& name) const;

  /// Follows names from Find, from now on.
  void Watch(std::span<const std::string> found);

  /// The values of the watched names; NaN before there is one.
  [[nodiscard]] std::span<const process::Polynomial> values() const noexcept {
    return values_;
  }

  void OnOutput(Duration time,
                const devs::Model& model,
                const devs::Bag& y) override;

  void OnTransition(Duration time,
                    const devs::Model& model,
                    devs::Transition transition,
                    const void* state) override;

 private:
  [[nodiscard]] bool IsOfOutput(const std::string& name) const;
  void Take(const std::string& name, const Record::Value& value);

  const devs::Coupled& root_;
  devs::Simulator& run_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, const devs::Model*> models_;  // By name.
  std::unordered_map<const devs::Model*, std::string> paths_;   // If watched.
  std::unordered_map<std::string, std::size_t> watched_;
  std::vector<process::Polynomial> values_;
  Record record_;
};

}  // namespace orrery::sdk::internal
