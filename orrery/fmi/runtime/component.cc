#include "orrery/fmi/runtime/component.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"

namespace orrery::fmi {
namespace {

[[noreturn]] void RefuseText(std::uint32_t reference) {
  throw Error(ErrorCode::kInvalidArgument,
              "no variable is a text, and so none has the value reference " +
                  std::to_string(reference));
}

}  // namespace

std::string Component::GetText(std::uint32_t reference) {
  RefuseText(reference);
}

void Component::SetText(std::uint32_t reference, const std::string& /*text*/) {
  RefuseText(reference);
}

void CheckToken(std::string_view given,
                const std::string& its,
                const std::string& path) {
  if (given != its) {
    throw Error(ErrorCode::kInvalidArgument,
                "the token is " + std::string(given) + ", and that of " + path +
                    " is " + its + "; the FMU was unpacked over another one");
  }
}

double CheckStep(double t, double step, double at) {
  const double rounding =
      128 * std::numeric_limits<double>::epsilon() *
      std::max({std::abs(t), std::abs(at), std::abs(t + step)});
  if (!(step >= 0) || std::abs(t - at) > rounding) {
    throw Error(ErrorCode::kInvalidArgument,
                "a step of " + ShortestText(step) + " s from " +
                    ShortestText(t) + " s cannot be taken: the model is at " +
                    ShortestText(at) + " s");
  }
  return rounding;
}

Exchange& Component::exchange() {
  throw Error(ErrorCode::kUnsupported, "this FMU is for Co-Simulation only");
}

}  // namespace orrery::fmi
