#include "orrery/base/files/file_set.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "orrery/base/error.h"

namespace orrery {

struct FileSet::Content {
  explicit Content(Others where) : others(where) {}

  // Returns null if there is none.
  [[nodiscard]] std::shared_ptr<const SourceFile> Find(
      const std::string& name) const {
    const auto found = std::ranges::find_if(
        files, [&](const auto& file) { return file->name() == name; });
    return found == files.end() ? nullptr : *found;
  }

  Others others;
  std::mutex mutex;
  std::vector<std::shared_ptr<const SourceFile>> files;
};

FileSet::FileSet() : FileSet(Others::kOnDisk) {}

FileSet::FileSet(Others others) : content_(std::make_shared<Content>(others)) {}

void FileSet::Add(std::shared_ptr<const SourceFile> file) {
  const std::lock_guard lock(content_->mutex);
  std::erase_if(content_->files,
                [&](const auto& its) { return its->name() == file->name(); });
  content_->files.push_back(std::move(file));
}

std::shared_ptr<const SourceFile> FileSet::Read(const std::string& name) const {
  const std::lock_guard lock(content_->mutex);
  std::shared_ptr<const SourceFile> file = content_->Find(name);
  if (file == nullptr) {
    if (content_->others == Others::kNowhere) {
      throw Error(ErrorCode::kIo,
                  "cannot read '" + name +
                      "': it is none of the files that are given here");
    }
    file = SourceFile::Read(name);
    content_->files.push_back(file);
  }
  return file;
}

std::shared_ptr<const SourceFile> FileSet::Find(const std::string& name) const {
  const std::lock_guard lock(content_->mutex);
  return content_->Find(name);
}

bool FileSet::Contains(const std::string& name) const {
  const std::lock_guard lock(content_->mutex);
  std::error_code ignored;
  return content_->Find(name) != nullptr ||
         (content_->others == Others::kOnDisk &&
          std::filesystem::exists(name, ignored));
}

std::vector<std::string> FileSet::NamesIn(const std::string& folder) const {
  namespace fs = std::filesystem;
  const std::lock_guard lock(content_->mutex);
  std::set<std::string> names;
  const std::string prefix = (fs::path(folder) / "").string();
  for (const auto& file : content_->files) {
    const std::string& name = file->name();
    if (!name.starts_with(prefix)) {
      continue;
    }
    std::string right_in = name.substr(0, name.find('/', prefix.size()));
    const std::string last = right_in.substr(prefix.size());
    if (!last.empty() && last != ".." && last != ".") {
      names.insert(std::move(right_in));
    }
  }
  if (content_->others == Others::kOnDisk) {
    std::error_code ignored;
    for (fs::directory_iterator at(folder.empty() ? "." : folder, ignored), end;
         !ignored && at != end;
         at.increment(ignored)) {
      names.insert(prefix + at->path().filename().string());
    }
  }
  return {names.begin(), names.end()};
}

std::vector<std::shared_ptr<const SourceFile>> FileSet::all() const {
  const std::lock_guard lock(content_->mutex);
  return content_->files;
}

}  // namespace orrery
