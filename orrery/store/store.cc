#include "orrery/store/store.h"

#include <algorithm>

#include "orrery/base/error.h"
#include "orrery/store/attachments.h"
#include "orrery/store/catalogue.h"
#include "orrery/store/internal/database.h"
#include "orrery/store/internal/store_file.h"
#include "orrery/store/recorded_runs.h"
#include "orrery/store/recorded_signals.h"
#include "orrery/store/run_experiment.h"
#include "orrery/store/run_table.h"

namespace orrery {

namespace internal = store::internal;

using internal::Statement;
using internal::Transaction;

class ExperimentStore::Impl final : public internal::StoreFile {
 public:
  using StoreFile::StoreFile;
};

ExperimentStore::ExperimentStore(const std::string& path,
                                 const StoreOptions& options)
    : impl_(std::make_unique<Impl>(path, options)) {}

ExperimentStore::~ExperimentStore() = default;

const std::string& ExperimentStore::path() const noexcept {
  return impl_->database->path();
}

bool ExperimentStore::IsStillThere() const {
  return impl_->database->IsStillThere();
}

void ExperimentStore::InOneTransaction(const std::function<void()>& writes) {
  Transaction transaction(*impl_->database, Transaction::Kind::kWrite);
  writes();
  transaction.Commit();
}

// Running an experiment.

ExperimentId ExperimentStore::Begin(const NewExperiment& experiment) {
  return internal::BeginExperiment(*impl_, experiment);
}

void ExperimentStore::Resume(ExperimentId id) {
  internal::ResumeExperiment(*impl_, id);
}

void ExperimentStore::Finish(ExperimentId id, const ExperimentEnd& end) {
  internal::FinishExperiment(*impl_, id, end);
}

void ExperimentStore::SetRunsAsked(ExperimentId id, std::int64_t runs) {
  internal::SetRunsAsked(*impl_, id, runs);
}

void ExperimentStore::SetDocument(ExperimentId id, std::string_view document) {
  internal::SetDocument(*impl_, id, document);
}

void ExperimentStore::AppendLog(ExperimentId id, std::string_view text) {
  internal::AppendLog(*impl_, id, text);
}

void ExperimentStore::AppendRuns(ExperimentId id, const RunBatch& batch) {
  internal::AppendRuns(*impl_, id, batch);
}

void ExperimentStore::SaveTrajectory(ExperimentId id,
                                     std::int64_t run,
                                     const Trajectory& trajectory) {
  internal::SaveTrajectory(*impl_, id, run, trajectory);
}

void ExperimentStore::AppendTrajectory(ExperimentId id,
                                       std::int64_t run,
                                       const Trajectory& part) {
  internal::AppendTrajectory(*impl_, id, run, part);
}

void ExperimentStore::DropTrajectory(ExperimentId id, std::int64_t run) {
  internal::DropTrajectory(*impl_, id, run);
}

void ExperimentStore::SaveEvents(ExperimentId id,
                                 std::int64_t run,
                                 const EventLog& events) {
  internal::SaveEvents(*impl_, id, run, events);
}

void ExperimentStore::AppendEvents(ExperimentId id,
                                   std::int64_t run,
                                   const EventLog& events) {
  internal::AppendEvents(*impl_, id, run, events);
}

// Reading.

std::vector<ExperimentInfo> ExperimentStore::List(
    const ExperimentFilter& filter) {
  return internal::ListExperiments(*impl_, filter);
}

ExperimentRecord ExperimentStore::Read(ExperimentId id) {
  return internal::ReadRecord(*impl_, id);
}

RunTable ExperimentStore::ReadRuns(ExperimentId id) {
  return internal::ReadRuns(*impl_, id);
}

RunTable ExperimentStore::ReadRunsIn(ExperimentId id, const RunRange& runs) {
  return internal::ReadRunsIn(*impl_, id, runs);
}

std::vector<RunRange> ExperimentStore::UnfinishedRuns(ExperimentId id) {
  return internal::FindUnfinishedRuns(*impl_, id);
}

std::vector<RunFailure> ExperimentStore::ReadFailures(ExperimentId id,
                                                      std::size_t limit) {
  return internal::ReadFailures(*impl_, id, limit);
}

Trajectory ExperimentStore::ReadTrajectory(ExperimentId id, std::int64_t run) {
  return internal::ReadTrajectory(*impl_, id, run);
}

StoredSignals ExperimentStore::ReadSignals(ExperimentId id, std::int64_t run) {
  return internal::ReadSignals(*impl_, id, run);
}

std::int64_t ExperimentStore::CountRows(ExperimentId id, std::int64_t run) {
  return internal::CountRows(*impl_, id, run);
}

Trajectory ExperimentStore::ReadTrajectory(ExperimentId id,
                                           std::int64_t run,
                                           std::span<const std::string> names) {
  return internal::ReadTrajectory(*impl_, id, run, names);
}

EventLog ExperimentStore::ReadEvents(ExperimentId id, std::int64_t run) {
  return internal::ReadEvents(*impl_, id, run);
}

std::string ExperimentStore::ReadAttachment(ExperimentId id,
                                            std::string_view name) {
  return internal::ReadAttachment(*impl_, id, name);
}

std::string ExperimentStore::ReadAttachment(ExperimentId id,
                                            std::string_view name,
                                            const ByteRange& range) {
  return internal::ReadAttachment(*impl_, id, name, range);
}

// Managing experiments.

void ExperimentStore::Attach(ExperimentId id,
                             const std::string& name,
                             const std::string& media_type,
                             std::string_view bytes) {
  internal::StoreAttachment(*impl_, id, name, media_type, bytes);
}

void ExperimentStore::AppendAttachment(ExperimentId id,
                                       const std::string& name,
                                       const std::string& media_type,
                                       std::string_view bytes) {
  internal::AppendAttachment(*impl_, id, name, media_type, bytes);
}

void ExperimentStore::Tag(ExperimentId id, const std::string& tag) {
  internal::AddTag(*impl_, id, tag);
}

void ExperimentStore::Untag(ExperimentId id, const std::string& tag) {
  internal::RemoveTag(*impl_, id, tag);
}

void ExperimentStore::SetNotes(ExperimentId id, const std::string& notes) {
  internal::SetNotes(*impl_, id, notes);
}

void ExperimentStore::Delete(ExperimentId id) {
  Delete({&id, 1});
}

void ExperimentStore::Delete(std::span<const ExperimentId> ids) {
  internal::DeleteExperiments(*impl_, ids);
}

std::vector<std::string> ExperimentStore::FindDamage() {
  std::vector<std::string> damage;
  const auto try_to = [&](const auto& read) {
    try {
      read();
    } catch (const Error& error) {
      if (std::ranges::find(damage, error.what()) == damage.end()) {
        damage.emplace_back(error.what());
      }
    }
  };
  try_to([&] {
    Statement check = impl_->database->Use("PRAGMA integrity_check(20)");
    while (check.Step()) {
      if (const std::string text = check.Text(0); text != "ok") {
        damage.push_back(text);
      }
    }
  });
  std::vector<ExperimentInfo> experiments;
  try_to([&] { experiments = List(); });
  for (const ExperimentInfo& experiment : experiments) {
    const ExperimentId id = experiment.id;
    try_to([&] { static_cast<void>(ReadRuns(id)); });
    ExperimentRecord record;
    try_to([&] { record = Read(id); });
    for (const std::int64_t run : record.trajectories) {
      try_to([&] { static_cast<void>(ReadTrajectory(id, run)); });
    }
    for (const std::int64_t run : record.event_logs) {
      try_to([&] { static_cast<void>(ReadEvents(id, run)); });
    }
    for (const AttachmentInfo& attachment : record.attachments) {
      try_to([&] { static_cast<void>(ReadAttachment(id, attachment.name)); });
    }
  }
  return damage;
}

}  // namespace orrery
