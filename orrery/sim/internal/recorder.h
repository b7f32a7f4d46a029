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
#include "orrery/sim/internal/record_layout.h"
#include "orrery/sim/internal/tangents.h"
#include "orrery/sim/simulation.h"

namespace orrery::internal {

/// Rows that nobody has been told of.
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

  /// Without a last one that is not final.
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

  /// Makes room for so many rows; more are taken as well.
  void Reserve(std::size_t rows) { builder_.Reserve(rows); }

  /// Takes sensitivities from `tangents`, which must outlive it.
  void Follow(const Tangents& tangents) noexcept { tangents_ = &tangents; }

  /// Constants that are `before` and will be `after` are recorded in each row
  /// from now on. Not with sensitivities.
  void LetVary(std::span<const double> before, std::span<const double> after);

  /// Adds the row of time `t`.
  void Append(double t, std::span<const double> memory) {
    Fetch(memory);
    AppendFetched(t);
  }

  /// Takes a row that may be added next.
  void Fetch(std::span<const double> memory) { Fill(memory, row_); }

  /// Adds the row fetched last.
  void AppendFetched(double t) { AppendRow(t, row_); }

  /// The derivatives in a row, see RecordLayout::sloped_columns.
  [[nodiscard]] std::span<double> SlopesIn(std::span<double> row) const {
    return row.subspan(row.size() - varied_slots_.size() - slopes_.size(),
                       slopes_.size());
  }

  /// Rows to come have the derivatives of this one.
  void HoldSlopes(std::span<double> row) {
    std::ranges::copy(SlopesIn(row), slopes_.begin());
  }

  /// What the row of `memory` would be.
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

  [[nodiscard]] std::size_t rows() const noexcept { return builder_.rows(); }

  /// In all rows.
  [[nodiscard]] std::size_t numbers() const noexcept {
    return rows() * (row_.size() + 1);
  }

  /// The row added last. Precondition: there is one.
  [[nodiscard]] std::vector<double> LastRow() const {
    return builder_.LastRow();
  }

  /// Whether signals move towards it from another row.
  [[nodiscard]] bool EndsPiece() const noexcept { return builder_.EndsPiece(); }

  /// Puts another row in its place.
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

  /// Whether the row fetched last is another than the kept one, or none is
  /// kept.
  [[nodiscard]] bool DiffersFromKept() const {
    return !has_kept_ || row_ != kept_;
  }

  /// The scalar, recorded or not, whose value in `memory` is not finite though
  /// the model gives it one; the first in the order of the model.
  [[nodiscard]] std::optional<NamedScalar> FindNotFinite(
      std::span<const double> memory) const {
    return AllFinite(memory, program_.varying_slots) ? std::nullopt
                                                     : FirstNotFinite(memory);
  }

  /// What was recorded so far; constants are taken from `memory`.
  [[nodiscard]] Trajectory Recorded(std::span<const double> memory);

  /// What was recorded since this was called last; all at the first call, and
  /// again where other signals vary by now. A last row that may be replaced,
  /// as it begins a piece, waits for the next call.
  [[nodiscard]] NewRows TakeNewRows(std::span<const double> memory);

  /// All rows so far; TakeNewRows() goes on from there.
  [[nodiscard]] NewRows TakeAllRows(std::span<const double> memory) {
    news_.reset();
    return TakeNewRows(memory);
  }

  /// The same as Recorded(), for good.
  [[nodiscard]] Trajectory Take(std::span<const double> memory);

 private:
  [[nodiscard]] std::optional<NamedScalar> FirstNotFinite(
      std::span<const double> memory) const;
  void Fill(std::span<const double> memory, std::span<double> row) const;
  void SetConstants(std::span<const double> memory);

  const Program& program_;
  std::shared_ptr<const RecordLayout> layout_;
  std::vector<std::uint32_t> varied_slots_;  // Constants that moved in the run.
  const Tangents* tangents_ = nullptr;
  std::vector<double> slopes_;
  std::vector<double> row_;
  std::vector<double> kept_;
  bool has_kept_ = false;
  TrajectoryBuilder builder_;
  std::optional<RowNews> news_;  // Once somebody has asked for them.
};

}  // namespace orrery::internal
