#pragma once

#include <span>
#include <string>

#include "orrery/devs/simulation/simulator.h"
#include "orrery/results/output_file.h"
#include "orrery/sdk/runs/trace_text.h"

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
  void Observe(devs::Simulator& run, std::span<const std::string> patterns) {
    text_.Observe(run, patterns);
  }

  void Commit() { file_.Commit(); }

 private:
  OutputFile file_;
  TraceText text_;
};

}  // namespace orrery::sdk::internal
