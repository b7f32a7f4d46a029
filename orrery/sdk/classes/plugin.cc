#include "orrery/sdk/classes/plugin.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "orrery/base/error.h"
#include "orrery/base/nearest_file.h"

namespace orrery {
namespace {

constexpr const char* kHowToBuild =
    "build one by orrery_add_model() in CMake from a source with ORRERY_MAIN";

[[noreturn]] void Refuse(ErrorCode code,
                         const std::string& path,
                         const std::string& why) {
  throw Error(code, "cannot load " + path + ": " + why);
}

// Returns the last error of the loader, without the path.
std::string LoaderMessage(const std::string& path) {
  // POSIX does not make it safe for threads; in glibc each thread has its own.
  char* (*const last_error)() = dlerror;
  std::string text = last_error();
  if (const std::size_t at = text.find(path + ": "); at != std::string::npos) {
    text.erase(0, at + path.size() + 2);
  }
  return text;
}

// A temporary copy of a file, which is removed with this object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const SourceFile& file)
      : path_(std::filesystem::temp_directory_path() / "orrery_XXXXXX") {
    const int descriptor = mkstemp(path_.data());
    std::string_view rest = file.text();
    ssize_t written = descriptor;
    while (written >= 0 && !rest.empty()) {
      written = write(descriptor, rest.data(), rest.size());
      rest.remove_prefix(
          static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    const std::string why = std::generic_category().message(errno);
    close(descriptor);
    if (written < 0) {
      unlink(path_.c_str());
      Refuse(ErrorCode::kIo, file.name(), path_ + ": " + why);
    }
  }

  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  ~TemporaryFile() { unlink(path_.c_str()); }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// @param shown the name of the library in messages.
ClassModel Load(const std::string& path, const std::string& shown) {
  const std::shared_ptr<void> library(
      dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* handle) {
        if (handle != nullptr) {
          dlclose(handle);
        }
      });
  if (library == nullptr) {
    Refuse(ErrorCode::kIo,
           shown,
           "it is no library for this machine and version (" +
               LoaderMessage(path) + "); " + kHowToBuild);
  }
  void* const symbol = dlsym(library.get(), "OrreryPlugin");
  if (symbol == nullptr) {
    Refuse(ErrorCode::kInvalidModel,
           shown,
           std::string("there is no model in it; ") + kHowToBuild);
  }
  const PluginEntry* const entry =
      reinterpret_cast<const PluginEntry* (*)()>(symbol)();
  if (entry->version != Version()) {
    Refuse(ErrorCode::kInvalidModel,
           shown,
           "it was built with Orrery " + std::string(entry->version) +
               ", and this is " + std::string(Version()) + "; build it again");
  }
  return std::visit(
      [&library](const auto& model) -> ClassModel {
        return model.WithLibrary(library);
      },
      entry->model());
}

}  // namespace

ClassModel LoadPlugin(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    Refuse(ErrorCode::kIo,
           path,
           "there is no such file" + Clause(SuggestFile(path)));
  }
  if (!std::filesystem::is_regular_file(status)) {
    Refuse(ErrorCode::kIo,
           path,
           "it is a folder, a pipe or a device; name a plug-in");
  }
  // A name without a folder would be searched for elsewhere.
  return Load(std::filesystem::absolute(path).string(), path);
}

ClassModel LoadPlugin(const SourceFile& file) {
  const TemporaryFile copy(file);
  return Load(copy.path(), file.name());
}

}  // namespace orrery
