#include "orrery/sdk/fmu/fmu_run.h"

#include <string>

#include "orrery/base/error.h"
#include "orrery/sdk/fmu/fmu_file.h"

namespace orrery {
namespace {

void CheckKind(const fmi::Fmu& fmu, const RunDocument& document) {
  if (!document.kind.empty() && document.kind != "cs" &&
      document.kind != "me") {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run " + document.file + " as '" + document.kind +
                    "': the kinds of use are cs (Co-Simulation) and me (Model "
                    "Exchange)");
  }
  const bool has_co_simulation =
      fmu.description->Find(fmi::InterfaceKind::kCoSimulation) != nullptr;
  const bool has_model_exchange =
      fmu.description->Find(fmi::InterfaceKind::kModelExchange) != nullptr;
  if (has_model_exchange && (document.kind == "me" || !has_co_simulation)) {
    throw Error(ErrorCode::kUnsupported,
                "cannot run " + document.file +
                    " by Model Exchange: FMUs are run by Co-Simulation only" +
                    (has_co_simulation ? ", which it has, too: take --as cs"
                                       : ", which it does not have"));
  }
  if (document.kind == "me") {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run " + document.file +
                    " by Model Exchange: it is for other uses, as 'orrery "
                    "check' tells");
  }
}

}  // namespace

fmi::CoSimulation MakeFmuRun(const RunDocument& document) {
  Diagnostics findings;
  const fmi::Fmu fmu = LoadFmu(document.file, findings, document.files);
  CheckKind(fmu, document);
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
