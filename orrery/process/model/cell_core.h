#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/cells/cell_type.h"
#include "orrery/process/run/dependent.h"
#include "orrery/process/run/event_source.h"
#include "orrery/process/run/run.h"
#include "orrery/process/run/thresholds.h"
#include "orrery/process/types/column.h"
#include "orrery/process/types/one_or_more.h"

namespace orrery::process::internal {

/// A cell in a run: its state at some time, the effects since then, and the
/// effects of the batch at work. Between runs it has its initial state.
class CellCore : public EventSource {
 public:
  /// Makes the effects of the batch part of its history.
  virtual void Commit() = 0;

  /// Undoes the effects of a step that throws. `first_segment` is the first of
  /// its segments.
  virtual void Undo(std::uint32_t first_segment) = 0;

  /// Gives the segments new numbers.
  virtual void Renumber(std::span<const std::uint32_t> numbers) = 0;

  [[nodiscard]] bool is_in_run() const noexcept { return run_ != nullptr; }

  [[nodiscard]] Run& run() const noexcept { return *run_; }

  /// True if a condition or resource reads the cell, not a task.
  [[nodiscard]] bool is_evaluated() const noexcept {
    return run_->evaluations.is_evaluating();
  }

  Link* dependents = nullptr;

  /// The number that thresholds are compared with, as it was committed last.
  [[nodiscard]] virtual double Level() { return 0; }

  /// The thresholds of conditions that wait for values; null until there is
  /// one.
  std::unique_ptr<Thresholds> thresholds;

 protected:
  Run* run_ = nullptr;

 public:
  /// The last segment of the batch with an effect on the cell, or kNoIndex.
  std::uint32_t acting_segment = kNoIndex;
};

/// The beginning of a warning of a conflict.
[[nodiscard]] std::string ConflictAt(const CellCore& cell, Duration at);

/// Refuses an expiry of zero or less, with which a run would not go on.
/// @throws Error kInvalidModel always.
[[noreturn]] void RefuseExpiry(const CellCore& cell, Duration expiry);

template <CellType C>
class alignas(64) CellSlot final : public CellCore {
 public:
  using Effect = typename C::Effect;

  explicit CellSlot(const C& initial) : state_(initial) {}

  void Begin(Run& run, std::string path, const C& initial) {
    SetPath(std::move(path));
    run_ = &run;
    state_ = initial;
    time_ = run.now();
    counts_ = {};
    undo_batch_ = kNoBatch;
    logged_ = &run.recorder.LoggedEffects<Effect>();
  }

  /// The run is over.
  void End() noexcept {
    run_ = nullptr;
    acting_segment = kNoIndex;
    num_past_ = 0;
    effects_ = {};
    view_.reset();
    undo_ = {};
  }

  void Emit(Effect effect) {
    const std::uint32_t segment = run_->step.SegmentForEffect(*this);
    if (run_->step.logs_reads()) {
      run_->step.hash().AddEvent(path(), effect);
    }
    if (segment == kNoIndex) {
      return;
    }
    if (run_->recorder.has_events()) {
      run_->recorder.AddEvent(segment, *this, logged_->size());
      logged_->Add(effect);
    }
    effects_.Add({.mark = segment, .effect = std::move(effect)});
  }

  /// Adds an effect that is not logged; see BasicCell::EmitUnseen.
  void EmitUnseen(Effect effect) {
    const std::uint32_t segment = run_->step.SegmentForEffect(*this);
    if (segment != kNoIndex) {
      effects_.Add({.mark = segment, .effect = std::move(effect)});
    }
  }

  void Describe(std::size_t number, Record& record) const override {
    if constexpr (Record::Takes<Effect>()) {
      record.Add("", (*logged_)[number]);
    }
  }

  [[nodiscard]] const CellCounts& counts() const noexcept { return counts_; }

  /// The state as the step or evaluation at work sees it. Valid until the task
  /// waits or acts on the cell.
  const C& Read() {
    if (run_->evaluations.is_evaluating()) {
      CatchUp();
      if constexpr (Expires<C>) {
        const auto expiry = state_.Expiry().value_or(Duration::max());
        if (expiry <= Duration::zero()) {
          RefuseExpiry(*this, expiry);
        }
        run_->evaluations.reads().Add(dependents, expiry);
      } else {
        run_->evaluations.reads().Add(dependents);
      }
      return state_;
    }
    run_->step.CheckMayRead(*this);
    if (num_past_ == effects_.size()) {
      CatchUp();
      return state_;
    }
    return ReadOwn();
  }

  [[nodiscard]] std::shared_ptr<const void> Save() const override {
    return std::make_shared<const Saved>(Saved{
        .state = state_, .time = time_, .past = effects_, .counts = counts_});
  }

  void Restore(const void* saved) override {
    const auto& from = *static_cast<const Saved*>(saved);
    state_ = from.state;
    time_ = from.time;
    effects_ = from.past;
    num_past_ = static_cast<std::uint32_t>(effects_.size());
    logged_ = &run_->recorder.LoggedEffects<Effect>();
    counts_ = from.counts;
    view_.reset();
    undo_batch_ = kNoBatch;
    acting_segment = kNoIndex;
  }

  /// The committed state, at the time of the run.
  const C& Committed() {
    CatchUp();
    return state_;
  }

  [[nodiscard]] double Level() override {
    using Value = std::decay_t<decltype(state_.Value())>;
    if constexpr (Keyed<Value>) {
      return KeyOf(Committed().Value());
    } else if constexpr (std::is_arithmetic_v<Value>) {
      return static_cast<double>(Committed().Value());
    } else {
      return 0;
    }
  }

  void Commit() override {
    if (!run_->batch.is_alone()) {
      view_.reset();
    }
    const std::size_t size = effects_.size();
    if (size - num_past_ <= 1 ||
        effects_[num_past_].mark == effects_[size - 1].mark) {
      MakePast(size);
    } else {
      CommitForest();
    }
    if (num_past_ > kMaxPast) {
      ApplyPast();
    }
  }

  void Undo(std::uint32_t first_segment) override {
    std::size_t size = effects_.size();
    while (size > num_past_ && SegmentOf(effects_[size - 1]) >= first_segment) {
      --size;
    }
    effects_.Truncate(size);
    view_.reset();
    if (run_->batch.is_alone() && undo_batch_ == run_->statistics.microsteps) {
      undo_batch_ = kNoBatch;
      if constexpr (Reverts<C>) {
        for (; !undo_.empty(); undo_.pop_back()) {
          state_.Revert(std::move(undo_.back()));
        }
      } else {
        state_ = *undo_;
      }
    }
  }

  void Renumber(std::span<const std::uint32_t> numbers) override {
    std::vector<Happening> batch;
    for (std::size_t i = num_past_; i < effects_.size(); ++i) {
      batch.push_back(std::move(effects_[i]));
      batch.back().mark = numbers[SegmentOf(batch.back())];
    }
    std::ranges::stable_sort(batch, {}, &Happening::mark);
    effects_.Truncate(num_past_);
    for (Happening& happening : batch) {
      effects_.Add(std::move(happening));
    }
  }

 private:
  // The most effects kept for a cell that nobody reads; then they are applied.
  static constexpr std::size_t kMaxPast = 4096;

  struct Happening {
    std::int64_t mark;  // The time, if it is past; else its segment.
    Effect effect;
  };

  struct Saved {
    C state;
    Duration time{};
    OneOrMore<Happening> past;
    CellCounts counts;
  };

  // Data to undo effects that were applied to the state before their step was
  // over: one item for each of them, or a copy of the state before them.
  template <typename T>
  struct UndoOf {
    using Type = std::optional<T>;
  };

  template <Reverts T>
  struct UndoOf<T> {
    using Type = std::vector<typename T::Undo>;
  };

  static constexpr std::int64_t kNoBatch = -1;

  // The state with the effects that some step sees.
  struct View {
    C state;
    std::uint32_t tip;  // The last segment whose effects it has.
    std::size_t end;    // End of the effects of the batch up to that segment.
  };

  static std::uint32_t SegmentOf(const Happening& happening) {
    return static_cast<std::uint32_t>(happening.mark);
  }

  template <typename E>
  void Apply(C& state, E&& effect) {
    state.Apply(std::forward<E>(effect));
    ++counts_.applies;
  }

  void StepTo(Duration time) {
    if constexpr (StepsInTime<C>) {
      if (time_ != time) {
        state_.Step(time - time_);
        ++counts_.steps;
      }
    }
    time_ = time;
  }

  void CatchUp() {
    if (num_past_ != 0) {
      ApplyPast();
    }
    StepTo(run_->now());
  }

  [[nodiscard]] std::string ConflictText() const {
    if constexpr (requires { state_.ConflictText(); }) {
      return state_.ConflictText();
    } else {
      return "tasks that did not see each other contradict each other";
    }
  }

  void ApplyPast(Happening& past) {
    StepTo(Duration(past.mark));
    if constexpr (requires { state_.HasConflict(); }) {
      const bool was_in_conflict = state_.HasConflict();
      Apply(state_, std::move(past.effect));
      if (!was_in_conflict && state_.HasConflict()) {
        const Duration at(past.mark);
        run_->Warn(at, ConflictAt(*this, at) + ConflictText());
      }
    } else {
      Apply(state_, std::move(past.effect));
    }
  }

  void ApplyPast() {
    for (std::size_t i = 0; i < num_past_; ++i) {
      ApplyPast(effects_[i]);
    }
    DropPast();
  }

  void DropPast() {
    effects_.DropFirst(num_past_);
    num_past_ = 0;
  }

  // Applies the effects of the only step of the batch.
  void ApplyOwn() {
    CatchUp();
    if (undo_batch_ != run_->statistics.microsteps) {
      undo_batch_ = run_->statistics.microsteps;
      if constexpr (Reverts<C>) {
        undo_.clear();
      } else {
        undo_ = state_;
      }
    }
    MakePast(effects_.size());
    for (std::size_t i = 0; i < num_past_; ++i) {
      if constexpr (Reverts<C>) {
        undo_.push_back(state_.Before(effects_[i].effect));
      }
      ApplyPast(effects_[i]);
    }
    DropPast();
  }

  // Makes the effects up to `end`, which form a sequence, part of the past.
  void MakePast(std::size_t end) {
    for (; num_past_ < end; ++num_past_) {
      effects_[num_past_].mark = run_->now().count();
    }
  }

  const C& ReadOwn() {
    if (run_->batch.is_alone()) {
      ApplyOwn();
      return state_;
    }
    CatchUp();
    const std::uint32_t tip = run_->transactions.tip();
    Segments& segments = run_->transactions.segments();
    bool has_view =
        segments.MarkPath(tip, view_ ? view_->tip : kNoIndex) && view_;
    std::size_t at = has_view ? view_->end : 0;
    for (; at < effects_.size() && SegmentOf(effects_[at]) <= tip; ++at) {
      if (!segments.is_marked(SegmentOf(effects_[at]))) {
        continue;
      }
      if (!has_view) {
        view_.emplace(View{.state = state_, .tip = tip, .end = 0});
        ++counts_.copies;
        has_view = true;
      }
      Apply(view_->state, effects_[at].effect);
    }
    segments.UnmarkPath();
    if (!has_view) {
      return state_;
    }
    view_->tip = tip;
    view_->end = at;
    return view_->state;
  }

  // Keeps the effects up to the first point at which steps ran concurrently one
  // by one, as if they had been read there. Folds all later ones into one
  // effect.
  void CommitForest() {
    Segments& segments = run_->transactions.segments();
    std::vector<std::uint32_t>& involved = segments.involved;
    involved.clear();
    std::vector<std::size_t> begins;
    for (std::size_t i = num_past_; i < effects_.size(); ++i) {
      if (i == num_past_ || effects_[i].mark != effects_[i - 1].mark) {
        involved.push_back(SegmentOf(effects_[i]));
        begins.push_back(i);
      }
    }
    begins.push_back(effects_.size());
    const std::span<const std::uint32_t> nearest = segments.FindNearest();
    const std::size_t n = involved.size();
    std::vector<std::uint32_t> children(n, 0);
    std::uint32_t roots = 0;
    for (const std::uint32_t parent : nearest) {
      ++(parent == kNoIndex ? roots : children[parent]);
    }
    std::size_t prefix = 0;
    while (prefix < n && (prefix == 0 ? roots : children[prefix - 1]) == 1) {
      ++prefix;
    }
    MakePast(begins[prefix]);
    if (prefix < n) {
      Effect rest = FoldForest(begins, nearest, prefix);
      effects_.Truncate(num_past_);
      effects_.Add({.mark = 0, .effect = std::move(rest)});
      MakePast(effects_.size());
    }
  }

  // Folds the segments from `first` on into one effect.
  Effect FoldForest(std::span<const std::size_t> begins,
                    std::span<const std::uint32_t> nearest,
                    std::size_t first) {
    const std::size_t n = begins.size() - 1;
    // The effects that follow each segment.
    std::vector<std::optional<Effect>> after(n);
    std::optional<Effect> all;
    for (std::size_t i = n; i-- > first;) {
      Effect effect = std::move(effects_[begins[i]].effect);
      for (std::size_t k = begins[i] + 1; k < begins[i + 1]; ++k) {
        effect =
            C::Sequentially(std::move(effect), std::move(effects_[k].effect));
      }
      if (after[i]) {
        effect = C::Sequentially(std::move(effect), *std::move(after[i]));
      }
      const std::uint32_t parent = nearest[i];
      std::optional<Effect>& beside =
          parent == kNoIndex || parent < first ? all : after[parent];
      beside = beside ? C::Concurrently(std::move(effect), *std::move(beside))
                      : std::move(effect);
    }
    return *std::move(all);
  }

  // The members that every effect and evaluation needs come first, to lie in
  // two cache lines.
  // The number of effects that are before the batch.
  std::uint32_t num_past_ = 0;
  C state_;
  Duration time_{};
  OneOrMore<Happening> effects_;
  Column<Effect>* logged_ = nullptr;  // Shared by all cells with such effects.
  CellCounts counts_;
  std::optional<View> view_;
  typename UndoOf<C>::Type undo_;
  std::int64_t undo_batch_ = kNoBatch;  // The batch for which undo_ is valid.
};

}  // namespace orrery::process::internal
