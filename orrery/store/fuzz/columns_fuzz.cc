#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/store/internal/column_codec.h"
#include "orrery/store/internal/layout.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

/// Any bytes are columns, layouts or neither; any values come back to the last
/// bit.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using orrery::store::internal::ColumnCodec;
  const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
  ColumnCodec codec;
  std::vector<double> values(size / sizeof(double));
  static_cast<void>(codec.Decode(bytes, values));
  static_cast<void>(orrery::store::internal::NamesFromBytes(bytes));
  if (const auto table = orrery::store::internal::SignalsFromBytes(bytes)) {
    ORRERY_CHECK(std::ranges::equal(
        orrery::store::internal::SignalsToBytes(table->signals()), bytes));
  }

  const std::span<std::byte> target = std::as_writable_bytes(std::span(values));
  std::ranges::copy(bytes.first(target.size()), target.begin());
  const auto encoded = codec.Encode(values);
  const std::vector<std::byte> copy(encoded.begin(), encoded.end());
  std::vector<double> decoded(values.size());
  ORRERY_CHECK(codec.Decode(copy, decoded));
  ORRERY_CHECK(std::ranges::equal(std::as_bytes(std::span(decoded)),
                                  std::as_bytes(std::span(values))));
  return 0;
}
