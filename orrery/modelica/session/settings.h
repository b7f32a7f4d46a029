#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "orrery/base/values/parameters.h"
#include "orrery/base/values/setting.h"
#include "orrery/model/flat_model.h"
#include "orrery/modelica/session/value.h"

namespace orrery::modelica::internal {

struct Component;
struct Session;

/// The values that are set for a run, by name. Values of parameters that shape
/// the equations are needed during flattening.
class SettingTable {
 public:
  /// @param names must outlive the table; arrays are added to it before their
  ///     parameters are asked for.
  SettingTable(std::span<const Setting> settings, const ElementNames& names);

  /// Replaces `numbers`, a parameter's value (perhaps empty), by the value set
  /// for it.
  /// @returns true if a value is set.
  /// @throws Abandoned after a report if the value is not of its type or the
  ///     parameter is final.
  bool Apply(Session& session,
             const Component& parameter,
             std::vector<double>& numbers) const;

  /// Gives Strings, and elements of arrays of them, these texts.
  void Give(std::span<const ParameterText> texts);

  /// Returns the value of a String, or of an array of Strings, with the texts
  /// that are given.
  /// @param own computes the model's value. It is not asked for a given scalar.
  /// @throws Abandoned after a report if the parameter is final, or texts of
  ///     the array's other elements are not known.
  [[nodiscard]] Value Apply(Session& session,
                            const Component& parameter,
                            const std::function<Value()>& own) const;

  /// Runs give these parameters other values.
  void Vary(std::span<const std::string> names);

  /// True if runs give the parameter, or elements of it, other values.
  [[nodiscard]] bool Varies(const Component& parameter) const;

  [[nodiscard]] bool vary_any() const noexcept {
    return !varied_.empty() || !varied_with_literals_.empty();
  }

  /// True if the whole value of the parameter is set.
  [[nodiscard]] bool Replaces(const Component& parameter) const;

 private:
  struct Entry {
    std::vector<std::int64_t> at;  // Empty for a scalar.
    double value = 0;
  };

  [[nodiscard]] std::vector<Entry> Find(const Component& component) const;

  // The given text of an element; of a scalar if `at` is empty.
  struct TextEntry {
    std::vector<std::int64_t> at;
    std::string text;
  };

  [[nodiscard]] std::vector<TextEntry> FindTexts(
      const Component& component) const;

  const ElementNames& names_;
  std::unordered_map<std::string, std::vector<Entry>> by_name_;
  std::vector<Setting> with_literals_;  // In their subscripts.
  std::vector<ParameterText> texts_;
  std::unordered_set<std::string> varied_;  // Without the last subscripts.
  std::vector<std::string> varied_with_literals_;
};

}  // namespace orrery::modelica::internal
