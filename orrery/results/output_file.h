#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orrery {

/// The ending of a file's name, which says a format, in small letters: `.csv`;
/// empty if it has none.
[[nodiscard]] std::string FormatEnding(const std::string& path);

/// @param what cannot be done, as "cannot write 'a.xls'".
/// @param known the endings that can.
/// @throws Error kInvalidArgument that says so.
[[noreturn]] void RefuseEnding(const std::string& what,
                               const std::string& ending,
                               const std::string& known);

/// A file that appears whole or not at all: it is written beside its final
/// place under another name and moved there by `Commit()`. What stood there
/// before stays until then, and stays if the writing fails.
///
/// A target that is not a regular file (/dev/stdout, a pipe) is written to
/// directly.
class OutputFile {
 public:
  /// @throws Error kIo, as every function here, as `cannot write '<path>':
  ///     <why>`.
  explicit OutputFile(std::string path);

  /// Finds out whether the file can be written; nothing is changed.
  static void Check(const std::string& path);

  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Removes what was written unless it was committed.
  ~OutputFile();

  void Write(std::string_view bytes);

  /// Moves the file to its place, durably. Nothing may be written after.
  void Commit();

  /// Throws Error kIo about this file.
  [[noreturn]] void Fail(const std::string& why) const;

  /// Where the bytes go before `Commit()`, for libraries that write files
  /// themselves. Empty when the target is written to directly.
  [[nodiscard]] const std::string& temporary_path() const noexcept {
    return temporary_;
  }

 private:
  void OpenBeside(unsigned mode);
  void Flush();
  [[noreturn]] void FailWithErrno(int code) const;

  std::string path_;
  std::string target_;     // `path_` with symbolic links followed.
  std::string temporary_;  // Empty when `target_` is written to directly.
  std::string buffer_;
  int descriptor_ = -1;
  bool committed_ = false;
};

}  // namespace orrery
