#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/parameters.h"
#include "orrery/base/source_file.h"
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
  std::string file;        ///< `.mo`, `.cbd` or, of a class, `.so`.
  std::string class_name;  ///< Dotted; empty if the file has one model.
  std::vector<ParameterText> settings;

  /// Of classes, only what means something to their kind. Without settings and
  /// without the table of inputs, which are given by name.
  SimulationOptions options;
  std::string until;  ///< See Compile; empty for none.
  std::string input;  ///< A file of inputs over time; empty for none.

  // Of classes.
  std::string plan;  ///< A file; empty for none.
  std::uint64_t seed = 1;
  devs::Formalism formalism = devs::Formalism::kParallel;
  std::optional<std::int64_t> max_microsteps;

  // Of models of equations alone.
  std::optional<LiveRecord> live;  ///< What the run was told as it went on.

  /// Files that have been read already, by the names above: they are not read
  /// from the disk. No part of the text.
  std::map<std::string, std::shared_ptr<const SourceFile>> files;
};

/// A file of a document, from the disk if it has not been read already.
/// @throws Error kIo if it cannot be read.
[[nodiscard]] std::shared_ptr<const SourceFile> ReadFile(
    const RunDocument& document, const std::string& name);

/// The model as the subject of experiments.
/// @throws Error as loading, compiling and running do.
[[nodiscard]] std::shared_ptr<const Subject> LoadSubject(
    const RunDocument& document);

/// The same of a model that is there already.
[[nodiscard]] std::shared_ptr<const Subject> MakeSubject(
    const ClassModel& model, const RunDocument& document);

/// The options that say of each kind of model what the document says. Files are
/// read.
/// @throws Error kIo for a file that cannot be read; kInvalidArgument for what
///     is set to no number.
[[nodiscard]] SimulationOptions SimulationOptionsOf(
    const RunDocument& document);
[[nodiscard]] DevsRunOptions DevsOptionsOf(const RunDocument& document);
[[nodiscard]] ProcessRunOptions ProcessOptionsOf(const RunDocument& document);
[[nodiscard]] JointRunOptions JointOptionsOf(const RunDocument& document);

/// The files that the runs are made from, but for plug-ins.
[[nodiscard]] std::vector<std::string> FilesOf(const RunDocument& document);

/// Whether the name of a file is that of a plug-in, which holds a model that is
/// a class.
[[nodiscard]] bool IsPlugin(const std::string& file);

/// As JSON; what has its default is left out.
[[nodiscard]] std::string ToJson(const RunDocument& document);

/// What ToJson has written.
/// @throws Error kInvalidArgument for a text that is no such document.
[[nodiscard]] RunDocument RunDocumentFromJson(const std::string& text);

}  // namespace orrery
