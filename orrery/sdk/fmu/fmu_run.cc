#include "orrery/sdk/fmu/fmu_run.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/fmi/stepping/scheduled_run.h"
#include "orrery/fmi/system/system_run.h"
#include "orrery/sdk/fmu/fmu_file.h"

namespace orrery {
namespace {

std::string CoSimulationBy(double step) {
  return "Co-Simulation by " + ShortestText(step) + " s";
}

SteppedRun MakeSystemRun(const RunDocument& document,
                         const WallClock* clock,
                         Diagnostics& findings) {
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
      std::move(system), StepOptionsOf(document, clock), findings);
  return {.model = run->name(),
          .kind = std::to_string(count) + (count == 1 ? " FMU" : " FMUs"),
          .way = CoSimulationBy(run->step()),
          .signals = run->signals(),
          .run = [run](const Observer& observer) { return run->Run(observer); },
          .statistics =
              [run] {
                return run->statistics();
              }};
}

SteppedRun MakeScheduledRun(const fmi::Fmu& fmu, const RunDocument& document) {
  if (document.communication) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run " + document.file +
                    " by Scheduled Execution with --communication: its clocks "
                    "tell when it computes; leave it out");
  }
  const auto run = std::make_shared<fmi::ScheduledRun>(
      fmu, StepOptionsOf(document, nullptr));
  return {.model = fmu.description->model_name,
          .kind = "FMU",
          .way = "Scheduled Execution",
          .signals = run->signals(),
          .run = [run](const Observer& observer) { return run->Run(observer); },
          .statistics = {}};
}

}  // namespace

SteppedRun MakeSteppedRun(const RunDocument& document,
                          const WallClock* clock,
                          Diagnostics& findings) {
  if (IsFmuSystem(document.file)) {
    return MakeSystemRun(document, clock, findings);
  }
  Diagnostics told;  // By `orrery check`.
  const fmi::Fmu fmu = LoadFmu(document.file, told, document.files);
  const bool is_scheduled =
      document.kind == "se" ||
      (document.kind.empty() && fmu.description->interfaces.size() == 1 &&
       fmu.description->Find(fmi::InterfaceKind::kScheduledExecution) !=
           nullptr);
  if (is_scheduled) {
    return MakeScheduledRun(fmu, document);
  }
  const auto run =
      std::make_shared<fmi::CoSimulation>(fmu, StepOptionsOf(document, clock));
  return {.model = run->fmu().description->model_name,
          .kind = "FMU",
          .way = CoSimulationBy(run->step()),
          .signals = run->signals(),
          .run = [run](const Observer& observer) { return run->Run(observer); },
          .statistics =
              [run] {
                return std::vector{run->statistics()};
              }};
}

}  // namespace orrery
