#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace orrery::queueing::internal {

/// The filter of a get from a store; accepts all items by default.
template <typename T>
class ItemFilter {
 public:
  ItemFilter() = default;
  virtual ~ItemFilter() = default;
  ItemFilter(const ItemFilter&) = default;
  ItemFilter& operator=(const ItemFilter&) = default;

  [[nodiscard]] virtual bool Accepts(const T& /*item*/) { return true; }

  /// The turn of the last item for which it was called.
  std::uint64_t seen = 0;
};

/// An item with the number by which its shelf can put it back in place.
template <typename T>
struct Numbered {
  T item;
  std::uint64_t turn;
};

/// Items in the order of arrival, in a growing ring buffer.
template <typename T>
class Ring {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  void Add(T item) {
    Grow();
    places_[(first_ + size_) % places_.size()].emplace(std::move(item));
    ++size_;
  }

  /// Puts an item back at the front. The last one taken must come first.
  void Return(Numbered<T> one) {
    Grow();
    first_ = (first_ + places_.size() - 1) % places_.size();
    places_[first_].emplace(std::move(one.item));
    ++size_;
  }

  std::optional<Numbered<T>> TakeFor(ItemFilter<T>& /*filter*/) {
    if (size_ == 0) {
      return std::nullopt;
    }
    std::optional<T> item = std::exchange(places_[first_], std::nullopt);
    first_ = (first_ + 1) % places_.size();
    --size_;
    return Numbered<T>{.item = *std::move(item), .turn = ++taken_};
  }

 private:
  void Grow() {
    if (size_ < places_.size()) {
      return;
    }
    std::vector<std::optional<T>> places(std::max<std::size_t>(8, 2 * size_));
    for (std::size_t i = 0; i < size_; ++i) {
      places[i] = std::move(places_[(first_ + i) % places_.size()]);
    }
    places_ = std::move(places);
    first_ = 0;
  }

  std::vector<std::optional<T>> places_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  std::uint64_t taken_ = 0;
};

/// The least item first; among equals the first to come.
template <typename T, typename Less>
class Heap {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }

  void Add(T item) { Return({std::move(item), ++turns_}); }

  void Return(Numbered<T> one) {
    items_.push_back(std::move(one));
    std::push_heap(items_.begin(), items_.end(), IsAfter);
  }

  std::optional<Numbered<T>> TakeFor(ItemFilter<T>& /*filter*/) {
    if (items_.empty()) {
      return std::nullopt;
    }
    std::pop_heap(items_.begin(), items_.end(), IsAfter);
    std::optional<Numbered<T>> one(std::move(items_.back()));
    items_.pop_back();
    return one;
  }

 private:
  static bool IsAfter(const Numbered<T>& a, const Numbered<T>& b) {
    const Less less;
    return less(b.item, a.item) || (!less(a.item, b.item) && a.turn > b.turn);
  }

  std::vector<Numbered<T>> items_;
  std::uint64_t turns_ = 0;
};

/// Items in the order of arrival. Each filter takes the first that it accepts,
/// and is called for each item once.
template <typename T>
class Row {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }

  void Add(T item) { items_.push_back({std::move(item), ++turns_}); }

  void Return(Numbered<T> one) {
    items_.insert(
        std::ranges::upper_bound(items_, one.turn, {}, &Numbered<T>::turn),
        std::move(one));
  }

  std::optional<Numbered<T>> TakeFor(ItemFilter<T>& filter) {
    const auto begin =
        std::ranges::upper_bound(items_, filter.seen, {}, &Numbered<T>::turn);
    filter.seen = turns_;
    const auto found =
        std::find_if(begin, items_.end(), [&](const Numbered<T>& one) {
          return filter.Accepts(one.item);
        });
    if (found == items_.end()) {
      return std::nullopt;
    }
    std::optional<Numbered<T>> one(std::move(*found));
    items_.erase(found);
    return one;
  }

 private:
  std::vector<Numbered<T>> items_;
  std::uint64_t turns_ = 0;
};

}  // namespace orrery::queueing::internal
