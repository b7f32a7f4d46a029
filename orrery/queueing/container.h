#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "orrery/base/numbers/exact_sum.h"
#include "orrery/process/model/facility.h"
#include "orrery/process/model/model.h"
#include "orrery/queueing/internal/wait_queue.h"
#include "orrery/queueing/stock.h"

namespace orrery::queueing {

struct ContainerOptions {
  double capacity = std::numeric_limits<double>::infinity();
  double initial = 0;
};

/// An amount, such as of fuel, that tasks add to and take from.
///
///     Container tank{this, "tank", {.capacity = 200, .initial = 200}};
///     ...
///     co_await tank.Get(40);
///     co_await Until(tank < 50.0);
///
/// Each side is first come, first served: a large request waits until its
/// amount is there, and all behind it on that side wait too. An amount that is
/// put in a batch can be got in it. An amount that was given to a task just
/// interrupted goes back, even above the capacity.
///
/// Amounts are added up without rounding. Each amount itself, such as 0.1, is
/// rounded, by at most 2^-52 of it. So an amount is there, or fits, if the
/// difference is at most that rounding of all amounts moved since the container
/// was last empty or full. Ten times 0.1 are 1.0, and 0.7 and 0.1 are 0.8.
class Container : public internal::Stock {
 public:
  /// A task's wait for room or for an amount.
  class [[nodiscard]] Moving final : public internal::StockRequest {
   public:
    Moving(Container& container, internal::StockSide side, double amount)
        : StockRequest(container, side),
          container_(&container),
          amount_(amount) {}

    /// Is called before it is awaited.
    Moving(Moving&& other) noexcept = default;

    Moving& operator=(Moving&&) = delete;
    Moving(const Moving&) = delete;
    Moving& operator=(const Moving&) = delete;

    ~Moving() override { Withdraw(); }

    void await_resume() {
      Finish([this] { Withdraw(); });
    }

    /// For AnyOf and AllOf. An amount that was put stays.
    internal::Given<Container, double> ResumeRevocably() {
      await_resume();
      return {*container_, side() == internal::StockSide::kGet ? amount_ : 0};
    }

    [[nodiscard]] std::string Describe() const override;

    // Its neighbours in the line.
    Moving* previous = nullptr;
    Moving* next = nullptr;

   private:
    friend class Container;

    void Withdraw() {
      if (state() != internal::StockState::kNew) {
        container_->Abandon(*this);
      }
    }

    Container* container_;
    double amount_;
  };

  /// @throws Error kInvalidArgument unless the capacity is positive and the
  ///     initial amount between 0 and the capacity; and as Member does.
  Container(process::Model* owner,
            std::string_view name,
            ContainerOptions options = {});

  [[nodiscard]] double capacity() const noexcept { return options_.capacity; }

  /// The level after the last batch: within the rounding error, a number of at
  /// most 15 digits if there is one.
  [[nodiscard]] double level() const { return Observe(ShownLevel()); }

  /// The level as a term of an expression: `tank > 10.0`.
  [[nodiscard]] internal::StockTerm<Container> AsTerm() const { return {this}; }

  /// `co_await` goes on when there is room for `amount`, and adds it.
  /// @throws Error kInvalidArgument unless it is positive, at most the
  ///     capacity, and finite.
  [[nodiscard]] Moving Put(double amount);

  /// `co_await` goes on when `amount` is there, and takes it.
  /// @throws as Put.
  [[nodiscard]] Moving Get(double amount);

 private:
  friend internal::Given<Container, double>;
  using WaitQueue = internal::WaitQueue<Moving>;

  struct Saved {
    State state;
    ExactSum level;
    double slack = 0;
  };

  void Reset() override;
  [[nodiscard]] std::shared_ptr<const void> Save() const override;
  void Restore(const void* saved) override;
  void OnRequested(process::Request& request) override;
  void OnPosted(std::uint64_t bits) override;
  void Settle() override;

  void CheckAmount(const char* verb, double amount) const;

  WaitQueue& LineOf(const Moving& moving) noexcept {
    return moving.side() == internal::StockSide::kPut ? puts_ : gets_;
  }

  [[nodiscard]] double ShownLevel() const;
  [[nodiscard]] double SlackOf(double amount) const noexcept;
  [[nodiscard]] bool CanServe(const Moving& moving) const;
  void Move(double amount);
  bool Serve(WaitQueue& line);
  void Abandon(Moving& moving);  // To be called in a step.
  void GiveBack(double amount);

  static std::monostate Unpacked(double /*amount*/) noexcept { return {}; }

  ContainerOptions options_;
  ExactSum level_;
  double slack_ = 0;  // Bound on the rounding errors of all amounts moved.
  WaitQueue puts_;
  WaitQueue gets_;
};

}  // namespace orrery::queueing
