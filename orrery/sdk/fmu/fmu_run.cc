#include "orrery/sdk/fmu/fmu_run.h"

#include <string>

#include "orrery/base/error.h"
#include "orrery/sdk/fmu/fmu_file.h"

namespace orrery {
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
  return fmi::CoSimulation(fmu,
                           {.start = document.options.start,
                            .stop = document.options.stop,
                            .step = document.communication,
                            .tolerance = document.options.tolerance,
                            .settings = document.settings,
                            .inputs = InputsOf(document),
                            .record = document.options.record});
}

}  // namespace orrery
