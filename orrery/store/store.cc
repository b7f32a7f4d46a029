#include "orrery/store/store.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/store/internal/schema.h"
#include "orrery/store/internal/store_impl.h"

namespace orrery {

namespace internal = store::internal;

namespace {

using internal::Statement;
using internal::Transaction;

// Resolves links: another path to the same file must find the same locks.
std::string RealPath(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path real =
      std::filesystem::weakly_canonical(path, failed);
  return failed ? path : std::filesystem::absolute(real).string();
}

}  // namespace

namespace store::internal {

std::string ListOf(std::span<const std::int64_t> numbers) {
  constexpr std::size_t kMaxListed = 8;
  std::string list;
  for (const std::int64_t number :
       numbers.first(std::min(numbers.size(), kMaxListed))) {
    list += (list.empty() ? "" : ", ") + std::to_string(number);
  }
  if (numbers.size() > kMaxListed) {
    list += " and " + std::to_string(numbers.size() - kMaxListed) + " more";
  }
  return list;
}

}  // namespace store::internal

ExperimentStore::Impl::Impl(const std::string& given_path,
                            const std::string& file,
                            const StoreOptions& options)
    : database(internal::OpenStore(given_path, file, options)),
      seals(*database),
      locks(file) {}

void ExperimentStore::Impl::Refuse(const std::string& what,
                                   ExperimentId id,
                                   const std::string& why) const {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot " + what + " experiment " + std::to_string(id) + " of '" +
                  database->path() + "': " + why);
}

void ExperimentStore::Impl::RequireExperiment(ExperimentId id) const {
  Statement found = database->Use("SELECT 1 FROM experiment WHERE id = ?1");
  if (found.Bind(id).Step()) {
    return;
  }
  std::vector<std::int64_t> known;
  // Its neighbours on either side.
  Statement near = database->Use(
      "SELECT id FROM (SELECT id FROM experiment WHERE id < ?1"
      " ORDER BY id DESC LIMIT 4) UNION ALL "
      "SELECT id FROM (SELECT id FROM experiment WHERE id > ?1"
      " ORDER BY id LIMIT 4) ORDER BY id");
  near.Bind(id);
  while (near.Step()) {
    known.push_back(near.Integer(0));
  }
  Statement last = database->Use(
      "SELECT coalesce(max(seq), 0) FROM sqlite_sequence"
      " WHERE name = 'experiment'");
  last.Step();
  const bool was_there = id > 0 && id <= last.Integer(0);
  Refuse("find",
         id,
         std::string(was_there ? "it was deleted" : "there is none") +
             (known.empty() ? "; the store is empty"
                            : "; the nearest are " + internal::ListOf(known)));
}

void ExperimentStore::Impl::RequireRunning(ExperimentId id,
                                           const char* wanted) const {
  if (!locks.Holds(id)) {
    RequireExperiment(id);
    Refuse(wanted, id, "this object does not run it; Resume() it first");
  }
}

void ExperimentStore::Impl::RequireNoTransaction(const char* wanted) const {
  if (database->IsInTransaction()) {
    throw Error(ErrorCode::kInvalidArgument,
                std::string("cannot ") + wanted + " an experiment of '" +
                    database->path() +
                    "' within InOneTransaction(): it is a transaction of its "
                    "own; call it before or after");
  }
}

ExperimentStore::ExperimentStore(const std::string& path,
                                 const StoreOptions& options)
    : impl_(std::make_unique<Impl>(path, RealPath(path), options)) {}

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
