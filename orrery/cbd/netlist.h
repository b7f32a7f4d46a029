#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"

namespace orrery::cbd::internal {

enum class NetlistBlockType : std::uint8_t {
  kWeightedSum,
  kSummer,
  kIntegrator,
  kMinus,
  kMultiplier,
  kDivider,
  kConstant,
  kOutput,
  kInput,
  kNetlist
};

inline constexpr std::size_t kNumNetlistBlockTypes = 10;

/// The number of times that a block's fields may be given.
enum class NetlistFieldCount : std::uint8_t {
  kOnce,
  kUpToThreeTimes,
  kOnceThenInputs  ///< Once, then any number of inputs.
};

/// The form of a type of block.
struct NetlistBlockForm {
  NetlistBlockType type;
  std::string_view letter;
  std::string_view name;
  /// The fields after the number: 'P' a number, 'e' an input, 'F' a file.
  std::string_view fields;
  NetlistFieldCount count;
  std::string_view usage;
};

/// In the order of `NetlistBlockType`.
inline constexpr std::array<NetlistBlockForm, kNumNetlistBlockTypes>
    kNetlistBlockForms = {{{NetlistBlockType::kWeightedSum,
                            "W",
                            "weighted sum",
                            "Pe",
                            NetlistFieldCount::kUpToThreeTimes,
                            "W, number, P1, e1[, P2, e2[, P3, e3]]"},
                           {NetlistBlockType::kSummer,
                            "+",
                            "summer",
                            "Pe",
                            NetlistFieldCount::kUpToThreeTimes,
                            "+, number, P1, e1[, P2, e2[, P3, e3]]"},
                           {NetlistBlockType::kIntegrator,
                            "I",
                            "integrator",
                            "Pe",
                            NetlistFieldCount::kOnce,
                            "I, number, IC, e1"},
                           {NetlistBlockType::kMinus,
                            "-",
                            "minus",
                            "e",
                            NetlistFieldCount::kOnce,
                            "-, number, e1"},
                           {NetlistBlockType::kMultiplier,
                            "X",
                            "multiplier",
                            "ee",
                            NetlistFieldCount::kOnce,
                            "X, number, e1, e2"},
                           {NetlistBlockType::kDivider,
                            "/",
                            "divider",
                            "ee",
                            NetlistFieldCount::kOnce,
                            "/, number, e1, e2"},
                           {NetlistBlockType::kConstant,
                            "K",
                            "constant",
                            "P",
                            NetlistFieldCount::kOnce,
                            "K, number, P1"},
                           {NetlistBlockType::kOutput,
                            "O",
                            "output",
                            "e",
                            NetlistFieldCount::kOnce,
                            "O, number, e1"},
                           {NetlistBlockType::kInput,
                            "U",
                            "input",
                            "",
                            NetlistFieldCount::kOnce,
                            "U, number"},
                           {NetlistBlockType::kNetlist,
                            "N",
                            "netlist",
                            "F",
                            NetlistFieldCount::kOnceThenInputs,
                            "N, number, file[, e1, e2, ...]"}}};

struct Netlist;

/// A block as the netlist describes it.
struct NetlistBlock {
  struct Number {
    double value = 0;
    SourceSpan span;
  };

  /// The signal of a block, or one output of a block that is a netlist.
  struct Input {
    std::uint64_t block = 0;
    std::optional<std::uint64_t> output;  ///< 12 in "7.12".
    SourceSpan span;
  };

  NetlistBlockType type = NetlistBlockType::kConstant;
  std::uint64_t number = 0;
  std::vector<Number> numbers;  ///< P1, P2, ... or IC.
  std::vector<Input> inputs;    ///< e1, e2, ...
  std::string file;             ///< The netlist's file, as written.
  SourceSpan file_span;
  std::shared_ptr<const Netlist> netlist;  ///< Null if it has an error.
  SourceSpan number_span;
  SourceSpan span;  ///< From the type to the last field.
};

/// A netlist and the netlists that its blocks are.
struct Netlist {
  std::vector<NetlistBlock> blocks;  ///< In source order.
  /// The place in `blocks` of the block of each number.
  std::map<std::uint64_t, std::size_t> places;
  std::vector<std::uint64_t> inputs;   ///< The numbers of the U, ascending.
  std::vector<std::uint64_t> outputs;  ///< The numbers of the O, ascending.
  double num_blocks = 0;               ///< Includes blocks of nested netlists.
};

/// Parses the blocks of one text, in its order; does not read nested netlists.
/// Each returned block has a number of its own. Every input is the number of a
/// returned block or of one with an error in its line.
[[nodiscard]] std::vector<NetlistBlock> ParseNetlist(
    const std::shared_ptr<const SourceFile>& source, Diagnostics& diagnostics);

}  // namespace orrery::cbd::internal
