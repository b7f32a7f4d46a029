#include "orrery/modelica/internal/foreign_code.h"

#include <dlfcn.h>
#include <fcntl.h>
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
#include "orrery/modelica/internal/modelica_utilities.h"

// What a macro stands for, as a text.
#define ORRERY_AS_TEXT(...) #__VA_ARGS__
#define ORRERY_TEXT_OF(macro) ORRERY_AS_TEXT(macro)

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace orrery::modelica::internal {
namespace {

[[noreturn]] void Fail(const ForeignCode& code, const std::string& why) {
  throw Error(
      ErrorCode::kUnsupported,
      "cannot call the external function '" + code.function + "': " + why);
}

// A folder of its own for what the compiler reads and writes, gone after it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "orrery-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), name);
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

// Whether the program ends well; what it says is in the file `messages`.
bool RunProgram(std::vector<std::string> words, const std::string& messages) {
  std::vector<char*> arguments;
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

// A library of that name in one of the folders; empty if there is none.
std::string FileOf(const std::string& library,
                   const std::vector<std::string>& folders) {
  const std::array<std::string, 3> names = {
      "lib" + library + ".so", library, library + ".so"};
  for (const std::string& folder : folders) {
    for (const std::string_view platform : {"linux64", ""}) {
      for (const std::string& name : names) {
        const std::filesystem::path path =
            std::filesystem::path(folder) / platform / name;
        if (std::filesystem::is_regular_file(path)) {
          return path.string();
        }
      }
    }
  }
  return {};
}

// Null if it cannot be opened. Systems without the files for development have a
// library under names with its version only.
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

// The files beside those that a text includes: what "name.h" declares may stand
// in name.c, and so on.
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
      if (std::ranges::find(sources, source) == sources.end() &&
          std::filesystem::is_regular_file(source)) {
        sources.push_back(source);
        AddSources(ContentOf(source), folders, sources);
      }
    }
  }
}

// The library that a C text, and what it includes, is compiled to.
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
  std::vector<std::string> words = {
      compiler, "-shared", "-fPIC", "-O2", "-fexceptions", "-w", "-o", library};
  words.push_back("-I" + scratch.Path(""));
  for (const std::string& folder : code.include_folders) {
    words.push_back("-I" + folder);
  }
  words.push_back(source);
  AddSources(text, code.include_folders, words);
  if (!RunProgram(std::move(words), messages)) {
    Fail(code,
         "'" + compiler +
             "' does not compile what its annotation Include says:\n" +
             ContentOf(messages));
  }
  void* const opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    Fail(code, dlerror());  // NOLINT(concurrency-mt-unsafe): of the thread.
  }
  return opened;
}

// The function of a C text. Functions of one text share what it keeps; one that
// is `static` in it is compiled by itself.
void* FindInText(const ForeignCode& code) {
  static std::map<std::string, void*> known;
  std::string key = code.include;
  for (const std::string& folder : code.include_folders) {
    key += '\n' + folder;
  }
  void*& library = known[key];
  if (library == nullptr) {
    library = Compile(code, code.include);
  }
  if (void* const found = dlsym(library, code.function.c_str())) {
    return found;
  }
  constexpr const char* kEntry = "orrery_external_function";
  const std::string entry = std::string("\nvoid (*const ") + kEntry +
                            ")(void) = (void (*)(void)) " + code.function +
                            ";\n";
  return *static_cast<void**>(
      dlsym(Compile(code, code.include + entry), kEntry));
}

// Libraries find what C code may call here, also where a program has opened
// ours for itself only, as Python does.
void OfferUtilities() {
  Dl_info ours{};
  if (dladdr(reinterpret_cast<const void*>(&ModelicaError), &ours) != 0) {
    dlopen(ours.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
  }
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

void* Find(const ForeignCode& code) {
  std::string missing;
  for (const std::string& library : code.libraries) {
    void* const opened = OpenLibrary(library, code.library_folders);
    if (opened == nullptr) {
      missing = library;
      continue;
    }
    if (void* const found = dlsym(opened, code.function.c_str())) {
      return found;
    }
  }
  if (!code.include.empty()) {
    return FindInText(code);
  }
  if (!missing.empty()) {
    std::string folders;
    for (const std::string& folder : code.library_folders) {
      folders += (folders.empty() ? "" : ", ") + folder;
    }
    Fail(code,
         "the library '" + missing + "' is not among the system's; put lib" +
             missing + ".so into one of these folders: " + folders);
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

}  // namespace

void* FindCode(const ForeignCode& code) {
  const char* const choice =
      std::getenv("ORRERY_EXTERNAL");  // NOLINT(concurrency-mt-unsafe)
  if (choice != nullptr && std::string_view(choice) == "off") {
    Fail(code,
         "code of models is not run where the environment variable "
         "ORRERY_EXTERNAL is 'off', nor by a worker without --plugins");
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
