#include "orrery/store/internal/run_batches.h"

#include <algorithm>
#include <limits>
#include <string>

#include "orrery/base/error.h"
#include "orrery/store/run_table.h"

namespace orrery::store::internal {
namespace {

// The most values in one row of the file, far below the limit of SQLite.
constexpr std::size_t kMaxValues = std::size_t{1} << 20U;

}  // namespace

std::int64_t RunBatches::MaxCount() const {
  return static_cast<std::int64_t>(std::max<std::size_t>(
      1, kMaxValues / std::max<std::size_t>(1, columns_)));
}

void RunBatches::FailDamaged(const Place& place) const {
  database_.FailDamaged("the batch of runs from " +
                        std::to_string(place.runs.first) + " of experiment " +
                        std::to_string(id_));
}

RunBatches::Place RunBatches::PlaceIn(const Statement& row) const {
  const Place place{.batch = row.Integer(0),
                    .runs = {.first = row.Integer(1), .count = row.Integer(2)}};
  const bool is_sound = 0 <= place.runs.first && 0 < place.runs.count &&
                        place.runs.count <= MaxCount() &&
                        place.runs.first <= kMaxRuns - place.runs.count;
  if (!is_sound) {
    FailDamaged(place);
  }
  return place;
}

std::vector<RunBatches::Place> RunBatches::Overlapping(const RunRange& runs) {
  std::vector<Place> places;
  Statement query = database_.Use(
      "SELECT id, first, count FROM batch"
      " WHERE experiment = ?1 AND first < ?2 ORDER BY first DESC");
  query.Bind(id_, runs.first + runs.count);
  while (query.Step()) {
    const Place place = PlaceIn(query);
    if (place.runs.first + place.runs.count <= runs.first) {
      break;
    }
    places.push_back(place);
  }
  std::ranges::reverse(places);
  return places;
}

std::vector<RunBatches::Place> RunBatches::All() {
  return Overlapping(
      {.first = 0, .count = std::numeric_limits<std::int64_t>::max()});
}

std::vector<RunStatus> RunBatches::Status(const Place& place) {
  std::vector<RunStatus> status(static_cast<std::size_t>(place.runs.count));
  Statement query = database_.Use("SELECT status FROM batch WHERE id = ?1");
  const bool is_sound =
      query.Bind(place.batch).Step() &&
      codec_.DecodeBytes(query.Bytes(0),
                         std::as_writable_bytes(std::span(status))) &&
      std::ranges::all_of(status,
                          [](RunStatus s) { return s <= RunStatus::kFailed; });
  if (!is_sound) {
    FailDamaged(place);
  }
  return status;
}

std::vector<double> RunBatches::Values(const Place& place) {
  std::vector<double> values(static_cast<std::size_t>(place.runs.count) *
                             columns_);
  Statement query = database_.Use("SELECT data FROM batch WHERE id = ?1");
  if (!query.Bind(place.batch).Step() ||
      !codec_.Decode(query.Bytes(0), values)) {
    FailDamaged(place);
  }
  return values;
}

void RunBatches::Insert(std::int64_t first,
                        std::span<const RunStatus> status,
                        std::span<const std::span<const double>> values) {
  const auto step = static_cast<std::size_t>(MaxCount());
  std::vector<double> part;
  for (std::size_t start = 0; start < status.size(); start += step) {
    const std::size_t count = std::min(step, status.size() - start);
    part.clear();
    for (const std::span<const double> column : values) {
      const auto wanted = column.subspan(start, count);
      part.insert(part.end(), wanted.begin(), wanted.end());
    }
    const std::vector<std::byte> encoded_status =
        Encoded(status.subspan(start, count));
    database_
        .Use(
            "INSERT INTO batch (experiment, first, count, status, data)"
            " VALUES (?1, ?2, ?3, ?4, ?5)")
        .Bind(id_,
              first + static_cast<std::int64_t>(start),
              static_cast<std::int64_t>(count),
              std::span<const std::byte>(encoded_status),
              codec_.Encode(part))
        .Run();
  }
}

void RunBatches::Update(const Place& place,
                        std::span<const RunStatus> status,
                        std::span<const double> values) {
  const std::vector<std::byte> encoded_status = Encoded(status);
  database_.Use("UPDATE batch SET status = ?2, data = ?3 WHERE id = ?1")
      .Bind(place.batch,
            std::span<const std::byte>(encoded_status),
            codec_.Encode(values))
      .Run();
}

// Returns a copy, as the codec is used again.
std::vector<std::byte> RunBatches::Encoded(std::span<const RunStatus> status) {
  const auto encoded = codec_.EncodeBytes(std::as_bytes(status));
  return {encoded.begin(), encoded.end()};
}

}  // namespace orrery::store::internal
