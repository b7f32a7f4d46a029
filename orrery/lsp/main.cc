#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/lsp/language_server.h"
#include "orrery/lsp/session/message_stream.h"
#include "orrery/modelica/library_texts/libraries.h"
#include "orrery/sdk/classes/version.h"
#include "orrery/sdk/deep_stack.h"

namespace {

using orrery::lsp::Json;
using orrery::lsp::LanguageServer;

constexpr int kDebounceMs = 150;
constexpr const char* kUsage =
    "Usage: orrery lsp [--library FOLDER]... [--no-check]\n"
    "\n"
    "A language server for Modelica (LSP 3.17) on standard input and output;\n"
    "editors start it. Libraries are looked for in the folders given, in "
    "those\n"
    "of the environment variable MODELICAPATH, and beside each text.\n"
    "\n"
    "  --library FOLDER  a folder that contains libraries\n"
    "  --no-check        do not compile classes while they are edited\n"
    "  --version         print the version and end\n";

// Reads the environment before anything else runs.
std::string Environment(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

std::string CacheFolder() {
  std::string folder = Environment("XDG_CACHE_HOME");
  if (folder.empty()) {
    const std::string home = Environment("HOME");
    folder = home.empty() ? "/tmp" : home + "/.cache";
  }
  return folder + "/orrery/library-" + std::string(orrery::Version());
}

// The command beside this program, else that on the user's path.
std::string CommandBeside() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto beside = program.parent_path() / "orrery";
  return !error && std::filesystem::exists(beside, error) ? beside.string()
                                                          : "orrery";
}

// How long to wait for input: not at all while there is other work.
int WaitOf(LanguageServer& server, bool has_work) {
  if (server.has_check()) {
    return kDebounceMs;
  }
  return has_work ? 0 : -1;
}

// Lets the server take the messages that have come whole.
// @returns true if there were any.
bool TakeMessages(orrery::lsp::MessageReader& reader, LanguageServer& server) {
  bool has_taken = false;
  while (!server.is_over()) {
    const auto message = reader.Next();
    if (!message) {
      break;
    }
    server.Take(*message);
    has_taken = true;
  }
  return has_taken;
}

int Serve(const orrery::lsp::ServerOptions& options) {
  LanguageServer server(options, [](const Json& message) {
    // A client that is gone ends the input, too.
    orrery::lsp::WriteAll(STDOUT_FILENO,
                          orrery::lsp::Framed(message.dump(
                              -1, ' ', false, Json::error_handler_t::replace)));
  });
  orrery::lsp::MessageReader reader;
  std::array<char, 65536> buffer{};
  bool has_work = true;
  while (!server.is_over()) {
    const auto end_of = [](int descriptor) {
      return pollfd{.fd = descriptor, .events = POLLIN, .revents = 0};
    };
    std::array<pollfd, 4> ends = {end_of(STDIN_FILENO),
                                  end_of(server.checker().descriptor()),
                                  end_of(server.equations().descriptor()),
                                  end_of(server.runner().descriptor())};
    const int ready = poll(ends.data(), ends.size(), WaitOf(server, has_work));
    if (ready == 0 && server.has_check()) {
      server.StartCheck();
      has_work = true;
    } else if (ready == 0) {
      has_work = server.WorkABit();
    }
    if (ends[1].revents != 0 && server.checker().descriptor() == ends[1].fd) {
      server.ReadCheck();
    }
    if (ends[2].revents != 0) {
      server.ReadEquations();
    }
    if (ends[3].revents != 0) {
      server.ReadRun();
    }
    if (ends[0].revents == 0) {
      continue;
    }
    const ssize_t count = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count == 0 || (count < 0 && errno != EINTR)) {
      return 1;  // The client went away without a word.
    }
    if (count > 0) {
      reader.Add({buffer.data(), static_cast<std::size_t>(count)});
    }
    has_work = TakeMessages(reader, server) || has_work;
    if (reader.is_broken()) {
      std::cerr << "orrery-lsp: the input is no stream of messages "
                   "(Content-Length is missing)\n";
      return 1;
    }
  }
  return server.exit_code();
}

}  // namespace

int main(int argc, char** argv) {
  orrery::lsp::ServerOptions options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--library" && i + 1 < argc) {
      options.libraries.emplace_back(argv[++i]);
    } else if (word == "--no-check") {
      options.checks = false;
    } else if (word == "--version") {
      std::cout << "orrery-lsp " << orrery::Version() << '\n';
      return 0;
    } else if (word == "--help" || word == "-h") {
      std::cout << kUsage;
      return 0;
    } else if (word != "--stdio") {  // Clients say that by habit.
      std::cerr << "orrery-lsp: no option '" << word << "'\n\n" << kUsage;
      return 2;
    }
  }
  std::ranges::move(orrery::modelica::FoldersIn(Environment("MODELICAPATH")),
                    std::back_inserter(options.libraries));
  options.cache = CacheFolder();
  options.command = CommandBeside();
  std::signal(SIGPIPE, SIG_IGN);
  return orrery::OnDeepStack([&] { return Serve(options); });
}
