#pragma once

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"

namespace orrery {

/// A NATS server on a free port of this machine, with its files in a folder of
/// its own; both are gone with this object, or with its process. Needs the
/// command nats-server.
class NatsServer {
 public:
  /// @param options to `nats-server`; by default, with JetStream.
  explicit NatsServer(std::vector<std::string> options = {"-js"})
      : options_(std::move(options)),
        folder_(std::filesystem::temp_directory_path() / "orrery_nats_XXXXXX") {
    ORRERY_CHECK(mkdtemp(folder_.data()) != nullptr);
    Start();
  }

  NatsServer(const NatsServer&) = delete;
  NatsServer& operator=(const NatsServer&) = delete;

  ~NatsServer() {
    Stop();
    std::filesystem::remove_all(folder_);
  }

  /// `nats://127.0.0.1:<port>`
  [[nodiscard]] const std::string& url() const { return url_; }

  /// The folder of its streams. It exists only once there is a stream.
  [[nodiscard]] std::string streams() const {
    return folder_ + "/jetstream/$G/streams";
  }

  /// Kills it, if it is there.
  void Stop() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
      process_ = 0;
    }
  }

  /// Starts it again, at the same port.
  void Start() {
    process_ = fork();
    if (process_ == 0) {
      Become();
    }
    const std::string ports =
        folder_ + "/nats-server_" + std::to_string(process_) + ".ports";
    std::string text;
    for (int i = 0; i < 1000 && text.find('}') == std::string::npos; ++i) {
      usleep(10'000);
      std::ifstream file(ports);
      text.assign(std::istreambuf_iterator<char>(file), {});
    }
    const std::size_t begin = text.find("nats://");
    ORRERY_CHECK(begin != std::string::npos);  // Is nats-server installed?
    url_ = text.substr(begin, text.find('"', begin) - begin);
  }

 private:
  [[noreturn]] void Become() const {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const std::string port =
        url_.empty() ? "-1" : url_.substr(url_.rfind(':') + 1);
    std::vector<std::string> words = {"nats-server",
                                      "-a",
                                      "127.0.0.1",
                                      "-p",
                                      port,
                                      "-sd",
                                      folder_,
                                      "--ports_file_dir",
                                      folder_,
                                      "-l",
                                      folder_ + "/log"};
    words.insert(words.end(), options_.begin(), options_.end());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    argv.reserve(words.size() + 1);
    for (std::string& word : words) {
      argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    _exit(127);
  }

  std::vector<std::string> options_;
  std::string folder_;
  std::string url_;
  pid_t process_ = 0;
};

}  // namespace orrery
