#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/process/record/event_row.h"

// A visitor of a graph of events receives groups of at least two members. Each
// member is an atom or a group with the other join:
//
//     void Open(EventJoin join);
//     void Atom(const T& atom);
//     void Close();

namespace orrery::process::internal {

/// The open groups, and how many of them have a member already: all but the
/// last few.
class EventPlace {
 public:
  void Open(EventJoin join) { groups_.push_back(join); }

  void Close() {
    groups_.pop_back();
    begun_ = std::min(begun_, groups_.size());
  }

  void Atom() { begun_ = groups_.size(); }

  [[nodiscard]] bool is_outside() const { return groups_.empty(); }

  /// The join between the next member and the one before it in its group.
  [[nodiscard]] EventJoin JoinInGroup() const {
    return begun_ == groups_.size() && begun_ > 0 ? groups_.back()
                                                  : EventJoin::kFirst;
  }

  /// The join between the next atom and the last one.
  [[nodiscard]] EventJoin JoinToLast() const {
    return begun_ == 0 ? EventJoin::kFirst : groups_[begun_ - 1];
  }

  [[nodiscard]] std::size_t level() const {
    return begun_ == 0 ? 0 : begun_ - 1;
  }

 private:
  std::vector<EventJoin> groups_;
  std::size_t begun_ = 0;
};

/// Folds a graph with an algebra.
template <typename T, typename Algebra, typename Value>
class EventEvaluation {
 public:
  explicit EventEvaluation(Algebra& algebra) : algebra_(&algebra) {
    groups_.emplace_back();
  }

  void Open(EventJoin join) { groups_.push_back({join, std::nullopt}); }

  void Atom(const T& atom) { Take(algebra_->Atom(atom)); }

  void Close() {
    Value value = std::move(*groups_.back().value);
    groups_.pop_back();
    Take(std::move(value));
  }

  Value Result() && {
    return groups_.front().value ? std::move(*groups_.front().value)
                                 : algebra_->Empty();
  }

 private:
  struct Group {
    EventJoin join = EventJoin::kFirst;
    std::optional<Value> value;  // The members so far, folded.
  };

  void Take(Value member) {
    auto& [join, value] = groups_.back();
    if (!value) {
      value.emplace(std::move(member));
    } else if (join == EventJoin::kSequentially) {
      value = algebra_->Sequentially(std::move(*value), std::move(member));
    } else {
      value = algebra_->Concurrently(std::move(*value), std::move(member));
    }
  }

  Algebra* algebra_;
  std::vector<Group> groups_;
};

/// Prints a graph, each atom by `Print`.
template <typename T, typename Print>
class EventText {
 public:
  explicit EventText(const Print& print) : print_(&print) {}

  void Open(EventJoin join) {
    Separate();
    text_ += place_.is_outside() ? "" : "(";
    place_.Open(join);
  }

  void Atom(const T& atom) {
    Separate();
    text_ += std::invoke(*print_, atom);
    place_.Atom();
  }

  void Close() {
    place_.Close();
    text_ += place_.is_outside() ? "" : ")";
  }

  std::string Result() && { return std::move(text_); }

 private:
  void Separate() {
    const EventJoin join = place_.JoinInGroup();
    if (join != EventJoin::kFirst) {
      text_ += join == EventJoin::kSequentially ? "; " : " | ";
    }
  }

  const Print* print_;
  EventPlace place_;
  std::string text_;
};

/// Lists a graph as rows.
template <typename T>
class EventRows {
 public:
  explicit EventRows(std::size_t size) { rows_.reserve(size); }

  void Open(EventJoin join) { place_.Open(join); }

  void Atom(const T& atom) {
    rows_.push_back({static_cast<std::uint32_t>(place_.level()),
                     place_.JoinToLast(),
                     atom});
    place_.Atom();
  }

  void Close() { place_.Close(); }

  std::vector<EventRow<T>> Result() && { return std::move(rows_); }

 private:
  EventPlace place_;
  std::vector<EventRow<T>> rows_;
};

/// Gives equal subgraphs equal numbers, from the atoms up (Aho, Hopcroft,
/// Ullman, "The design and analysis of computer algorithms", 1974, example
/// 3.2).
template <typename T>
class EventClasses {
 public:
  /// The number of the last visited graph; equal for equal graphs.
  std::uint32_t Taken() {
    const std::uint32_t number = members_.empty() ? 0 : members_.front();
    members_.clear();
    return number;
  }

  void Open(EventJoin join) { groups_.push_back({join, members_.size()}); }

  void Atom(const T& atom) { members_.push_back(OfAtom(atom)); }

  void Close() {
    const auto [join, first] = groups_.back();
    groups_.pop_back();
    const auto begin = members_.begin() + static_cast<std::ptrdiff_t>(first);
    if (join == EventJoin::kConcurrently) {
      std::sort(begin, members_.end());
    }
    std::vector<std::uint32_t> key(begin, members_.end());
    key.push_back(static_cast<std::uint32_t>(join));
    members_.erase(begin, members_.end());
    const auto [group, is_new] = of_groups_.try_emplace(std::move(key), next_);
    next_ += is_new ? 1 : 0;
    members_.push_back(group->second);
  }

 private:
  struct Group {
    EventJoin join;
    std::size_t first;  // Index of its first member.
  };

  static constexpr bool kHasHash = requires(const T& atom) {
    { std::hash<T>{}(atom) } -> std::convertible_to<std::size_t>;
  };

  // One key for all atoms that cannot be hashed: they are then compared.
  struct HashOfAtom {
    std::size_t operator()(const T* atom) const {
      if constexpr (kHasHash) {
        return std::hash<T>{}(*atom);
      } else {
        return 0;
      }
    }
  };

  struct SameAtom {
    bool operator()(const T* a, const T* b) const { return *a == *b; }
  };

  std::uint32_t OfAtom(const T& atom) {
    const auto [entry, is_new] = of_atoms_.try_emplace(&atom, next_);
    next_ += is_new ? 1 : 0;
    return entry->second;
  }

  std::uint32_t next_ = 1;
  std::unordered_map<const T*, std::uint32_t, HashOfAtom, SameAtom> of_atoms_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> of_groups_;
  std::vector<Group> groups_;
  // Numbers of the members of the open groups.
  std::vector<std::uint32_t> members_;
};

}  // namespace orrery::process::internal
