#include "orrery/store/internal/layout.h"

#include <bit>
#include <cstdint>
#include <utility>

#include "orrery/base/error.h"

namespace orrery::store::internal {
namespace {

constexpr std::size_t kNumberSize = 8;

// Limits the memory for damaged column numbers.
constexpr int kMaxColumn = (1 << 24) - 1;

class Writer {
 public:
  void Number(std::uint64_t value) {
    for (std::size_t i = 0; i < kNumberSize; ++i) {
      bytes_.push_back(static_cast<std::byte>(value >> (8 * i)));
    }
  }

  void Integer(std::int64_t value) {
    Number(static_cast<std::uint64_t>(value));
  }

  void Text(const std::string& text) {
    Number(text.size());
    const auto bytes = std::as_bytes(std::span(text));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  [[nodiscard]] std::vector<std::byte> Take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

// Reads zeros after the first error.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  [[nodiscard]] std::uint64_t Number() {
    std::uint64_t value = 0;
    const auto bytes = Next(kNumberSize);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      value |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
    }
    return value;
  }

  [[nodiscard]] std::string Text() {
    const auto bytes = Next(Number());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  // Reads a number that must lie between `least` and `greatest`.
  [[nodiscard]] int Integer(int least, std::int64_t greatest) {
    const auto value = static_cast<std::int64_t>(Number());
    const bool is_good = least <= value && value <= greatest;
    Require(is_good);
    return is_good ? static_cast<int>(value) : least;
  }

  // Reads the number of items of at least `size` bytes that follow.
  [[nodiscard]] std::size_t Count(std::size_t size) {
    const std::uint64_t count = Number();
    Require(count <= rest_.size() / size);
    return is_good_ ? count : 0;
  }

  void Require(bool is_good) { is_good_ = is_good_ && is_good; }

  // True if there was no error and nothing is left.
  [[nodiscard]] bool IsDone() const { return is_good_ && rest_.empty(); }

 private:
  std::span<const std::byte> Next(std::uint64_t size) {
    Require(size <= rest_.size());
    if (!is_good_) {
      return {};
    }
    const auto bytes = rest_.first(size);
    rest_ = rest_.subspan(bytes.size());
    return bytes;
  }

  std::span<const std::byte> rest_;
  bool is_good_ = true;
};

// Bits of a signal's third number.
constexpr int kIsNegated = 1;
constexpr int kHasValueNames = 2;
constexpr int kHasNameWithNumbers = 4;
constexpr int kAllFlags = kIsNegated | kHasValueNames | kHasNameWithNumbers;

// Three texts and five numbers.
constexpr std::size_t kLeastSignalSize = 8 * kNumberSize;

std::vector<std::string> ReadNames(Reader& in) {
  std::vector<std::string> names(in.Count(kNumberSize));
  for (std::string& name : names) {
    name = in.Text();
  }
  return names;
}

void WriteNames(const std::vector<std::string>& names, Writer& out) {
  out.Number(names.size());
  for (const std::string& name : names) {
    out.Text(name);
  }
}

SignalInfo ReadSignal(Reader& in, std::size_t count) {
  SignalInfo signal;
  signal.name = in.Text();
  signal.unit = in.Text();
  signal.description = in.Text();
  signal.variability = static_cast<SignalVariability>(
      in.Integer(0, static_cast<int>(SignalVariability::kContinuous)));
  signal.column = in.Integer(SignalInfo::kNone, kMaxColumn);
  const int flags = in.Integer(0, kAllFlags);
  signal.negated = (flags & kIsNegated) != 0;
  signal.constant = std::bit_cast<double>(in.Number());
  signal.derivative =
      in.Integer(SignalInfo::kNone, static_cast<std::int64_t>(count) - 1);
  if ((flags & kHasValueNames) != 0) {
    std::vector<std::string> names = ReadNames(in);
    in.Require(!names.empty());
    signal.value_names.Edit() = std::move(names);
  }
  if ((flags & kHasNameWithNumbers) != 0) {
    signal.name_with_numbers = in.Text();
  }
  return signal;
}

}  // namespace

std::vector<std::byte> SignalsToBytes(const std::vector<SignalInfo>& signals) {
  Writer out;
  out.Number(signals.size());
  for (const SignalInfo& signal : signals) {
    ORRERY_CHECK(signal.column <= kMaxColumn);
    out.Text(signal.name);
    out.Text(signal.unit);
    out.Text(signal.description);
    out.Integer(static_cast<int>(signal.variability));
    out.Integer(signal.column);
    const bool has_names = !signal.value_names->empty();
    out.Integer((signal.negated ? kIsNegated : 0) |
                (has_names ? kHasValueNames : 0) |
                (signal.name_with_numbers.empty() ? 0 : kHasNameWithNumbers));
    out.Number(std::bit_cast<std::uint64_t>(signal.constant));
    out.Integer(signal.derivative);
    if (has_names) {
      WriteNames(*signal.value_names, out);
    }
    if (!signal.name_with_numbers.empty()) {
      out.Text(signal.name_with_numbers);
    }
  }
  return out.Take();
}

std::shared_ptr<const SignalTable> SignalsFromBytes(
    std::span<const std::byte> bytes) {
  Reader in(bytes);
  std::vector<SignalInfo> signals;
  const std::size_t count = in.Count(kLeastSignalSize);
  signals.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    signals.push_back(ReadSignal(in, count));
  }
  if (!in.IsDone()) {
    return nullptr;
  }
  try {
    return std::make_shared<const SignalTable>(std::move(signals));
  } catch (const Error&) {  // Names that are empty or duplicate, and the like.
    return nullptr;
  }
}

std::vector<std::byte> NamesToBytes(const std::vector<std::string>& names) {
  Writer out;
  WriteNames(names, out);
  return out.Take();
}

std::optional<std::vector<std::string>> NamesFromBytes(
    std::span<const std::byte> bytes) {
  Reader in(bytes);
  std::vector<std::string> names = ReadNames(in);
  return in.IsDone() ? std::optional(std::move(names)) : std::nullopt;
}

}  // namespace orrery::store::internal
