#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "orrery/base/setting.h"
#include "orrery/model/flat_model.h"

namespace orrery::modelica::internal {

struct Component;
struct Session;

/// The values that are set for a run, by the names of what they are for. Those
/// of parameters that shape the equations matter when a model is flattened.
class SettingTable {
 public:
  explicit SettingTable(std::span<const Setting> settings);

  /// Puts what is set for a parameter in place of its `numbers`, which are
  /// empty if it has none.
  /// @returns whether anything is set for it.
  /// @throws Abandoned after a report if the value is not of its type or the
  ///     parameter is final.
  bool Apply(Session& session,
             const Component& parameter,
             std::vector<double>& numbers) const;

  /// Runs give these parameters other values.
  void Vary(std::span<const std::string> names);

  /// Whether runs give the parameter, or elements of it, other values.
  [[nodiscard]] bool Varies(const Component& parameter) const;

  [[nodiscard]] bool vary_any() const noexcept { return !varied_.empty(); }

  /// Whether the value of all of the parameter is set.
  [[nodiscard]] bool Replaces(const Component& parameter) const;

 private:
  struct Entry {
    std::vector<std::int64_t> at;  // Empty for a scalar.
    double value = 0;
  };

  [[nodiscard]] const std::vector<Entry>* Find(
      const Component& component) const;

  std::unordered_map<std::string, std::vector<Entry>> by_name_;
  std::unordered_set<std::string> varied_;  // Without subscripts.
};

}  // namespace orrery::modelica::internal
