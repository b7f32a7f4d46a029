#include "orrery/cli/commands/fmu_commands.h"

#include <array>
#include <filesystem>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/commands/model_warnings.h"
#include "orrery/cli/run_reports/fmu_text.h"
#include "orrery/cli/terminal/others_output.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/sdk/fmu/fmu_export.h"
#include "orrery/sdk/fmu/fmu_file.h"
#include "orrery/sdk/fmu/fmu_report.h"
#include "orrery/sdk/fmu/fmu_run.h"
#include "orrery/sdk/fmu/fmu_wrap.h"

namespace orrery::cli {

namespace {

void RefuseOptionsOfModels(const CheckCommand& asked,
                           const char* why,
                           bool has_json) {
  const std::array<std::pair<bool, const char*>, 7> not_of_fmus = {{
      {asked.json && !has_json, "--json"},
      {!asked.plan.empty(), "--plan"},
      {!asked.settings.empty(), "--set"},
      {!asked.model.class_name.empty(), "CLASS"},
      {asked.dependencies, "--dependencies"},
      {asked.timings, "--timings"},
      {!asked.dump_after.empty(), "--dump-after"},
  }};
  for (const auto& [is_given, option] : not_of_fmus) {
    if (is_given) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot check {} with {}: it is {}; leave it out",
                              asked.model.file,
                              option,
                              why));
    }
  }
}

const char* Verdict(const Diagnostics& diagnostics) {
  return diagnostics.list().empty() ? "correct" : "usable, with warnings";
}

}  // namespace

int CheckFmu(const CheckCommand& asked) {
  RefuseOptionsOfModels(asked,
                        "an FMU, whose description alone is read",
                        /*has_json=*/true);
  const std::string& file = asked.model.file;
  Diagnostics diagnostics;
  const fmi::Fmu fmu = LoadFmu(file, diagnostics);
  PrintDiagnostics(diagnostics.list());
  if (asked.json) {
    fmt::print("{}", FmuReport(fmu, diagnostics.list()));
    return kSuccess;
  }
  fmt::print("{}: {}\n{}",
             fmu.description->model_name,
             Verdict(diagnostics),
             FmuText(fmu));
  return kSuccess;
}

int CheckFmuSystem(const CheckCommand& asked) {
  RefuseOptionsOfModels(
      asked,
      "a system of FMUs, whose parts and connections are checked",
      /*has_json=*/false);
  Diagnostics findings;
  RunDocument document;
  document.file = asked.model.file;
  const SteppedRun run = [&] {
    const OthersOutput output;
    return MakeSteppedRun(document, nullptr, findings);
  }();
  PrintDiagnostics(findings.list());
  fmt::print("{}: {}\n  {}, {}\n  {} signals\n",
             run.model,
             Verdict(findings),
             run.kind,
             run.way,
             run.signals->signals().size());
  return kSuccess;
}

int WriteFmu(const FmuExportCommand& command) {
  RunDocument document = command.document;
  document.settings = ParameterTexts(command.settings);
  PrintModelWarnings(ExportFmu(document,
                               {.version = FmiVersionOf(command.version),
                                .elementary = ElementaryOf(command.elementary)},
                               command.output));
  Diagnostics findings;
  PrintError("wrote {}: {}\n",
             command.output,
             FmuLine(LoadFmu(command.output, findings),
                     std::filesystem::file_size(command.output)));
  return kSuccess;
}

int WriteWrapped(const FmuWrapCommand& command) {
  Diagnostics findings;
  const std::string written =
      WrapFmu(command.file, command.output, command.kind, findings);
  PrintDiagnostics(findings.list());
  fmt::print("{}\n", written);
  return kSuccess;
}

}  // namespace orrery::cli
