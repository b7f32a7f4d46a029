#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"

namespace orrery::internal {

enum class NetlistBlockType : std::uint8_t {
  kWeightedSum,
  kSummer,
  kIntegrator,
  kMinus,
  kMultiplier,
  kDivider,
  kConstant,
  kOutput
};

inline constexpr std::size_t kNumNetlistBlockTypes = 8;

/// What a netlist may say of a type of block.
struct NetlistBlockForm {
  NetlistBlockType type;
  std::string_view letter;
  std::string_view name;
  /// The fields after the number: 'P' a number, 'e' an input.
  std::string_view fields;
  /// Whether `fields` may come up to three times.
  bool repeats;
  std::string_view usage;
};

/// In the order of `NetlistBlockType`.
inline constexpr std::array<NetlistBlockForm, kNumNetlistBlockTypes>
    kNetlistBlockForms = {
        {{NetlistBlockType::kWeightedSum,
          "W",
          "weighted sum",
          "Pe",
          true,
          "W, number, P1, e1[, P2, e2[, P3, e3]]"},
         {NetlistBlockType::kSummer,
          "+",
          "summer",
          "Pe",
          true,
          "+, number, P1, e1[, P2, e2[, P3, e3]]"},
         {NetlistBlockType::kIntegrator,
          "I",
          "integrator",
          "Pe",
          false,
          "I, number, IC, e1"},
         {NetlistBlockType::kMinus, "-", "minus", "e", false, "-, number, e1"},
         {NetlistBlockType::kMultiplier,
          "X",
          "multiplier",
          "ee",
          false,
          "X, number, e1, e2"},
         {NetlistBlockType::kDivider,
          "/",
          "divider",
          "ee",
          false,
          "/, number, e1, e2"},
         {NetlistBlockType::kConstant,
          "K",
          "constant",
          "P",
          false,
          "K, number, P1"},
         {NetlistBlockType::kOutput,
          "O",
          "output",
          "e",
          false,
          "O, number, e1"}}};

/// A block as the netlist describes it.
struct NetlistBlock {
  struct Number {
    double value = 0;
    SourceSpan span;
  };

  struct Input {
    std::uint64_t block = 0;
    SourceSpan span;
  };

  NetlistBlockType type = NetlistBlockType::kConstant;
  std::uint64_t number = 0;
  std::vector<Number> numbers;  ///< P1, P2, ... or IC.
  std::vector<Input> inputs;    ///< e1, e2, ...
  SourceSpan number_span;
  SourceSpan span;  ///< From the type to the last field.
};

/// The blocks of a netlist in its order. Each that is returned has a number of
/// its own, and every input is the number of one that is returned or of one
/// whose line is at fault.
[[nodiscard]] std::vector<NetlistBlock> ParseNetlist(
    const std::shared_ptr<const SourceFile>& source, Diagnostics& diagnostics);

}  // namespace orrery::internal
