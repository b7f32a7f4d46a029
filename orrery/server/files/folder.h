#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/server/files/descriptor.h"

namespace orrery::server {

/// An entry of a folder. Plain data.
struct FileInfo {
  std::string path;  ///< Below the folder: `parts/motor.mo`.
  bool is_folder = false;
  std::int64_t size = 0;

  friend bool operator==(const FileInfo&, const FileInfo&) = default;
};

/// The text of a file, and what names this state of it. Plain data.
struct FileText {
  std::string text;
  std::string etag;  ///< In quotes, as HTTP has it.
};

/// The `etag` of a text.
[[nodiscard]] std::string EtagOf(std::string_view text);

/// The files of the folder that a studio is for. The folder is opened once, and
/// the kernel finds each path below it (openat2): neither `..` nor a link leads
/// out. Names that begin with a point are left alone.
///
/// All functions throw HttpError: 400 for a path that is none of the folder,
/// 404 for a missing file, 403 for one that may not be read or written, 413 and
/// 415 for one that is no text of at most 5 MB. Any thread may call them.
class Folder {
 public:
  static constexpr std::size_t kMostBytes = 5'000'000;  ///< Limit of a text.
  static constexpr std::size_t kMostEntries = 10'000;   ///< Limit of a list.

  /// @throws Error kInvalidArgument if there is no such folder.
  explicit Folder(const std::string& path);

  /// The real path, without links.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// The entries of a folder below, or of this one: folders first, then by
  /// name.
  [[nodiscard]] std::vector<FileInfo> List(const std::string& under) const;

  [[nodiscard]] FileText Read(const std::string& path) const;

  /// The bytes of a file of any kind.
  [[nodiscard]] std::string ReadBytes(const std::string& path,
                                      std::size_t most) const;

  /// True if there is a file at this path.
  [[nodiscard]] bool Contains(const std::string& path) const;

  /// Replaces the text of a file as a whole: it has the old text or the new
  /// one, whatever happens meanwhile.
  /// @param known the `etag` of the text that is replaced; nothing for a new
  ///     file.
  /// @returns the new `etag`; nothing if the file has another text, or is
  ///     there though it should be new. Then nothing is written.
  [[nodiscard]] std::optional<std::string> Write(
      const std::string& path,
      std::string_view text,
      const std::optional<std::string>& known);

  /// Gives a file or folder another path, which is free; makes the folders to
  /// it.
  void Move(const std::string& from, const std::string& to);

  /// Moves a file or folder to the folder `.orrery/trash`.
  /// @returns its path there.
  std::string Remove(const std::string& path);

 private:
  [[nodiscard]] Descriptor Open(const std::string& path, int flags) const;
  [[nodiscard]] Descriptor OpenParent(const std::string& path) const;
  void MakeParent(const std::string& path) const;
  [[nodiscard]] std::string Followed(const std::string& path) const;
  void MoveAnywhere(const std::string& from, const std::string& to) const;

  std::string path_;
  Descriptor folder_;
  std::mutex writing_;
};

/// Checks that a path is relative, and has no part that is empty or begins with
/// a point.
/// @throws HttpError 400
void CheckPath(std::string_view path);

}  // namespace orrery::server
