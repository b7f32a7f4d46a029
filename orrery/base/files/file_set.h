#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "orrery/base/source_file.h"

namespace orrery {

/// The files that a model and its runs are made from, by name. Each is read
/// from the disk when it is first asked for, once, and kept: all who ask for it
/// see one text, which can be stored beside what came out.
///
/// A handle: copies share the files. Threads may use one at once.
class FileSet {
 public:
  /// Where files come from that are not given: from the disk; from the disk,
  /// but only if they are read by name, so that what is new in a folder is none
  /// of it; or from nowhere.
  enum class Others : std::uint8_t { kOnDisk, kOnDiskByName, kNowhere };

  FileSet();
  explicit FileSet(Others others);

  /// Gives a file, in place of what the disk has under its name.
  void Add(std::shared_ptr<const SourceFile> file);

  /// @throws Error kIo if it cannot be read, or is not given and is to come
  ///     from nowhere else.
  [[nodiscard]] std::shared_ptr<const SourceFile> Read(
      const std::string& name) const;

  /// One that was given or read before; null if it is none of these.
  [[nodiscard]] std::shared_ptr<const SourceFile> Find(
      const std::string& name) const;

  /// Whether there is a file of this name: on the disk, if all files there
  /// count, or one that was given or read.
  [[nodiscard]] bool Contains(const std::string& name) const;

  /// What is right in a folder, files and folders, as `folder/name`, ascending:
  /// on the disk, if all files there count, and of those that were given or
  /// read.
  [[nodiscard]] std::vector<std::string> NamesIn(
      const std::string& folder) const;

  /// What was given or read, in this order.
  [[nodiscard]] std::vector<std::shared_ptr<const SourceFile>> all() const;

 private:
  struct Content;

  std::shared_ptr<Content> content_;
};

}  // namespace orrery
