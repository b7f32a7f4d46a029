#include "orrery/experiment/design/sobol_sequence.h"

#include <bit>

#include <boost/random/sobol.hpp>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"

namespace orrery::experiment::internal {

// Direction number j is the point with Gray code 2^j, which is point 2^(j + 1)
// - 1. The generator seeded with n begins with point n + 1.
SobolSequence::SobolSequence(std::size_t dimension)
    : dimension_(dimension), shifts_(dimension, 0) {
  ORRERY_CHECK(dimension >= 1 && dimension <= kMaxDimension);
  boost::random::sobol_engine<std::uint64_t, kBits> generator(dimension);
  directions_.reserve(kBits * dimension);
  for (int j = 0; j < kBits; ++j) {
    generator.seed((std::uint64_t{2} << j) - 2);
    for (std::size_t k = 0; k < dimension; ++k) {
      directions_.push_back(generator());
    }
  }
}

SobolSequence::SobolSequence(std::span<const std::string> names,
                             std::uint64_t seed)
    : SobolSequence(names.size()) {
  offset_ = 0.5;
  for (std::size_t k = 0; k < dimension_; ++k) {
    RandomStream stream(seed, "sobol shift/" + names[k]);
    shifts_[k] = stream.Next() >> (64 - kBits);
  }
}

void SobolSequence::Point(std::int64_t i, std::span<double> point) const {
  for (std::size_t k = 0; k < dimension_; ++k) {
    point[k] = Coordinate(i, k);
  }
}

double SobolSequence::Coordinate(std::int64_t i, std::size_t k) const {
  const auto number = static_cast<std::uint64_t>(i);
  std::uint64_t digits = shifts_[k];
  for (std::uint64_t gray_code = number ^ (number >> 1U); gray_code != 0;
       gray_code &= gray_code - 1) {
    const auto j = static_cast<std::size_t>(std::countr_zero(gray_code));
    digits ^= directions_[j * dimension_ + k];
  }
  return (static_cast<double>(digits) + offset_) * 0x1p-52;
}

}  // namespace orrery::experiment::internal
