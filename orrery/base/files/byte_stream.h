#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace orrery {

/// A number that is written as its bytes. Truths and enumerators have ways of
/// their own: not all bytes are values of them.
template <typename T>
concept ByteNumber = std::is_arithmetic_v<T> && !std::same_as<T, bool>;

/// Writes values one after the other as bytes, in the order of this machine. A
/// function that is a template of its stream describes both writing and
/// reading: `ByteReader` has the same functions.
class ByteWriter {
 public:
  static constexpr bool kReads = false;

  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

  template <ByteNumber T>
  void Number(const T& value) {
    Append(&value, sizeof(T));
  }

  template <ByteNumber T>
  void Numbers(const std::vector<T>& values) {
    Count(values.size(), sizeof(T));
    Append(values.data(), values.size() * sizeof(T));
  }

  void Truth(bool value) { bytes_.push_back(value ? '\1' : '\0'); }

  /// @param last the greatest enumerator.
  template <typename T>
  void Choice(const T& value, T /*last*/) {
    static_assert(sizeof(T) == 1);
    bytes_.push_back(static_cast<char>(value));
  }

  void Text(const std::string& text) {
    Count(text.size(), 1);
    Append(text.data(), text.size());
  }

  /// A number of things that follow, of at least `least` bytes each.
  void Count(std::size_t count, std::size_t /*least*/) {
    const std::uint64_t number = count;
    Number(number);
  }

  /// Says what must hold of values that were read.
  void Expect(bool /*holds*/, const char* /*what*/) const noexcept {}

 private:
  void Append(const void* data, std::size_t size) {
    if (size != 0) {
      bytes_.append(static_cast<const char*>(data), size);
    }
  }

  std::string bytes_;
};

/// Reads what `ByteWriter` wrote. Bytes may be any: no more memory is taken
/// than is in proportion to them.
class ByteReader {
 public:
  static constexpr bool kReads = true;

  /// @param bytes must outlive it.
  explicit ByteReader(std::string_view bytes) noexcept : rest_(bytes) {}

  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }

  // All that read throw Error kInvalidModel if the bytes end too early or are
  // no value of their type.

  template <ByteNumber T>
  void Number(T& value) {
    std::memcpy(&value, Take(sizeof(T)), sizeof(T));
  }

  template <ByteNumber T>
  void Numbers(std::vector<T>& values) {
    std::size_t count = 0;
    Count(count, sizeof(T));
    values.resize(count);
    if (count != 0) {
      std::memcpy(values.data(), Take(count * sizeof(T)), count * sizeof(T));
    }
  }

  void Truth(bool& value);

  template <typename T>
  void Choice(T& value, T last) {
    static_assert(sizeof(T) == 1);
    const auto number = static_cast<std::uint8_t>(*Take(1));
    Expect(number <= static_cast<std::uint8_t>(last), "an unknown kind");
    value = static_cast<T>(number);
  }

  void Text(std::string& text);

  void Count(std::size_t& count, std::size_t least);

  /// @throws Error kInvalidModel that names `what` there is, unless it holds.
  void Expect(bool holds, const char* what) const;

 private:
  /// The next bytes, which are passed over.
  const char* Take(std::size_t size);

  std::string_view rest_;
};

/// A checksum of bytes, to notice damage (FNV-1a, 64 bits).
[[nodiscard]] std::uint64_t ChecksumOf(std::string_view bytes) noexcept;

}  // namespace orrery
