#pragma once

#include <span>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "orrery/cli/request/requests.h"

namespace orrery::cli {

/// The quantities of a model on one timeline that can be set.
inline constexpr const char* kParameterOrQuantity =
    "a parameter, or a parameter, start value or input of the equations,";

// Values of options go to `command`, which must outlive the parsing.

/// Adds the options that define runs, for models of any kind, without those on
/// their results.
void AddSetupOptions(CLI::App& app, RunCommand& command);

/// Adds the options on plots and printing.
void AddFigureOptions(CLI::App& app, RunCommand& command);

/// Adds --json.
void AddJson(CLI::App& app, bool& json);

/// Adds the options on printing.
void AddPrinting(CLI::App& app, RunCommand& command);

/// Adds the options on plots and printing, with measured points.
void AddPlotOptions(CLI::App& app, RunCommand& command);

/// Adds the option for a program that asks how the command goes on.
void AddReport(CLI::App& app, RunCommand& command);

/// Adds the option for the rows that such a program wants.
void AddWatch(CLI::App& app, RunCommand& command);

/// Adds the options on saving. Experiments are saved by default.
void AddStore(CLI::App& app, RunCommand& command);

/// Adds the options of `orrery run`, for models of any kind.
void AddRunOptions(CLI::App& app, RunCommand& command);

/// Adds the options of runs of DEVS models.
void AddDevsRunOptions(CLI::App& app, RunCommand& command);

/// Adds the options of runs of models of tasks.
void AddTaskRunOptions(CLI::App& app, RunCommand& command);

/// Adds the options of runs of models on one timeline.
void AddJointRunOptions(CLI::App& app, RunCommand& command);

/// Records the given options that concern only some kinds of models.
void NoteGiven(const CLI::App& app, RunCommand& command);

/// Adds the option for the plan of a model with tasks.
void AddPlan(CLI::App& app, std::string& plan, const std::string& help);

/// Adds the options for a plan, and for the activities to leave out.
void AddPlan(CLI::App& app, TaskChoices& choices, const std::string& of);

/// Refuses options that do not suit the kind of model of the command's file, as
/// far as the file name tells the kind; the others can be refused later.
/// @param of_all options that suit all kinds in this command.
/// @throws Error kInvalidArgument
void CheckOptionsFit(const CLI::App& app,
                     RunCommand& command,
                     std::span<const std::string_view> of_all = {});

}  // namespace orrery::cli
