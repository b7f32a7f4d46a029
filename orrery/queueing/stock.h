#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "orrery/base/time.h"
#include "orrery/process/model/facility.h"
#include "orrery/process/model/model.h"
#include "orrery/process/types/polynomial.h"
#include "orrery/queueing/lender.h"
#include "orrery/queueing/statistics.h"

namespace orrery::queueing {

/// What a container or a store has seen since the start of the run or the last
/// ResetStatistics. Plain data.
struct StockStatistics {
  std::int64_t puts = 0;  ///< That have been carried out.
  std::int64_t gets = 0;
  Average level;  ///< What it holds: an amount, or items.
  Average puts_waiting;
  Average gets_waiting;
  Summary put_wait_s;  ///< Of those carried out, from their request on.
  Summary get_wait_s;
};

namespace internal {

enum class StockSide : std::uint8_t { kPut, kGet };

enum class StockState : std::uint8_t { kNew, kWaiting, kDone };

/// A task's wait for room, or for goods.
class StockRequest : public process::Request {
 protected:
  StockRequest(process::Facility& stock, StockSide side) noexcept
      : Request(stock), side_(side) {}

  /// When it is resumed. What is thrown ends the request, by `withdraw`.
  template <std::invocable F>
  void Finish(F withdraw) {
    ThrowDelivered([this, &withdraw] {
      withdraw();
      state_ = StockState::kNew;
    });
    state_ = StockState::kNew;
  }

  [[nodiscard]] StockSide side() const noexcept { return side_; }

  [[nodiscard]] StockState state() const noexcept { return state_; }

 private:
  friend class Stock;

  StockSide side_;
  StockState state_ = StockState::kNew;
};

/// Goods on their way to a task: they go back to the container or store unless
/// they are taken.
template <typename S, typename Goods>
class Given {
 public:
  Given(S& stock, Goods goods) noexcept
      : stock_(&stock), goods_(std::move(goods)) {}

  Given(Given&& other) noexcept
      : stock_(std::exchange(other.stock_, nullptr)),
        goods_(std::move(other.goods_)) {}

  Given& operator=(Given&&) = delete;
  Given(const Given&) = delete;
  Given& operator=(const Given&) = delete;

  ~Given() {
    if (stock_ != nullptr) {
      stock_->GiveBack(std::move(goods_));
    }
  }

  auto Take() noexcept {
    stock_ = nullptr;
    return S::Unpacked(std::move(goods_));
  }

 private:
  S* stock_;
  Goods goods_;
};

/// What goods are put into and got from, with a line on either side.
class Stock : public process::Facility {
 public:
  /// Requests that wait for room, as of the last batch; so is all below.
  [[nodiscard]] std::int64_t puts_waiting() const {
    return Observe(state_.puts.length);
  }

  /// Requests that wait for goods.
  [[nodiscard]] std::int64_t gets_waiting() const {
    return Observe(state_.gets.length);
  }

  /// Up to now or, if there is no run any more, to the last change.
  [[nodiscard]] StockStatistics statistics() const;

  /// They begin now: a warm-up is over.
  void ResetStatistics() noexcept;

 protected:
  using Facility::Facility;

  // What follows is for when a batch is committed.

  void BeginAt(double level) noexcept;

  static void Begin(StockRequest& request) noexcept {
    request.state_ = StockState::kWaiting;
  }

  [[nodiscard]] static StockSide SideOf(const StockRequest& request) noexcept {
    return request.side_;
  }

  /// It is no longer in its line: its task waits no more.
  static void Drop(StockRequest& request) noexcept {
    request.state_ = StockState::kNew;
  }

  /// Its task goes on.
  void Complete(StockRequest& request) {
    request.state_ = StockState::kDone;
    Count(request.side_, now() - request.asked());
    request.Wake();
  }

  void Count(StockSide side, Duration waited) noexcept {
    (side == StockSide::kPut ? state_.puts : state_.gets)
        .waits_ns.Add(ToNs(waited));
  }

  /// All is decided: this is what others see.
  void Show(double level, std::size_t puts, std::size_t gets) noexcept {
    state_.level_over_time.Set(level, now());
    state_.puts.Show(puts, now());
    state_.gets.Show(gets, now());
  }

  /// What is seen of who waits for it, and statistics.
  struct Side {
    std::int64_t length = 0;
    TimeWeighted length_over_time = TimeWeighted();
    Monitor waits_ns;

    void Show(std::size_t now_waiting, Duration now) noexcept {
      length = static_cast<std::int64_t>(now_waiting);
      length_over_time.Set(static_cast<double>(length), now);
    }
  };

  struct State {
    Side puts;
    Side gets;
    TimeWeighted level_over_time;
  };

  [[nodiscard]] const State& state() const noexcept { return state_; }

  void RestoreState(const State& state) { state_ = state; }

 private:
  [[nodiscard]] Duration now_or_last() const noexcept {
    return is_in_run() ? now() : state_.level_over_time.since();
  }

  State state_;
};

/// How much a container or store holds, in an expression.
template <typename S>
struct StockTerm {
  using IsTerm = void;
  const S* stock;

  [[nodiscard]] process::Polynomial Dynamics() const {
    return {static_cast<double>(stock->level())};
  }

  [[nodiscard]] std::string Text() const { return stock->name(); }
};

}  // namespace internal
}  // namespace orrery::queueing
