#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace orrery::store::internal {

/// Compresses columns of doubles, to the last bit, and bytes.
///
/// The bits of a double, taken as an integer i, change smoothly where the
/// signal does. So a column is stored by its second differences d[k] = i[k] - 2
/// i[k-1] + i[k-2] (modulo 2^64, i[-1] = i[-2] = 0), mapped to small unsigned
/// numbers (0, -1, 1, -2, ... to 0, 1, 2, 3, ...); first all their lowest
/// bytes, then all second ones, and so on; compressed by zstd at level 1, with
/// its checksum. Measured on oscillations and on the Lorenz attractor, second
/// differences save 20 to 65 %, at the same speed.
///
/// One object for one thread at a time.
class ColumnCodec {
 public:
  ColumnCodec();
  ColumnCodec(const ColumnCodec&) = delete;
  ColumnCodec& operator=(const ColumnCodec&) = delete;
  ~ColumnCodec();

  /// The result is valid until the next call.
  [[nodiscard]] std::span<const std::byte> Encode(
      std::span<const double> values);
  [[nodiscard]] std::span<const std::byte> EncodeBytes(
      std::span<const std::byte> bytes);

  /// Fills `values`, or `bytes`. Returns false, with any content, if `encoded`
  /// does not have exactly that many, or is damaged.
  [[nodiscard]] bool Decode(std::span<const std::byte> encoded,
                            std::span<double> values);
  /// The number of doubles in `encoded`, by its header; nothing without one.
  [[nodiscard]] static std::optional<std::size_t> SizeOf(
      std::span<const std::byte> encoded);

  [[nodiscard]] bool DecodeBytes(std::span<const std::byte> encoded,
                                 std::span<std::byte> bytes);

 private:
  struct Contexts;

  std::unique_ptr<Contexts> contexts_;
  std::vector<std::uint8_t> planes_;
  std::vector<std::byte> compressed_;
};

}  // namespace orrery::store::internal
