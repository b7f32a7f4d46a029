#include "orrery/process/run/thresholds.h"

#include "orrery/base/error.h"

namespace orrery::process::internal {

Thresholds::Place Thresholds::Add(Dependent& who,
                                  Relation relation,
                                  double bound) {
  const auto add = [&who](Places& places, double least, bool is_strict) {
    return Place{.places = &places,
                 .at = places.emplace(Key{least, is_strict}, &who)};
  };
  switch (relation) {
    case Relation::kGreater:
      return add(least_, bound, true);
    case Relation::kGreaterEqual:
      return add(least_, bound, false);
    case Relation::kLess:
      return add(most_, -bound, true);
    case Relation::kLessEqual:
      return add(most_, -bound, false);
    case Relation::kEqual:
      return add(equal_, bound, false);
    case Relation::kNotEqual:
      return add(different_, bound, false);
  }
  ORRERY_CHECK(false);
  return {};
}

}  // namespace orrery::process::internal
