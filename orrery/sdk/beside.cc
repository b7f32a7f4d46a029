#include "orrery/sdk/beside.h"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>

#include "orrery/base/error.h"

namespace orrery::sdk::internal {

std::string PathBeside(const void* code, std::string_view name) {
  Dl_info info = {};
  link_map* map = nullptr;
  ORRERY_CHECK(
      ::dladdr1(code, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) !=
      0);
  // The loader knows a program by its argument, which may lack the folder.
  const bool is_program = map->l_name == nullptr || *map->l_name == '\0';
  const std::filesystem::path file =
      is_program ? "/proc/self/exe" : info.dli_fname;
  try {
    return (std::filesystem::canonical(file).parent_path() / name).string();
  } catch (const std::filesystem::filesystem_error& error) {
    throw Error(ErrorCode::kIo,
                "cannot find " + std::string(name) + " beside " +
                    file.string() + ": " + error.code().message());
  }
}

}  // namespace orrery::sdk::internal
