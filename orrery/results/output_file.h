#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orrery {

/// The ending of a file's name, which determines the format, in lower case:
/// `.csv`; empty if there is none.
[[nodiscard]] std::string FormatEnding(const std::string& path);

/// @param what the refused action, as "cannot write 'a.xls'".
/// @param known the supported endings.
/// @throws Error kInvalidArgument always.
[[noreturn]] void RefuseEnding(const std::string& what,
                               const std::string& ending,
                               const std::string& known);

/// A file that appears whole or not at all: it is written beside its final
/// place under another name and moved there by `Commit()`. An old file stays
/// until then, and also if writing fails.
///
/// A target that is not a regular file (/dev/stdout, a pipe) is written to
/// directly.
class OutputFile {
 public:
  /// @throws Error kIo, as every function here, as `cannot write '<path>':
  ///     <why>`.
  explicit OutputFile(std::string path);

  /// Checks that the file can be written, without any change.
  static void Check(const std::string& path);

  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Removes the file unless it was committed.
  ~OutputFile();

  void Write(std::string_view bytes);

  /// Moves the file to its place, durably. Nothing may be written after.
  void Commit();

  /// Throws Error kIo about this file.
  [[noreturn]] void Fail(const std::string& why) const;

  /// The path of the bytes before `Commit()`, for libraries that write files
  /// themselves. Empty if the target is written to directly.
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
