#include "orrery/fmi/library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/text/uri.h"

namespace orrery::fmi {
namespace {

namespace fs = std::filesystem;

std::string_view Rights() {
  const char* const choice =
      std::getenv("ORRERY_EXTERNAL");  // NOLINT(concurrency-mt-unsafe)
  return choice == nullptr ? "" : choice;
}

// Why code of others is not run, by ORRERY_EXTERNAL; empty: it is.
std::string WhyNoCode() {
  const std::string_view text = Rights();
  if (text == "off") {
    return "FMUs are code of others, and are not run where the environment "
           "variable ORRERY_EXTERNAL is 'off'";
  }
  return text == "describe" ? "FMUs are code of others, which a command that "
                              "only looks does not run unless given --external"
                            : "";
}

std::string NamesOf(const Fmu& fmu) {
  std::string text;
  for (const Interface& interface : fmu.description->interfaces) {
    text += (text.empty() ? "" : " and ") +
            std::string(NameOf(kInterfaceNames, interface.kind));
  }
  return text;
}

// Why there is no code for this machine.
std::string WithoutCode(const Fmu& fmu, const std::string& path) {
  std::string text = fmt::format(
      "cannot run {}: it has no code for this machine ({}); {}",
      fmu.archive->name(),
      path,
      fmu.platforms.empty()
          ? "it has none at all"
          : fmt::format("it has code for {}", fmt::join(fmu.platforms, ", ")));
  if (fmu.has_sources) {
    text += "; it has sources: build them with its tool";
  }
  return text;
}

}  // namespace

/// A folder that is deleted at the end.
class Library::Folder {
 public:
  Folder() {
    std::error_code error;
    path_ = (fs::temp_directory_path(error) / "orrery_fmu_XXXXXX").string();
    if (error || mkdtemp(path_.data()) == nullptr) {
      throw Error(ErrorCode::kIo,
                  "cannot unpack an FMU: no folder can be made in the folder "
                  "for temporary files; set TMPDIR");
    }
  }

  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

const Interface& InterfaceFor(const Fmu& fmu, InterfaceKind kind) {
  const Interface* const found = fmu.description->Find(kind);
  if (found == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot run {} by {}: it is for {}",
                            fmu.archive->name(),
                            NameOf(kInterfaceNames, kind),
                            NamesOf(fmu)));
  }
  return *found;
}

bool OnlyDescribes() {
  return Rights() == "describe";
}

Library::Library(const Fmu& fmu, InterfaceKind kind)
    : fmu_(fmu), interface_(&InterfaceFor(fmu, kind)) {
  const std::string& name = fmu.archive->name();
  if (const std::string why = WhyNoCode(); !why.empty()) {
    throw Error(ErrorCode::kUnsupported, "cannot run " + name + ": " + why);
  }
  path_ = fmt::format("binaries/{}/{}.so",
                      PlatformHere(fmu.description->version),
                      interface_->model_identifier);
  if (fmu.archive->Find(path_) == nullptr) {
    throw Error(ErrorCode::kUnsupported, WithoutCode(fmu, path_));
  }
  folder_ = std::make_unique<Folder>();
  fmu.archive->ExtractTo(folder_->path());
  handle_ =
      dlopen((folder_->path() + "/" + path_).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    const char* const why = dlerror();  // NOLINT(concurrency-mt-unsafe)
    throw Error(ErrorCode::kUnsupported,
                fmt::format("cannot run {}: {} cannot be loaded: {}",
                            name,
                            path_,
                            why == nullptr ? "" : why));
  }
}

Library::~Library() {
  if (handle_ != nullptr) {
    dlclose(handle_);
  }
}

std::string Library::ResourcePlace() const {
  const std::string path = folder_->path() + "/resources";
  // Tools take the folder to exist.
  std::error_code ignored;
  fs::create_directories(path, ignored);
  return fmu_.description->version == FmiVersion::k2 ? FileUri(path)
                                                     : path + "/";
}

InstanceClaim::InstanceClaim(const Library& library) : library_(library) {
  const int before = library_.num_instances_.fetch_add(1);
  if (before > 0 && library_.interface().can_be_instantiated_only_once) {
    library_.num_instances_.fetch_sub(1);
    throw Error(ErrorCode::kUnsupported,
                "cannot run " + library_.fmu().description->model_name +
                    " several times at once: the FMU allows one instance a "
                    "process; use it in one component, and run it with "
                    "--jobs 1");
  }
}

InstanceClaim::~InstanceClaim() {
  library_.num_instances_.fetch_sub(1);
}

void* Library::Address(const char* name) const {
  void* const address = dlsym(handle_, name);
  if (address == nullptr) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("cannot run {}: {} lacks the function {}, which "
                            "FMI {} asks for",
                            fmu_.archive->name(),
                            path_,
                            name,
                            fmu_.description->version_text));
  }
  return address;
}

}  // namespace orrery::fmi
