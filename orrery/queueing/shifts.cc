#include "orrery/queueing/shifts.h"

#include <algorithm>
#include <string>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"

namespace orrery::queueing::internal {

void CheckShifts(std::string_view path,
                 const std::vector<ShiftBegin>& shifts,
                 std::optional<Duration> period) {
  const auto refuse = [path](const std::string& why) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot make the shifts '" + std::string(path) + "': " + why);
  };
  if (shifts.empty()) {
    refuse("there are none; give at least one");
  }
  if (period && *period <= Duration(0)) {
    refuse("their period is " + ToText(*period) + "; give one above 0 s");
  }
  Duration before(-1);
  for (const ShiftBegin& shift : shifts) {
    if (shift.from <= before) {
      refuse("one begins at " + ToText(shift.from) +
             (before < Duration(0) ? "" : ", after one at " + ToText(before)) +
             "; give times that rise, from 0 s on");
    }
    before = shift.from;
  }
  if (period && before >= *period) {
    refuse("one begins at " + ToText(before) + ", beyond the period of " +
           ToText(*period) + "; give times in it");
  }
}

void RefusePreemption(const std::string& path) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot make the shifts '" + path +
                  "': who holds units of their resource cannot lose them; take "
                  "a PreemptiveResource, or let them finish");
}

ShiftAt FindShift(const std::vector<ShiftBegin>& shifts,
                  std::optional<Duration> period,
                  Duration time) {
  Duration begin(0);  // Begin of the period at that time.
  if (period) {
    Duration::rep past = time.count() % period->count();
    past += past < 0 ? period->count() : 0;
    begin = time - Duration(past);
  }
  const auto next =
      std::ranges::upper_bound(shifts, time - begin, {}, &ShiftBegin::from);
  const auto index = static_cast<std::size_t>(next - shifts.begin());
  ShiftAt result;
  if (index > 0) {
    result.shift = index - 1;
  } else if (period) {
    result.shift = shifts.size() - 1;
  }
  if (next != shifts.end()) {
    result.next = begin + next->from;
  } else {
    result.next =
        period ? begin + *period + shifts.front().from : Duration::max();
  }
  return result;
}

}  // namespace orrery::queueing::internal
