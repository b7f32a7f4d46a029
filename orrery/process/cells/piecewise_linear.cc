#include "orrery/process/cells/piecewise_linear.h"

#include <cstddef>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/process/cells/finite.h"

namespace orrery::process {
namespace {

std::vector<Duration> TimesOf(const std::vector<PiecewiseLinear::Key>& keys) {
  if (keys.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot make a piecewise linear input: there are no keys; give "
                "at least one, which is its value at all times");
  }
  std::vector<Duration> times;
  times.reserve(keys.size());
  for (const PiecewiseLinear::Key& key : keys) {
    internal::Finite("give a piecewise linear input the value", key.value);
    times.push_back(key.time);
  }
  return times;
}

}  // namespace

PiecewiseLinear::PiecewiseLinear(const std::vector<Key>& keys)
    : times_("a piecewise linear input", TimesOf(keys)) {
  std::vector<Piece> pieces{{.value = keys.front().value, .slope = 0}};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Piece piece{.value = keys[i].value, .slope = 0};
    if (i + 1 < keys.size()) {
      const Seconds length = keys[i + 1].time - keys[i].time;
      piece.slope =
          internal::Finite("make a piecewise linear input with the slope",
                           (keys[i + 1].value - piece.value) / length.value);
    }
    pieces.push_back(piece);
  }
  pieces_ = std::make_shared<const std::vector<Piece>>(std::move(pieces));
}

double PiecewiseLinear::Value() const {
  const std::size_t num_past = times_.num_past();
  const Piece& piece = (*pieces_)[num_past];
  if (num_past == 0) {
    return piece.value;
  }
  return piece.value + piece.slope * Seconds(times_.Since(num_past - 1)).value;
}

Polynomial PiecewiseLinear::Dynamics() const {
  const std::size_t num_past = times_.num_past();
  const Piece& piece = (*pieces_)[num_past];
  if (num_past == 0) {
    return {piece.value};
  }
  return Polynomial{piece.value, piece.slope}.Shifted(
      times_.Since(num_past - 1));
}

}  // namespace orrery::process
