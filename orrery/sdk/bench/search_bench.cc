// The cost of an evaluation in a search for an optimum or for estimates,
// compared with a loop that only integrates at the same points, and its cost on
// a worker.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/bench/report.h"
#include "orrery/experiment/cluster/cluster_runs.h"
#include "orrery/experiment/runs/program_subject.h"
#include "orrery/experiment/test/nats_server.h"
#include "orrery/sdk/bench/worker_process.h"
#include "orrery/sdk/experiments.h"

namespace {

using orrery::BenchReport;
using orrery::MedianSeconds;
using orrery::ProgramSubject;
using orrery::Subject;

constexpr int kRepeats = 3;

constexpr const char* kSpring = R"(
model Spring
  parameter Real k = 4;
  parameter Real c = 0.3;
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -k*x - c*v;
end Spring;
)";

std::shared_ptr<const ProgramSubject> MakeSpring(double step) {
  const auto program = orrery::Compile(orrery::LoadText(
      std::make_shared<orrery::SourceFile>("spring.mo", kSpring)));
  orrery::SimulationOptions options;
  options.stop = 10;
  options.interval = 10;
  options.method = orrery::MethodFromName("rk4");
  options.step = step;
  return std::make_shared<const ProgramSubject>(program, options);
}

std::vector<orrery::Factor> Factors() {
  return orrery::ParseFactors(
      "--vary", std::vector<std::string>{"k=2[1,9]", "c=1[0.1,2]"});
}

// The final values of x, by integrations only.
std::vector<double> Integrated(const ProgramSubject& subject,
                               const std::vector<std::vector<double>>& points) {
  orrery::SimulationOptions options = subject.options();
  options.settings = {{"k", 0}, {"c", 0}};
  options.record = {"x"};
  std::vector<double> finals;
  for (const std::vector<double>& point : points) {
    options.settings[0].value = point[0];
    options.settings[1].value = point[1];
    finals.push_back(
        orrery::Simulate(subject.program(), options).trajectory["x"].final());
  }
  return finals;
}

// The points of a search for the least x, and the values of x there.
struct SearchHistory {
  std::vector<std::vector<double>> points;
  std::vector<double> finals;
};

SearchHistory Optimised(std::shared_ptr<const Subject> subject,
                        std::int64_t evaluations) {
  const orrery::MeasuredProblem problem(
      std::move(subject), {.factors = Factors(), .objective = "final(x)"});
  SearchHistory history;
  orrery::ThreadPool here(1);
  const orrery::OptimisationResult result = orrery::Optimise(
      problem,
      {.method = orrery::OptimisationMethod::kDirectL,
       .max_evaluations = evaluations},
      here,
      {.take = [&](const orrery::EvaluatedPoint& point, const auto&) {
        history.points.push_back(point.values);
        history.finals.push_back(point.evaluation.objective);
      }});
  ORRERY_CHECK(result.best.has_value());
  return history;
}

void MeasureOptimum(BenchReport& report,
                    const std::string& name,
                    const std::shared_ptr<const ProgramSubject>& subject,
                    const std::shared_ptr<const Subject>& elsewhere,
                    std::int64_t evaluations) {
  const SearchHistory here = Optimised(subject, evaluations);
  const double scale = 1e6 / static_cast<double>(here.points.size());
  std::vector<double> wanted;
  const double bare =
      scale * MedianSeconds([&] { wanted = Integrated(*subject, here.points); },
                            kRepeats);
  for (const auto& [where, runs_there] :
       {std::pair<std::string, std::shared_ptr<const Subject>>{", 1 thread",
                                                               subject},
        {", 1 worker", elsewhere}}) {
    SearchHistory history;
    const double ours = scale * MedianSeconds(
                                    [&, &its = runs_there] {
                                      history = Optimised(its, evaluations);
                                    },
                                    kRepeats);
    report.Add(
        name + where, ours, bare, "us/evaluation", history.finals == wanted);
  }
}

int Run(bool is_smoke) {
  BenchReport report("search");
  const auto long_runs = MakeSpring(0.001);
  const auto short_runs = MakeSpring(10);
  const orrery::NatsServer server;
  const orrery::WorkerProcess worker(
      server.url(), [&](const orrery::ClusterJob&) -> orrery::JobContent {
        return std::vector<std::shared_ptr<const Subject>>{long_runs,
                                                           short_runs};
      });
  orrery::SteadyClock clock;
  orrery::ClusterRuns cluster(
      {.version = orrery::kVersion}, {.url = server.url()}, clock);
  MeasureOptimum(report,
                 "10,000 steps",
                 long_runs,
                 cluster.Elsewhere(0, long_runs),
                 is_smoke ? 5 : 500);
  MeasureOptimum(report,
                 "1 step",
                 short_runs,
                 cluster.Elsewhere(1, short_runs),
                 is_smoke ? 5 : 1000);
  return report.ExitCode();
}

}  // namespace

int main(int argc, char** argv) {
  return orrery::RunBench(argc, argv, Run);
}
