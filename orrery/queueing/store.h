#pragma once

#include <algorithm>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/time.h"
#include "orrery/process/model/facility.h"
#include "orrery/process/model/model.h"
#include "orrery/queueing/internal/item_containers.h"
#include "orrery/queueing/internal/wait_queue.h"
#include "orrery/queueing/stock.h"

namespace orrery::queueing {

inline constexpr std::int64_t kUnlimited =
    std::numeric_limits<std::int64_t>::max();

template <typename T>
concept Storable = std::is_nothrow_move_constructible_v<T> &&
    std::is_nothrow_move_assignable_v<T>;

namespace internal {

/// @throws Error kInvalidArgument unless the capacity is positive.
void CheckCapacity(const process::Facility& store, std::int64_t capacity);

/// @throws Error kInvalidArgument unless the capacity is unlimited.
void CheckIsUnlimited(const process::Facility& store, std::int64_t capacity);

/// @throws Error kInvalidArgument if `is_put`.
void CheckIsNotPut(const process::Facility& store, bool is_put);

template <typename T, typename Shelf>
class BasicStore;

/// A task's wait for room for an item.
template <typename T, typename Shelf>
class [[nodiscard]] Putting final : public StockRequest {
 public:
  Putting(BasicStore<T, Shelf>& store, T item)
      : StockRequest(store, StockSide::kPut),
        store_(&store),
        item_(std::move(item)) {}

  /// Is called before it is awaited.
  Putting(Putting&& other) noexcept = default;

  Putting& operator=(Putting&&) = delete;
  Putting(const Putting&) = delete;
  Putting& operator=(const Putting&) = delete;

  ~Putting() override { Withdraw(); }

  /// @throws Error kInvalidArgument if the item is in the store already.
  void await_suspend(std::coroutine_handle<> frame) {
    CheckIsNotPut(*store_, is_put_);
    StockRequest::await_suspend(frame);
  }

  void await_resume() {
    Finish([this] { Withdraw(); });
    is_put_ = true;
  }

  [[nodiscard]] std::string Describe() const override {
    return "room in '" + store_->Path() + "'";
  }

  // Its neighbours in the line.
  Putting* previous = nullptr;
  Putting* next = nullptr;

 private:
  friend class BasicStore<T, Shelf>;

  void Withdraw() {
    if (state() == StockState::kWaiting) {
      store_->Abandon(*this);
    }
  }

  BasicStore<T, Shelf>* store_;
  T item_;
  bool is_put_ = false;
};

/// A task's wait for an item.
template <typename T, typename Shelf>
class [[nodiscard]] Getting : public StockRequest, public ItemFilter<T> {
 public:
  explicit Getting(BasicStore<T, Shelf>& store)
      : StockRequest(store, StockSide::kGet), store_(&store) {}

  /// Is called before it is awaited.
  Getting(Getting&& other) noexcept = default;

  Getting& operator=(Getting&&) = delete;
  Getting(const Getting&) = delete;
  Getting& operator=(const Getting&) = delete;

  ~Getting() override { Withdraw(); }

  T await_resume() {
    Finish([this] { Withdraw(); });
    return this->template Give<T>([this] { return std::move(given_->item); });
  }

  /// For AnyOf and AllOf.
  Given<BasicStore<T, Shelf>, Numbered<T>> ResumeRevocably() {
    Finish([this] { Withdraw(); });
    auto [item, turn] = this->template Give<std::pair<T, std::uint64_t>>(
        [this] { return std::pair(std::move(given_->item), given_->turn); });
    return {*store_, {std::move(item), turn}};
  }

  [[nodiscard]] std::string Describe() const override {
    return "an item from '" + store_->Path() + "'";
  }

  // Its neighbours in the line.
  Getting* previous = nullptr;
  Getting* next = nullptr;

 private:
  friend class BasicStore<T, Shelf>;

  [[nodiscard]] std::uint64_t progress() const noexcept final {
    return this->seen;
  }

  void SetProgress(std::uint64_t progress) noexcept final {
    this->seen = progress;
  }

  void Withdraw() {
    if (state() != StockState::kNew) {
      store_->Abandon(*this);
      this->seen = 0;
    }
  }

  BasicStore<T, Shelf>* store_;
  std::optional<Numbered<T>> given_;
};

template <typename T, typename Shelf, typename Predicate>
class [[nodiscard]] Filtering final : public Getting<T, Shelf> {
 public:
  Filtering(BasicStore<T, Shelf>& store, Predicate predicate)
      : Getting<T, Shelf>(store), predicate_(std::move(predicate)) {}

  [[nodiscard]] bool Accepts(const T& item) override {
    return std::invoke(predicate_, item);
  }

 private:
  Predicate predicate_;
};

/// The common part of stores.
template <typename T, typename Shelf>
class BasicStore : public Stock {
 public:
  using PutRequest = Putting<T, Shelf>;
  using GetRequest = Getting<T, Shelf>;

  [[nodiscard]] std::int64_t capacity() const noexcept { return capacity_; }

  /// The number of items after the last batch.
  [[nodiscard]] std::int64_t size() const {
    return Observe(static_cast<std::int64_t>(shelf_.size()));
  }

  [[nodiscard]] std::int64_t level() const { return size(); }

  /// The number of items as a term of an expression: `parts > 10`.
  [[nodiscard]] StockTerm<BasicStore> AsTerm() const { return {this}; }

  /// `co_await` goes on when there is room for the item, and adds it.
  [[nodiscard]] PutRequest Put(T item) { return {*this, std::move(item)}; }

  /// Puts the item at once. To be called in a task, or between steps of a run.
  /// @throws Error kInvalidArgument if the capacity is limited, or there is no
  ///     run.
  void Push(T item) {
    CheckIsUnlimited(*this, capacity_);
    pushed_.push_back(std::move(item));
    PostEffect(pushed_.size());
  }

 protected:
  BasicStore(process::Model* owner,
             std::string_view name,
             std::int64_t capacity)
      : Stock(owner, name), capacity_(capacity) {
    CheckCapacity(*this, capacity);
  }

 private:
  friend PutRequest;
  friend GetRequest;
  friend Given<BasicStore, Numbered<T>>;

  struct Saved {
    State state;
    Shelf shelf;
  };

  void Reset() override {
    shelf_ = Shelf();
    pushed_.clear();
    returned_.clear();
    BeginAt(0);
  }

  [[nodiscard]] std::shared_ptr<const void> Save() const override {
    if constexpr (std::is_copy_constructible_v<T>) {
      return std::make_shared<const Saved>(
          Saved{.state = state(), .shelf = shelf_});
    } else {
      return nullptr;
    }
  }

  void Restore(const void* saved) override {
    if constexpr (std::is_copy_constructible_v<T>) {
      const auto& from = *static_cast<const Saved*>(saved);
      RestoreState(from.state);
      shelf_ = from.shelf;
      pushed_.clear();
      returned_.clear();  // Drops items that replayed tasks returned.
    }
  }

  void OnRequested(process::Request& request) override {
    auto& of_stock = static_cast<StockRequest&>(request);
    Begin(of_stock);
    if (SideOf(of_stock) == StockSide::kPut) {
      puts_.Add(static_cast<PutRequest&>(of_stock));
    } else {
      gets_.Add(static_cast<GetRequest&>(of_stock));
    }
  }

  void OnPosted(std::uint64_t pushed) override {
    if (pushed > 0) {
      shelf_.Add(std::move(pushed_[pushed - 1]));
      Count(StockSide::kPut, Duration(0));
    }
  }

  void Settle() override {
    pushed_.clear();
    TakeBack();
    while (ServePuts() || ServeGets()) {
    }
    Show(static_cast<double>(shelf_.size()), puts_.size(), gets_.size());
  }

  // Takes back returned items. Filters must see them again.
  void TakeBack() {
    if (returned_.empty()) {
      return;
    }
    std::ranges::sort(returned_, std::greater(), &Numbered<T>::turn);
    for (Numbered<T>& one : returned_) {
      shelf_.Return(std::move(one));
    }
    returned_.clear();
    for (GetRequest* at = gets_.first(); at != nullptr; at = at->next) {
      at->seen = 0;
    }
  }

  template <typename R>
  bool DropUnlessWaiting(R& request, WaitQueue<R>& line) {
    if (request.is_waiting()) {
      return false;
    }
    line.Remove(request);
    Drop(request);
    return true;
  }

  bool ServePuts() {
    bool has_served = false;
    while (puts_.first() != nullptr) {
      PutRequest& first = *puts_.first();
      if (DropUnlessWaiting(first, puts_)) {
        continue;
      }
      if (std::cmp_greater_equal(shelf_.size(), capacity_)) {
        break;
      }
      shelf_.Add(std::move(first.item_));
      puts_.Remove(first);
      Complete(first);
      has_served = true;
    }
    return has_served;
  }

  bool ServeGets() {
    bool has_served = false;
    for (GetRequest* at = gets_.first(); at != nullptr && shelf_.size() > 0;) {
      GetRequest& one = *std::exchange(at, at->next);
      if (DropUnlessWaiting(one, gets_)) {
        continue;
      }
      if (Give(one)) {
        has_served = true;
      }
    }
    return has_served;
  }

  bool Give(GetRequest& one) {
    try {
      one.given_ = shelf_.TakeFor(one);
    } catch (...) {  // An exception of a predicate of the model.
      gets_.Remove(one);
      Drop(one);
      one.Fail(std::current_exception());
      return false;
    }
    if (!one.given_) {
      return false;
    }
    gets_.Remove(one);
    Complete(one);
    return true;
  }

  // --- For use in a step.
  void Abandon(PutRequest& putting) {
    puts_.Remove(putting);
    Post(0);
  }

  void Abandon(GetRequest& getting) {
    if (getting.state() == StockState::kWaiting) {
      gets_.Remove(getting);
      Post(0);
    } else {
      GiveBack(*std::move(getting.given_));
    }
  }

  static T Unpacked(Numbered<T> one) noexcept { return std::move(one.item); }

  void GiveBack(Numbered<T> one) {
    returned_.push_back(std::move(one));
    Post(0);
  }

  std::int64_t capacity_;
  Shelf shelf_;
  WaitQueue<PutRequest> puts_;
  WaitQueue<GetRequest> gets_;
  std::vector<T> pushed_;  // Posted in this batch, in any order.
  std::vector<Numbered<T>> returned_;
};

}  // namespace internal

/// Items that tasks put and get: first in, first out, and first come, first
/// served.
///
///     Store<Message> pipe{this, "pipe"};
///     ...
///     const Message message = co_await pipe.Get();
///
/// Items may be move-only. An item that is put in a batch can be got in it. An
/// item that was given to a task just interrupted goes back to its place, even
/// above the capacity.
template <Storable T>
class Store : public internal::BasicStore<T, internal::Ring<T>> {
 public:
  /// Empty at first.
  /// @throws Error kInvalidArgument unless the capacity is positive; and as
  ///     Member does.
  Store(process::Model* owner,
        std::string_view name,
        std::int64_t capacity = kUnlimited)
      : Store::BasicStore(owner, name, capacity) {}

  /// `co_await` gives an item.
  [[nodiscard]] typename Store::GetRequest Get() {
    return typename Store::GetRequest(*this);
  }
};

/// A store that gives the least item first; among equals the first to come.
template <Storable T, std::strict_weak_order<T, T> Less = std::less<>>
class PriorityStore : public internal::BasicStore<T, internal::Heap<T, Less>> {
 public:
  /// As the constructor of Store.
  PriorityStore(process::Model* owner,
                std::string_view name,
                std::int64_t capacity = kUnlimited)
      : PriorityStore::BasicStore(owner, name, capacity) {}

  /// `co_await` gives an item.
  [[nodiscard]] typename PriorityStore::GetRequest Get() {
    return typename PriorityStore::GetRequest(*this);
  }
};

/// A store from which tasks get the first item that suits them. A request
/// without a suitable item does not hold up those behind it.
template <Storable T>
class FilterStore : public internal::BasicStore<T, internal::Row<T>> {
 public:
  /// As the constructor of Store.
  FilterStore(process::Model* owner,
              std::string_view name,
              std::int64_t capacity = kUnlimited)
      : FilterStore::BasicStore(owner, name, capacity) {}

  /// `co_await` gives any item.
  [[nodiscard]] typename FilterStore::GetRequest Get() {
    return typename FilterStore::GetRequest(*this);
  }

  /// `co_await` gives an item for which `predicate` is true. It is called once
  /// for each item, and again after one has gone back. Its exceptions are
  /// thrown where the task waits.
  template <std::predicate<const T&> Predicate>
  [[nodiscard]] internal::Filtering<T, internal::Row<T>, Predicate> Get(
      Predicate predicate) {
    return {*this, std::move(predicate)};
  }
};

}  // namespace orrery::queueing
