// FMUs in and out: how long it takes to read, run and write them, and how large
// they are. The limits are what a user does not notice beside the run itself.

#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "orrery/base/bench/report.h"
#include "orrery/base/diagnostic.h"
#include "orrery/compile/compile.h"
#include "orrery/fmi/archive.h"
#include "orrery/fmi/continuous_calls.h"
#include "orrery/fmi/exchange/exchange_equations.h"
#include "orrery/fmi/exchange/exchange_instance.h"
#include "orrery/fmi/fmu.h"
#include "orrery/fmi/system/system_run.h"
#include "orrery/fmi/test/own_fmus.h"
#include "orrery/fmi/writing/exported_fmu.h"
#include "orrery/modelica/load.h"
#include "orrery/sim/simulation.h"

namespace orrery {
namespace {

constexpr double kMegabyte = 1e6;

// The memory of this process, in bytes.
double Memory() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  double resident = 0;
  file >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::size_t NumFiles() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

std::shared_ptr<const Program> Compiled(const FlatModel& flat) {
  Diagnostics diagnostics;
  auto program = Compile(flat, diagnostics);
  diagnostics.ThrowIfErrors();
  return program;
}

void MeasureReading(BenchReport& report, bool is_smoke) {
  const std::size_t count = is_smoke ? 100 : 100'000;
  std::string text = R"(<fmiModelDescription fmiVersion="3.0" modelName="M"
instantiationToken="t"><CoSimulation modelIdentifier="m"/><ModelVariables>)";
  for (std::size_t i = 1; i <= count; ++i) {
    text += "<Float64 name=\"part[" + std::to_string(i) +
            "].x\" valueReference=\"" + std::to_string(i) +
            "\" causality=\"parameter\" variability=\"tunable\" start=\"1.5\" "
            "description=\"A position\"/>\n";
  }
  text += "</ModelVariables><ModelStructure/></fmiModelDescription>";
  const double before = Memory();
  std::unique_ptr<fmi::Description> description;
  const double seconds = SecondsOf([&] {
    Diagnostics diagnostics;
    description = fmi::ReadDescription(
        std::make_shared<const SourceFile>("modelDescription.xml", text),
        diagnostics);
  });
  const bool is_right =
      description != nullptr && description->variables.size() == count;
  report.Add("100,000 variables: read", seconds, 1, "s", is_right);
  report.Add("100,000 variables: memory",
             (Memory() - before) / kMegabyte,
             300,
             "MB",
             is_right);
}

// x' = u - x with u = 1, from x = 0.
void MeasureRuns(BenchReport& report, bool is_smoke) {
  const auto program =
      Compiled(fmi::EquationsOf(fmi::FmuOf(fmi::SwitchEntries())));
  const auto run = [&](double stop) {
    const RunResult result = Simulate(program, {.stop = stop});
    return std::abs(result.trajectory["x"].final() - 1 + std::exp(-stop)) <
           1e-4;
  };
  bool is_right = true;
  const double ten =
      MedianSeconds([&] { is_right = run(10) && is_right; }, is_smoke ? 1 : 51);
  report.Add("Model Exchange: 10 s of a lag", ten * 1e3, 3, "ms", is_right);
  const int count = is_smoke ? 2 : 2000;
  const double many = SecondsOf([&] {
    for (int i = 0; i < count; ++i) {
      is_right = run(1) && is_right;
    }
  });
  report.Add("Model Exchange: a run of 1 s of a lag",
             many / count * 1e6,
             200,
             "us",
             is_right);
}

// A call for derivatives by all layers, and by the function in C.
void MeasureCalls(BenchReport& report, bool is_smoke) {
  const fmi::Fmu fmu = fmi::FmuOf(fmi::SwitchEntries());
  const auto library = std::make_shared<const fmi::Library>(
      fmu, fmi::InterfaceKind::kModelExchange);
  const fmi::ExchangeModel model(fmu, {}, {});
  const auto made = model.MakeInstance();
  auto& instance = static_cast<fmi::ExchangeInstance&>(*made);
  const std::vector<double> parameters =
      model.layout().parameters.Starts(model.description());
  const std::vector<double> gear = {1};
  double x = 0;
  const double u = 1;
  const auto point = [&](double t) {
    return fmi::ExchangeInstance::Point{.t = t, .x = {&x, 1}, .u = {&u, 1}};
  };
  instance.Start({.t = 0,
                  .parameters = parameters,
                  .x = {&x, 1},
                  .discrete_inputs = gear});
  static_cast<void>(instance.UpdateDiscreteStates(
      point(0),
      {.discrete = gear, .tick_counts = {}, .parameters = parameters}));
  const int count = is_smoke ? 100 : 2'000'000;
  double rate = 0;
  const double ours = SecondsOf([&] {
    for (int i = 1; i <= count; ++i) {
      x = 1e-9 * i;
      instance.Compute({.kind = fmi::Computed::Kind::kDerivatives},
                       point(1e-9 * i),
                       instance.epoch(),
                       {&rate, 1});
    }
  });
  const bool is_right = std::abs(rate - (1 - x)) < 1e-12;

  const auto bare = fmi::MakeInstance(library, "bare");
  fmi::ContinuousCalls& calls = *bare->continuous();
  bare->EnterInitialization({.start = 0, .stop = 1, .tolerance = {}});
  bare->ExitInitialization();
  static_cast<void>(calls.UpdateDiscreteStates());
  calls.EnterContinuousTime();
  const double direct = SecondsOf([&] {
    for (int i = 1; i <= count; ++i) {
      x = 1e-9 * i;
      calls.SetTime(1e-9 * i);
      calls.SetStates({&x, 1});
      calls.GetDerivatives({&rate, 1});
    }
  });
  report.Add("a call over the functions in C",
             (ours - direct) / count * 1e9,
             60,
             "ns",
             is_right);
}

void MeasureInstances(BenchReport& report, bool is_smoke) {
  const fmi::ExchangeModel model(fmi::FmuOf(fmi::BallEntries()), {}, {});
  const auto make = [&](int count) {
    for (int i = 0; i < count; ++i) {
      static_cast<void>(model.MakeInstance());
    }
  };
  make(100);
  const double before = Memory();
  const std::size_t files = NumFiles();
  make(is_smoke ? 100 : 100'000);
  const double growth = (Memory() - before) / kMegabyte;
  report.Add("100,000 instances: memory left",
             growth,
             1,
             "MB",
             NumFiles() == files && growth < 1);
}

std::shared_ptr<const Program> CompiledText(const std::string& text,
                                            const std::string& name) {
  Diagnostics diagnostics;
  const auto flat =
      modelica::Flatten(std::make_shared<const SourceFile>(name + ".mo", text),
                        name,
                        diagnostics);
  diagnostics.ThrowIfErrors();
  return Compiled(*flat);
}

void MeasureWriting(BenchReport& report, bool is_smoke) {
  const auto program = CompiledText(R"(model Lorenz
  parameter Real s = 10, r = 28, b = 8/3;
  output Real x(start = 1, fixed = true), y(start = 1, fixed = true),
              z(start = 1, fixed = true);
equation
  der(x) = s*(y - x);
  der(y) = x*(r - z) - y;
  der(z) = x*y - b*z;
end Lorenz;
)",
                                    "Lorenz");
  std::string bytes;
  const double seconds = MedianSeconds(
      [&] { bytes = fmi::ExportFmu(program, {}); }, is_smoke ? 1 : 5);
  const bool is_right = bytes.starts_with("PK");
  report.Add("Lorenz written", seconds, 0.5, "s", is_right);
  const auto add_size = [&](const char* name, const std::string& its) {
    report.Add(name,
               static_cast<double>(its.size()) / kMegabyte,
               1.2,
               "MB",
               its.starts_with("PK"));
  };
  add_size("Lorenz as an FMU", bytes);
  add_size("Lorenz as an FMU, by the C library",
           fmi::ExportFmu(program, {.elementary = fmi::Elementary::kLibm}));
  const fmi::Archive archive(
      std::make_shared<const SourceFile>("lorenz.fmu", bytes));
  const fmi::Archive::Entry* const code = archive.Find(
      "binaries/" + fmi::PlatformHere(fmi::FmiVersion::k3) + "/Lorenz.so");
  report.Add("Lorenz: its code, unpacked",
             code == nullptr
                 ? 0
                 : static_cast<double>(archive.Read(*code).size()) / kMegabyte,
             2.6,
             "MB",
             code != nullptr);
}

// A chain of masses with springs between them, compiled and written.
void MeasureMasses(BenchReport& report, bool is_smoke) {
  const std::string count = is_smoke ? "10" : "1000";
  std::string bytes;
  const double seconds = SecondsOf([&] {
    bytes = fmi::ExportFmu(
        CompiledText("model Masses\n  parameter Integer n = " + count + R"(;
  Real x[n](start = {sin(i) for i in 1:n}, each fixed = true);
  Real v[n](each start = 0, each fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = v[i];
    der(v[i]) = (if i > 1 then x[i - 1] - x[i] else -x[i])
              + (if i < n then x[i + 1] - x[i] else -x[i]);
  end for;
end Masses;
)",
                     "Masses"),
        {});
  });
  report.Add("1,000 masses written", seconds, 5, "s", bytes.starts_with("PK"));
}

// Two lags, one after the other: 100,000 communication steps of each.
void MeasureSystem(BenchReport& report, bool is_smoke) {
  const std::string lag =
      " source=\"lag.fmu\" type=\"application/x-fmu-sharedlibrary\"/>";
  const auto text = std::make_shared<const SourceFile>(
      "two.ssd",
      "<SystemStructureDescription version=\"1.0\"><System name=\"Two\">"
      "<Elements><Component name=\"a\"" +
          lag + "<Component name=\"b\"" + lag +
          "</Elements><Connections><Connection startElement=\"a\" "
          "startConnector=\"x\" endElement=\"b\" endConnector=\"u\"/>"
          "</Connections></System></SystemStructureDescription>");
  Diagnostics diagnostics;
  fmi::SystemRun run(fmi::ReadSystem(
                         text,
                         [](const std::string& name) {
                           return std::make_shared<const SourceFile>(
                               name, fmi::MakeZip(fmi::LagEntries()));
                         },
                         diagnostics),
                     {.stop = Seconds(is_smoke ? 1 : 100),
                      .step = Seconds(0.001),
                      .settings = {{"a.u", "1"}}},
                     diagnostics);
  bool is_right = false;
  const double seconds = SecondsOf([&] {
    const RunResult result = run.Run();
    is_right = result.summary.completed() && result["b.x"].final() > 0;
  });
  report.Add(
      "two FMUs: 100,000 communication steps", seconds, 1, "s", is_right);
}

int Run(bool is_smoke) {
  BenchReport report("fmi");
  MeasureReading(report, is_smoke);
  MeasureRuns(report, is_smoke);
  MeasureCalls(report, is_smoke);
  MeasureInstances(report, is_smoke);
  MeasureWriting(report, is_smoke);
  MeasureMasses(report, is_smoke);
  MeasureSystem(report, is_smoke);
  return report.ExitCode();
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  return orrery::RunBench(argc, argv, orrery::Run);
}
