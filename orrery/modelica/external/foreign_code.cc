#include "orrery/modelica/external/foreign_code.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string_view>
#include <system_error>

#include "orrery/base/error.h"
#include "orrery/modelica/external/impure_random.h"
#include "orrery/modelica/external/modelica_utilities.h"

// The expansion of a macro as a text.
#define ORRERY_AS_TEXT(...) #__VA_ARGS__
#define ORRERY_TEXT_OF(macro) ORRERY_AS_TEXT(macro)

extern char** environ;  // NOLINT: it is the system's.

namespace orrery::modelica::internal {
namespace {

[[noreturn]] void Fail(const ForeignCode& code, const std::string& why) {
  throw Error(
      ErrorCode::kUnsupported,
      "cannot call the external function '" + code.function + "': " + why);
}

// A temporary folder for the compiler's files; removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code none;
    std::string name =
        (std::filesystem::temp_directory_path(none) / "orrery-XXXXXX").string();
    if (none || mkdtemp(name.data()) == nullptr) {
      throw Error(
          ErrorCode::kIo,
          "cannot make a folder for temporary files, as $TMPDIR or /tmp "
          "has them: " +
              std::generic_category().message(none ? ENOENT : errno));
    }
    path_ = name;
  }

  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string Path(std::string_view file) const {
    return (path_ / file).string();
  }

 private:
  std::filesystem::path path_;
};

std::string ContentOf(const std::string& path) {
  std::ifstream file(path);
  std::string text(std::istreambuf_iterator<char>(file), {});
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

// Runs a program. Returns true if it succeeds; the file `messages` gets its
// messages.
bool RunProgram(std::vector<std::string> words, const std::string& messages) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions,
                                   STDERR_FILENO,
                                   messages.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC,
                                   S_IRUSR | S_IWUSR);
  pid_t child = 0;
  const int failure = posix_spawnp(
      &child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) {
    std::ofstream(messages) << std::generic_category().message(failure);
    return false;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
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

// Adds the sources of included headers: functions declared in "name.h" may be
// defined in name.c, which may include others.
void AddSources(const std::string& text,
                const std::vector<std::string>& folders,
                std::vector<std::string>& sources) {
  constexpr std::string_view kInclude = "#include \"";
  for (std::size_t at = text.find(kInclude); at != std::string::npos;
       at = text.find(kInclude, at + 1)) {
    const std::size_t begin = at + kInclude.size();
    std::filesystem::path name(
        text.substr(begin, text.find('"', begin) - begin));
    if (name.extension() != ".h") {
      continue;
    }
    name.replace_extension(".c");
    for (const std::string& folder : folders) {
      const std::string source = (folder / name).string();
      std::error_code none;
      if (!std::filesystem::is_regular_file(source, none)) {
        continue;
      }
      if (std::ranges::find(sources, source) == sources.end()) {
        sources.push_back(source);
        AddSources(ContentOf(source), folders, sources);
      }
      break;  // As for the header, the first folder wins.
    }
  }
}

// Adds the words for a folder that brings the headers of zlib, as that of the
// Modelica Standard Library does: its sources read compressed files by the
// system's zlib, which Orrery needs itself.
void AddZlib(const std::vector<std::string>& folders,
             std::vector<std::string>& words) {
  for (const std::string& folder : folders) {
    const std::filesystem::path headers =
        std::filesystem::path(folder) / "zlib";
    std::error_code none;
    if (std::filesystem::is_regular_file(headers / "zlib.h", none)) {
      words.insert(words.end(),
                   {"-DHAVE_ZLIB=1", "-I" + headers.string(), "-l:libz.so.1"});
      return;
    }
  }
}

// Compiles a C text, and the sources of its headers, to a library. The macro
// STDC99 says that the system's snprintf is that of C99.
void* Compile(const ForeignCode& code, const std::string& text) {
  const ScratchFolder scratch;
  const std::string source = scratch.Path("external.c");
  const std::string library = scratch.Path("external.so");
  const std::string messages = scratch.Path("messages");
  std::ofstream(scratch.Path("ModelicaUtilities.h"))
      << "#include <stdarg.h>\n#include <stddef.h>\n"
      << ORRERY_TEXT_OF(ORRERY_MODELICA_UTILITIES) << "\n";
  std::ofstream(source) << "#line 1 \"Include\"\n" << text;
  const char* const chosen =
      std::getenv("CC");  // NOLINT(concurrency-mt-unsafe)
  const std::string compiler =
      chosen == nullptr || *chosen == '\0' ? "cc" : chosen;
  // Definitions in the text take precedence over those of the same name in a
  // library or the language.
  std::vector<std::string> words = {compiler,
                                    "-shared",
                                    "-fPIC",
                                    "-O2",
                                    "-fexceptions",
                                    "-fno-builtin",
                                    "-Wl,-Bsymbolic",
                                    "-w",
                                    "-DSTDC99",
                                    "-o",
                                    library};
  words.push_back("-I" + scratch.Path(""));
  for (const std::string& folder : code.include_folders) {
    words.push_back("-I" + folder);
  }
  words.push_back(source);
  AddSources(text, code.include_folders, words);
  AddZlib(code.include_folders, words);
  if (!RunProgram(std::move(words), messages)) {
    Fail(code,
         "'" + compiler +
             "' does not compile what its annotation Include says:\n" +
             ContentOf(messages));
  }
  void* const opened = dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (opened == nullptr) {
    Fail(code, dlerror());  // NOLINT(concurrency-mt-unsafe): of the thread.
  }
  return opened;
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
