#include "orrery/sdk/fmu/fmu_run.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/fmi/system/system_run.h"
#include "orrery/sdk/fmu/fmu_file.h"

namespace orrery {
namespace {

fmi::CoSimulationOptions StepOptionsOf(const RunDocument& document) {
  return {.start = document.options.start,
          .stop = document.options.stop,
          .step = document.communication,
          .tolerance = document.options.tolerance,
          .settings = document.settings,
          .inputs = InputsOf(document),
          .record = document.options.record};
}

SteppedRun MakeSystemRun(const RunDocument& document, Diagnostics& findings) {
  if (!document.kind.empty() && document.kind != "cs") {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run " + document.file + " as '" + document.kind +
                    "': systems of FMUs are run by cs (Co-Simulation)");
  }
  const std::filesystem::path folder =
      std::filesystem::path(document.file).parent_path();
  const auto read = [&](const std::string& name) {
    return document.files.Read((folder / name).lexically_normal().string());
  };
  fmi::SystemDescription system = fmi::ReadSystemFile(
      document.files.Read(document.file), document.variant, read, findings);
  const std::size_t count = system.components.size();
  const auto run = std::make_shared<fmi::SystemRun>(
      std::move(system), StepOptionsOf(document), findings);
  return {.model = run->name(),
          .kind = std::to_string(count) + (count == 1 ? " FMU" : " FMUs"),
          .step = run->step(),
          .signals = run->signals(),
          .run = [run](const Observer& observer) {
            return run->Run(observer);
          }};
}

}  // namespace

bool RunsAsEquations(const RunDocument& document) {
  if (!document.kind.empty() && document.kind != "cs" &&
      document.kind != "me") {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run " + document.file + " as '" + document.kind +
                    "': the kinds of use are cs (Co-Simulation) and me (Model "
                    "Exchange)");
  }
  if (!document.kind.empty()) {
    return document.kind == "me";
  }
  if (document.communication) {
    return false;
  }
  Diagnostics findings;
  const fmi::Fmu fmu = LoadFmu(document.file, findings, document.files);
  return fmu.description->Find(fmi::InterfaceKind::kModelExchange) != nullptr;
}

fmi::CoSimulation MakeFmuRun(const RunDocument& document) {
  Diagnostics findings;
  const fmi::Fmu fmu = LoadFmu(document.file, findings, document.files);
  return fmi::CoSimulation(fmu, StepOptionsOf(document));
}

SteppedRun MakeSteppedRun(const RunDocument& document, Diagnostics& findings) {
  if (IsFmuSystem(document.file)) {
    return MakeSystemRun(document, findings);
  }
  const auto run = std::make_shared<fmi::CoSimulation>(MakeFmuRun(document));
  return {.model = run->fmu().description->model_name,
          .kind = "FMU",
          .step = run->step(),
          .signals = run->signals(),
          .run = [run](const Observer& observer) {
            return run->Run(observer);
          }};
}

}  // namespace orrery
