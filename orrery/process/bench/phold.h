#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/bench/bare_tasks.h"
#include "orrery/process/bench/ladder_queue.h"
#include "orrery/process/bench/random.h"
#include "orrery/process/cells.h"
#include "orrery/process/simulator.h"

/// PHOLD (Fujimoto, "Performance of Time Warp under synthetic workloads", 1990)
/// with processes. Each sleeps for an exponential time, then sends to a random
/// one. There are four ways to run it, with the same events at the same times.
namespace orrery::process {

struct Totals {
  std::int64_t events = 0;
  /// Depends on the process and time of each event.
  std::uint64_t checksum = 0;

  friend bool operator==(const Totals&, const Totals&) = default;
};

/// The work of the processes, which all engines share.
class PholdWork {
 public:
  /// @param sends true if they send; else they only sleep.
  PholdWork(std::uint32_t processes, bool sends)
      : received_(sends ? processes : 0) {}

  /// Long enough that no two events are at one time.
  static constexpr std::chrono::hours kMeanDelay{100};

  Duration DrawDelay() { return random_.Exponential(kMeanDelay); }

  void CountEvent(std::uint32_t process, Duration now) {
    ++totals_.events;
    totals_.checksum += static_cast<std::uint64_t>(now.count()) ^ process;
  }

  std::uint32_t DrawReceiver() {
    return random_.Below(static_cast<std::uint32_t>(received_.size()));
  }

  void OnEvent(std::uint32_t process, Duration now) {
    CountEvent(process, now);
    if (!received_.empty()) {
      ++received_[DrawReceiver()];
    }
  }

  [[nodiscard]] const Totals& totals() const noexcept { return totals_; }

 private:
  CheapRandom random_{1};
  std::vector<std::uint32_t> received_;
  Totals totals_;
};

class PholdByHand {
 public:
  PholdByHand(std::uint32_t processes, bool sends) : work_(processes, sends) {
    for (std::uint32_t i = 0; i < processes; ++i) {
      queue_.Push({work_.DrawDelay().count(), i});
    }
  }

  void RunUntil(Duration end) {
    while (queue_.NextTime() <= end.count()) {
      const LadderQueue::Entry event = queue_.Pop();
      work_.OnEvent(event.id, Duration(event.time));
      queue_.Push({event.time + work_.DrawDelay().count(), event.id});
    }
  }

  [[nodiscard]] const Totals& totals() const { return work_.totals(); }

 private:
  PholdWork work_;
  LadderQueue queue_;
};

class PholdBare {
 public:
  PholdBare(std::uint32_t processes, bool sends) : work_(processes, sends) {
    for (std::uint32_t i = 0; i < processes; ++i) {
      Process(i);
    }
  }

  void RunUntil(Duration end) { loop_.RunUntil(end); }

  [[nodiscard]] const Totals& totals() const { return work_.totals(); }

 private:
  BareTask Process(std::uint32_t i) {
    for (;;) {
      co_await loop_.Delay(work_.DrawDelay());
      work_.OnEvent(i, loop_.now());
    }
  }

  PholdWork work_;
  BareLoop loop_;
};

class PholdTasks {
 public:
  PholdTasks(std::uint32_t processes, bool sends) : model_(processes, sends) {}

  void RunUntil(Duration end) { run_.RunUntil(end); }

  [[nodiscard]] const Totals& totals() const { return model_.work.totals(); }

 private:
  struct Processes : Model {
    std::uint32_t processes;
    PholdWork work;

    Processes(std::uint32_t number, bool sends)
        : processes(number), work(number, sends) {}

    void Start() override {
      for (std::uint32_t i = 0; i < processes; ++i) {
        Spawn(Process(i));
      }
    }

    Task<> Process(std::uint32_t i) {
      for (;;) {
        co_await Delay(work.DrawDelay());
        work.OnEvent(i, Now());
      }
    }
  };

  Processes model_;
  Simulator run_{model_};
};

/// The same with as many messages as processes. A process without a message
/// waits for one. It takes an exponential time to handle a message, and then
/// sends it on.
struct Mail {
  std::int64_t unread = 1;
  bool is_busy = false;
  Duration delay{};  ///< Time to handle the next message.
};

class MailByHand {
 public:
  explicit MailByHand(std::uint32_t processes)
      : work_(processes, true), boxes_(processes) {
    for (std::uint32_t i = 0; i < processes; ++i) {
      boxes_[i].delay = work_.DrawDelay();
      TakeNext(i, Duration(0));
    }
  }

  void RunUntil(Duration end) {
    while (queue_.NextTime() <= end.count()) {
      const LadderQueue::Entry event = queue_.Pop();
      const Duration now(event.time);
      work_.CountEvent(event.id, now);
      boxes_[event.id].delay = work_.DrawDelay();
      boxes_[event.id].is_busy = false;
      const std::uint32_t receiver = work_.DrawReceiver();
      ++boxes_[receiver].unread;
      TakeNext(receiver, now);
      TakeNext(event.id, now);
    }
  }

  [[nodiscard]] const Totals& totals() const { return work_.totals(); }

 private:
  void TakeNext(std::uint32_t i, Duration now) {
    Mail& box = boxes_[i];
    if (!box.is_busy && box.unread > 0) {
      box.is_busy = true;
      --box.unread;
      queue_.Push({(now + box.delay).count(), i});
    }
  }

  PholdWork work_;
  LadderQueue queue_;
  std::vector<Mail> boxes_;
};

class MailBare {
 public:
  explicit MailBare(std::uint32_t processes)
      : work_(processes, true), boxes_(processes) {
    for (std::uint32_t i = 0; i < processes; ++i) {
      Process(i);
    }
  }

  MailBare(const MailBare&) = delete;
  MailBare& operator=(const MailBare&) = delete;

  ~MailBare() {
    for (Box& box : boxes_) {
      if (box.waiting) {
        box.waiting.destroy();
      }
    }
  }

  void RunUntil(Duration end) { loop_.RunUntil(end); }

  [[nodiscard]] const Totals& totals() const { return work_.totals(); }

 private:
  struct Box {
    std::int64_t unread = 1;
    std::coroutine_handle<> waiting;

    [[nodiscard]] auto Take() {
      struct Awaiter {
        Box& box;

        [[nodiscard]] bool await_ready() const noexcept {
          return box.unread > 0;
        }

        void await_suspend(std::coroutine_handle<> frame) const {
          box.waiting = frame;
        }

        void await_resume() const { --box.unread; }
      };

      return Awaiter{*this};
    }

    void Add() {
      ++unread;
      if (waiting) {
        std::exchange(waiting, nullptr).resume();
      }
    }
  };

  BareTask Process(std::uint32_t i) {
    Duration delay = work_.DrawDelay();
    for (;;) {
      co_await boxes_[i].Take();
      co_await loop_.Delay(delay);
      work_.CountEvent(i, loop_.now());
      delay = work_.DrawDelay();
      boxes_[work_.DrawReceiver()].Add();
    }
  }

  PholdWork work_;
  BareLoop loop_;
  std::vector<Box> boxes_;
};

/// Boxes are cells; a process waits for a condition on its own.
class MailTasks {
 public:
  MailTasks(std::uint32_t processes, bool logs)
      : model_(processes), run_(model_, {.records = {.events = logs}}) {}

  void RunUntil(Duration end) { run_.RunUntil(end); }

  [[nodiscard]] const Totals& totals() const { return model_.work.totals(); }

 private:
  struct Processes : Model {
    PholdWork work;
    std::vector<std::unique_ptr<Cell<Counter<>>>> received;

    explicit Processes(std::uint32_t number) : work(number, true) {
      for (std::uint32_t i = 0; i < number; ++i) {
        received.push_back(std::make_unique<Cell<Counter<>>>(
            this, "received" + std::to_string(i), 1));
      }
    }

    void Start() override {
      for (std::uint32_t i = 0; i < received.size(); ++i) {
        Spawn(Process(i));
      }
    }

    Task<> Process(std::uint32_t i) {
      Duration delay = work.DrawDelay();
      for (std::int64_t taken = 0;; ++taken) {
        co_await Until(*received[i] > taken);
        co_await Delay(delay);
        work.CountEvent(i, Now());
        delay = work.DrawDelay();
        received[work.DrawReceiver()]->Add(1);
      }
    }
  };

  Processes model_;
  Simulator run_;
};

}  // namespace orrery::process
