#include "orrery/queueing/container.h"

#include <bit>
#include <cmath>

#include "orrery/base/error.h"
#include "orrery/base/number_text.h"

namespace orrery::queueing {

using internal::StockSide;

std::string Container::Moving::Describe() const {
  return ShortestText(amount_) +
         (side() == StockSide::kPut ? " to fit into '" : " from '") +
         container_->Path() + "'";
}

Container::Container(process::Model* owner,
                     std::string_view name,
                     ContainerOptions options)
    : Stock(owner, name), options_(options), level_(options.initial) {
  if (!(options.capacity > 0 && options.initial >= 0 &&
        options.initial <= options.capacity) ||
      std::isinf(options.initial)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot make the container '" + Path() + "': its capacity is " +
                    ShortestText(options.capacity) +
                    " and the initial amount " + ShortestText(options.initial) +
                    "; give a positive capacity, and 0 up to it");
  }
}

void Container::CheckAmount(const char* verb, double amount) const {
  if (!(amount > 0 && amount <= options_.capacity) || std::isinf(amount)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + std::string(verb) + " " + ShortestText(amount) +
                    ": '" + Path() + "' has a capacity of " +
                    ShortestText(options_.capacity) +
                    "; give an amount above 0 and up to it");
  }
}

Container::Moving Container::Put(double amount) {
  CheckAmount("put", amount);
  return {*this, StockSide::kPut, amount};
}

Container::Moving Container::Get(double amount) {
  CheckAmount("get", amount);
  return {*this, StockSide::kGet, amount};
}

void Container::Reset() {
  level_ = options_.initial;
  BeginAt(level_);
}

std::shared_ptr<const void> Container::Save() const {
  return std::make_shared<const Saved>(
      Saved{.state = state(), .level = level_});
}

void Container::Restore(const void* saved) {
  const auto& from = *static_cast<const Saved*>(saved);
  RestoreState(from.state);
  level_ = from.level;
}

void Container::OnRequested(process::Request& request) {
  auto& moving = static_cast<Moving&>(request);
  Begin(moving);
  LineOf(moving).Add(moving);
}

void Container::OnPosted(std::uint64_t bits) {
  level_ += std::bit_cast<double>(bits);
}

void Container::Settle() {
  while (Serve(puts_) || Serve(gets_)) {
  }
  Show(level_, puts_.size(), gets_.size());
}

bool Container::CanServe(const Moving& moving) const noexcept {
  return moving.side() == StockSide::kPut
             ? level_ + moving.amount_ <= options_.capacity
             : moving.amount_ <= level_;
}

// All that can be from the first on; whether that was one.
bool Container::Serve(Line& line) {
  bool has_served = false;
  for (Moving* first = line.first(); first != nullptr; first = line.first()) {
    if (!first->is_waiting()) {
      line.Remove(*first);
      Drop(*first);
      continue;
    }
    if (!CanServe(*first)) {
      break;
    }
    line.Remove(*first);
    level_ +=
        SideOf(*first) == StockSide::kPut ? first->amount_ : -first->amount_;
    Complete(*first);
    has_served = true;
  }
  return has_served;
}

void Container::Abandon(Moving& moving) {
  if (moving.state() == internal::StockState::kWaiting) {
    LineOf(moving).Remove(moving);
    GiveBack(0);
  } else if (moving.side() == StockSide::kGet) {
    GiveBack(moving.amount_);
  }
}

void Container::GiveBack(double amount) {
  Post(std::bit_cast<std::uint64_t>(amount));
}

}  // namespace orrery::queueing
