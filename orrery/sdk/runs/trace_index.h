#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "orrery/devs/modeling/coupled.h"

namespace orrery {

/// The attachments of an experiment that hold the trace of a DEVS run: its
/// text in CSV, and its index in JSON.
inline constexpr const char* kTraceAttachment = "trace.csv";
inline constexpr const char* kTraceIndexAttachment = "trace.index.json";

/// A row of a trace in CSV. Its views are into the text; fields are as they
/// stand there: see CsvFieldText.
struct TraceRow {
  std::string_view time;
  std::string_view model;
  std::string_view event;
  std::string_view name;
  std::string_view value;
};

/// Takes the next row off `rest`.
/// @returns nothing at the end of the text, or where it is no row.
[[nodiscard]] std::optional<TraceRow> TakeTraceRow(std::string_view& rest);

/// The seconds of a field `time`; 0 if it is no number.
[[nodiscard]] double TraceSeconds(std::string_view time);

/// The text of a field, without its quotes.
[[nodiscard]] std::string CsvFieldText(std::string_view field);

/// Finds the microsteps of a trace by its rows, in their order. In a microstep
/// come first outputs, then the transitions of models, each of them once.
class MicrostepFinder {
 public:
  /// @returns true if a microstep begins with this row. Rows of models that
  ///     start belong to the one before, or to none.
  [[nodiscard]] bool BeginsWith(const TraceRow& row);

  /// The number of the present microstep among those of its time, from 1 on.
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

 private:
  [[nodiscard]] bool IsNew(const TraceRow& row);

  std::string time_;
  std::string last_model_;
  std::string last_event_;
  bool has_changes_ = false;
  std::uint64_t number_ = 0;
  std::uint64_t steps_ = 0;
  // By the hash of a model's path: the last microstep in which it changed.
  std::unordered_map<std::size_t, std::uint64_t> changed_;
};

/// Where the microsteps of a trace stand in its text.
struct TraceIndex {
  /// A part of the text that begins with a microstep.
  struct Block {
    std::uint64_t begin = 0;   ///< Bytes before it.
    std::uint64_t step = 0;    ///< Microsteps before it.
    double time = 0;           ///< Time of its first microstep, in seconds.
    std::uint64_t number = 1;  ///< Number of that one among those of its time.
  };

  /// Connection by which a message sent at a port arrives at another model.
  struct Link {
    std::string from;  ///< The path of an atomic model.
    std::string port;
    std::string to;  ///< The path of an atomic model; empty: the outside.
  };

  std::uint64_t size = 0;   ///< Bytes of the text.
  std::uint64_t steps = 0;  ///< Microsteps.
  double end = 0;           ///< The time of the last one.
  bool is_cut = false;      ///< The run went on when the trace had ended.
  std::vector<std::string> models;  ///< Paths, in the order of the text.
  std::vector<Link> links;
  std::vector<Block> blocks;
};

/// Makes the index of a trace while its text grows.
class TraceIndexer {
 public:
  /// @param lines whole ones.
  void Add(std::string_view lines);

  /// Bytes so far.
  [[nodiscard]] std::uint64_t size() const noexcept { return index_.size; }

  /// The index of the text so far.
  [[nodiscard]] TraceIndex Index() const;

 private:
  TraceIndex index_;
  MicrostepFinder finder_;
  std::unordered_set<std::string> known_;  // Models.
  std::string last_model_;
  std::string last_time_;
};

/// The links of the atomic models of `root`; of a very large model the first
/// ones.
[[nodiscard]] std::vector<TraceIndex::Link> LinksOf(const devs::Coupled& root);

[[nodiscard]] std::string ToJson(const TraceIndex& index);

/// @throws Error kIo for a text that is no index: it was stored, and is
///     damaged.
[[nodiscard]] TraceIndex TraceIndexFrom(const std::string& json);

}  // namespace orrery
