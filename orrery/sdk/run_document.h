#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/file_set.h"
#include "orrery/base/parameters.h"
#include "orrery/devs/simulator.h"
#include "orrery/experiment/subject.h"
#include "orrery/sdk/devs_run.h"
#include "orrery/sdk/joint_run.h"
#include "orrery/sdk/live_run.h"
#include "orrery/sdk/plugin.h"
#include "orrery/sdk/process_run.h"
#include "orrery/sim/options.h"

namespace orrery {

/// All that determines the runs of a model that is in a file, of any kind.
/// Plain data, and a text in JSON: saved beside results, it makes them again.
struct RunDocument {
  std::string file;        ///< `.mo`, `.cbd` or, of a class, `.so`; a program.
  std::string class_name;  ///< Dotted; empty if the file has one model.
  std::vector<ParameterText> settings;

  /// Of classes, only what means something to their kind. Without settings and
  /// without the table of inputs, which are given by name.
  SimulationOptions options;
  std::string until;  ///< See Compile; empty for none.
  std::string input;  ///< A file of inputs over time; empty for none.
  /// Which of its columns are taken, if it has others.
  std::vector<std::string> input_columns = {};

  // Of classes.
  bool is_program = false;  ///< The file is a program that is the model.
  std::string plan;         ///< A file; empty for none.
  std::vector<std::string> without = {};   ///< Activities that are left out.
  std::vector<std::string> priority = {};  ///< Of models in classic DEVS.
  std::uint64_t seed = 1;
  devs::Formalism formalism = devs::Formalism::kParallel;
  std::optional<std::int64_t> max_microsteps;
  int replications = 1;  ///< Of DEVS models alone; see Replicate.

  std::optional<LiveRecord> live;  ///< What the run was told as it went on.

  /// Where all of these come from, and the tables that a model reads itself;
  /// what has been made of the document has read them. No part of the text.
  FileSet files;
};

/// The model as the subject of experiments.
/// @param varied what these vary, if it is known: see LoadFile.
/// @throws Error as loading, compiling and running do.
[[nodiscard]] std::shared_ptr<const Subject> LoadSubject(
    const RunDocument& document, std::span<const std::string> varied = {});

/// The same of a model that is there already.
[[nodiscard]] std::shared_ptr<const Subject> MakeSubject(
    const ClassModel& model, const RunDocument& document);

/// @param varied what an experiment moves.
/// @throws Error kInvalidArgument, with its name, if one is set, too, or given
///     by the table of inputs.
void CheckNotSet(const RunDocument& document,
                 std::span<const std::string> varied);

/// The table of inputs; null if there is none.
/// @throws Error kIo for a file that cannot be read; kInvalidArgument for one
///     that is no table over time, or has none of `input_columns`.
[[nodiscard]] std::shared_ptr<const Table> InputsOf(
    const RunDocument& document);

/// The options that say of each kind of model what the document says. Files are
/// read.
/// @throws Error kIo for a file that cannot be read; kInvalidArgument for what
///     is set to no number.
[[nodiscard]] SimulationOptions SimulationOptionsOf(
    const RunDocument& document);
[[nodiscard]] DevsRunOptions DevsOptionsOf(const RunDocument& document);
[[nodiscard]] ProcessRunOptions ProcessOptionsOf(const RunDocument& document);
[[nodiscard]] JointRunOptions JointOptionsOf(const RunDocument& document);

/// Whether the name of a file is that of a plug-in, which holds a model that is
/// a class.
[[nodiscard]] bool IsPlugin(const std::string& file);

/// Whether the model is code, a plug-in or a program, which runs as it is and
/// is no text that could be stored.
[[nodiscard]] bool IsCode(const RunDocument& document);

/// As JSON; what has its default is left out.
[[nodiscard]] std::string ToJson(const RunDocument& document);

/// What ToJson has written.
/// @throws Error kInvalidArgument for a text that is no such document.
[[nodiscard]] RunDocument RunDocumentFromJson(const std::string& text);

}  // namespace orrery
