#pragma once

#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace orrery::cli {

/// The outcome of a command.
struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
};

inline std::string ReadAll(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Runs the command as its users do: a process in a folder of the test.
class CliTest : public testing::Test {
 protected:
  CliTest() : folder_(testing::TempDir() + "orrery_cli_XXXXXX") {
    EXPECT_NE(mkdtemp(folder_.data()), nullptr);
  }

  ~CliTest() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& text) const {
    std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }

  // Starts the command in the test's folder; its output goes to files there.
  [[nodiscard]] pid_t Start(const std::vector<std::string>& words,
                            const std::string& out,
                            const std::string& command = ORRERY_COMMAND,
                            const std::string& err = "err",
                            const std::string& in = "/dev/null") const {
    std::vector<std::string> all = {command};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> argv;
    for (std::string& word : all) {
      argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);  // None outlives a test that is killed.
      const bool ready = chdir(folder_.c_str()) == 0 &&
                         std::freopen(in.c_str(), "r", stdin) != nullptr &&
                         std::freopen(out.c_str(), "w", stdout) != nullptr &&
                         std::freopen(err.c_str(), "w", stderr) != nullptr;
      if (ready) {
        execv(argv[0], argv.data());
      }
      _exit(127);
    }
    return child;
  }

  [[nodiscard]] Outcome Finish(pid_t child) const {
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .out = ReadAll(folder_ + "/out"),
            .err = ReadAll(folder_ + "/err")};
  }

  // The number of kills of a test, from the environment: ORRERY_KILLS=50.
  [[nodiscard]] static int Kills(int otherwise) {
    const char* const asked = std::getenv("ORRERY_KILLS");
    return asked == nullptr ? otherwise : std::stoi(asked);
  }

  // Nothing is saved unless a test is about saving.
  // @param input the standard input.
  [[nodiscard]] Outcome Orrery(std::vector<std::string> words,
                               const std::string& input = "") const {
    constexpr std::array<std::string_view, 8> kSaving = {"run",
                                                         "sweep",
                                                         "sensitivity",
                                                         "calibrate",
                                                         "optimize",
                                                         "steady",
                                                         "linearize",
                                                         "frequency"};
    const bool can_save =
        !words.empty() && std::ranges::find(kSaving, words[0]) != kSaving.end();
    if (can_save && std::ranges::find(words, "--store") == words.end()) {
      words.insert(words.begin() + 1, "--no-save");
    }
    Write("in", input);
    return Finish(Start(words, "out", ORRERY_COMMAND, "err", "in"));
  }

  // Runs a program that is a model, without saving.
  [[nodiscard]] Outcome Program(const std::string& name,
                                std::vector<std::string> words) const {
    const bool names_run = !words.empty() && words[0] == "run";
    const bool is_run = names_run || words.empty() ||
                        (words[0].starts_with('-') && words[0] != "--help" &&
                         words[0] != "--version");
    if (is_run) {
      words.insert(words.begin() + (names_run ? 1 : 0), "--no-save");
    }
    return SavingProgram(name, words);
  }

  // The same, but saves in ./orrery.db.
  [[nodiscard]] Outcome SavingProgram(
      const std::string& name, const std::vector<std::string>& words) const {
    return Finish(
        Start(words, "out", std::string(ORRERY_PROGRAMS) + "/" + name));
  }

  // Returns the error message of a program, which is a model, for a wrong
  // command line.
  [[nodiscard]] std::string RefusedBy(
      const std::string& name, const std::vector<std::string>& words) const {
    const Outcome outcome = Program(name, words);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }

  // Returns its error message when the run, or the model, fails.
  [[nodiscard]] std::string FailedBy(
      const std::string& name, const std::vector<std::string>& words) const {
    const Outcome outcome = Program(name, words);
    EXPECT_EQ(outcome.exit_code, 1);
    return outcome.err;
  }

  // Runs the commands of a guide, in a folder that is prepared for them.
  // @returns their number.
  [[nodiscard]] int RunCommandsOf(const std::string& guide,
                                  const std::string& preparation) const {
    const std::string prepare = "cd " + folder_ + " && " + preparation +
                                " && PATH=" + ORRERY_PROGRAMS + ":$PATH && ";
    std::istringstream lines(
        ReadAll(std::string(ORRERY_SOURCE_DIR) + "/" + guide));
    int commands = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("$ ")) {
        ++commands;
        EXPECT_EQ(
            std::system((prepare + line.substr(2) + " >/dev/null").c_str()), 0)
            << line;
      }
    }
    return commands;
  }

  [[nodiscard]] static std::string Plugin(const std::string& name) {
    return std::string(ORRERY_PLUGINS) + "/lib" + name + ".so";
  }

  // x' = v, v' = -x, from 0 and 1.
  void WriteCircle() const {
    Write("circle.cbd", "I, 1, 0, 2\nI, 2, 1, 3\n-, 3, 1\nO, 4, 1\n");
  }

  std::string folder_;
};

}  // namespace orrery::cli
