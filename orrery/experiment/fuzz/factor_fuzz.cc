#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/experiment/design/design.h"
#include "orrery/experiment/design/factor.h"
#include "orrery/experiment/statistics/correlation.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

namespace {

// Draws lie between the ends, and the text of the distribution parses to
// itself.
void Check(const orrery::Distribution& distribution) {
  ORRERY_CHECK(orrery::Distribution::Parse(distribution.text()) ==
               distribution);
  static_cast<void>(distribution.mean());
  static_cast<void>(distribution.standard_deviation());
  for (const double p : {0.001, 0.5, 0.999}) {
    const double x = distribution.Quantile(p);
    ORRERY_CHECK(std::isnan(x) || (distribution.Quantile(0) <= x &&
                                   x <= distribution.Quantile(1)));
    static_cast<void>(distribution.Cdf(x));
  }
}

}  // namespace

// Any texts, a line each, are read or refused with a message, and factors can
// be drawn from.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  std::vector<std::string> texts(1);
  for (const std::uint8_t byte : std::span(data, size)) {
    if (byte == '\n') {
      texts.emplace_back();
    } else {
      texts.back() += static_cast<char>(byte);
    }
  }
  try {
    const auto factors = orrery::ParseFactors("--vary", texts);
    for (const orrery::Factor& factor : factors) {
      Check(orrery::DistributionOf(factor));
    }
    const orrery::Design design(
        factors, {.kind = orrery::DesignKind::kLatinHypercube, .points = 3});
    std::vector<double> point(design.dimension());
    design.Point(2, point);
  } catch (const orrery::Error& error) {
    ORRERY_CHECK(error.code() == orrery::ErrorCode::kInvalidArgument);
  }
  try {
    static_cast<void>(orrery::ParseCorrelations("--correlate", texts));
  } catch (const orrery::Error& error) {
    ORRERY_CHECK(error.code() == orrery::ErrorCode::kInvalidArgument);
  }
  return 0;
}
