#include "orrery/cli/options/analysis_options.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/numbers/non_finite.h"
#include "orrery/cli/commands/analysis_commands.h"
#include "orrery/cli/options/run_options.h"
#include "orrery/cli/request/option_values.h"

namespace orrery::cli {
namespace {

std::vector<std::string> NamesOf(const std::string& text) {
  std::vector<std::string> names;
  int depth = 0;
  std::string name;
  for (const char c : text) {
    depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      names.push_back(std::exchange(name, {}));
    } else {
      name += c;
    }
  }
  names.push_back(name);
  return names;
}

void AddNames(CLI::App& app,
              const std::string& name,
              const std::string& help,
              std::vector<std::string>& target) {
  app.add_option_function<std::vector<std::string>>(
         name,
         [&target](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) {
             for (std::string& part : NamesOf(text)) {
               target.push_back(std::move(part));
             }
           }
         },
         help)
      ->type_name("NAMES")
      ->allow_extra_args(false);
}

void AddConditions(CLI::App& app, SteadyConditions& conditions) {
  AddTexts(app,
           "--fix",
           "NAME=VALUE",
           "Let a state, an input, der(x) or any quantity have this value",
           conditions.fix);
  AddTexts(app,
           "--bound",
           "NAME=[LOW,HIGH]",
           "Let it lie in this range; either end may be left out",
           conditions.bound);
  AddTexts(app,
           "--free",
           "NAME[=GUESS]",
           "Find this input although it is set; begin at a first guess of an "
           "input or a state",
           conditions.free);
  AddNames(app,
           "--moving",
           "States whose derivatives need not be 0",
           conditions.moving);
  app.add_option("--minimize",
                 conditions.minimize,
                 "Make this quantity as small as all that allows")
      ->type_name("NAME");
  app.add_option("--maximize", conditions.maximize, "Or as large")
      ->type_name("NAME");
}

// Adds the options on the model, and on saving the analysis.
void AddAnalysed(CLI::App& app, RunCommand& run) {
  AddModel(app, run.file, run.class_name);
  AddSettingTexts(app, run.settings, "a parameter, a start value or an input");
  AddPrinting(app, run);
  AddStore(app, run);
  AddReport(app, run);
}

// Adds the options on the operating point, and on inputs and outputs.
void AddLinearized(CLI::App& app, LinearizeCommand& command) {
  AddAnalysed(app, command.run);
  LinearizationDocument& document = command.linearization;
  app.add_option_function<std::string>(
         "--at",
         [&command, &document](const std::string& text) {
           document.at_steady_state = text == "steady";
           if (text != "steady" && text != "start") {
             command.run.options.stop = TimeOf("--at", text);
           }
         },
         "Where: start (default), steady, or the time a run is taken to")
      ->type_name("start|steady|TIME");
  AddConditions(app, document.conditions);
  AddNames(app,
           "--inputs",
           "Inputs of the linear system (default: all)",
           document.between.inputs);
  AddNames(app,
           "--outputs",
           "Its outputs: any Real quantities (default: the model's outputs)",
           document.between.outputs);
  app.add_option("--frequencies",
                 document.frequencies,
                 "rad/s: 0.1,1,10 or logspace(-1,2,200) (default: around the "
                 "poles)")
      ->type_name("LIST");
  app.add_option(
         "--output", command.output, "Write the frequency responses: .csv")
      ->type_name("FILE");
  app.add_flag(
      "--plot", command.plot, "Plot the frequency responses on the terminal");
}

}  // namespace

void AddSteady(CLI::App& app, SteadyCommand& command, int& status) {
  CLI::App* steady = app.add_subcommand(
      "steady", "Find states and inputs at which a model stands still");
  AddAnalysed(*steady, command.run);
  AddConditions(*steady, command.steady.conditions);
  AddOption(*steady,
            "--time",
            "Time at which it stands still (default: the model's start)",
            TimeOf,
            [&command](double value) { command.run.options.start = value; })
      ->type_name("TIME");
  steady->callback([&] { status = Steady(command); });
}

void AddLinearize(CLI::App& app, LinearizeCommand& command, int& status) {
  CLI::App* linearize = app.add_subcommand(
      "linearize", "Print a model's matrices, modes and frequency response");
  AddLinearized(*linearize, command);
  linearize
      ->add_option("--bode",
                   command.linearization.channels,
                   "The frequency response of an input and an output, u:y")
      ->type_name("INPUT:OUTPUT")
      ->allow_extra_args(false);
  linearize->callback([&] { status = LinearizeModel(command); });
}

void AddFrequency(CLI::App& app, LinearizeCommand& command, int& status) {
  CLI::App* frequency = app.add_subcommand(
      "frequency",
      "Print how a model's outputs answer to inputs of a frequency: "
      "magnitude, phase, resonance, margins");
  command.linearization.is_frequency_response = true;
  AddLinearized(*frequency, command);
  frequency->callback([&] { status = LinearizeModel(command); });
}

}  // namespace orrery::cli
