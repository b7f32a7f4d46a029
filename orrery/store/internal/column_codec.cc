#include "orrery/store/internal/column_codec.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <new>

#include "orrery/base/error.h"

namespace orrery::store::internal {
namespace {

constexpr std::size_t kBlock = 512;  // Values; they stay in the first cache.
constexpr int kLevel = 1;

// Maps 0, -1, 1, -2, ... to 0, 1, 2, 3, ...
std::uint64_t ZigZag(std::uint64_t x) {
  return (x << 1U) ^ (0 - (x >> 63U));
}

std::uint64_t UnZigZag(std::uint64_t x) {
  return (x >> 1U) ^ (0 - (x & 1U));
}

// Splits words into their lower and upper halves, or joins these. Three such
// steps split words into bytes; compilers turn each into few vector
// instructions.
template <typename Word, typename Half>
void SplitWords(std::span<const Word> words, Half* lower, Half* upper) {
  for (std::size_t k = 0; k < words.size(); ++k) {
    lower[k] = static_cast<Half>(words[k]);
    upper[k] = static_cast<Half>(words[k] >> (8 * sizeof(Half)));
  }
}

template <typename Half, typename Word>
void JoinWords(const Half* lower, const Half* upper, std::span<Word> words) {
  for (std::size_t k = 0; k < words.size(); ++k) {
    const auto high = static_cast<Word>(upper[k]);
    words[k] = static_cast<Word>(lower[k] | high << (8 * sizeof(Half)));
  }
}

// The words of a block, and their halves and quarters, the lowest first.
struct Block {
  std::array<std::uint64_t, kBlock> words;
  std::array<std::array<std::uint32_t, kBlock>, 2> halves;
  std::array<std::array<std::uint16_t, kBlock>, 4> quarters;

  // Writes byte p of the first `size` words to `planes` from p * `stride` on.
  void SplitInto(std::uint8_t* planes, std::size_t stride, std::size_t size) {
    SplitWords(std::span<const std::uint64_t>(words).first(size),
               halves[0].data(),
               halves[1].data());
    for (std::size_t i = 0; i < 2; ++i) {
      SplitWords(std::span<const std::uint32_t>(halves[i]).first(size),
                 quarters[2 * i].data(),
                 quarters[2 * i + 1].data());
    }
    for (std::size_t i = 0; i < 4; ++i) {
      SplitWords(std::span<const std::uint16_t>(quarters[i]).first(size),
                 planes + 2 * i * stride,
                 planes + (2 * i + 1) * stride);
    }
  }

  void JoinFrom(const std::uint8_t* planes,
                std::size_t stride,
                std::size_t size) {
    for (std::size_t i = 0; i < 4; ++i) {
      JoinWords(planes + 2 * i * stride,
                planes + (2 * i + 1) * stride,
                std::span(quarters[i]).first(size));
    }
    for (std::size_t i = 0; i < 2; ++i) {
      JoinWords(quarters[2 * i].data(),
                quarters[2 * i + 1].data(),
                std::span(halves[i]).first(size));
    }
    JoinWords(halves[0].data(), halves[1].data(), std::span(words).first(size));
  }
};

// Writes byte p of each value to plane p of `planes`.
void Split(std::span<const double> values, std::uint8_t* planes) {
  const std::size_t n = values.size();
  // With two earlier values in front.
  std::array<std::uint64_t, kBlock + 2> bits{};
  Block block{};
  for (std::size_t start = 0; start < n; start += kBlock) {
    const std::size_t size = std::min(kBlock, n - start);
    for (std::size_t k = 0; k < size; ++k) {
      bits[k + 2] = std::bit_cast<std::uint64_t>(values[start + k]);
    }
    for (std::size_t k = 0; k < size; ++k) {
      block.words[k] = ZigZag(bits[k + 2] - 2 * bits[k + 1] + bits[k]);
    }
    block.SplitInto(planes + start, n, size);
    bits[0] = bits[size];
    bits[1] = bits[size + 1];
  }
}

void Join(const std::uint8_t* planes, std::span<double> values) {
  const std::size_t n = values.size();
  Block block{};
  std::uint64_t value = 0;
  std::uint64_t difference = 0;
  for (std::size_t start = 0; start < n; start += kBlock) {
    const std::size_t size = std::min(kBlock, n - start);
    block.JoinFrom(planes + start, n, size);
    for (std::size_t k = 0; k < size; ++k) {
      difference += UnZigZag(block.words[k]);
      value += difference;
      values[start + k] = std::bit_cast<double>(value);
    }
  }
}

}  // namespace

struct ColumnCodec::Contexts {
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> compression{
      ZSTD_createCCtx(), &ZSTD_freeCCtx};
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> decompression{
      ZSTD_createDCtx(), &ZSTD_freeDCtx};
};

ColumnCodec::ColumnCodec() : contexts_(std::make_unique<Contexts>()) {
  if (contexts_->compression == nullptr ||
      contexts_->decompression == nullptr) {
    throw std::bad_alloc();
  }
  ZSTD_CCtx* context = contexts_->compression.get();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
}

ColumnCodec::~ColumnCodec() = default;

std::span<const std::byte> ColumnCodec::Encode(std::span<const double> values) {
  planes_.resize(values.size_bytes());
  Split(values, planes_.data());
  return EncodeBytes(std::as_bytes(std::span(planes_)));
}

std::span<const std::byte> ColumnCodec::EncodeBytes(
    std::span<const std::byte> bytes) {
  // Keeps its size, as clearing costs time.
  compressed_.resize(
      std::max(compressed_.size(), ZSTD_compressBound(bytes.size())));
  const std::size_t size = ZSTD_compress2(contexts_->compression.get(),
                                          compressed_.data(),
                                          compressed_.size(),
                                          bytes.data(),
                                          bytes.size());
  ORRERY_CHECK(ZSTD_isError(size) == 0U);
  return std::span<const std::byte>(compressed_).first(size);
}

bool ColumnCodec::Decode(std::span<const std::byte> encoded,
                         std::span<double> values) {
  planes_.resize(values.size_bytes());
  if (!DecodeBytes(encoded, std::as_writable_bytes(std::span(planes_)))) {
    return false;
  }
  Join(planes_.data(), values);
  return true;
}

std::optional<std::size_t> ColumnCodec::SizeOf(
    std::span<const std::byte> encoded) {
  const auto bytes = ZSTD_getFrameContentSize(encoded.data(), encoded.size());
  if (bytes == ZSTD_CONTENTSIZE_UNKNOWN || bytes == ZSTD_CONTENTSIZE_ERROR ||
      bytes % sizeof(double) != 0) {
    return std::nullopt;
  }
  return bytes / sizeof(double);
}

bool ColumnCodec::DecodeBytes(std::span<const std::byte> encoded,
                              std::span<std::byte> bytes) {
  const std::size_t size = ZSTD_decompressDCtx(contexts_->decompression.get(),
                                               bytes.data(),
                                               bytes.size(),
                                               encoded.data(),
                                               encoded.size());
  return ZSTD_isError(size) == 0U && size == bytes.size();
}

}  // namespace orrery::store::internal
