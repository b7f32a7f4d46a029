#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/types/options.h"

namespace orrery {

/// Marks by which compiled models differ.
struct ProgramMark {
  std::string name;
  std::vector<std::string> states;
  std::size_t num_variables = 0;
  std::size_t memory_size = 0;
  std::uint64_t checksum = 0;  ///< The equations', as far as they have bytes.

  friend bool operator==(const ProgramMark&, const ProgramMark&) = default;
};

[[nodiscard]] ProgramMark MarkOf(const Program& program);

/// A run of equations at one time, with all that determines how it goes on: it
/// can be kept in a file and continued later, bit for bit. Plain data.
///
///     const SavedRun saved = simulator.SaveRun();
///     Simulator again(program, saved);
///
/// Options, inputs over time and the choice of records are no part of it.
struct SavedRun {
  ProgramMark program;
  double t = 0;  ///< s
  SimulationOptions options;
  std::string state;  ///< As `Simulator::Save` gives it.
};

/// The bytes of a file. They hold for machines like this one.
[[nodiscard]] std::string BytesOf(const SavedRun& saved);

/// @throws Error kInvalidModel for bytes that are no saved run, damaged, or of
///     another version.
[[nodiscard]] SavedRun SavedRunFromBytes(std::string_view bytes);

/// Checks that a saved run is one of this program.
/// @throws Error kInvalidArgument that says what differs.
void CheckProgram(const SavedRun& saved, const Program& program);

/// The options to continue a saved run with: those that determine it, and of
/// `given` the inputs and what is recorded.
[[nodiscard]] SimulationOptions OptionsToContinue(
    const SavedRun& saved, const SimulationOptions& given);

}  // namespace orrery
