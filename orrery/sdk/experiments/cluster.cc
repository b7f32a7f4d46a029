#include "orrery/sdk/experiments/cluster.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/sdk/classes/version.h"
#include "orrery/sdk/experiments/experiment_types.h"

namespace orrery {
namespace {

// A job for a document, with the files of its model.
ClusterJob JobOf(const char* type,
                 std::string document,
                 const RunDocument& run) {
  ClusterJob job{.version = std::string(Version()),
                 .type = type,
                 .document = std::move(document),
                 .files = {},
                 .columns = {}};
  std::vector<std::shared_ptr<const SourceFile>> files = run.files.all();
  if (IsPlugin(run.file)) {
    files.push_back(SourceFile::Read(run.file));
  }
  for (const auto& file : files) {
    job.files.push_back(
        {.name = file->name(), .bytes = std::string(file->text())});
  }
  return job;
}

// The document of a job, restricted to the files of the job.
template <typename Document>
Document WithFilesOf(const ClusterJob& job,
                     PluginPolicy plugins,
                     Document document) {
  RunDocument& run = document.run;
  if (IsPlugin(run.file) && plugins == PluginPolicy::kRefuse) {
    throw Error(ErrorCode::kUnsupported,
                "cannot load " + run.file +
                    ": a plug-in is code, which this worker takes from nobody; "
                    "start it as orrery worker --plugins where all who can "
                    "submit are trusted");
  }
  run.files = FileSet(FileSet::Others::kNowhere);
  for (const JobFile& file : job.files) {
    run.files.Add(std::make_shared<const SourceFile>(file.name, file.bytes));
  }
  return document;
}

}  // namespace

ClusterJob MakeJob(const SweepDocument& document, const RunSeries& series) {
  ClusterJob job = JobOf(kSweep, ToJson(document), document.run);
  job.runs = series.points().count;
  job.columns = series.columns();
  return job;
}

ClusterJob MakeJob(const OptimisationDocument& document) {
  return JobOf(kOptimization, ToJson(document), document.run);
}

ClusterJob MakeJob(const CalibrationDocument& document) {
  return JobOf(kCalibration, ToJson(document), document.run);
}

JobContent MakeContent(const ClusterJob& job,
                       PluginPolicy plugins,
                       const std::shared_ptr<Attendant>& attendant) {
  const auto prepared = [&](auto document) {
    document = WithFilesOf(job, plugins, std::move(document));
    document.run.options.attendant = attendant;
    return document;
  };
  if (job.type == kSweep) {
    return MakeSeries(prepared(SweepDocumentFromJson(job.document)));
  }
  std::vector<std::shared_ptr<const Subject>> subjects;
  if (job.type == kOptimization) {
    subjects.push_back(
        LoadSubject(prepared(OptimisationDocumentFromJson(job.document))));
  } else if (job.type == kCalibration) {
    const LoadedCalibration loaded =
        LoadCalibration(prepared(CalibrationDocumentFromJson(job.document)));
    for (const MeasuredRun& run : loaded.calibration.runs()) {
      subjects.push_back(run.subject);
    }
  } else {
    throw Error(ErrorCode::kUnsupported,
                "cannot carry out a job of type '" + job.type +
                    "': this Orrery knows none such");
  }
  return subjects;
}

}  // namespace orrery
