#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/files/byte_stream.h"
#include "orrery/program/program.h"

namespace orrery::program::internal {

/// Writes or reads the parts of a program that has its tape and graph already.
/// The fields of a thing are described once, for both, by a function `One`.
/// Numbers of other things are checked as they are read.
/// @tparam Stream ByteWriter or ByteReader.
template <typename Stream>
class FieldStream {
 public:
  FieldStream(Stream& stream, Program& program)
      : stream_(stream), program_(program) {}

  [[nodiscard]] Stream& stream() noexcept { return stream_; }

  [[nodiscard]] Program& program() noexcept { return program_; }

  void Slot(std::uint32_t& slot) {
    stream_.Number(slot);
    stream_.Expect(slot < program_.tape->memory_size(), "a place outside");
  }

  void SlotOrNone(std::uint32_t& slot) {
    stream_.Number(slot);
    stream_.Expect(slot == Delay::kNone || slot < program_.tape->memory_size(),
                   "a place outside");
  }

  void Slots(std::vector<std::uint32_t>& slots) {
    stream_.Numbers(slots);
    for (const std::uint32_t slot : slots) {
      stream_.Expect(slot < program_.tape->memory_size(), "a place outside");
    }
  }

  void Place(Reference& at) {
    Slot(at.slot);
    stream_.Number(at.sign);
    stream_.Expect(at.sign == 1 || at.sign == -1, "a sign that is none");
  }

  void IndexBelow(std::size_t& index, std::size_t size) {
    stream_.Number(index);
    stream_.Expect(index < size, "a number outside");
  }

  void Section(std::size_t& section) {
    IndexBelow(section, program_.tape->num_sections());
  }

  void Section(std::optional<std::size_t>& section) {
    if (Has(section)) {
      Section(*section);
    }
  }

  void Variable(std::size_t& variable) {
    IndexBelow(variable, program_.variables.size());
  }

  template <typename T>
  bool Has(std::optional<T>& value) {
    bool has = value.has_value();
    stream_.Truth(has);
    if (Stream::kReads && has) {
      value.emplace(T{});
    }
    return has;
  }

  template <typename T>
  void All(std::vector<T>& items) {
    std::size_t count = items.size();
    stream_.Count(count, 1);
    items.resize(count);
    for (T& item : items) {
      One(*this, item);
    }
  }

  void Text(SharedText& text) {
    std::string copy = text.str();
    stream_.Text(copy);
    text = SharedText(std::move(copy));
  }

  void NoSpan(SourceSpan& span) { span = {}; }

  void Formula(Expr& formula) {
    bool is_there = static_cast<bool>(formula);
    stream_.Truth(is_there);
    if (!is_there) {
      return;
    }
    std::uint32_t id = formula ? formula.id() : 0;
    stream_.Number(id);
    stream_.Expect(id < program_.graph->size(), "a formula outside");
    // Nothing changes the graph of a program.
    formula = Expr(const_cast<ExprGraph*>(program_.graph.get()),  // NOLINT
                   id);
  }

  void Steps(Schedule& schedule, std::size_t num_blocks) {
    std::size_t count = schedule.size();
    stream_.Count(count, 9);
    schedule.resize(count);
    for (ScheduleStep& step : schedule) {
      stream_.Choice(step.kind, ScheduleStep::Kind::kBlock);
      IndexBelow(step.index,
                 step.kind == ScheduleStep::Kind::kBlock
                     ? num_blocks
                     : program_.tape->num_sections());
    }
  }

  void Steps(Schedule& schedule) { Steps(schedule, program_.blocks.size()); }

  void TypeOf(std::shared_ptr<const Enumeration>& type) {
    std::uint32_t number = 0;
    if (type != nullptr) {
      const auto known = type_numbers_.emplace(
          type.get(), static_cast<std::uint32_t>(type_numbers_.size() + 1));
      number = known.first->second;
    }
    stream_.Number(number);
    stream_.Expect(number <= types_.size() + 1, "a type outside");
    if (number == 0) {
      return;
    }
    if (number == types_.size() + 1) {
      auto made = std::make_shared<Enumeration>(type == nullptr ? Enumeration{}
                                                                : *type);
      All(made->names);
      All(made->literals);
      types_.push_back(std::move(made));
    }
    type = types_[number - 1];
  }

 private:
  Stream& stream_;
  Program& program_;
  // Types that were written, by number from 1, and all known ones.
  std::map<const Enumeration*, std::uint32_t> type_numbers_;
  std::vector<std::shared_ptr<const Enumeration>> types_;
};

template <typename Stream>
void One(FieldStream<Stream>& fields, std::string& text) {
  fields.stream().Text(text);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, Reference& at) {
  fields.Place(at);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, SlotRange& range) {
  fields.stream().Number(range.begin);
  fields.stream().Number(range.end);
  fields.stream().Expect(range.begin <= range.end &&
                             range.end <= fields.program().tape->memory_size(),
                         "a place outside");
}

template <typename Stream>
void One(FieldStream<Stream>& fields, Expr& formula) {
  fields.Formula(formula);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, ScheduledEquation& equation) {
  fields.Formula(equation.target);
  fields.Formula(equation.value);
  fields.All(equation.iterators);
  fields.NoSpan(equation.span);
  fields.Text(equation.path);
}

template <typename Stream>
void One(FieldStream<Stream>& fields,
         std::vector<ScheduledEquation>& equations) {
  fields.All(equations);
}

template <typename Stream>
void One(FieldStream<Stream>& fields, Iterate& iterate) {
  fields.Slot(iterate.slot);
  fields.Slot(iterate.result_slot);
}

}  // namespace orrery::program::internal
