#include "orrery/sdk/plugin.h"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

#include "orrery/base/error.h"

namespace orrery {
namespace {

constexpr const char* kHowToBuild =
    "build one by orrery_add_model() in CMake from a source with ORRERY_MAIN";

[[noreturn]] void Refuse(ErrorCode code,
                         const std::string& path,
                         const std::string& why) {
  throw Error(code, "cannot load " + path + ": " + why);
}

// What the loader says of its last failure, without the path.
std::string LoaderMessage(const std::string& path) {
  // Not safe by POSIX where several threads load; by glibc each has its own.
  char* (*const last_error)() = dlerror;
  std::string text = last_error();
  if (const std::size_t at = text.find(path + ": "); at != std::string::npos) {
    text.erase(0, at + path.size() + 2);
  }
  return text;
}

}  // namespace

ClassModel LoadPlugin(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    Refuse(ErrorCode::kIo, path, "there is no such file");
  }
  // A name without a folder would be searched for elsewhere.
  const std::string full = std::filesystem::absolute(path).string();
  const std::shared_ptr<void> library(
      dlopen(full.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* handle) {
        if (handle != nullptr) {
          dlclose(handle);
        }
      });
  if (library == nullptr) {
    Refuse(ErrorCode::kIo,
           path,
           "it is no library for this machine and version (" +
               LoaderMessage(full) + "); " + kHowToBuild);
  }
  void* const symbol = dlsym(library.get(), "OrreryPlugin");
  if (symbol == nullptr) {
    Refuse(ErrorCode::kInvalidModel,
           path,
           std::string("there is no model in it; ") + kHowToBuild);
  }
  const PluginEntry* const entry =
      reinterpret_cast<const PluginEntry* (*)()>(symbol)();
  if (entry->version != Version()) {
    Refuse(ErrorCode::kInvalidModel,
           path,
           "it was built with Orrery " + std::string(entry->version) +
               ", and this is " + std::string(Version()) + "; build it again");
  }
  return std::visit(
      [&library](const auto& model) -> ClassModel {
        return model.WithLibrary(library);
      },
      entry->model());
}

}  // namespace orrery
