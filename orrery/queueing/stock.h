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

/// Statistics of a container or a store since the start of the run or the last
/// ResetStatistics. Plain data.
struct StockStatistics {
  std::int64_t puts = 0;  ///< Completed puts.
  std::int64_t gets = 0;
  Average level;  ///< The amount or the number of items in it.
  Average puts_waiting;
  Average gets_waiting;
  Summary put_wait_s;  ///< From request to completion.
  Summary get_wait_s;
};

namespace internal {

enum class StockSide : std::uint8_t { kPut, kGet };

enum class StockState : std::uint8_t { kNew, kWaiting, kDone };

/// A task's wait for room or for goods.
class StockRequest : public process::Request {
 protected:
  StockRequest(process::Facility& stock, StockSide side) noexcept
      : Request(stock), side_(side) {}

  /// Ends the request on resumption. If an exception was delivered, calls
  /// `withdraw` and throws it.
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

/// Goods on their way to a task. They go back to the container or store unless
/// Take() is called.
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

/// A facility into which goods are put and from which they are got, with a line
/// for each.
class Stock : public process::Facility {
 public:
  /// The number of puts that wait for room, after the last batch; likewise
  /// below.
  [[nodiscard]] std::int64_t puts_waiting() const {
    return Observe(state_.puts.length);
  }

  /// The number of gets that wait for goods.
  [[nodiscard]] std::int64_t gets_waiting() const {
    return Observe(state_.gets.length);
  }

  /// Statistics up to now or, after the run, to the last change.
  [[nodiscard]] StockStatistics statistics() const;

  /// Restarts the statistics, at the end of a warm-up.
  void ResetStatistics() noexcept;

 protected:
  using Facility::Facility;

  // --- For use when a batch is committed.

  void BeginAt(double level) noexcept;

  static void Begin(StockRequest& request) noexcept {
    request.state_ = StockState::kWaiting;
  }

  [[nodiscard]] static StockSide SideOf(const StockRequest& request) noexcept {
    return request.side_;
  }

  /// Resets a request that was removed from its line: its task no longer waits.
  static void Drop(StockRequest& request) noexcept {
    request.state_ = StockState::kNew;
  }

  /// Completes a request: its task goes on.
  void Complete(StockRequest& request) {
    request.state_ = StockState::kDone;
    Count(request.side_, now() - request.asked());
    request.Wake();
  }

  void Count(StockSide side, Duration waited) noexcept {
    (side == StockSide::kPut ? state_.puts : state_.gets)
        .waits_ns.Add(ToNs(waited));
  }

  /// Shows others the decided state.
  void Show(double level, std::size_t puts, std::size_t gets) noexcept {
    state_.level_over_time.Set(level, now());
    state_.puts.Show(puts, now());
    state_.gets.Show(gets, now());
  }

  /// Length and statistics of the line of one side.
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

/// The level of a container or store, as a term of an expression.
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
