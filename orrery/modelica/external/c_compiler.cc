#include "orrery/modelica/external/c_compiler.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/modelica/external/modelica_utilities.h"

// The expansion of a macro as a text.
#define ORRERY_AS_TEXT(...) #__VA_ARGS__
#define ORRERY_TEXT_OF(macro) ORRERY_AS_TEXT(macro)

extern char** environ;  // NOLINT: it is the system's.

namespace orrery::modelica::internal {
namespace {

namespace fs = std::filesystem;

// A temporary folder for the compiler's files; removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code none;
    std::string name =
        (fs::temp_directory_path(none) / "orrery-XXXXXX").string();
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
    fs::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string Path(std::string_view file) const {
    return (path_ / file).string();
  }

 private:
  fs::path path_;
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

bool IsFile(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none);
}

std::string Environment(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

// Files of the folders that a text includes, directly or by others, and the
// sources beside the headers.
class IncludedFiles {
 public:
  explicit IncludedFiles(const CCode& code)
      : folders_(code.folders), contents_(code.text) {
    Visit(code.text, {}, true);
  }

  [[nodiscard]] const std::vector<std::string>& Sources() const {
    return sources_;
  }

  // The text and the contents of all files, one after the other.
  [[nodiscard]] const std::string& Contents() const { return contents_; }

 private:
  // The file of a name in `beside`, if given, or else in the first folder that
  // has it; empty if none has.
  [[nodiscard]] std::string FileOf(const fs::path& name,
                                   const fs::path& beside) const {
    if (!beside.empty() && IsFile(beside / name)) {
      return (beside / name).string();
    }
    for (const std::string& folder : folders_) {
      if (const fs::path file = folder / name; IsFile(file)) {
        return file.string();
      }
    }
    return {};
  }

  // Looks for inclusions in a text: the model's, or that of a file in the
  // folder `beside`. Headers that headers include bring no sources.
  void Visit(std::string_view text,
             const fs::path& beside,
             bool brings_sources) {
    constexpr std::string_view kInclude = "include";
    for (std::size_t at = text.find(kInclude); at != std::string_view::npos;
         at = text.find(kInclude, at + 1)) {
      const std::size_t open =
          text.find_first_not_of(" \t", at + kInclude.size());
      if (open == std::string_view::npos ||
          (text[open] != '"' && text[open] != '<')) {
        continue;
      }
      const std::size_t close = text.find_first_of("\">\n", open + 1);
      fs::path name(text.substr(open + 1, close - open - 1));
      const fs::path first = text[open] == '"' ? beside : fs::path();
      Add(FileOf(name, first), false);
      if (brings_sources && text[open] == '"' && name.extension() == ".h") {
        Add(FileOf(name.replace_extension(".c"), {}), true);
      }
    }
  }

  void Add(const std::string& file, bool is_source) {
    if (file.empty() || std::ranges::find(files_, file) != files_.end()) {
      return;
    }
    files_.push_back(file);
    if (is_source) {
      sources_.push_back(file);
    }
    const std::string content = ContentOf(file);
    contents_ += '\n' + file + '\n' + content;
    const fs::path path = file;
    Visit(content, path.parent_path(), path.extension() == ".c");
  }

  const std::vector<std::string>& folders_;
  std::string contents_;
  std::vector<std::string> files_;
  std::vector<std::string> sources_;
};

// The words for folders of headers. One that brings the headers of zlib, as
// that of the Modelica Standard Library does, has sources that read compressed
// files by the system's zlib, which Orrery needs itself.
void AddFolders(const std::vector<std::string>& folders,
                std::vector<std::string>& words) {
  for (const std::string& folder : folders) {
    words.push_back("-I" + folder);
  }
  for (const std::string& folder : folders) {
    if (const fs::path zlib = fs::path(folder) / "zlib";
        IsFile(zlib / "zlib.h")) {
      words.insert(words.end(),
                   {"-DHAVE_ZLIB=1", "-I" + zlib.string(), "-l:libz.so.1"});
      return;
    }
  }
}

std::string Compiler() {
  std::string chosen = Environment("CC");
  return chosen.empty() ? "cc" : chosen;
}

// Definitions in the text take precedence over those of the same name in a
// library or the language. The macro STDC99 says that the system's snprintf is
// that of C99.
constexpr std::array kFlags = {"-shared",
                               "-fPIC",
                               "-O2",
                               "-fexceptions",
                               "-fno-builtin",
                               "-Wl,-Bsymbolic",
                               "-w",
                               "-DSTDC99"};

// C functions that are called but are nowhere: they end the call with a
// message.
std::string InPlaceOf(const std::vector<std::string>& missing) {
  std::string text;
  for (const std::string& name : missing) {
    text += "\nvoid " + name +
            "(void) {\n  ModelicaError(\"it calls the function '" + name +
            "', which no library of its annotation has\");\n}\n";
  }
  return missing.empty() ? text : "#include <ModelicaUtilities.h>\n" + text;
}

// Compiles to the file `library`, with functions in place of missing ones.
void Compile(const CCode& code,
             const std::vector<std::string>& sources,
             const std::vector<std::string>& missing,
             const ScratchFolder& scratch,
             const std::string& library) {
  const std::string source = scratch.Path("external.c");
  const std::string messages = scratch.Path("messages");
  std::ofstream(scratch.Path("ModelicaUtilities.h"))
      << "#include <stdarg.h>\n#include <stddef.h>\n"
      << ORRERY_TEXT_OF(ORRERY_MODELICA_UTILITIES) << "\n";
  std::ofstream(source) << "#line 1 \"Include\"\n" << code.text;
  const std::string others = scratch.Path("missing.c");
  std::ofstream(others) << InPlaceOf(missing);
  std::vector<std::string> words = {Compiler()};
  words.insert(words.end(), kFlags.begin(), kFlags.end());
  words.insert(words.end(),
               {"-o", library, "-I" + scratch.Path(""), source, others});
  words.insert(words.end(), sources.begin(), sources.end());
  AddFolders(code.folders, words);
  if (!RunProgram(std::move(words), messages)) {
    throw Error(ErrorCode::kUnsupported,
                "'" + Compiler() +
                    "' does not compile what its annotation Include says:\n" +
                    ContentOf(messages));
  }
}

// The folder of kept libraries; empty if there is none.
fs::path CacheFolder() {
  const std::string cache = Environment("XDG_CACHE_HOME");
  const std::string home = Environment("HOME");
  if (cache.empty() && home.empty()) {
    return {};
  }
  const fs::path folder =
      (cache.empty() ? fs::path(home) / ".cache" : fs::path(cache)) /
      "orrery/external";
  std::error_code failed;
  fs::create_directories(folder, failed);
  return failed ? fs::path() : folder;
}

void RemoveOld(const fs::path& folder) {
  constexpr std::chrono::hours kKept{90 * 24};
  const auto oldest = fs::file_time_type::clock::now() - kKept;
  std::error_code none;
  for (const fs::directory_entry& file : fs::directory_iterator(folder, none)) {
    if (file.last_write_time(none) < oldest) {
      fs::remove(file.path(), none);
    }
  }
}

// Two hashes of 64 bits: no two texts that people have share both.
std::string NameOf(const CCode& code, const IncludedFiles& files) {
  std::vector<std::string> words = {Compiler(),
                                    ORRERY_TEXT_OF(ORRERY_MODELICA_UTILITIES)};
  words.insert(words.end(), kFlags.begin(), kFlags.end());
  AddFolders(code.folders, words);
  std::string key;
  for (const std::string& word : words) {
    key += word + "\n";
  }
  key += files.Contents();
  return std::to_string(StableHash(key)) + "-" +
         std::to_string(StableHash("second\n" + key)) + ".so";
}

void* Open(const std::string& library) {
  return dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
}

// Names of the functions that an open library calls but that are nowhere. Data
// that is nowhere cannot be opened in the first place.
std::vector<std::string> MissingFunctions(void* library) {
  link_map* opened = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &opened) != 0) {
    return {};
  }
  const ElfW(Rela)* calls = nullptr;
  std::size_t size = 0;  // In bytes.
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  for (const ElfW(Dyn)* entry = opened->l_ld; entry->d_tag != DT_NULL;
       ++entry) {
    if (entry->d_tag == DT_JMPREL) {
      calls = reinterpret_cast<const ElfW(Rela)*>(entry->d_un.d_ptr);
    } else if (entry->d_tag == DT_PLTRELSZ) {
      size = entry->d_un.d_val;
    } else if (entry->d_tag == DT_SYMTAB) {
      symbols = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr);
    } else if (entry->d_tag == DT_STRTAB) {
      names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    }
  }
  std::vector<std::string> missing;
  for (const ElfW(Rela) & call : std::span(calls, size / sizeof *calls)) {
    const ElfW(Sym)& symbol = symbols[ELF64_R_SYM(call.r_info)];
    const char* const name = names + symbol.st_name;
    if (symbol.st_shndx == SHN_UNDEF && dlsym(library, name) == nullptr &&
        dlsym(RTLD_DEFAULT, name) == nullptr) {
      missing.emplace_back(name);
    }
  }
  return missing;
}

}  // namespace

void* OpenCompiled(const CCode& code) {
  const IncludedFiles files(code);
  const fs::path folder = CacheFolder();
  const fs::path kept = folder.empty() ? folder : folder / NameOf(code, files);
  std::error_code none;
  if (!kept.empty() && IsFile(kept)) {
    if (void* const opened = Open(kept.string())) {
      fs::last_write_time(kept, fs::file_time_type::clock::now(), none);
      return opened;
    }
  }
  const ScratchFolder scratch;
  const std::string library = scratch.Path("external.so");
  Compile(code, files.Sources(), {}, scratch, library);
  void* const opened = Open(library);
  if (opened == nullptr) {
    throw Error(ErrorCode::kUnsupported,
                dlerror());  // NOLINT(concurrency-mt-unsafe): of the thread.
  }
  // The system would end the program where such a function is called. What
  // lacks some is not kept: they may be there another time.
  if (const auto missing = MissingFunctions(opened); !missing.empty()) {
    dlclose(opened);
    const std::string whole = scratch.Path("whole.so");
    Compile(code, files.Sources(), missing, scratch, whole);
    return Open(whole);
  }
  if (!kept.empty()) {
    RemoveOld(folder);
    // Other programs see the whole library or none.
    const fs::path part =
        kept.string() +
        fs::path(scratch.Path("")).parent_path().filename().string();
    fs::copy_file(library, part, fs::copy_options::overwrite_existing, none);
    if (none) {
      fs::remove(part, none);
    } else {
      fs::rename(part, kept, none);
    }
  }
  return opened;
}

}  // namespace orrery::modelica::internal
