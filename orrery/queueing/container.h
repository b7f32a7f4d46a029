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
#include "orrery/queueing/internal/line.h"
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
/// On either side first come, first served: who wants much waits until so much
/// is there, and all behind on that side wait too. What is put in a batch can
/// be got in it. What a task was given and does not take, since it is
/// interrupted just then, goes back, even above the capacity.
///
/// Amounts are added up without rounding. Each of them, such as 0.1, is itself
/// rounded, by 2^-52 of it at most; so an amount is there, or fits, if no more
/// is missing than that of all that was moved since the container was last
/// empty or full. Ten times 0.1 are 1.0, and 0.7 and 0.1 are 0.8.
class Container : public internal::Stock {
 public:
  /// A task's wait for room or for an amount.
  class [[nodiscard]] Moving final : public internal::StockRequest {
   public:
    Moving(Container& container, internal::StockSide side, double amount)
        : StockRequest(container, side),
          container_(&container),
          amount_(amount) {}

    /// Before it is awaited.
    Moving(Moving&& other) noexcept = default;

    Moving& operator=(Moving&&) = delete;
    Moving(const Moving&) = delete;
    Moving& operator=(const Moving&) = delete;

    ~Moving() override { Withdraw(); }

    void await_resume() {
      Finish([this] { Withdraw(); });
    }

    /// For AnyOf and AllOf. What was put stays.
    internal::Given<Container, double> ResumeRevocably() {
      await_resume();
      return {*container_, side() == internal::StockSide::kGet ? amount_ : 0};
    }

    [[nodiscard]] std::string Describe() const override;

    // Its place in the line.
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
  ///     initial amount from 0 to it; and as Member does.
  Container(process::Model* owner,
            std::string_view name,
            ContainerOptions options = {});

  [[nodiscard]] double capacity() const noexcept { return options_.capacity; }

  /// As of the last batch: within what rounding leaves open, the number of 15
  /// digits if there is one.
  [[nodiscard]] double level() const { return Observe(ShownLevel()); }

  /// As it stands in an expression: `tank > 10.0`.
  [[nodiscard]] internal::StockTerm<Container> AsTerm() const { return {this}; }

  /// `co_await` goes on when there is room for `amount`, which then is in it.
  /// @throws Error kInvalidArgument unless it is positive and at most the
  ///     capacity, and finite.
  [[nodiscard]] Moving Put(double amount);

  /// `co_await` goes on when `amount` is there, which then is taken.
  /// @throws as Put.
  [[nodiscard]] Moving Get(double amount);

 private:
  friend internal::Given<Container, double>;
  using Line = internal::Line<Moving>;

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

  Line& LineOf(const Moving& moving) noexcept {
    return moving.side() == internal::StockSide::kPut ? puts_ : gets_;
  }

  [[nodiscard]] double ShownLevel() const;
  [[nodiscard]] double SlackOf(double amount) const noexcept;
  [[nodiscard]] bool CanServe(const Moving& moving) const;
  void Move(double amount);
  bool Serve(Line& line);
  void Abandon(Moving& moving);  // In a step.
  void GiveBack(double amount);

  static std::monostate Unpacked(double /*amount*/) noexcept { return {}; }

  ContainerOptions options_;
  ExactSum level_;
  double slack_ = 0;  // What rounding of all that was moved leaves open.
  Line puts_;
  Line gets_;
};

}  // namespace orrery::queueing
