#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/devs/library/measures.h"
#include "orrery/devs/modeling/atomic.h"

namespace orrery::devs {

/// Sends the numbers of a CSV file at their times. Lines are `time,value`, the
/// time in seconds, after an optional header. Times do not decrease; numbers of
/// equal times are sent together, in order.
class FileSource : public Atomic<FileSource> {
 public:
  struct Sample {
    Duration time{};
    double value = 0;
  };

  struct State {
    std::size_t next = 0;
    Duration clock{};

    void Describe(Record& record) const { record.Add("next", next); }
  };

  Out<double> out{this, "out"};

  /// @throws Error kIo if the file cannot be read; kInvalidArgument, naming the
  ///     file and the line, for one that is not as above.
  explicit FileSource(const std::filesystem::path& path);

  /// @param name name in messages.
  FileSource(std::istream& text, std::string_view name);

  [[nodiscard]] Duration TimeAdvance(const State& s) const;
  void Output(const State& s, Bag& y) const;
  void Internal(State& s) const;

 private:
  [[nodiscard]] std::size_t EndOfInstant(std::size_t first) const;
  void Read(std::istream& text, std::string_view name);

  std::vector<Sample> samples_;
};

/// Keeps the numbers that it receives, to be written to a file in the format of
/// FileSource. They are part of its state, so that a restored run, or each of
/// several runs of the model, writes its own.
class FileSink : public Atomic<FileSink> {
 public:
  using State = Recorder<double>::State;

  In<double> in{this, "in"};

  explicit FileSink(std::filesystem::path path) : path_(std::move(path)) {}

  void External(State& s, Duration elapsed, const Bag& x) const;
  void Describe(const State& s, Record& record) const;

  /// Writes the numbers of a run to the file, replacing its content.
  /// @throws Error kIo if it cannot be written.
  void Save(const State& s) const;

  /// The same, to a stream.
  static void Write(const State& s, std::ostream& out);

 private:
  std::filesystem::path path_;
};

}  // namespace orrery::devs
