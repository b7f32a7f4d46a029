#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/source_file.h"

namespace orrery::fmi {

/// An FMU's ZIP archive (PKWARE's .ZIP File Format Specification 6.3.9), as far
/// as FMI asks for it: entries are stored or deflated. Immutable.
///
/// An archive of others may be hostile. Names that lead out of a folder, links,
/// and contents that are far larger than the archive are refused when it is
/// opened, before anything is written.
class Archive {
 public:
  struct Entry {
    std::string name;         ///< With `/` between folders.
    std::uint64_t size = 0;   ///< Bytes, unpacked.
    std::uint64_t place = 0;  ///< Place of its record in the directory.
    std::uint64_t index = 0;  ///< Index of that record.
  };

  /// All entries may have this many bytes together, and `kMaxGrowth` times
  /// those of the archive besides.
  static constexpr std::uint64_t kMaxSize = std::uint64_t{64} << 20U;
  static constexpr std::uint64_t kMaxGrowth = 100;

  /// @param file the bytes of the archive.
  /// @throws Error kInvalidModel "cannot read <name>: ..."
  explicit Archive(std::shared_ptr<const SourceFile> file);

  [[nodiscard]] const std::string& name() const noexcept {
    return file_->name();
  }

  /// All files, without folders, in the order of the archive.
  [[nodiscard]] const std::vector<Entry>& files() const noexcept {
    return files_;
  }

  /// All folders, also those without files, without a `/` at the end.
  [[nodiscard]] const std::vector<std::string>& folders() const noexcept {
    return folders_;
  }

  /// The file of this name; null if there is none.
  [[nodiscard]] const Entry* Find(std::string_view name) const noexcept;

  /// @param entry one of `files()`.
  /// @throws Error kInvalidModel if its bytes are damaged.
  [[nodiscard]] std::string Read(const Entry& entry) const;

  /// Writes all files and folders into `folder`, which exists and is empty.
  /// @throws Error kInvalidModel if bytes are damaged, kIo if one cannot be
  ///     written.
  void ExtractTo(const std::string& folder) const;

 private:
  std::shared_ptr<const SourceFile> file_;
  std::vector<Entry> files_;
  std::vector<std::string> folders_;
};

}  // namespace orrery::fmi
