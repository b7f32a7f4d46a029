#include "orrery/process/cells/pool.h"

#include <string>

#include "orrery/base/error.h"
#include "orrery/process/cells/wrapping.h"

namespace orrery::process {
namespace {

void RequireUnits(const char* what, std::int64_t units) {
  if (units < 0) {
    throw Error(ErrorCode::kInvalidArgument,
                std::string("cannot ") + what + ' ' + std::to_string(units) +
                    " units of a pool: a number of units is not negative; "
                    "use Acquiring and Releasing for the two directions");
  }
}

}  // namespace

void Pool::Effect::Describe(Record& record) const {
  if (acquire < 0) {
    record.Add("release",
               internal::WrappingDifference<std::int64_t>(0, acquire));
  } else {
    record.Add("acquire", acquire);
  }
}

Pool::Pool(std::int64_t capacity, std::int64_t in_use)
    : capacity_(capacity), in_use_(in_use) {
  if (capacity < 0 || HasConflict()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot make a pool of " + std::to_string(capacity) +
                    " units with " + std::to_string(in_use) +
                    " in use: what is in use lies between 0 and the "
                    "capacity; give numbers that do");
  }
}

Pool::Effect Pool::Acquiring(std::int64_t units) {
  RequireUnits("acquire", units);
  return {.acquire = units};
}

Pool::Effect Pool::Releasing(std::int64_t units) {
  RequireUnits("release", units);
  return {.acquire = -units};
}

Pool::Effect Pool::Sequentially(Effect first, Effect second) {
  return {.acquire = internal::WrappingSum(first.acquire, second.acquire)};
}

void Pool::Apply(Effect effect) {
  in_use_ = internal::WrappingSum(in_use_, effect.acquire);
}

std::string Pool::ConflictText() const {
  const std::string units = std::to_string(capacity_) + " units";
  return in_use_ > capacity_
             ? std::to_string(in_use_) + " of its " + units + " are in use"
             : "more of its " + units + " are released than were in use";
}

std::int64_t Pool::available() const {
  return internal::WrappingDifference(capacity_, in_use_);
}

}  // namespace orrery::process
