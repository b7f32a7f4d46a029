#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "orrery/base/source_file.h"

namespace orrery {

/// The files of a model and its runs, by name. Each is read from the disk on
/// first use, once, and kept. All users of a file therefore see the same text,
/// which can be stored with the results.
///
/// A handle: copies share the files. Several threads may use one at once.
class FileSet {
 public:
  /// The source of files that were not added: the disk; the disk, but only by
  /// name, so that new files in a folder are not part of it; or none.
  enum class Others : std::uint8_t { kOnDisk, kOnDiskByName, kNowhere };

  FileSet();
  explicit FileSet(Others others);

  /// Adds a file, which replaces the one on the disk.
  void Add(std::shared_ptr<const SourceFile> file);

  /// @throws Error kIo if it cannot be read, or was not added and has no other
  ///     source.
  [[nodiscard]] std::shared_ptr<const SourceFile> Read(
      const std::string& name) const;

  /// Returns a file that was added or read before; otherwise null.
  [[nodiscard]] std::shared_ptr<const SourceFile> Find(
      const std::string& name) const;

  /// True if there is a file of this name: on the disk, if kOnDisk, or one that
  /// was added or read.
  [[nodiscard]] bool Contains(const std::string& name) const;

  /// Lists the direct entries of a folder, files and folders, as `folder/name`,
  /// ascending: those on the disk, if kOnDisk, and those that were added or
  /// read.
  [[nodiscard]] std::vector<std::string> NamesIn(
      const std::string& folder) const;

  /// The files that were added or read, in order.
  [[nodiscard]] std::vector<std::shared_ptr<const SourceFile>> all() const;

 private:
  struct Content;

  std::shared_ptr<Content> content_;
};

}  // namespace orrery
