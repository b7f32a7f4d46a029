#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "orrery/sdk/runs/process_run.h"
#include "orrery/sdk/runs/profile_rows.h"

namespace orrery {

namespace internal = sdk::internal;

namespace {

using process::Profile;
using process::Segment;

bool HasTexts(const Profile& profile) {
  return std::ranges::any_of(profile.segments(), [](const Segment& segment) {
    return std::holds_alternative<std::string>(segment.reading);
  });
}

}  // namespace

Trajectory ToTrajectory(std::span<const Profile> profiles,
                        Duration start,
                        Duration end) {
  internal::ProfileRows rows;
  rows.Look(profiles);
  return rows.Take(profiles, start, end).rows;
}

std::vector<std::string> TextProfiles(std::span<const Profile> profiles) {
  std::vector<std::string> names;
  for (const Profile& profile : profiles) {
    if (HasTexts(profile)) {
      names.push_back(profile.path());
    }
  }
  return names;
}

}  // namespace orrery
