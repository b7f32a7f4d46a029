#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/files/file_set.h"
#include "orrery/base/values/parameters.h"
#include "orrery/base/values/setting.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/experiment/runs/subject.h"
#include "orrery/sdk/classes/plugin.h"
#include "orrery/sdk/live/live_run.h"
#include "orrery/sdk/model/model.h"
#include "orrery/sdk/runs/devs_run.h"
#include "orrery/sdk/runs/joint_run.h"
#include "orrery/sdk/runs/process_run.h"
#include "orrery/sim/types/options.h"

namespace orrery {

/// The full definition of the runs of a model in a file, of any kind. Plain
/// data, and a text in JSON: saved with results, it reproduces them.
struct RunDocument {
  /// `.mo`, `.cbd`, `.so` of a class, `.fmu`, or a program.
  std::string file;
  std::string class_name;  ///< Dotted; empty if the file has one model.
  std::vector<ParameterText> settings;

  /// For classes, only the options of their kind are used. Without settings and
  /// without the table of inputs, which are given by name.
  SimulationOptions options;
  std::string until;  ///< See Compile; empty for none.
  std::string input;  ///< A file of inputs over time; empty for none.
  /// The columns to take; empty: all.
  std::vector<std::string> input_columns = {};

  // For FMUs.
  std::string kind = {};                      ///< "cs", "me"; empty: the usual.
  std::optional<Seconds> communication = {};  ///< Step of Co-Simulation.
  std::string variant = {};  ///< A description in a system's archive.

  // For classes.
  bool is_program = false;  ///< The file is a program that is the model.
  std::string plan;         ///< A file; empty for none.
  std::vector<std::string> without = {};   ///< Activities that are left out.
  std::vector<std::string> priority = {};  ///< For models in classic DEVS.
  std::uint64_t seed = 1;
  devs::Formalism formalism = devs::Formalism::kParallel;
  std::optional<std::int64_t> max_microsteps;
  int replications = 1;  ///< Only for DEVS models; see Replicate.

  std::optional<LiveRecord> live;  ///< The requests to a live run.

  /// The source of all these files, and of the tables that a model reads
  /// itself. The functions below read them from it. Not part of the text.
  FileSet files;

  /// The model, if the program has made it: `file` is then only its name. Not
  /// part of the text.
  std::optional<Model> made = {};
};

/// Reads the settings of a model of equations.
/// @throws Error as SettingsOf.
[[nodiscard]] std::vector<Setting> SettingsIn(const RunDocument& document);

/// Loads the model of equations, with these settings.
/// @param varied as LoadFile takes it.
/// @throws Error as LoadFile.
[[nodiscard]] Model LoadModel(const RunDocument& document,
                              std::span<const Setting> settings,
                              std::span<const std::string> varied = {});

/// Loads the model as the subject of experiments.
/// @throws Error as loading, compiling and running do.
[[nodiscard]] std::shared_ptr<const Subject> LoadSubject(
    const RunDocument& document, std::span<const std::string> varied = {});

/// The same for an existing model.
[[nodiscard]] std::shared_ptr<const Subject> MakeSubject(
    const ClassModel& model, const RunDocument& document);

/// @param varied the quantities that an experiment varies.
/// @throws Error kInvalidArgument, with its name, if one of them is also set,
///     or given by the table of inputs.
void CheckNotSet(const RunDocument& document,
                 std::span<const std::string> varied);

/// Reads the table of inputs; null if there is none.
/// @throws Error kIo for a file that cannot be read; kInvalidArgument for one
///     that is no table over time, or lacks one of `input_columns`.
[[nodiscard]] std::shared_ptr<const Table> InputsOf(
    const RunDocument& document);

/// Convert the document to the options of each kind of model. They read files.
/// @throws Error kIo for a file that cannot be read; kInvalidArgument for a
///     setting that is no number.
[[nodiscard]] SimulationOptions SimulationOptionsOf(
    const RunDocument& document);
[[nodiscard]] DevsRunOptions DevsOptionsOf(const RunDocument& document);
[[nodiscard]] ProcessRunOptions ProcessOptionsOf(const RunDocument& document);
[[nodiscard]] JointRunOptions JointOptionsOf(const RunDocument& document);

/// True if the name of a file is that of a plug-in, which contains a model that
/// is a class.
[[nodiscard]] bool IsPlugin(const std::string& file);

/// True if the model is code, a plug-in or a program: there is no text of it
/// that could be stored.
[[nodiscard]] bool IsCode(const RunDocument& document);

/// Writes JSON; members with their defaults are left out.
[[nodiscard]] std::string ToJson(const RunDocument& document);

/// Reads the output of ToJson.
/// @throws Error kInvalidArgument for a text that is no such document.
[[nodiscard]] RunDocument RunDocumentFromJson(const std::string& text);

}  // namespace orrery
