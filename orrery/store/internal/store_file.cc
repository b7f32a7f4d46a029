#include "orrery/store/internal/store_file.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/store/internal/schema.h"

namespace orrery::store::internal {
namespace {

// Resolves links: another path to the same file must find the same locks.
std::string RealPath(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path real =
      std::filesystem::weakly_canonical(path, failed);
  return failed ? path : std::filesystem::absolute(real).string();
}

}  // namespace

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

StoreFile::StoreFile(const std::string& path, const StoreOptions& options)
    : StoreFile(path, RealPath(path), options) {}

StoreFile::StoreFile(const std::string& path,
                     const std::string& real_path,
                     const StoreOptions& options)
    : database(OpenStore(path, real_path, options)),
      seals(*database),
      locks(real_path) {}

void StoreFile::Refuse(const std::string& what,
                       ExperimentId id,
                       const std::string& why) const {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot " + what + " experiment " + std::to_string(id) + " of '" +
                  database->path() + "': " + why);
}

void StoreFile::RequireExperiment(ExperimentId id) const {
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
                            : "; the nearest are " + ListOf(known)));
}

void StoreFile::RequireRunning(ExperimentId id, const char* wanted) const {
  if (!locks.Holds(id)) {
    RequireExperiment(id);
    Refuse(wanted, id, "this object does not run it; Resume() it first");
  }
}

void StoreFile::RequireNoTransaction(const char* wanted) const {
  if (database->IsInTransaction()) {
    throw Error(ErrorCode::kInvalidArgument,
                std::string("cannot ") + wanted + " an experiment of '" +
                    database->path() +
                    "' within InOneTransaction(): it is a transaction of its "
                    "own; call it before or after");
  }
}

}  // namespace orrery::store::internal
