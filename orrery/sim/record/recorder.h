#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/results/trajectory.h"
#include "orrery/sim/machine/tangents.h"
#include "orrery/sim/record/record_layout.h"
#include "orrery/sim/types/run_result.h"

namespace orrery::sim::internal {

/// Rows that were not taken yet.
class RowNews {
 public:
  explicit RowNews(std::shared_ptr<const SignalTable> table)
      : builder_(std::move(table)) {}

  /// @param is_final whether no other row will be put in its place.
  void Append(double t, std::span<const double> row, bool is_final) {
    if (has_last_) {
      builder_.Append(last_t_, last_);
    }
    has_last_ = !is_final;
    if (is_final) {
      builder_.Append(t, row);
      return;
    }
    last_t_ = t;
    last_.assign(row.begin(), row.end());
  }

  void ReplaceLastRow(std::span<const double> row) {
    last_.assign(row.begin(), row.end());
  }

  /// Takes all rows but a last one that is not final.
  [[nodiscard]] Trajectory Take() { return builder_.Take(); }

 private:
  TrajectoryBuilder builder_;
  std::vector<double> last_;
  double last_t_ = 0;
  bool has_last_ = false;
};

/// Takes rows from a run's memory.
class Recorder {
 public:
  /// @param program must outlive it.
  Recorder(const Program& program, std::shared_ptr<const RecordLayout> layout);

  /// Makes room for this number of rows; more may be added.
  void Reserve(std::size_t rows) { builder_.Reserve(rows); }

  /// Takes sensitivities from `tangents`, which must outlive it.
  void Follow(const Tangents& tangents) noexcept { tangents_ = &tangents; }

  /// Records constants that differ between `before` and `after` in each row
  /// from now on. Not with sensitivities.
  void LetVary(std::span<const double> before, std::span<const double> after);

  /// Adds the row of time `t`.
  void Append(double t, std::span<const double> memory) {
    Fetch(memory);
    AppendFetched(t);
  }

  /// Reads a row that may be added next.
  void Fetch(std::span<const double> memory) { Fill(memory, row_); }

  /// Adds the row fetched last.
  void AppendFetched(double t) { AppendRow(t, row_); }

  /// The derivatives in a row: see RecordLayout::sloped_columns.
  [[nodiscard]] std::span<double> SlopesIn(std::span<double> row) const {
    return row.subspan(row.size() - varied_slots_.size() - slopes_.size(),
                       slopes_.size());
  }

  /// Lets the next rows have the derivatives of this one.
  void HoldSlopes(std::span<double> row) {
    std::ranges::copy(SlopesIn(row), slopes_.begin());
  }

  /// The row of `memory`.
  [[nodiscard]] std::vector<double> Row(std::span<const double> memory) const {
    std::vector<double> row(row_.size());
    Fill(memory, row);
    return row;
  }

  /// Adds such a row.
  void AppendRow(double t, std::span<const double> row) {
    builder_.Append(t, row);
    if (news_) {
      news_->Append(
          t, row, layout_->sloped_columns.empty() || builder_.EndsPiece());
    }
  }

  /// Drops all rows.
  void Clear();

  [[nodiscard]] std::size_t rows() const noexcept { return builder_.rows(); }

  /// The count of numbers in all rows.
  [[nodiscard]] std::size_t numbers() const noexcept {
    return rows() * (row_.size() + 1);
  }

  /// The row added last. Precondition: there is one.
  [[nodiscard]] std::vector<double> LastRow() const {
    return builder_.LastRow();
  }

  /// True if signals move towards the last row from another one.
  [[nodiscard]] bool EndsPiece() const noexcept { return builder_.EndsPiece(); }

  /// Replaces the last row.
  void ReplaceLastRow(std::span<const double> row) {
    builder_.ReplaceLastRow(row);
    if (news_) {
      news_->ReplaceLastRow(row);
    }
  }

  [[nodiscard]] const RecordLayout& layout() const noexcept { return *layout_; }

  /// Keeps a row that may be added later.
  void Keep(std::span<const double> memory);

  void ForgetKept() noexcept { has_kept_ = false; }

  [[nodiscard]] bool has_kept() const noexcept { return has_kept_; }

  /// Adds the kept row. Precondition: has_kept().
  void AppendKept(double t) { AppendRow(t, kept_); }

  /// True if the row fetched last differs from the kept one, or none is kept.
  [[nodiscard]] bool DiffersFromKept() const {
    return !has_kept_ || row_ != kept_;
  }

  /// A scalar, recorded or not, whose value in `memory` is not finite though
  /// the model gives it one; the first in the order of the model.
  [[nodiscard]] std::optional<NamedScalar> FindNotFinite(
      std::span<const double> memory) const {
    return AllFinite(memory, program_.varying_slots) ? std::nullopt
                                                     : FirstNotFinite(memory);
  }

  /// All rows so far; constants are taken from `memory`.
  [[nodiscard]] Trajectory Recorded(std::span<const double> memory);

  /// The rows since the last call. The first call gives all rows; so does one
  /// after which other signals vary. The last row waits for the next call, as
  /// it may be replaced.
  [[nodiscard]] NewRows TakeNewRows(std::span<const double> memory);

  /// All rows so far; TakeNewRows() goes on from there.
  [[nodiscard]] NewRows TakeAllRows(std::span<const double> memory) {
    news_.reset();
    return TakeNewRows(memory);
  }

  /// As Recorded, but moves the rows out.
  [[nodiscard]] Trajectory Take(std::span<const double> memory);

 private:
  [[nodiscard]] std::optional<NamedScalar> FirstNotFinite(
      std::span<const double> memory) const;
  void Fill(std::span<const double> memory, std::span<double> row) const;
  void SetConstants(std::span<const double> memory);

  const Program& program_;
  std::shared_ptr<const RecordLayout> layout_;
  std::vector<std::uint32_t> varied_slots_;  // Constants that vary in the run.
  const Tangents* tangents_ = nullptr;
  std::vector<double> slopes_;
  std::vector<double> row_;
  std::vector<double> kept_;
  bool has_kept_ = false;
  TrajectoryBuilder builder_;
  std::optional<RowNews> news_;  // Exists after the first request.
};

}  // namespace orrery::sim::internal
