#include "orrery/sdk/runs/readings.h"

#include <algorithm>
#include <string>
#include <variant>

#include "orrery/base/error.h"

namespace orrery::sdk::internal {
namespace {

// Returns no value before the first reading.
Record::Value ValueAt(const process::Profile& profile, Duration time) {
  if (profile.segments().empty()) {
    return {};
  }
  const process::Reading reading = profile.At(time);
  if (const auto* curve = std::get_if<process::Polynomial>(&reading)) {
    return curve->At(Duration::zero());
  }
  if (const auto* truth = std::get_if<bool>(&reading)) {
    return *truth;
  }
  return std::get<std::string>(reading);
}

}  // namespace

std::vector<ProcessRunResult::Value> ReadingsAt(
    std::span<const process::Profile> profiles, Duration time) {
  std::vector<ProcessRunResult::Value> values;
  for (const process::Profile& profile : profiles) {
    values.push_back({.name = profile.path(),
                      .value = ValueAt(profile, time),
                      .unit = profile.unit()});
  }
  return values;
}

std::vector<Record::Field> FieldsAt(std::span<const process::Profile> profiles,
                                    Duration time,
                                    std::span<const std::string> paths,
                                    const std::string& model) {
  std::vector<Record::Field> fields;
  for (const std::string& path : paths) {
    const auto profile =
        std::ranges::find(profiles, path, &process::Profile::path);
    if (profile == profiles.end()) {
      std::vector<std::string> known;
      for (const process::Profile& its : profiles) {
        known.push_back(its.path());
      }
      std::string why = "cannot show '" + path + "': model ";
      why += model + " has nothing of this name to show";
      why += Clause(Suggest(path, known));
      throw Error(ErrorCode::kInvalidArgument, why);
    }
    fields.push_back({.name = path, .value = ValueAt(*profile, time)});
  }
  return fields;
}

}  // namespace orrery::sdk::internal
