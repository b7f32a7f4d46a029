#include "orrery/python/bindings/experiments/many_runs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "orrery/python/bindings/arrays.h"
#include "orrery/python/bindings/beside.h"
#include "orrery/python/bindings/documents.h"
#include "orrery/python/bindings/errors.h"
#include "orrery/python/bindings/model.h"
#include "orrery/python/bindings/watch.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/reports/many_runs_report.h"
#include "orrery/sdk/steady_clock.h"
#include "orrery/sdk/thread_pool.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

// The runs of a sweep, carried out by threads of this process.
class Sweep {
 public:
  Sweep(SweepDocument document, std::size_t jobs)
      : document_(std::move(document)),
        series_(MakeSeries(document_)),
        threads_(jobs) {
    if (!document_.until_known.empty()) {
      known_ = KnownMeanOf(document_, series_.columns());
    }
    report_ = {.model = series_.subject().name(),
               .table = MakeRunTable(series_.columns(),
                                     known_ ? 0 : series_.points().count),
               .failures = {},
               .warnings = {},
               .sensitivities = {},
               .replications = series_.points().replications,
               .is_drawn = IsDrawn(document_),
               .are_independent = AreIndependent(document_)};
  }

  [[nodiscard]] double runs() const {
    return static_cast<double>(known_ ? known_->rule.most_runs
                                      : series_.points().count);
  }

  ManyRunsReport CarryOut(Watch& watch) {
    const Duration begin = clock_.now();
    DoBeside(watch, [this](WorkState& state) {
      if (known_) {
        CarryOutUntilKnown(state);
      } else {
        CarryOut({.first = 0, .count = series_.points().count}, state);
      }
    });
    report_.run_ms = MillisecondsSince(begin);
    report_.num_carried_out = ended_;
    report_.is_interrupted = ended_ < asked_;
    report_.warnings = Told(warnings_, ended_);
    report_.sensitivities = SensitivitiesOf(document_, report_.table);
    std::ranges::sort(report_.failures, {}, &RunFailure::run);
    return std::move(report_);
  }

 private:
  void CarryOut(RunRange runs, WorkState& state) {
    const std::int64_t before = ended_;
    const SeriesProgress all = orrery::CarryOut(
        series_,
        std::span(&runs, 1),
        threads_,
        &clock_,
        {.take = [this](const RunBatch& batch) { Take(batch); },
         .progress =
             [&](const SeriesProgress& progress) {
               state.done = static_cast<double>(before + progress.ended);
             },
         .goes_on =
             [&] {
               return state.goes_on.load();
             }});
    asked_ += all.asked;
    ended_ += all.ended;
  }

  void CarryOutUntilKnown(WorkState& state) {
    RunTable& table = report_.table;
    const std::vector<double>& outcomes = ColumnOf(table, known_->column);
    SequentialMean mean(known_->rule);
    while (!mean.has_ended() && ended_ == asked_) {
      const std::int64_t first = mean.runs();
      const std::int64_t end =
          std::min(first + known_->rule.batch, known_->rule.most_runs);
      Resize(table, end);
      CarryOut({.first = first, .count = end - first}, state);
      for (std::int64_t run = first; run < end; ++run) {
        mean.Add(outcomes[static_cast<std::size_t>(run)]);
      }
    }
  }

  void Take(const RunBatch& batch) {
    AddTo(report_.table, batch);
    std::ranges::copy(batch.failures, std::back_inserter(report_.failures));
    warnings_.Add(batch.warnings);
  }

  SweepDocument document_;
  RunSeries series_;
  std::optional<KnownMean> known_;
  ThreadPool threads_;
  SteadyClock clock_;
  WarningTally warnings_;
  ManyRunsReport report_;
  std::int64_t asked_ = 0;
  std::int64_t ended_ = 0;
};

// (report, exception): the runs that were carried out, and what stopped them.
py::tuple RunSweep(const std::string& json,
                   const Sources& sources,
                   const std::shared_ptr<EquationModel>& made,
                   std::size_t jobs,
                   const py::object& make_progress) {
  Watch watch{py::none()};
  std::optional<Sweep> sweep;
  DoWatched(watch, [&] {
    SweepDocument document = SweepDocumentFromJson(json);
    Complete(sources, made, watch, document.run);
    sweep.emplace(std::move(document), jobs);
  });
  if (!make_progress.is_none()) {
    watch.set_progress(make_progress(sweep->runs()));
  }
  std::optional<ManyRunsReport> report;
  DoWatched(watch, [&] { report = sweep->CarryOut(watch); });
  return py::make_tuple(std::make_unique<ManyRunsReport>(std::move(*report)),
                        watch.exception());
}

py::list ColumnsOf(const RunTable& table) {
  py::list columns;
  for (const RunColumn& column : table.columns) {
    py::dict its;
    its["name"] = column.name;
    its["unit"] = column.unit;
    its["varied"] = column.role == RunColumn::Role::kVaried;
    its["texts"] = HoldsTexts(column);
    its["value_names"] = *column.value_names;
    columns.append(its);
  }
  return columns;
}

// The reverse of ColumnsOf and of the columns' numbers, for pickles.
RunTable RestoredTable(const py::list& columns,
                       const std::vector<Numbers>& values,
                       const std::vector<std::uint8_t>& status) {
  RunTable table;
  for (const py::handle& column : columns) {
    RunColumn& its = table.columns.emplace_back();
    its.name = column["name"].cast<std::string>();
    its.unit = column["unit"].cast<std::string>();
    its.role = column["varied"].cast<bool>() ? RunColumn::Role::kVaried
                                             : RunColumn::Role::kKept;
    its.value_names.Edit() =
        column["value_names"].cast<std::vector<std::string>>();
  }
  for (const std::uint8_t its : status) {
    Require(its <= static_cast<std::uint8_t>(RunStatus::kFailed),
            "the status of a run");
    table.status.push_back(static_cast<RunStatus>(its));
  }
  Require(values.size() == table.columns.size(), "the number of columns");
  for (const Numbers& column : values) {
    const std::span<const double> numbers = SpanOf(column);
    Require(numbers.size() == status.size(), "the length of a column");
    table.values.emplace_back(numbers.begin(), numbers.end());
  }
  return table;
}

}  // namespace

std::vector<std::pair<std::int64_t, std::string>> PairsOf(
    const std::vector<RunFailure>& failures) {
  std::vector<std::pair<std::int64_t, std::string>> pairs;
  pairs.reserve(failures.size());
  for (const RunFailure& its : failures) {
    pairs.emplace_back(its.run, its.message);
  }
  return pairs;
}

void BindRunTable(py::module_& m) {
  py::class_<RunTable>(m, "RunTable")
      .def("columns", &ColumnsOf)
      .def("column",
           [](const py::object& self, std::size_t index) {
             return ViewOf(self.cast<const RunTable&>().values.at(index), self);
           })
      .def_property_readonly(
          "status",
          [](const py::object& self) {
            static_assert(sizeof(RunStatus) == 1);
            const auto& status = self.cast<const RunTable&>().status;
            // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
            return ViewOf(reinterpret_cast<const std::uint8_t*>(status.data()),
                          status.size(),
                          1,
                          self);
          })
      .def("means", &MeansOf)
      .def_static("restored", &RestoredTable)
      .def("save", [](const RunTable& table, const std::string& path) {
        WriteRuns(path, table);
      });
  py::class_<ManyRunsReport>(m, "ManyRuns")
      .def_readonly("model", &ManyRunsReport::model)
      .def_readonly("table", &ManyRunsReport::table)
      .def_readonly("replications", &ManyRunsReport::replications)
      .def_readonly("is_interrupted", &ManyRunsReport::is_interrupted)
      .def_readonly("are_independent", &ManyRunsReport::are_independent)
      .def(
          "failures",
          [](const ManyRunsReport& report) { return PairsOf(report.failures); })
      .def("warnings",
           [](const ManyRunsReport& report) {
             return ToPython(report.warnings);
           })
      .def("json",
           [](const ManyRunsReport& report) { return JsonReport(report); });
  m.def("sweep", &RunSweep);
}

}  // namespace orrery::python
