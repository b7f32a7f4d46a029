#include "orrery/cli/options/store_options.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "orrery/base/text/parse.h"
#include "orrery/cli/commands/experiments/compare_command.h"
#include "orrery/cli/commands/experiments/rerun_command.h"
#include "orrery/cli/commands/experiments/store_commands.h"
#include "orrery/cli/options/run_options.h"
#include "orrery/cli/options/worker_options.h"
#include "orrery/cli/request/option_values.h"
#include "orrery/cli/request/trust.h"

namespace orrery::cli {
namespace {

ExperimentId ExperimentIdOf(const std::string& option,
                            const std::string& text) {
  constexpr auto kMost =
      static_cast<std::uint64_t>(std::numeric_limits<ExperimentId>::max());
  const auto id = ParseWhole(text, kMost);
  if (!id) {
    Refuse(option, text, "the number of an experiment, as list shows it");
  }
  return static_cast<ExperimentId>(*id);
}

void AddId(CLI::App& app,
           const char* name,
           const char* help,
           ExperimentId& id) {
  AddOption(app,
            name,
            help,
            ExperimentIdOf,
            [&id](ExperimentId given) { id = given; })
      ->required()
      ->type_name("");
}

// Adds `orrery NAME ID`, which calls `carry_out`.
CLI::App* AddAboutOne(CLI::App& app,
                      StoreCommand& command,
                      int& status,
                      const char* name,
                      const char* help,
                      int (*carry_out)(const StoreCommand&)) {
  CLI::App* part = app.add_subcommand(name, help);
  AddId(*part, "ID", "The number of the experiment", command.id);
  AddStore(*part, command.run);
  part->callback(
      [&command, &status, carry_out] { status = carry_out(command); });
  return part;
}

int ChangeStore(const StoreCommand& command,
                void (*change)(ExperimentStore&, const StoreCommand&)) {
  ExperimentStore store = OpenStore(command, StoreOptions());
  change(store, command);
  return kSuccess;
}

int Delete(const StoreCommand& command) {
  return ChangeStore(command, [](ExperimentStore& store, const auto& its) {
    store.Delete(its.ids);
  });
}

int Tag(const StoreCommand& command) {
  return ChangeStore(command, [](ExperimentStore& store, const auto& its) {
    store.Tag(its.id, its.text);
  });
}

int Untag(const StoreCommand& command) {
  return ChangeStore(command, [](ExperimentStore& store, const auto& its) {
    store.Untag(its.id, its.text);
  });
}

int Note(const StoreCommand& command) {
  return ChangeStore(command, [](ExperimentStore& store, const auto& its) {
    store.SetNotes(its.id, its.text);
  });
}

void AddText(CLI::App& part,
             StoreCommand& command,
             const char* name,
             const char* help) {
  part.add_option(name, command.text, help)->required()->type_name("");
}

void AddList(CLI::App& app, StoreCommand& command, int& status) {
  CLI::App* list = app.add_subcommand("list", "List the saved experiments");
  AddStore(*list, command.run);
  list->add_option("--type", command.filter.type, "Only this type: sweep, ...")
      ->type_name("NAME");
  list->add_option("--model", command.filter.model, "Only this model")
      ->type_name("NAME");
  list->add_option("--tag", command.filter.tag, "Only this tag")
      ->type_name("TAG");
  AddOption(*list, "--last", "The newest only", CountOf, [&](int count) {
    command.filter.limit = static_cast<std::size_t>(count);
  })->type_name("COUNT");
  list->add_flag("--json", command.run.json, "Print one JSON object");
  list->callback([&] { status = List(command); });
}

void AddDelete(CLI::App& app, StoreCommand& command, int& status) {
  CLI::App* part = app.add_subcommand("delete", "Delete saved experiments");
  part->add_option_function<std::vector<std::string>>(
          "ID",
          [&](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              command.ids.push_back(ExperimentIdOf("ID", text));
            }
          },
          "The numbers of the experiments; if one is not there, all stay")
      ->required()
      ->type_name("");
  AddStore(*part, command.run);
  part->callback([&] { status = Delete(command); });
}

}  // namespace

void AddStoreCommands(CLI::App& app, StoreCommand& command, int& status) {
  AddList(app, command, status);
  CLI::App* show = AddAboutOne(app,
                               command,
                               status,
                               "show",
                               "Show a saved experiment and its results",
                               Show);
  AddPlotOptions(*show, command.run);
  CLI::App* rerun = AddAboutOne(
      app, command, status, "rerun", "Run a saved experiment again", Rerun);
  AddSettingTexts(
      *rerun, command.settings, "a parameter, a start value or an input");
  AddExternal(*rerun);
  AddReport(*rerun, command.run);
  AddWhereToRun(*rerun, command.where);
  AddPlotOptions(*rerun, command.run);
  CLI::App* resume = AddAboutOne(
      app,
      command,
      status,
      "resume",
      "Carry out the runs of an experiment that are missing or failed",
      Resume);
  AddExternal(*resume);
  AddReport(*resume, command.run);
  AddWhereToRun(*resume, command.where);
  AddPlotOptions(*resume, command.run);
  CLI::App* compare = AddAboutOne(app,
                                  command,
                                  status,
                                  "compare",
                                  "Tell in what two experiments differ",
                                  Compare);
  AddId(*compare, "OTHER", "The number of the other one", command.other);
  AddPlotOptions(*compare, command.run);
  AddText(*AddAboutOne(app,
                       command,
                       status,
                       "export",
                       "Write the results of an experiment to a file",
                       Export),
          command,
          "FILE",
          "The file: .csv, .mat, .h5, or .html for a report");
  AddDelete(app, command, status);
  AddText(*AddAboutOne(app, command, status, "tag", "Give it a tag", Tag),
          command,
          "TAG",
          "A word");
  AddText(*AddAboutOne(app, command, status, "untag", "Take a tag away", Untag),
          command,
          "TAG",
          "A tag that it has");
  AddText(*AddAboutOne(app, command, status, "note", "Note something", Note),
          command,
          "TEXT",
          "In place of what was noted");
}

}  // namespace orrery::cli
