#pragma once

#include <span>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "orrery/cli/commands/commands.h"

namespace orrery::cli {

/// What can be set of a model on one timeline.
inline constexpr const char* kParameterOrQuantity =
    "a parameter, or a parameter, start value or input of the equations,";

// What is asked for goes to `command`, which must outlive the parsing.

/// The options that say what runs are, for models of any kind; not what is to
/// become of their results.
void AddSetupOptions(CLI::App& app, RunCommand& command);

/// What is to be plotted and printed.
void AddFigureOptions(CLI::App& app, RunCommand& command);

/// Whether it is JSON that is printed.
void AddJson(CLI::App& app, bool& json);

/// What is to be printed.
void AddPrinting(CLI::App& app, RunCommand& command);

/// Likewise, with measured points in the plot.
void AddPlotOptions(CLI::App& app, RunCommand& command);

/// Whether and where it is saved: it is unless somebody says otherwise.
void AddStore(CLI::App& app, RunCommand& command);

/// The options of `orrery run`, for models of any kind.
void AddRunOptions(CLI::App& app, RunCommand& command);

/// Of runs that keep pace with the clock, or that somebody outside has a part
/// in.
void AddLiveOptions(CLI::App& app, RunCommand& command);

/// Those of the run of a DEVS model alone.
void AddDevsRunOptions(CLI::App& app, RunCommand& command);

/// Those of the run of a model of tasks alone.
void AddTaskRunOptions(CLI::App& app, RunCommand& command);

/// Those of the run of a model on one timeline.
void AddJointRunOptions(CLI::App& app, RunCommand& command);

/// Notes what was given and means something to some kinds of models only.
void NoteGiven(const CLI::App& app, RunCommand& command);

/// A plan of a model with tasks.
void AddPlan(CLI::App& app, std::string& plan, const std::string& help);

/// The same, and what of it is left out.
void AddPlan(CLI::App& app, TaskChoices& choices, const std::string& of);

/// Refuses what was given and means nothing to the kind of model that the
/// command's file is, as far as its name says that; the rest can be refused
/// later.
/// @param of_all options that mean something to all kinds in this command.
/// @throws Error kInvalidArgument
void CheckOptionsFit(const CLI::App& app,
                     RunCommand& command,
                     std::span<const std::string_view> of_all = {});

}  // namespace orrery::cli
