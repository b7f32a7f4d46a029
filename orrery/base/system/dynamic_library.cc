#include "orrery/base/system/dynamic_library.h"

#include <dlfcn.h>

#include <utility>

#include "orrery/base/error.h"

namespace orrery {

DynamicLibrary::DynamicLibrary(std::string path, std::string purpose)
    : path_(std::move(path)),
      purpose_(std::move(purpose)),
      handle_(dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): glibc's is of the thread.
    const std::string why = dlerror();
    throw Error(ErrorCode::kUnsupported,
                "cannot " + purpose_ + ": the library " + path_ +
                    " cannot be opened (" + why +
                    "); install it, or Orrery as a whole again");
  }
}

void* DynamicLibrary::Address(const char* symbol) const {
  void* const address = dlsym(handle_, symbol);
  if (address == nullptr) {
    throw Error(ErrorCode::kUnsupported,
                "cannot " + purpose_ + ": the library " + path_ +
                    " is of another version: it has no " + symbol +
                    "; install the one that Orrery was built with");
  }
  return address;
}

}  // namespace orrery
