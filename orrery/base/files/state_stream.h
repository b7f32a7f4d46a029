#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/files/byte_stream.h"

namespace orrery {

/// Writes the state of an object as bytes, or reads it back into an object that
/// was made alike. One function of the object describes both ways:
///
///     void Transfer(StateStream& stream) {
///       stream.Number(t_);
///       stream.Same(x_);
///     }
///
/// Bytes may be any: what does not fit the object is refused, and no more
/// memory is taken than is in proportion to them.
class StateStream {
 public:
  /// For writing.
  StateStream() { writer_.emplace(); }

  /// For reading.
  /// @param bytes must outlive it.
  explicit StateStream(std::string_view bytes) { reader_.emplace(bytes); }

  [[nodiscard]] bool reads() const noexcept { return reader_.has_value(); }

  /// What was written.
  [[nodiscard]] const std::string& bytes() const { return writer_->bytes(); }

  /// What was not read yet.
  [[nodiscard]] std::string_view rest() const { return reader_->rest(); }

  // All that read throw Error kInvalidModel for bytes that do not fit.

  template <ByteNumber T>
  void Number(T& value) {
    if (reads()) {
      reader_->Number(value);
    } else {
      writer_->Number(value);
    }
  }

  void Truth(bool& value) {
    if (reads()) {
      reader_->Truth(value);
    } else {
      writer_->Truth(value);
    }
  }

  template <typename T>
  void Choice(T& value, T last) {
    if (reads()) {
      reader_->Choice(value, last);
    } else {
      writer_->Choice(value, last);
    }
  }

  void Text(std::string& text) {
    if (reads()) {
      reader_->Text(text);
    } else {
      writer_->Text(text);
    }
  }

  template <ByteNumber T>
  void Numbers(std::vector<T>& values) {
    if (reads()) {
      reader_->Numbers(values);
    } else {
      writer_->Numbers(values);
    }
  }

  /// Numbers of which an object like this one has as many.
  template <ByteNumber T>
  void Same(std::vector<T>& values) {
    const std::size_t size = values.size();
    Numbers(values);
    Expect(values.size() == size, "another number of values");
  }

  /// As many numbers as `size`, or none.
  template <ByteNumber T>
  void AllOrNone(std::vector<T>& values, std::size_t size) {
    Numbers(values);
    Expect(values.empty() || values.size() == size, "another number of values");
  }

  /// Truths as numbers 0 and 1, of which an object like this one has as many.
  void SameTruths(std::vector<std::uint8_t>& values) {
    Same(values);
    for (const std::uint8_t value : values) {
      Expect(value <= 1, "a truth that is neither");
    }
  }

  /// Indices below `end`.
  template <ByteNumber T>
  void Indices(std::vector<T>& indices, std::size_t end) {
    Numbers(indices);
    for (const T index : indices) {
      Expect(index < end, "a number outside");
    }
  }

  /// Number of things that follow, of at least `least` bytes each.
  void Count(std::size_t& count, std::size_t least) {
    if (reads()) {
      reader_->Count(count, least);
    } else {
      writer_->Count(count, least);
    }
  }

  /// A number that has a value, or not.
  /// @returns whether it has.
  template <typename T>
  bool Has(std::optional<T>& value) {
    bool has = value.has_value();
    Truth(has);
    if (reads()) {
      value.reset();
      if (has) {
        value.emplace();
      }
    }
    return has;
  }

  /// Says what must hold of values that were read.
  void Expect(bool holds, const char* what) const {
    if (reads() && !holds) {
      throw Error(ErrorCode::kInvalidModel,
                  std::string("the state of the run has ") + what + ", " +
                      std::to_string(reader_->rest().size()) +
                      " bytes before its end; it is damaged or that of "
                      "another run");
    }
  }

 private:
  std::optional<ByteWriter> writer_;  // One of these two exists.
  std::optional<ByteReader> reader_;
};

}  // namespace orrery
