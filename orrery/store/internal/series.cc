#include "orrery/store/internal/series.h"

#include <algorithm>

#include "orrery/base/error.h"

namespace orrery::store::internal {
namespace {

// The values in one row of the file, from one column or several: 1 MiB, so that
// each plane of bytes fills one block of zstd.
constexpr std::size_t kChunkValues = std::size_t{1} << 17U;

// Limits the memory for damaged sizes.
constexpr std::int64_t kMaxLayoutSize = std::int64_t{1} << 32U;

// True if `values` values can be `count` rows of at most `most` columns.
bool IsOfColumns(std::size_t values, std::int64_t count, std::size_t most) {
  const auto rows = static_cast<std::size_t>(count);
  return values > 0 && values <= kChunkValues && values % rows == 0 &&
         values / rows <= most;
}

std::int64_t Signed(std::size_t size) {
  return static_cast<std::int64_t>(size);
}

}  // namespace

void SeriesStore::FailDamaged() const {
  database_.FailDamaged("the " + std::string(kind_) + " of run " +
                        std::to_string(run_) + " of experiment " +
                        std::to_string(experiment_));
}

// Shared: most runs of an experiment have the same layout.
std::int64_t SeriesStore::LayoutId(std::span<const std::byte> layout) {
  const std::span<const std::byte> data = codec_.EncodeBytes(layout);
  Statement same = database_.Use(
      "SELECT id FROM layout WHERE experiment = ?1 AND size = ?2"
      " AND data = ?3");
  if (same.Bind(experiment_, Signed(layout.size()), data).Step()) {
    return same.Integer(0);
  }
  database_
      .Use("INSERT INTO layout (experiment, size, data) VALUES (?1, ?2, ?3)")
      .Bind(experiment_, Signed(layout.size()), data)
      .Run();
  return database_.LastInsertedId();
}

std::int64_t SeriesStore::Create(std::span<const std::byte> layout,
                                 std::span<const double> constants) {
  const std::optional<std::int64_t> before = LayoutOfRun();
  DeleteRows();
  const std::int64_t layout_id = LayoutId(layout);
  database_
      .Use(
          "INSERT INTO series (experiment, kind, run, layout, rows,"
          " last_time, constant_count, constants)"
          " VALUES (?1, ?2, ?3, ?4, 0, 0.0, ?5, ?6)")
      .Bind(experiment_,
            kind_,
            run_,
            layout_id,
            Signed(constants.size()),
            codec_.Encode(constants))
      .Run();
  const std::int64_t series = database_.LastInsertedId();
  DropIfUnused(before);
  return series;
}

void SeriesStore::DeleteRows() {
  database_
      .Use(
          "DELETE FROM series WHERE experiment = ?1 AND kind = ?2"
          " AND run = ?3")
      .Bind(experiment_, kind_, run_)
      .Run();
}

void SeriesStore::Drop() {
  const std::optional<std::int64_t> layout = LayoutOfRun();
  DeleteRows();
  DropIfUnused(layout);
}

void SeriesStore::SetLayout(std::int64_t series,
                            std::span<const std::byte> layout) {
  const std::int64_t layout_id = LayoutId(layout);
  const std::optional<std::int64_t> before = LayoutOfRun();
  database_.Use("UPDATE series SET layout = ?2 WHERE id = ?1")
      .Bind(series, layout_id)
      .Run();
  DropIfUnused(before);
}

std::optional<std::int64_t> SeriesStore::LayoutOfRun() {
  Statement query = database_.Use(
      "SELECT layout FROM series WHERE experiment = ?1 AND kind = ?2"
      " AND run = ?3");
  return query.Bind(experiment_, kind_, run_).Step()
             ? std::optional(query.Integer(0))
             : std::nullopt;
}

void SeriesStore::DropIfUnused(std::optional<std::int64_t> layout) {
  if (layout) {
    database_
        .Use(
            "DELETE FROM layout WHERE id = ?1 AND NOT EXISTS"
            " (SELECT 1 FROM series WHERE layout = ?1)")
        .Bind(*layout)
        .Run();
  }
}

void SeriesStore::Append(std::int64_t series,
                         std::int64_t rows,
                         std::span<const std::span<const double>> columns,
                         double last_time) {
  const std::size_t size = columns.front().size();
  std::vector<double> values;
  for (std::size_t start = 0; start < size; start += kChunkValues) {
    const std::size_t count = std::min(kChunkValues, size - start);
    const std::size_t most = kChunkValues / count;  // Number of columns.
    for (std::size_t position = 0; position < columns.size();
         position += most) {
      values.clear();
      for (const std::span<const double> column : columns.subspan(
               position, std::min(most, columns.size() - position))) {
        const std::span<const double> rows_here = column.subspan(start, count);
        values.insert(values.end(), rows_here.begin(), rows_here.end());
      }
      database_
          .Use(
              "INSERT INTO chunk (series, first, count, position, data)"
              " VALUES (?1, ?2, ?3, ?4, ?5)")
          .Bind(series,
                rows + Signed(start),
                Signed(count),
                Signed(position),
                codec_.Encode(values))
          .Run();
    }
  }
  database_.Use("UPDATE series SET rows = ?2, last_time = ?3 WHERE id = ?1")
      .Bind(series, rows + Signed(size), last_time)
      .Run();
}

std::optional<Series> SeriesStore::Find() {
  Statement query = database_.Use(
      "SELECT series.id, rows, last_time, constant_count, constants, size,"
      " data FROM series JOIN layout ON layout.id = layout"
      " WHERE series.experiment = ?1 AND kind = ?2 AND run = ?3");
  if (!query.Bind(experiment_, kind_, run_).Step()) {
    return std::nullopt;
  }
  Series series{.id = query.Integer(0),
                .rows = query.Integer(1),
                .last_time = query.Real(2)};
  const std::int64_t constants = query.Integer(3);
  const std::int64_t size = query.Integer(5);
  // Each constant has a signal in the layout.
  if (size < 0 || size > kMaxLayoutSize || constants < 0 || constants > size) {
    FailDamaged();
  }
  series.layout.resize(static_cast<std::size_t>(size));
  series.constants.resize(static_cast<std::size_t>(constants));
  if (!codec_.DecodeBytes(query.Bytes(6), series.layout) ||
      !codec_.Decode(query.Bytes(4), series.constants)) {
    FailDamaged();
  }
  return series;
}

std::optional<std::int64_t> SeriesStore::CountRows() {
  Statement query = database_.Use(
      "SELECT rows FROM series WHERE experiment = ?1 AND kind = ?2"
      " AND run = ?3");
  return query.Bind(experiment_, kind_, run_).Step()
             ? std::optional(query.Integer(0))
             : std::nullopt;
}

void SeriesStore::Read(
    const Series& series,
    std::size_t columns,
    const std::function<void(std::span<const std::vector<double>>)>& take,
    const std::vector<bool>& wanted) {
  const auto is_wanted = [&](std::size_t begin, std::size_t end) {
    return wanted.empty() || std::find(wanted.begin() + Signed(begin),
                                       wanted.begin() + Signed(end),
                                       true) != wanted.begin() + Signed(end);
  };
  std::vector<std::vector<double>> chunk(columns);
  std::vector<double> values;
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::size_t position = 0;
  Statement query = database_.Use(
      "SELECT first, count, position, data FROM chunk WHERE series = ?1"
      " ORDER BY first, position");
  query.Bind(series.id);
  while (query.Step()) {
    if (position == 0) {
      count = query.Integer(1);
    }
    const bool is_next = query.Integer(0) == first && count > 0 &&
                         query.Integer(1) == count &&
                         query.Integer(2) == Signed(position);
    const std::size_t size = ColumnCodec::SizeOf(query.Bytes(3)).value_or(0);
    if (!is_next || !IsOfColumns(size, count, columns - position)) {
      FailDamaged();
    }
    const std::size_t end = position + size / static_cast<std::size_t>(count);
    if (is_wanted(position, end)) {
      values.resize(size);
      if (!codec_.Decode(query.Bytes(3), values)) {
        FailDamaged();
      }
      auto begin = values.begin();
      for (std::size_t c = position; c < end; ++c, begin += count) {
        if (is_wanted(c, c + 1)) {
          chunk[c].assign(begin, begin + count);
        }
      }
    }
    position = end;
    if (position == columns) {
      take(chunk);
      first += count;
      position = 0;
    }
  }
  if (position != 0 || first != series.rows) {
    FailDamaged();
  }
}

}  // namespace orrery::store::internal
