#include "orrery/process/cells/accumulator.h"

#include <cstddef>
#include <string_view>

#include "orrery/process/cells/finite.h"

namespace orrery::process {
namespace {

using Part = internal::SetThenAdd<1>;

Part Addition(double number) {
  return {.set = {}, .add = {ExactSum(number)}};
}

Part Assignment(double number) {
  return {.set = {.value = Part::Numbers{number}}, .add = {}};
}

void DescribePart(Record& record,
                  const Part& part,
                  std::string_view set,
                  std::string_view add) {
  if (part.set.value) {
    record.Add(set, (*part.set.value)[0]);
  }
  if (const double sum = part.add[0].Value(); sum != 0) {
    record.Add(add, sum);
  }
}

}  // namespace

void Accumulator::Effect::Describe(Record& record) const {
  const std::size_t before = record.fields().size();
  DescribePart(record, level, "set", "add");
  DescribePart(record, rate, "set_rate", "add_rate");
  if (level.set.conflict || rate.set.conflict) {
    record.Add("conflict", true);
  }
  if (acts && record.fields().size() == before) {
    record.Add("add", 0.0);
  }
}

Accumulator::Accumulator(double level, double rate)
    : level_{ExactSum(internal::Finite("start an accumulator at", level))},
      rate_{ExactSum(
          internal::Finite("start an accumulator with the rate", rate))} {}

Accumulator::Effect Accumulator::Adding(double amount) {
  internal::Finite("add to an accumulator", amount);
  return {.level = Addition(amount), .rate = {}, .acts = true};
}

Accumulator::Effect Accumulator::Setting(double level) {
  internal::Finite("set an accumulator to", level);
  return {.level = Assignment(level), .rate = {}, .acts = true};
}

Accumulator::Effect Accumulator::AddingRate(double per_second) {
  internal::Finite("add to the rate of an accumulator", per_second);
  return {.level = {}, .rate = Addition(per_second), .acts = true};
}

Accumulator::Effect Accumulator::SettingRate(double per_second) {
  internal::Finite("set the rate of an accumulator to", per_second);
  return {.level = {}, .rate = Assignment(per_second), .acts = true};
}

Accumulator::Effect Accumulator::Sequentially(const Effect& first,
                                              const Effect& second) {
  return {.level = Part::Sequentially(first.level, second.level),
          .rate = Part::Sequentially(first.rate, second.rate),
          .acts = first.acts || second.acts};
}

Accumulator::Effect Accumulator::Concurrently(const Effect& a,
                                              const Effect& b) {
  return {.level = Part::Concurrently(a.level, b.level),
          .rate = Part::Concurrently(a.rate, b.rate),
          .acts = a.acts || b.acts};
}

void Accumulator::Apply(const Effect& effect) {
  if (!effect.acts) {
    return;
  }
  if (elapsed_ != Duration::zero()) {
    level_[0] = ExactSum(Value());  // The value that was seen is the new level.
    elapsed_ = Duration::zero();
  }
  effect.level.ApplyTo(level_, level_conflict_);
  effect.rate.ApplyTo(rate_, rate_conflict_);
}

double Accumulator::Value() const {
  return level_[0].Value() + rate() * Seconds(elapsed_).value;
}

}  // namespace orrery::process
