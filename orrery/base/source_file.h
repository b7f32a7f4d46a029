#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// A text of a user, with the places of its lines for messages. Immutable.
class SourceFile {
 public:
  /// A place for messages: both count from 1; columns count bytes.
  struct Position {
    int line = 0;
    int column = 0;
  };

  SourceFile(std::string name, std::string text);

  /// Reads the file at `path`.
  /// @throws Error kIo with the reason if it cannot be read.
  [[nodiscard]] static std::shared_ptr<const SourceFile> Read(
      const std::string& path);

  /// The name that the user knows, mostly a path.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  [[nodiscard]] std::string_view text() const noexcept { return text_; }

  /// The position of byte `offset`; the end of the text for an offset beyond
  /// it.
  [[nodiscard]] Position PositionOf(std::uint32_t offset) const;

  /// Line `line`, from 1, without its end; empty if there is none.
  [[nodiscard]] std::string_view Line(int line) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
};

/// A range of bytes [begin, end) of a source; `file` is null if there is no
/// text (for a model written in C++).
struct SourceSpan {
  std::shared_ptr<const SourceFile> file;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

}  // namespace orrery
