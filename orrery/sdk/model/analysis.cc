#include "orrery/sdk/model/analysis.h"

namespace orrery {

OperatingPoint InitialPoint(Block& top,
                            std::span<const Setting> settings,
                            Seconds time) {
  return InitialPoint(MakeModel(top), settings, time);
}

OperatingPoint InitialPoint(const Model& model,
                            std::span<const Setting> settings,
                            Seconds time) {
  return {Compile(model, settings), time.value, settings};
}

}  // namespace orrery
