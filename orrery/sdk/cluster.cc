#include "orrery/sdk/cluster.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/sdk/version.h"

namespace orrery {
namespace {

constexpr const char* kSweep = "sweep";

}  // namespace

ClusterJob MakeJob(const SweepDocument& document, const RunSeries& series) {
  ClusterJob job{.version = std::string(Version()),
                 .type = kSweep,
                 .document = ToJson(document),
                 .files = {},
                 .runs = series.points().count,
                 .columns = series.columns()};
  std::vector<std::shared_ptr<const SourceFile>> files =
      document.run.files.all();
  if (IsPlugin(document.run.file)) {
    files.push_back(SourceFile::Read(document.run.file));
  }
  for (const auto& file : files) {
    job.files.push_back(
        {.name = file->name(), .bytes = std::string(file->text())});
  }
  return job;
}

RunSeries MakeSeries(const ClusterJob& job, PluginPolicy plugins) {
  if (job.type != kSweep) {
    throw Error(ErrorCode::kUnsupported,
                "cannot carry out a job of type '" + job.type +
                    "': this Orrery has sweeps only");
  }
  SweepDocument document = SweepDocumentFromJson(job.document);
  if (IsPlugin(document.run.file) && plugins == PluginPolicy::kRefuse) {
    throw Error(ErrorCode::kUnsupported,
                "cannot load " + document.run.file +
                    ": a plug-in is code, which this worker takes from nobody; "
                    "start it as orrery worker --plugins where all who can "
                    "submit are trusted");
  }
  document.run.files = FileSet(FileSet::Others::kNowhere);
  for (const JobFile& file : job.files) {
    document.run.files.Add(
        std::make_shared<const SourceFile>(file.name, file.bytes));
  }
  return MakeSeries(document);
}

}  // namespace orrery
