#include "orrery/cli/options/fmu_options.h"

#include <string>

#include "orrery/cli/request/option_values.h"
#include "orrery/sdk/simulate.h"

namespace orrery::cli {
namespace {

void AddExport(CLI::App& fmu, FmuExportCommand& command, int& status) {
  CLI::App* app =
      fmu.add_subcommand("export", "Write a model as an FMU, for other tools");
  RunDocument& document = command.document;
  AddModel(*app, document.file, document.class_name);
  AddSettingTexts(
      *app, command.settings, "a parameter, a start value or an input");
  app->add_option("--output", command.output, "The FMU to write: .fmu")
      ->required()
      ->type_name("FILE");
  app->add_option("--fmi", command.version, "Version of FMI: 2 or 3 (default)")
      ->type_name("VERSION");
  app->add_option(
         "--as",
         document.kind,
         "Its use: cs (Co-Simulation) or me (Model Exchange); default: "
         "both, as far as the model allows it")
      ->type_name("KIND");
  app->add_option_function<std::string>(
         "--solver",
         [&document](const std::string& name) {
           document.options.method = MethodFromName(name);
         },
         "Method of integration in the FMU, as of orrery run")
      ->type_name("NAME");
  AddOption(*app,
            "--step",
            "Step of the fixed-step solvers",
            TimeOf,
            [&document](double value) { document.options.step = value; })
      ->type_name("TIME");
  AddOption(*app,
            "--tolerance",
            "Relative tolerance, unless the importer gives one",
            NumberOf,
            [&document](double value) { document.options.tolerance = value; })
      ->type_name("NUMBER");
  app->add_option("--elementary",
                  command.elementary,
                  "Its elementary functions: same (default; the bits of orrery "
                  "run) or libm (of the C library; half as large)")
      ->type_name("NAME");
  app->callback([&] { status = WriteFmu(command); });
}

void AddWrap(CLI::App& fmu, FmuWrapCommand& command, int& status) {
  CLI::App* app = fmu.add_subcommand(
      "wrap", "Write a block in Modelica whose equations are those of an FMU");
  app->add_option("FMU", command.file, "An FMU")->required()->type_name("");
  app->add_option("--output",
                  command.output,
                  "The text to write: .mo (default: beside the FMU)")
      ->type_name("FILE");
  app->add_option(
         "--as",
         command.kind,
         "Its use: me (Model Exchange; default, if the FMU is made for "
         "it) or cs (Co-Simulation)")
      ->type_name("KIND");
  app->callback([&] { status = WriteWrapped(command); });
}

}  // namespace

void AddFmu(CLI::App& app, FmuCommands& commands, int& status) {
  CLI::App* fmu = app.add_subcommand(
      "fmu", "Write models as FMUs, or blocks in Modelica that use FMUs");
  fmu->require_subcommand(1);
  AddExport(*fmu, commands.exported, status);
  AddWrap(*fmu, commands.wrapped, status);
}

}  // namespace orrery::cli
