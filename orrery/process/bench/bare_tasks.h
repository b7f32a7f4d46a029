#pragma once

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <deque>
#include <exception>
#include <utility>
#include <vector>

#include "orrery/base/time.h"

namespace orrery::process {

/// A coroutine that begins at once and is destroyed when it ends.
struct BareTask {
  struct promise_type {
    static BareTask get_return_object() noexcept { return {}; }

    static std::suspend_never initial_suspend() noexcept { return {}; }

    static std::suspend_never final_suspend() noexcept { return {}; }

    static void return_void() noexcept {}

    static void unhandled_exception() noexcept { std::terminate(); }
  };
};

/// A minimal scheduler of coroutines: a binary heap of sleeping ones.
class BareLoop {
 public:
  BareLoop() = default;
  BareLoop(const BareLoop&) = delete;
  BareLoop& operator=(const BareLoop&) = delete;

  ~BareLoop() {
    for (const Sleeper& sleeper : sleepers_) {
      sleeper.frame.destroy();
    }
  }

  [[nodiscard]] Duration now() const noexcept { return now_; }

  [[nodiscard]] auto Delay(Duration delay) {
    struct Awaiter {
      BareLoop& loop;
      Duration until;

      static bool await_ready() noexcept { return false; }

      void await_suspend(std::coroutine_handle<> frame) {
        loop.sleepers_.push_back({until, frame});
        std::push_heap(
            loop.sleepers_.begin(), loop.sleepers_.end(), WakesLater());
      }

      static void await_resume() noexcept {}
    };

    return Awaiter{*this, now_ + delay};
  }

  void RunUntil(Duration end) {
    while (!sleepers_.empty() && sleepers_.front().until <= end) {
      std::pop_heap(sleepers_.begin(), sleepers_.end(), WakesLater());
      const Sleeper next = sleepers_.back();
      sleepers_.pop_back();
      now_ = next.until;
      next.frame.resume();
    }
    now_ = end;
  }

 private:
  struct Sleeper {
    Duration until;
    std::coroutine_handle<> frame;
  };

  struct WakesLater {
    bool operator()(const Sleeper& a, const Sleeper& b) const {
      return a.until > b.until;
    }
  };

  std::vector<Sleeper> sleepers_;
  Duration now_{};
};

/// One server with a first-come, first-served line.
class BareServer {
 public:
  [[nodiscard]] auto Acquire() {
    struct Awaiter {
      BareServer& server;

      [[nodiscard]] bool await_ready() const {
        return !std::exchange(server.is_busy_, true);
      }

      void await_suspend(std::coroutine_handle<> frame) {
        server.waiting_.push_back(frame);
      }

      static void await_resume() noexcept {}
    };

    return Awaiter{*this};
  }

  /// The next one goes on at once.
  void Release() {
    if (waiting_.empty()) {
      is_busy_ = false;
      return;
    }
    const std::coroutine_handle<> next = waiting_.front();
    waiting_.pop_front();
    next.resume();
  }

 private:
  bool is_busy_ = false;
  std::deque<std::coroutine_handle<>> waiting_;
};

}  // namespace orrery::process
