#include "orrery/queueing/container.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"

namespace orrery::queueing {

using internal::StockSide;

namespace {

// The value, rounded to this number of digits.
double RoundedTo(double value, int digits) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(),
                                     text.data() + text.size(),
                                     value,
                                     std::chars_format::scientific,
                                     digits - 1);
  double rounded = value;
  std::from_chars(text.data(), written.ptr, rounded);
  return rounded;
}

}  // namespace

std::string Container::Moving::Describe() const {
  return ShortestText(amount_) +
         (side() == StockSide::kPut ? " to fit into '" : " from '") +
         container_->Path() + "'";
}

Container::Container(process::Model* owner,
                     std::string_view name,
                     ContainerOptions options)
    : Stock(owner, name),
      options_(options),
      level_(options.initial),
      slack_(SlackOf(options.initial)) {
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
  level_ = ExactSum(options_.initial);
  slack_ = SlackOf(options_.initial);
  BeginAt(options_.initial);
}

std::shared_ptr<const void> Container::Save() const {
  return std::make_shared<const Saved>(
      Saved{.state = state(), .level = level_, .slack = slack_});
}

void Container::Restore(const void* saved) {
  const auto& from = *static_cast<const Saved*>(saved);
  RestoreState(from.state);
  level_ = from.level;
  slack_ = from.slack;
}

void Container::OnRequested(process::Request& request) {
  auto& moving = static_cast<Moving&>(request);
  Begin(moving);
  LineOf(moving).Add(moving);
}

void Container::OnPosted(std::uint64_t bits) {
  if (const auto amount = std::bit_cast<double>(bits); amount != 0) {
    Move(amount);
  }
}

void Container::Settle() {
  while (Serve(puts_) || Serve(gets_)) {
  }
  Show(level_.Value(), puts_.size(), gets_.size());
}

double Container::SlackOf(double amount) const noexcept {
  return std::abs(amount) * std::numeric_limits<double>::epsilon();
}

// Uses 15 digits: each decimal number of 15 digits is recovered from its
// double.
double Container::ShownLevel() const {
  const double level = level_.Value();
  const double shown = RoundedTo(level, std::numeric_limits<double>::digits10);
  return std::abs(shown - level) <= slack_ ? shown : level;
}

bool Container::CanServe(const Moving& moving) const {
  const bool is_put = moving.side() == StockSide::kPut;
  if (is_put && std::isinf(options_.capacity)) {
    return true;
  }
  ExactSum missing = level_;
  missing.Add(is_put ? moving.amount_ : -moving.amount_);
  double slack = slack_ + SlackOf(moving.amount_);
  if (!is_put) {
    return missing.Value() >= -slack;
  }
  missing.Add(-options_.capacity);
  slack += SlackOf(options_.capacity);
  return missing.Value() <= slack;
}

// Sets the level to exactly empty or full if it is so within rounding.
void Container::Move(double amount) {
  level_.Add(amount);
  slack_ += SlackOf(amount);
  const double level = level_.Value();
  if (std::abs(level) <= slack_) {
    level_ = ExactSum();
    slack_ = 0;
  } else if (std::isfinite(options_.capacity) &&
             std::abs(level - options_.capacity) <=
                 slack_ + SlackOf(options_.capacity)) {
    level_ = ExactSum(options_.capacity);
    slack_ = SlackOf(options_.capacity);
  }
}

// Serves all requests that can be, from the first on. Returns true if one was.
bool Container::Serve(WaitQueue& line) {
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
    Move(SideOf(*first) == StockSide::kPut ? first->amount_ : -first->amount_);
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
