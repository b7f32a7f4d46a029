#include "orrery/cli/options/run_options.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/parse_time.h"
#include "orrery/base/text/parse.h"
#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/options/live_options.h"
#include "orrery/cli/request/option_values.h"
#include "orrery/sdk/fmu/fmu_file.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {
namespace {

// Options that concern only models that are classes.
constexpr std::array kOfClasses = {"--seed",
                                   "--replications",
                                   "--jobs",
                                   "--formalism",
                                   "--max-microsteps",
                                   "--trace",
                                   "--keep-trace",
                                   "--observe",
                                   "--priority",
                                   "--messages",
                                   "--plan",
                                   "--without",
                                   "--spans",
                                   "--event-log",
                                   "--timeline",
                                   "--resident"};

// Options that concern only FMUs.
constexpr std::array kOfFmus = {
    "--as", "--communication", "--variant", "--statistics"};

// Further options that concern only some of the kinds of kOfEquations, kOfDevs
// and kOfTasks.
constexpr std::array kOfSome = {"--input", "--start", "--until"};

constexpr const char* kPlanHelp = "Carry out the activities of a plan (JSON)";

// Prefixes of the help of options for some kinds of models.
constexpr const char* kOfTasksAndDevs = "DEVS, tasks: ";
constexpr const char* kOfDevsAlone = "DEVS: ";
constexpr const char* kOfTasksAlone = "Tasks: ";

void AddTime(CLI::App& app,
             const char* name,
             const char* help,
             std::optional<Seconds>& target) {
  AddOption(app, name, help, TimeOf, [&target](double value) {
    target = value;
  })->type_name("TIME");
}

void AddTimeOptions(CLI::App& app, SimulationOptions& options) {
  AddTime(app,
          "--interval",
          "Time between rows of the result; 0: a row a step",
          options.interval);
  AddTime(app, "--step", "Step of the fixed-step solvers", options.step);
}

void AddTimes(CLI::App& app,
              const char* name,
              const char* help,
              std::vector<double>& target) {
  AddOption(app, name, help, TimesOf, [&target](std::vector<double> times) {
    target = std::move(times);
  })->type_name("TIMES");
}

void AddEventOptions(CLI::App& app, RunCommand& command) {
  AddTimes(app,
           "--output-times",
           "Further rows at these times: 0.5,1.7,24h",
           command.options.output_times);
  AddTimes(app,
           "--step-times",
           "End steps of the solver at these times, too, with a row each",
           command.options.step_times);
  AddOption(app,
            "--max-consecutive-events",
            "Events at one time beyond which a run ends (default 1000)",
            CountOf,
            [&](int count) { command.options.max_consecutive_events = count; })
      ->type_name("COUNT");
  app.add_flag("--sliding",
               command.options.sliding,
               "Slide along a switching surface that the equations push to "
               "from both sides (Filippov), instead of ending the run there");
}

void AddEventList(CLI::App& app, RunCommand& command) {
  app.add_flag("--events", command.events, "List the events of the run");
}

// The options that define runs of FMUs.
void AddFmuSetup(CLI::App& app, FmuChoices& choices) {
  app.add_option("--as",
                 choices.kind,
                 "FMU: its use: me (Model Exchange: its equations; the usual "
                 "one), cs (Co-Simulation: its own method) or se (Scheduled "
                 "Execution: clocks)")
      ->type_name("KIND");
  AddTime(app,
          "--communication",
          "FMU: time between two points at which it takes inputs and tells "
          "outputs (default: its own, else 500 in a run)",
          choices.communication);
}

void AddFmuOptions(CLI::App& app, FmuChoices& choices) {
  app.add_option("--variant",
                 choices.variant,
                 "System of FMUs (.ssp): the description in it (default: "
                 "SystemStructure.ssd)")
      ->type_name("FILE");
  app.add_flag("--statistics",
               choices.statistics,
               "FMU, Co-Simulation: tell the steps, events and time of each");
}

void AddSensitivities(CLI::App& app, RunCommand& command) {
  app.add_option(
         "--sensitivity",
         command.options.sensitivities,
         "Equations: tell how every signal x moves with this parameter, "
         "start or input k, as d(x)/d(k)")
      ->type_name("NAME")
      ->allow_extra_args(false);
}

void AddRecorded(CLI::App& app, RunCommand& command) {
  auto* const record =
      app.add_option(
             "--record",
             command.options.record,
             "Equations, FMUs: keep the signals with a name that fits, as "
             "'tank.*', protected ones too (default: all that are not "
             "protected)")
          ->type_name("PATTERN")
          ->allow_extra_args(false);
  app.add_flag("--protected",
               command.options.record_protected,
               "Equations: keep protected signals, too")
      ->excludes(record);
}

void AddUntil(CLI::App& app, RunCommand& command) {
  app.add_option_function<std::string>(
         "--until",
         [&command](const std::string& text) {
           if (const auto time = ParseSeconds(text)) {
             command.options.stop = *time;
           } else {
             command.until = text;
           }
         },
         "End the run where a condition comes to hold: 'x > 3'; over signals, "
         "states of DEVS models or resources of tasks. A time is as --stop")
      ->type_name("CONDITION");
}

void AddState(CLI::App& app, RunCommand& command) {
  app.add_option("--save-state",
                 command.state.saved,
                 "Equations: write the state at the end of the run, to go on "
                 "from there later")
      ->type_name("FILE");
  AddTime(app,
          "--save-at",
          "Equations: write it at this time instead",
          command.state.time);
  app.add_option("--from-state",
                 command.state.from,
                 "Equations: go on from a state, bit for bit, to a later stop "
                 "time; --set then changes values there")
      ->type_name("FILE");
}

void AddSolverOptions(CLI::App& app, SimulationOptions& options) {
  AddOption(app,
            "--tolerance",
            "Relative tolerance (default 1e-6)",
            NumberOf,
            [&](double value) { options.tolerance = value; })
      ->type_name("NUMBER");
  AddOption(app,
            "--absolute-tolerance",
            "Absolute tolerance, times nominal values (default 1e-9, or the "
            "relative one if that is less)",
            NumberOf,
            [&](double value) { options.absolute_tolerance = value; })
      ->type_name("NUMBER");
  std::string names;
  for (const MethodName& method : kMethodNames) {
    names += (names.empty() ? "" : ", ") + std::string(method.name);
  }
  app.add_option_function<std::string>(
         "--solver",
         [&](const std::string& name) {
           options.method = MethodFromName(name);
         },
         "Method of integration: " + names)
      ->type_name("NAME");
  app.add_option_function<std::string>(
         "--code",
         [&](const std::string& name) {
           options.code = CodeChoiceFromName(name);
         },
         "Evaluator of the equations, to the same result: auto, interpreted, "
         "native")
      ->type_name("NAME");
}

void AddInput(CLI::App& app, RunCommand& command) {
  app.add_option("--input",
                 command.input,
                 "Inputs over time: a CSV file with columns named as inputs")
      ->type_name("FILE");
}

// Options of runs of any kind.
void AddCommonOptions(CLI::App& app, RunCommand& command) {
  app.add_option(
         "--output", command.outputs, "Write the result: .csv, .mat or .h5")
      ->type_name("FILE")
      ->allow_extra_args(false);
  AddPlotOptions(app, command);
}

std::uint64_t SeedOf(const std::string& option, const std::string& text) {
  const auto seed = ParseWhole(text, std::numeric_limits<std::uint64_t>::max());
  if (!seed) {
    Refuse(option, text, "a whole number from 0 to 18446744073709551615");
  }
  return *seed;
}

std::int64_t LargeCountOf(const std::string& option, const std::string& text) {
  const auto count = ParseWhole(
      text,
      static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
  if (!count || *count == 0) {
    Refuse(option, text, "a whole number from 1 to 9223372036854775807");
  }
  return static_cast<std::int64_t>(*count);
}

devs::Formalism FormalismOf(const std::string& option,
                            const std::string& text) {
  if (text != "parallel" && text != "classic") {
    Refuse(option, text, "'parallel' or 'classic'");
  }
  return text == "classic" ? devs::Formalism::kClassic
                           : devs::Formalism::kParallel;
}

// Options of models that are classes; `of` marks them in the help of other
// models.
void AddClassOptions(CLI::App& app, DevsChoices& choices, const char* of) {
  const auto help = [of](const char* text) {
    return std::string(of) + text;
  };
  AddOption(app,
            "--seed",
            help("Seed of all random numbers (default 1)"),
            SeedOf,
            [&](std::uint64_t seed) { choices.seed = seed; })
      ->type_name("NUMBER");
  AddOption(app,
            "--max-microsteps",
            help("Steps at one time beyond which a run ends (default 1000000)"),
            LargeCountOf,
            [&](std::int64_t count) { choices.max_microsteps = count; })
      ->type_name("COUNT");
}

void AddFormalism(CLI::App& app, DevsChoices& choices, const char* of) {
  AddOption(
      app,
      "--formalism",
      std::string(of) +
          "parallel (default) or classic, which moves one model at a time",
      FormalismOf,
      [&](devs::Formalism formalism) { choices.formalism = formalism; })
      ->type_name("NAME");
}

void AddPriority(CLI::App& app, DevsChoices& choices, const char* of) {
  app.add_option("--priority",
                 choices.priority,
                 std::string(of) +
                     "the order of models that are due at once in classic "
                     "DEVS, by their paths: 'shop.queue,shop.till'")
      ->type_name("PATHS")
      ->delimiter(',')
      ->allow_extra_args(false);
}

// Options of DEVS models.
void AddDevsOptions(CLI::App& app, DevsChoices& choices, const char* of) {
  const auto help = [of](const char* text) {
    return std::string(of) + text;
  };
  AddOption(app,
            "--replications",
            help("Run so often, with other random numbers each time, and "
                 "report means and their 95 % intervals"),
            CountOf,
            [&](int count) { choices.replications = count; })
      ->type_name("COUNT");
  AddOption(app,
            "--jobs",
            help("Threads (default 1); the results are the same for any "
                 "number"),
            JobsOf,
            [&](int count) { choices.jobs = count; })
      ->type_name("COUNT");
  app.add_option("--trace",
                 choices.trace,
                 help("Write states and outputs of the atomic models: .csv or "
                      ".jsonl"))
      ->type_name("FILE");
  app.add_flag("--keep-trace",
               choices.keeps_trace,
               help("Keep the trace with the saved experiment, with an index "
                    "by time, for the studio"));
  app.add_flag("--messages",
               choices.messages,
               help("Carry it out by the abstract simulators, and print the "
                    "messages between them"));
  app.add_option("--observe",
                 choices.observed,
                 help("Trace the models whose paths fit, as 'shop.q*' (default "
                      "'*')"))
      ->type_name("PATTERN")
      ->allow_extra_args(false);
}

// Refuses a word that is no file of a figure, such as the model after an option
// without a value.
void CheckTimelineFile(const std::string& path) {
  const std::string ending = FormatEnding(path);
  if (!path.empty() && ending != ".svg" && ending != ".png" &&
      ending != ".txt") {
    Refuse(
        "--timeline",
        path,
        "a file that ends in .svg, .png or .txt; or, for the terminal, none, "
        "and let another option follow");
  }
}

// Options of models of tasks.
void AddTaskOptions(CLI::App& app, TaskChoices& choices, const char* of) {
  const auto help = [of](const char* text) {
    return std::string(of) + text;
  };
  app.add_option("--spans",
                 choices.spans,
                 help("Write when each task began and ended: .csv or .json"))
      ->type_name("FILE");
  app.add_option("--event-log",
                 choices.event_log,
                 help("Write all effects on cells, with what caused what: .csv "
                      "or .json"))
      ->type_name("FILE");
  app.add_option_function<std::string>(
         "--timeline",
         [&choices](const std::string& path) {
           CheckTimelineFile(path);
           choices.timeline = path;
         },
         help("Draw the tasks and what --plot names (default: all resources) "
              "over the time: .svg or .png; on the terminal without a FILE"))
      ->type_name("[FILE]")
      ->expected(0, 1);
  app.add_flag("--resident",
               choices.is_resident,
               help("Stay, and carry out plans that come by standard input, "
                    "each from the latest snapshot before the first change"));
}

void RefuseIfGiven(const CLI::App& app,
                   const char* option,
                   const std::string& file,
                   const char* kind) {
  const CLI::Option* const found = app.get_option_no_throw(option);
  if (found != nullptr && found->count() > 0) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot take {} for {}: it means something to "
                            "{} only; leave it out",
                            option,
                            file,
                            kind));
  }
}

}  // namespace

void AddSetupOptions(CLI::App& app, RunCommand& command) {
  AddTime(app,
          "--stop",
          "Stop time (default 1 s after the start; of DEVS models and tasks: "
          "when nothing is due any more)",
          command.options.stop);
  AddTime(app, "--start", "Start time (default 0)", command.options.start);
  AddTimeOptions(app, command.options);
  AddSolverOptions(app, command.options);
  AddEventOptions(app, command);
  AddUntil(app, command);
  AddSettingTexts(
      app, command.settings, "a parameter, a start value or an input");
  AddInput(app, command);
  AddFmuSetup(app, command.fmu);
  AddClassOptions(app, command.devs, kOfTasksAndDevs);
  AddFormalism(app, command.devs, kOfDevsAlone);
  AddPriority(app, command.devs, kOfDevsAlone);
  AddPlan(app, command.tasks, kOfTasksAlone);
}

void AddRunOptions(CLI::App& app, RunCommand& command) {
  AddSetupOptions(app, command);
  AddFmuOptions(app, command.fmu);
  AddState(app, command);
  AddSensitivities(app, command);
  AddRecorded(app, command);
  AddEventList(app, command);
  AddCommonOptions(app, command);
  AddLiveOptions(app, command);
  AddDevsOptions(app, command.devs, kOfDevsAlone);
  AddTaskOptions(app, command.tasks, kOfTasksAlone);
}

namespace {

LogAxes LogAxesOf(const std::string& option, const std::string& text) {
  const LogAxes axes{.x = text != "y", .y = text != "x"};
  if (text != "x" && text != "y" && text != "x,y" && text != "y,x") {
    Refuse(option, text, "'x', 'y' or 'x,y'");
  }
  return axes;
}

}  // namespace

void AddFigureOptions(CLI::App& app, RunCommand& command) {
  app.add_option("--plot",
                 command.plots,
                 "Plot a,b over time or y over x as x:y; on the terminal "
                 "unless --figure is given")
      ->type_name("NAMES")
      ->allow_extra_args(false);
  AddOption(app,
            "--log-axes",
            "Which axes of the plot are logarithmic: x, y or x,y",
            LogAxesOf,
            [&](const LogAxes& axes) { command.log_axes = axes; })
      ->type_name("AXES");
  app.add_flag(
      "--equal-axes,!--free-axes",
      [&](std::int64_t count) { command.equal_axes = count > 0; },
      "One scale for both axes of the plot, so that a circle is round "
      "(--free-axes: not). Default: phase plots whose quantities have one unit "
      "and alike ranges");
  app.add_option("--figure", command.figure, "Draw the plot: .svg or .png")
      ->type_name("FILE");
  AddPrinting(app, command);
}

void AddJson(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "Print one JSON object, whatever happens");
}

void AddPrinting(CLI::App& app, RunCommand& command) {
  AddJson(app, command.json);
  app.add_flag("--quiet", command.quiet, "Print errors and plots only");
}

void AddPlotOptions(CLI::App& app, RunCommand& command) {
  AddFigureOptions(app, command);
  app.add_option(
         "--data", command.data, "Measured points (CSV) to show in the plot")
      ->type_name("FILE");
}

void AddReport(CLI::App& app, RunCommand& command) {
  AddOption(app,
            "--report-fd",
            "Tell another program how it goes on: lines of JSON at this file "
            "descriptor",
            DescriptorOf,
            [&](int descriptor) { command.report_fd = descriptor; })
      ->type_name("NUMBER");
}

void AddStore(CLI::App& app, RunCommand& command) {
  command.is_saved = true;
  const CLI::Option* const store =
      app.add_option("--store",
                     command.store,
                     "Save the experiment in this file (default orrery.db)")
          ->type_name("FILE");
  app.add_flag_callback(
      "--no-save",
      [&command, store] {
        if (store->count() > 0) {
          throw Error(ErrorCode::kInvalidArgument,
                      "cannot save the experiment in '" + command.store +
                          "' and not save it (--no-save); leave one");
        }
        command.is_saved = false;
      },
      "Do not save the experiment");
}

void AddWatch(CLI::App& app, RunCommand& command) {
  app.add_option("--watch",
                 command.watched,
                 "Equations: with --report-fd, also tell the rows of signals "
                 "with a name that fits, as 'tank.*', while it runs; at most "
                 "16 of them")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
}

void AddPlan(CLI::App& app, std::string& plan, const std::string& help) {
  app.add_option("--plan", plan, help)->type_name("FILE");
}

void AddPlan(CLI::App& app, TaskChoices& choices, const std::string& of) {
  AddPlan(app, choices.plan, of + kPlanHelp);
  app.add_option("--without",
                 choices.without,
                 of + "leave out an activity of the plan, by its id or type, "
                      "and what comes after it")
      ->type_name("NAME")
      ->allow_extra_args(false);
}

void AddDevsRunOptions(CLI::App& app, RunCommand& command) {
  AddTime(app,
          "--stop",
          "Stop time (default: the model's own, else when nothing is due any "
          "more)",
          command.options.stop);
  AddSettingTexts(app, command.settings, "a parameter");
  AddInput(app, command);
  AddCommonOptions(app, command);
  AddClassOptions(app, command.devs, "");
  AddFormalism(app, command.devs, "");
  AddPriority(app, command.devs, "");
  AddUntil(app, command);
  AddDevsOptions(app, command.devs, "");
  AddLiveOptions(app, command);
}

void AddTaskRunOptions(CLI::App& app, RunCommand& command) {
  AddTime(app,
          "--stop",
          "Stop time (default: the plan's, else the model's own, else when "
          "nothing is due any more)",
          command.options.stop);
  AddTime(app,
          "--start",
          "Start time (default: the plan's, else 0)",
          command.options.start);
  AddSettingTexts(app, command.settings, "a parameter");
  AddCommonOptions(app, command);
  AddClassOptions(app, command.devs, "");
  AddLiveOptions(app, command);
  AddUntil(app, command);
  AddPlan(app, command.tasks, "");
  AddTaskOptions(app, command.tasks, "");
}

void AddJointRunOptions(CLI::App& app, RunCommand& command) {
  AddTime(app,
          "--stop",
          "Stop time (default: the plan's, else the model's own, else that of "
          "its equations)",
          command.options.stop);
  AddTimeOptions(app, command.options);
  AddSolverOptions(app, command.options);
  AddEventOptions(app, command);
  AddRecorded(app, command);
  AddEventList(app, command);
  AddSettingTexts(app, command.settings, kParameterOrQuantity);
  AddInput(app, command);
  AddCommonOptions(app, command);
  AddClassOptions(app, command.devs, "");
  AddLiveOptions(app, command);
  AddPlan(app, command.tasks, "");
  AddTaskOptions(app, command.tasks, "");
}

void NoteGiven(const CLI::App& app, RunCommand& command) {
  const auto note = [&](std::span<const char* const> options) {
    for (const char* name : options) {
      const CLI::Option* const option = app.get_option_no_throw(name);
      if (option != nullptr && option->count() > 0) {
        command.given.emplace_back(name);
      }
    }
  };
  note(kOfEquations);
  note(kOfDevs);
  note(kOfTasks);
  note(kOfSome);
}

void CheckOptionsFit(const CLI::App& app,
                     RunCommand& command,
                     std::span<const std::string_view> of_all) {
  NoteGiven(app, command);
  if (!IsFmu(command.file) && !IsFmuSystem(command.file)) {
    for (const char* option : kOfFmus) {
      RefuseIfGiven(app, option, command.file, "FMUs (.fmu)");
    }
  }
  if (IsFmu(command.file)) {
    RefuseIfGiven(app, "--variant", command.file, "systems of FMUs (.ssp)");
  }
  if (IsPlugin(command.file)) {
    RefuseIfGiven(app, "CLASS", command.file, "files with several models");
  } else {
    for (const char* option : kOfClasses) {
      if (std::ranges::find(of_all, option) == of_all.end()) {
        RefuseIfGiven(
            app, option, command.file, "models of DEVS or tasks (.so)");
      }
    }
  }
}

}  // namespace orrery::cli
