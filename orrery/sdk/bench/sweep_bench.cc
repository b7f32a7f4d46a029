// The cost of a run in a sweep: on one and two threads, into a store, and on
// one and two workers, compared with a loop that only integrates.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "orrery/base/bench/report.h"
#include "orrery/experiment/runs/program_subject.h"
#include "orrery/experiment/test/nats_server.h"
#include "orrery/sdk/bench/worker_process.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/orrery.h"
#include "orrery/sdk/steady_clock.h"
#include "orrery/sdk/thread_pool.h"

namespace {

using orrery::BenchReport;
using orrery::MedianSeconds;
using orrery::RunBatch;
using orrery::RunRange;
using orrery::RunSeries;
using orrery::RunTable;

constexpr int kRepeats = 3;

// A chaotic model; the other model does nothing, so that only the overhead is
// left.
constexpr const char* kLorenz = R"(
model Lorenz
  parameter Real r = 28;
  Real x(start = 1, fixed = true);
  Real y(start = 1, fixed = true);
  Real z(start = 1, fixed = true);
equation
  der(x) = 10*(y - x);
  der(y) = x*(r - z) - y;
  der(z) = x*y - 8/3*z;
end Lorenz;
)";

constexpr const char* kDecay = R"(
model Decay
  parameter Real r = 28;
  Real x(start = 1, fixed = true);
equation
  der(x) = -r*x;
end Decay;
)";

struct Sweep {
  std::shared_ptr<const orrery::ProgramSubject> subject;
  std::int64_t runs = 0;

  [[nodiscard]] double At(std::int64_t i) const {
    return 20 + 10 * static_cast<double>(i) / static_cast<double>(runs);
  }

  [[nodiscard]] RunSeries Series() const {
    const std::vector<std::string> kept = {"x"};
    return {subject,
            {.names = {"r"},
             .count = runs,
             .at =
                 [its = *this](std::int64_t i, std::span<double> values) {
                   values[0] = its.At(i);
                 }},
            kept};
  }
};

Sweep Make(const char* text, double step, std::int64_t runs) {
  const auto program = orrery::Compile(
      orrery::LoadText(std::make_shared<orrery::SourceFile>("model.mo", text)));
  orrery::SimulationOptions options;
  options.stop = 10;
  options.method = orrery::MethodFromName("rk4");
  options.step = step;
  return {std::make_shared<const orrery::ProgramSubject>(program, options),
          runs};
}

// The final values, by integrations only.
std::vector<double> Integrated(const Sweep& sweep) {
  orrery::SimulationOptions options = sweep.subject->options();
  options.settings = {{"r", 0}};
  options.record = {"x"};
  options.interval = 10;
  std::vector<double> finals;
  for (std::int64_t i = 0; i < sweep.runs; ++i) {
    options.settings[0].value = sweep.At(i);
    finals.push_back(orrery::Simulate(sweep.subject->program(), options)
                         .trajectory["x"]
                         .final());
  }
  return finals;
}

std::vector<double> Swept(const RunSeries& series,
                          std::size_t threads,
                          orrery::ExperimentStore* store) {
  RunTable table =
      orrery::MakeRunTable(series.columns(), series.points().count);
  orrery::ExperimentId id = 0;
  if (store != nullptr) {
    id = store->Begin({.type = "sweep",
                       .model = series.subject().name(),
                       .document = "{}",
                       .source_hash = {},
                       .runs_asked = series.points().count,
                       .columns = series.columns()});
  }
  const std::vector<RunRange> all = {
      {.first = 0, .count = series.points().count}};
  orrery::ThreadPool pool(threads);
  const orrery::SteadyClock clock;
  static_cast<void>(orrery::CarryOut(series,
                                     all,
                                     pool,
                                     &clock,
                                     {.take =
                                          [&](const RunBatch& batch) {
                                            orrery::AddTo(table, batch);
                                            if (store != nullptr) {
                                              store->AppendRuns(id, batch);
                                            }
                                          },
                                      .progress = {},
                                      .goes_on = {}}));
  if (store != nullptr) {
    store->Finish(id, {});
  }
  return orrery::ColumnOf(table, "x");
}

std::vector<double> SweptOn(const std::string& url, const RunSeries& series) {
  RunTable table =
      orrery::MakeRunTable(series.columns(), series.points().count);
  const std::vector<RunRange> all = {
      {.first = 0, .count = series.points().count}};
  const orrery::SteadyClock clock;
  orrery::CarryOutOnCluster({.version = orrery::kVersion,
                             .runs = series.points().count,
                             .columns = series.columns()},
                            all,
                            {.url = url},
                            clock,
                            {.take = [&](const RunBatch& batch) {
                              orrery::AddTo(table, batch);
                            }});
  return orrery::ColumnOf(table, "x");
}

// A server for a sweep, with two workers. It forks, and must therefore be made
// before any thread.
struct Cluster {
  explicit Cluster(const Sweep& sweep) {
    for (int i = 0; i < 2; ++i) {
      workers.emplace_back(server.url(), [&sweep](const orrery::ClusterJob&) {
        return sweep.Series();
      });
    }
  }

  orrery::NatsServer server;
  std::list<orrery::WorkerProcess> workers;
};

void MeasureWorkers(BenchReport& report,
                    const std::string& name,
                    const Sweep& sweep,
                    Cluster& cluster) {
  const RunSeries series = sweep.Series();
  const double scale = 1e6 / static_cast<double>(sweep.runs);
  std::vector<double> wanted;
  const double bare =
      scale * MedianSeconds([&] { wanted = Integrated(sweep); }, kRepeats);
  for (; !cluster.workers.empty(); cluster.workers.pop_back()) {
    const std::size_t count = cluster.workers.size();
    std::vector<double> finals;
    const double ours =
        scale *
        MedianSeconds([&] { finals = SweptOn(cluster.server.url(), series); },
                      kRepeats);
    report.Add(name + (count == 1 ? ", 1 worker" : ", 2 workers"),
               ours,
               bare / static_cast<double>(count),
               "us/run",
               finals == wanted);
  }
}

void Measure(BenchReport& report, const std::string& name, const Sweep& sweep) {
  const RunSeries series = sweep.Series();
  const double scale = 1e6 / static_cast<double>(sweep.runs);
  std::vector<double> wanted;
  const double bare =
      scale * MedianSeconds([&] { wanted = Integrated(sweep); }, kRepeats);
  for (const std::size_t threads : {std::size_t{1}, std::size_t{2}}) {
    std::vector<double> finals;
    const double ours =
        scale * MedianSeconds([&] { finals = Swept(series, threads, nullptr); },
                              kRepeats);
    report.Add(name + (threads == 1 ? ", 1 thread" : ", 2 threads"),
               ours,
               bare / static_cast<double>(threads),
               "us/run",
               finals == wanted);
  }
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / "orrery_sweep_bench.db";
  std::filesystem::remove(path);
  {
    orrery::ExperimentStore store(path.string());
    std::vector<double> finals;
    const double ours =
        scale *
        MedianSeconds([&] { finals = Swept(series, 1, &store); }, kRepeats);
    report.Add(name + ", stored", ours, bare, "us/run", finals == wanted);
  }
  std::filesystem::remove(path);
}

int Run(bool is_smoke) {
  BenchReport report("sweep");
  const Sweep lorenz = Make(kLorenz, 0.01, is_smoke ? 5 : 20'000);
  const Sweep decay = Make(kDecay, 10, is_smoke ? 50 : 200'000);
  Cluster of_lorenz(lorenz);
  Cluster of_decay(decay);
  MeasureWorkers(report, "Lorenz, 1000 steps", lorenz, of_lorenz);
  MeasureWorkers(report, "1 step", decay, of_decay);
  Measure(report, "Lorenz, 1000 steps", lorenz);
  Measure(report, "1 step", decay);
  return report.ExitCode();
}

}  // namespace

int main(int argc, char** argv) {
  return orrery::RunBench(argc, argv, Run);
}
