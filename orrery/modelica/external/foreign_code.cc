#include "orrery/modelica/external/foreign_code.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/external/c_compiler.h"
#include "orrery/modelica/external/impure_random.h"
#include "orrery/modelica/external/modelica_utilities.h"

namespace orrery::modelica::internal {
namespace {

[[noreturn]] void Fail(const ForeignCode& code, const std::string& why) {
  throw Error(
      ErrorCode::kUnsupported,
      "cannot call the external function '" + code.function + "': " + why);
}

// The file of a library in one of the folders; empty if there is none.
std::string FileOf(const std::string& library,
                   const std::vector<std::string>& folders) {
  const std::array<std::string, 4> names = {"linux64/lib" + library + ".so",
                                            "lib" + library + ".so",
                                            library,
                                            library + ".so"};
  for (const std::string& folder : folders) {
    for (const std::string& name : names) {
      std::string path = (std::filesystem::path(folder) / name).string();
      std::error_code none;
      if (std::filesystem::is_regular_file(path, none)) {
        return path;
      }
    }
  }
  return {};
}

// Opens a library; null if that fails. Systems without development files have
// libraries only under names with their versions.
void* OpenLibrary(const std::string& library,
                  const std::vector<std::string>& folders) {
  const std::string file = FileOf(library, folders);
  if (!file.empty()) {
    return dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  }
  const std::string name = "lib" + library + ".so";
  void* opened = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL);
  constexpr int kVersions = 10;
  for (int version = 0; opened == nullptr && version < kVersions; ++version) {
    opened = dlopen((name + "." + std::to_string(version)).c_str(),
                    RTLD_NOW | RTLD_GLOBAL);
  }
  return opened;
}

// Compiles a C text, and the sources of its headers, to a library.
void* Compile(const ForeignCode& code, std::string text) {
  try {
    return OpenCompiled({std::move(text), code.include_folders});
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUnsupported) {
      throw;
    }
    Fail(code, error.what());
  }
}

// A function defined by the library itself, not by its dependencies; null if
// there is none.
void* OwnSymbol(void* library, const std::string& name) {
  link_map* opened = nullptr;
  Dl_info found{};
  void* const address = dlsym(library, name.c_str());
  const bool is_own = address != nullptr &&
                      dlinfo(library, RTLD_DI_LINKMAP, &opened) == 0 &&
                      dladdr(address, &found) != 0 &&
                      std::string_view(found.dli_fname) == opened->l_name;
  return is_own ? address : nullptr;
}

std::string KeyOf(const ForeignCode& code) {
  std::string key = code.function + '\n' + code.include;
  for (const auto* const names :
       {&code.libraries, &code.library_folders, &code.include_folders}) {
    key += '\n';
    for (const std::string& name : *names) {
      key += name + '\n';
    }
  }
  return key;
}

// The function in a C text. Functions of one text share a library and so its
// static data. A `static` function gets a library of its own.
void* FindInText(const ForeignCode& code) {
  static std::map<std::string, void*> known;
  ForeignCode text;
  text.include = code.include;
  text.include_folders = code.include_folders;
  void*& library = known[KeyOf(text)];
  if (library == nullptr) {
    library = Compile(code, code.include);
  }
  if (void* const found = OwnSymbol(library, code.function)) {
    return found;
  }
  constexpr const char* kEntry = "orrery_external_function";
  const std::string entry = std::string("\nvoid (*const ") + kEntry +
                            ")(void) = (void (*)(void)) " + code.function +
                            ";\n";
  return *static_cast<void**>(
      dlsym(Compile(code, code.include + entry), kEntry));
}

// Makes our functions for C code visible to libraries, even if a program has
// loaded our library privately, as Python does.
void OfferUtilities() {
  Dl_info ours{};
  if (dladdr(reinterpret_cast<const void*>(&ModelicaError), &ours) != 0) {
    dlopen(ours.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
  }
}

// The reason why a library cannot be used, and a remedy.
std::string WhyMissing(const ForeignCode& code, const std::string& library) {
  const std::string file = FileOf(library, code.library_folders);
  if (!file.empty()) {
    return "the library " + file + " cannot be opened: " +
           dlerror();  // NOLINT(concurrency-mt-unsafe): of the thread.
  }
  std::string folders;
  for (const std::string& folder : code.library_folders) {
    folders += (folders.empty() ? "" : ", ") +
               std::filesystem::path(folder)
                   .lexically_proximate(std::filesystem::current_path())
                   .string();
  }
  return "the library '" + library + "' is not among the system's; put lib" +
         library + ".so into one of these folders: " + folders;
}

// The function in C sources that its library brings in Resources/C-Sources, as
// those of the Modelica Standard Library, whose compiled ones cannot be loaded.
// Empty if no header there with a source beside it names the function.
std::optional<ForeignCode> AmongSources(const ForeignCode& code) {
  namespace fs = std::filesystem;
  std::error_code none;
  for (const std::string& library_folder : code.library_folders) {
    const fs::path folder =
        fs::path(library_folder).parent_path() / "C-Sources";
    std::vector<fs::path> headers;
    for (const fs::directory_entry& file :
         fs::directory_iterator(folder, none)) {
      const fs::path& path = file.path();
      if (path.extension() == ".h" &&
          fs::is_regular_file(fs::path(path).replace_extension(".c"), none)) {
        headers.push_back(path);
      }
    }
    std::ranges::sort(headers);
    for (const fs::path& header : headers) {
      std::ifstream file(header);
      const std::string text(std::istreambuf_iterator<char>(file), {});
      if (text.find(" " + code.function + "(") != std::string::npos) {
        return ForeignCode{
            .function = code.function,
            .include = "#include \"" + header.filename().string() + "\"\n",
            .include_folders = {folder.string()}};
      }
    }
  }
  return std::nullopt;
}

void* Find(const ForeignCode& code) {
  std::string missing;
  for (const std::string& library : code.libraries) {
    void* const opened = OpenLibrary(library, code.library_folders);
    if (opened == nullptr) {
      missing = WhyMissing(code, library);
      continue;
    }
    if (void* const found = dlsym(opened, code.function.c_str())) {
      return found;
    }
  }
  if (!code.include.empty()) {
    try {
      return FindInText(code);
    } catch (const Error& error) {
      throw missing.empty()
          ? error
          : Error(error.code(), error.what() + ("\n" + missing));
    }
  }
  if (!missing.empty()) {
    if (const auto sources = AmongSources(code)) {
      return FindInText(*sources);
    }
    Fail(code, missing);
  }
  void* const found = dlsym(RTLD_DEFAULT, code.function.c_str());
  if (found == nullptr) {
    Fail(code,
         code.libraries.empty()
             ? "the system has none of this name, and its annotation names "
               "neither a Library nor an Include"
             : "no library that its annotation names has it");
  }
  return found;
}

constexpr std::string_view kTrusted = "trusted:";

std::string_view Choice() {
  const char* const choice =
      std::getenv("ORRERY_EXTERNAL");  // NOLINT(concurrency-mt-unsafe)
  return choice == nullptr ? "" : choice;
}

// True if a folder is a trusted one, or inside of one.
bool IsTrusted(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code none;
  const std::string place = (fs::weakly_canonical(folder, none) / "").string();
  std::string_view rest = Choice().substr(kTrusted.size());
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    if (!one.empty() &&
        place.starts_with((fs::weakly_canonical(one, none) / "").string())) {
      return true;
    }
  }
  return false;
}

}  // namespace

ModelRights RightsOfModels() {
  const std::string_view choice = Choice();
  if (choice.starts_with(kTrusted)) {
    return ModelRights::kTrusted;
  }
  return choice == "off"        ? ModelRights::kRefused
         : choice == "describe" ? ModelRights::kNothing
                                : ModelRights::kAll;
}

std::string WhyNotRun(const std::string& home) {
  const ModelRights rights = RightsOfModels();
  if (rights == ModelRights::kRefused) {
    return "code of models is not run " + std::string(kWhereNot);
  }
  if (rights == ModelRights::kTrusted && !IsTrusted(home)) {
    return "it is code of the model, which may do all that you may; if you "
           "trust what is in " +
           home + ", give --external, or type once: orrery trust '" + home +
           "'";
  }
  return {};
}

void* FindCode(const ForeignCode& code) {
  if (!code.is_ours) {
    if (RightsOfModels() == ModelRights::kNothing) {
      return nullptr;
    }
    if (const std::string why = WhyNotRun(code.home); !why.empty()) {
      Fail(code, why);
    }
  }
  void* const own = code.is_ours ? OwnFunction(code.function) : nullptr;
  if (own != nullptr) {
    return own;
  }
  static std::mutex turn;
  static std::map<std::string, void*> known;
  const std::lock_guard lock(turn);
  void*& address = known[KeyOf(code)];
  if (address == nullptr) {
    OfferUtilities();
    address = Find(code);
  }
  return address;
}

}  // namespace orrery::modelica::internal
