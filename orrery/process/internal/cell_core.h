#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/cell_type.h"
#include "orrery/process/internal/dependent.h"
#include "orrery/process/internal/event_source.h"
#include "orrery/process/internal/run.h"

namespace orrery::process::internal {

/// A cell of a run: its state at some time, what has happened to it since, and
/// the effects of the batch at work.
class CellCore : public EventSource {
 public:
  CellCore(Run& run, std::string path)
      : EventSource(std::move(path)), run_(run) {}

  /// Makes the effects of the batch part of its history.
  virtual void Commit() = 0;

  /// Segments have new numbers.
  virtual void Renumber(std::span<const std::uint32_t> numbers) = 0;

  [[nodiscard]] const CellCounts& counts() const noexcept { return counts_; }

  [[nodiscard]] Run& run() const noexcept { return run_; }

  /// Whether a condition or resource is at work, not a task.
  [[nodiscard]] bool is_evaluated() const noexcept {
    return run_.dependent() != nullptr;
  }

  Link* dependents = nullptr;
  bool is_touched = false;  ///< By the batch.

 protected:
  Run& run_;
  CellCounts counts_;
};

template <CellType C>
class CellSlot final : public CellCore {
 public:
  using Effect = typename C::Effect;

  CellSlot(Run& run, std::string path, const C& initial)
      : CellCore(run, std::move(path)), state_(initial), time_(run.now()) {}

  void Emit(Effect effect) {
    const std::uint32_t segment = run_.SegmentForEffect(*this);
    if (segment == kNoIndex) {
      return;
    }
    if (run_.logs_events()) {
      run_.LogEvent(segment, *this, logged_.size());
      logged_.push_back(effect);
    }
    batch_.push_back({.segment = segment, .effect = std::move(effect)});
  }

  /// What follows from an event that is logged elsewhere.
  void EmitUnseen(Effect effect) {
    const std::uint32_t segment = run_.SegmentForEffect(*this);
    if (segment != kNoIndex) {
      batch_.push_back({.segment = segment, .effect = std::move(effect)});
    }
  }

  void Describe(std::size_t number, Record& record) const override {
    if constexpr (Record::Takes<Effect>()) {
      record.Add("", logged_[number]);
    }
  }

  /// As who is at work sees it. Holds until it waits or acts on the cell.
  const C& Read() {
    run_.CheckMayRead(*this);
    if (Dependent* dependent = run_.dependent()) {
      CatchUp();
      std::optional<Duration> expiry;
      if constexpr (Expires<C>) {
        expiry = state_.Expiry();
      }
      dependent->DependOn(dependents, expiry);
      return state_;
    }
    if (batch_.empty()) {
      CatchUp();
      return state_;
    }
    return ReadOwn();
  }

  [[nodiscard]] std::shared_ptr<const void> Save() const override {
    return std::make_shared<const Saved>(Saved{.state = state_,
                                               .time = time_,
                                               .history = history_,
                                               .logged = logged_,
                                               .counts = counts_});
  }

  void Restore(const void* saved) override {
    const auto& from = *static_cast<const Saved*>(saved);
    state_ = from.state;
    time_ = from.time;
    history_ = from.history;
    logged_ = from.logged;
    counts_ = from.counts;
    batch_.clear();
    view_.reset();
    is_touched = false;
  }

  /// As it was committed last, at the time of the run.
  const C& Committed() {
    CatchUp();
    return state_;
  }

  void Commit() override {
    view_.reset();
    if (batch_.size() <= 1 || batch_.front().segment == batch_.back().segment) {
      AppendBatch(batch_.size());
    } else {
      CommitForest();
    }
    batch_.clear();
    if (history_.size() > kMaxHistory) {
      ApplyHistory();
    }
  }

  void Renumber(std::span<const std::uint32_t> numbers) override {
    for (Atom& atom : batch_) {
      atom.segment = numbers[atom.segment];
    }
    std::ranges::stable_sort(batch_, {}, &Atom::segment);
  }

 private:
  // What nobody has read is kept up to here, then made part of the state.
  static constexpr std::size_t kMaxHistory = 4096;

  struct Past {
    Duration time{};
    Effect effect;
  };

  struct Saved {
    C state;
    Duration time{};
    std::vector<Past> history;
    std::vector<Effect> logged;
    CellCounts counts;
  };

  struct Atom {
    std::uint32_t segment;
    Effect effect;
  };

  // The state with the effects that some step sees.
  struct View {
    C state;
    std::uint32_t tip;  // The last segment it holds effects of.
    std::size_t end;    // Of the atoms up to that segment.
  };

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
    if (!history_.empty()) {
      ApplyHistory();
    }
    StepTo(run_.now());
  }

  void ApplyHistory() {
    for (Past& past : history_) {
      StepTo(past.time);
      if constexpr (requires { state_.HasConflict(); }) {
        const bool was_in_conflict = state_.HasConflict();
        Apply(state_, std::move(past.effect));
        if (!was_in_conflict && state_.HasConflict()) {
          run_.WarnOfConflict(*this, past.time);
        }
      } else {
        Apply(state_, std::move(past.effect));
      }
    }
    history_.clear();
  }

  // The first `count` effects of the batch, one after the other.
  void AppendBatch(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      history_.push_back(
          {.time = run_.now(), .effect = std::move(batch_[i].effect)});
    }
  }

  const C& ReadOwn() {
    if (run_.is_alone()) {
      AppendBatch(batch_.size());
      batch_.clear();
      CatchUp();
      return state_;
    }
    const std::uint32_t tip = run_.tip();
    Segments& segments = run_.segments();
    bool has_view =
        segments.MarkPath(tip, view_ ? view_->tip : kNoIndex) && view_;
    std::size_t at = has_view ? view_->end : 0;
    for (; at < batch_.size() && batch_[at].segment <= tip; ++at) {
      if (!segments.is_marked(batch_[at].segment)) {
        continue;
      }
      if (!has_view) {
        CatchUp();
        view_.emplace(View{.state = state_, .tip = tip, .end = 0});
        ++counts_.copies;
        has_view = true;
      }
      Apply(view_->state, batch_[at].effect);
    }
    segments.UnmarkPath();
    if (!has_view) {
      CatchUp();
      return state_;
    }
    view_->tip = tip;
    view_->end = at;
    return view_->state;
  }

  // What happened on the way to the first point at which steps went on side by
  // side is kept effect by effect, as if it had been read there; all after it
  // is one effect.
  void CommitForest() {
    auto& involved = involved_;
    involved.clear();
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      if (i == 0 || batch_[i].segment != batch_[i - 1].segment) {
        involved.push_back(batch_[i].segment);
        begins.push_back(i);
      }
    }
    begins.push_back(batch_.size());
    run_.segments().FindNearest(involved, nearest_);
    const std::size_t n = involved.size();
    std::vector<std::uint32_t> children(n, 0);
    std::uint32_t roots = 0;
    for (const std::uint32_t parent : nearest_) {
      ++(parent == kNoIndex ? roots : children[parent]);
    }
    std::size_t prefix = 0;
    while (prefix < n && (prefix == 0 ? roots : children[prefix - 1]) == 1) {
      ++prefix;
    }
    AppendBatch(begins[prefix]);
    if (prefix < n) {
      history_.push_back(
          {.time = run_.now(), .effect = FoldForest(begins, prefix)});
    }
  }

  // The segments from `first` on as one effect.
  Effect FoldForest(const std::vector<std::size_t>& begins, std::size_t first) {
    const std::size_t n = begins.size() - 1;
    std::vector<std::optional<Effect>> after(n);  // What follows each.
    std::optional<Effect> all;
    for (std::size_t i = n; i-- > first;) {
      Effect effect = std::move(batch_[begins[i]].effect);
      for (std::size_t k = begins[i] + 1; k < begins[i + 1]; ++k) {
        effect =
            C::Sequentially(std::move(effect), std::move(batch_[k].effect));
      }
      if (after[i]) {
        effect = C::Sequentially(std::move(effect), *std::move(after[i]));
      }
      const std::uint32_t parent = nearest_[i];
      std::optional<Effect>& beside =
          parent == kNoIndex || parent < first ? all : after[parent];
      beside = beside ? C::Concurrently(std::move(effect), *std::move(beside))
                      : std::move(effect);
    }
    return *std::move(all);
  }

  C state_;
  Duration time_;
  std::vector<Past> history_;
  std::vector<Atom> batch_;
  std::vector<Effect> logged_;
  std::optional<View> view_;
  std::vector<std::uint32_t> involved_;
  std::vector<std::uint32_t> nearest_;
};

}  // namespace orrery::process::internal
