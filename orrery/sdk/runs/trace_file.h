#pragma once

#include <deque>
#include <ostream>
#include <span>
#include <streambuf>
#include <string>
#include <unordered_map>
#include <vector>

#include "orrery/devs/simulation/observer.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/devs/simulation/trace.h"
#include "orrery/results/output_file.h"

namespace orrery::sdk::internal {

/// A trace of a run in a file, which appears when it is committed.
class TraceFile {
 public:
  /// @param path ends in .csv or .jsonl.
  /// @throws Error kInvalidArgument for another ending, kIo if the file cannot
  ///     be written.
  explicit TraceFile(const std::string& path);

  /// Finds out whether the file can be written; changes nothing.
  /// @throws Error as the constructor does.
  static void Check(const std::string& path);

  /// Traces the atomic models whose paths fit one of the patterns, each once.
  /// @throws Error kInvalidArgument if a pattern fits none.
  void Observe(devs::Simulator& run, std::span<const std::string> patterns);

  void Commit();

 private:
  class Buffer : public std::streambuf {
   public:
    explicit Buffer(OutputFile& file) : file_(file) {}

   protected:
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int_type overflow(int_type byte) override;

   private:
    OutputFile& file_;
  };

  // Passes on the models that fit a pattern and none of those before.
  class Filter : public devs::Observer {
   public:
    Filter(devs::Trace& trace, std::span<const std::string> before)
        : trace_(trace), before_(before.begin(), before.end()) {}

    void OnOutput(Duration time,
                  const devs::Model& model,
                  const devs::Bag& y) override;
    void OnInput(Duration time,
                 const devs::Model& model,
                 const devs::Bag& x) override;
    void OnTransition(Duration time,
                      const devs::Model& model,
                      devs::Transition transition,
                      const void* state) override;

   private:
    bool Passes(const devs::Model& model);

    devs::Trace& trace_;
    std::vector<std::string> before_;
    std::unordered_map<const devs::Model*, bool> passes_;
  };

  OutputFile file_;
  Buffer buffer_;
  std::ostream out_;
  devs::Trace trace_;
  std::deque<Filter> filters_;
};

}  // namespace orrery::sdk::internal
