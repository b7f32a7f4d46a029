#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/sdk/classes/version.h"
#include "orrery/sdk/model/class_place.h"
#include "orrery/server/children/child.h"
#include "orrery/server/http/gate.h"
#include "orrery/server/http/http.h"
#include "orrery/server/registration.h"
#include "orrery/server/studio.h"

// The program `orrery-studio`, which `orrery studio` starts.

namespace orrery::server {
namespace {

namespace fs = std::filesystem;

struct Request {
  StudioOptions studio;
  bool no_browser = false;
  bool only_url = false;
};

// Returns an empty text if it is not set. No thread changes the environment.
std::string Environment(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

std::string FolderOfUser(const char* variable, const char* below_home) {
  const std::string given = Environment(variable);
  return given.empty() ? Environment("HOME") + below_home : given;
}

// The folders of the environment variable MODELICAPATH that are there.
std::vector<std::string> LibraryFolders() {
  std::vector<std::string> folders =
      modelica::FoldersIn(Environment("MODELICAPATH"));
  std::erase_if(folders, [](const std::string& folder) {
    std::error_code failed;
    return !fs::is_directory(folder, failed);
  });
  return folders;
}

// The libraries in some folders: `Modelica 4.0.0`.
std::vector<LibraryPlace> LibrariesIn(const std::vector<std::string>& folders) {
  std::vector<LibraryPlace> libraries;
  for (const std::string& folder : folders) {
    std::error_code failed;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(folder, failed)) {
      const std::string name = entry.path().filename().string();
      const std::size_t blank = name.find(' ');
      if (fs::exists(entry.path() / "package.mo", failed)) {
        libraries.push_back({.name = name.substr(0, blank),
                             .version = blank == std::string::npos
                                            ? ""
                                            : name.substr(blank + 1),
                             .path = entry.path().string()});
      }
    }
  }
  std::ranges::sort(libraries, {}, &LibraryPlace::path);
  return libraries;
}

// Starts the browser with a file that leads to the page: others can read the
// arguments of a program.
void OpenBrowser(const std::string& url, const std::string& beside) {
  const std::string path = beside + ".html";
  std::error_code ignored;
  fs::remove(path, ignored);
  const Descriptor file(
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  const std::string text = fmt::format(
      "<!doctype html><meta charset=\"utf-8\"><title>Orrery</title>"
      "<meta http-equiv=\"refresh\" content=\"0; url={}\">\n",
      url);
  if (!file || write(file.number(), text.data(), text.size()) !=
                   static_cast<ssize_t>(text.size())) {
    return;
  }
  for (const char* folder : {"/usr/local/bin/", "/usr/bin/"}) {
    const std::string program = std::string(folder) + "xdg-open";
    if (access(program.c_str(), X_OK) == 0) {
      StartDetached({program, path});  // The address is printed, too.
      return;
    }
  }
}

// Shows the page of a studio.
void Show(const Request& request,
          const std::string& url,
          const std::string& beside) {
  fmt::print("{}\n", url);
  std::fflush(stdout);
  if (!request.no_browser && !request.only_url) {
    OpenBrowser(url, beside);
  }
}

// Shows the page of the studio that is there already.
void ShowOther(const Request& request, const Registration& registration) {
  const std::optional<StudioPlace> other = registration.Other();
  const std::optional<std::string> url =
      other
          ? PostTo(other->address,
                   other->port,
                   "/api/token",
                   {{"Host", fmt::format("{}:{}", other->address, other->port)},
                    {"X-Orrery-Key", other->key}})
          : std::nullopt;
  if (!url) {
    throw Error(ErrorCode::kIo,
                "cannot open the studio of this folder: another process has "
                "it, and does not answer; end that one first");
  }
  Show(request, *url, registration.path());
}

// The signals that end the studio.
sigset_t EndingSignals() {
  sigset_t signals{};
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    sigaddset(&signals, signal);
  }
  return signals;
}

// Ends the studio at an interrupt. Signals are blocked in all threads.
class SignalThread {
 public:
  explicit SignalThread(Studio& studio)
      : thread_([&studio] {
          const sigset_t signals = EndingSignals();
          int signal = 0;
          sigwait(&signals, &signal);
          studio.Stop();
        }) {}

  SignalThread(const SignalThread&) = delete;
  SignalThread& operator=(const SignalThread&) = delete;

  ~SignalThread() {
    pthread_kill(thread_.native_handle(), SIGTERM);
    thread_.join();
  }

 private:
  std::thread thread_;
};

void BlockSignals() {
  const sigset_t signals = EndingSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void Serve(const Request& request) {
  const std::string folder = Folder(request.studio.folder).path();
  const Registration registration(RuntimeFolder(Environment("XDG_RUNTIME_DIR")),
                                  folder);
  if (!registration.is_ours()) {
    ShowOther(request, registration);
    return;
  }
  if (request.only_url) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot print the address of the studio of '" + folder +
                    "': none runs; start it by 'orrery studio'");
  }
  BlockSignals();
  Studio studio(request.studio);
  registration.Announce({.address = request.studio.address,
                         .port = studio.port(),
                         .key = studio.sessions().key()});
  const SignalThread signals(studio);
  if (request.studio.address != "127.0.0.1") {
    fmt::print(stderr,
               "orrery studio: warning: whoever reaches {}:{} and reads the "
               "network can read all that is sent, and act as you\n",
               request.studio.address,
               studio.port());
  }
  Show(request, studio.NewUrl(), registration.path());
  studio.Run();
}

int Main(int argc, char** argv) {
  Request request;
  StudioOptions& studio = request.studio;
  CLI::App app("A workbench for models, in the browser.", "orrery studio");
  app.set_version_flag("--version", "orrery " + std::string(Version()));
  app.add_option(
         "FOLDER", studio.folder, "The folder of the models (default .)")
      ->type_name("");
  app.add_option("--port", studio.port, "The port (default: any that is free)")
      ->check(CLI::Range(0, 65535));
  app.add_option("--listen",
                 studio.address,
                 "Answer at this address of this machine, so that others can "
                 "reach it (default 127.0.0.1)")
      ->check(CLI::ValidIPV4);
  app.add_flag("--no-browser", request.no_browser, "Start no browser");
  app.add_flag("--url",
               request.only_url,
               "Print another address of the studio that runs, for another "
               "browser");
  app.add_option("--page", studio.page, "Serve this build of the page")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory);
  CLI11_PARSE(app, argc, argv);
  CheckAddress(studio.address);
  std::error_code failed;
  studio.programs =
      fs::read_symlink("/proc/self/exe", failed).parent_path().string();
  studio.state = FolderOfUser("XDG_STATE_HOME", "/.local/state");
  // For who works on the language server.
  std::istringstream words(Environment("ORRERY_LSP"));
  for (std::string word; words >> word;) {
    studio.language_server.push_back(word);
  }
  studio.library_folders = LibraryFolders();
  studio.libraries = LibrariesIn(studio.library_folders);
  // Where the language server puts copies of the built-in library.
  const std::string copies = FolderOfUser("XDG_CACHE_HOME", "/.cache") +
                             "/orrery/library-" + std::string(Version());
  studio.library_folders.push_back(copies);
  Serve(request);
  return 0;
}

}  // namespace
}  // namespace orrery::server

int main(int argc, char** argv) {
  try {
    return orrery::server::Main(argc, argv);
  } catch (const orrery::Error& error) {
    fmt::print(stderr, "orrery studio: {}\n", error.what());
    return error.code() == orrery::ErrorCode::kInvalidArgument ? 2 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "orrery studio: internal error: {}\n", error.what());
    return 1;
  }
}
