#pragma once

#include <chrono>
#include <coroutine>
#include <cstdint>
#include <deque>
#include <string>

#include "orrery/base/time.h"
#include "orrery/process/bench/bare_tasks.h"
#include "orrery/process/bench/random.h"
#include "orrery/process/model/facility.h"
#include "orrery/process/simulator.h"

/// M/M/1, once with a process per customer, who comes, waits for the server, is
/// served and goes; and once as a loop over the two next times.
namespace orrery::process {

struct CustomerTotals {
  std::int64_t served = 0;
  Duration stayed{};  ///< Sum over all customers.

  friend bool operator==(const CustomerTotals&,
                         const CustomerTotals&) = default;

  [[nodiscard]] double mean_stay_s() const {
    return std::chrono::duration<double>(stayed).count() /
           static_cast<double>(served);
  }
};

class CustomerWork {
 public:
  static constexpr std::chrono::milliseconds kMeanGap{1000};
  static constexpr std::chrono::milliseconds kMeanService{750};
  /// Mean stay of a customer, in seconds: 1 / (1/0.75 - 1).
  static constexpr double kMeanStay = 3;

  Duration DrawGap() { return gaps_.Exponential(kMeanGap); }

  Duration DrawService() { return services_.Exponential(kMeanService); }

  void CountServed(Duration stay) {
    ++totals_.served;
    totals_.stayed += stay;
  }

  [[nodiscard]] const CustomerTotals& totals() const noexcept {
    return totals_;
  }

 private:
  CheapRandom gaps_{1};
  CheapRandom services_{2};
  CustomerTotals totals_;
};

class CustomersByHand {
 public:
  void RunUntil(Duration end) {
    for (;;) {
      if (next_arrival_ <= next_departure_) {
        if (next_arrival_ > end) {
          return;
        }
        arrivals_.push_back(next_arrival_);
        if (arrivals_.size() == 1) {
          next_departure_ = next_arrival_ + work_.DrawService();
        }
        next_arrival_ += work_.DrawGap();
      } else {
        if (next_departure_ > end) {
          return;
        }
        work_.CountServed(next_departure_ - arrivals_.front());
        arrivals_.pop_front();
        next_departure_ = arrivals_.empty()
                              ? Duration::max()
                              : next_departure_ + work_.DrawService();
      }
    }
  }

  [[nodiscard]] const CustomerTotals& totals() const { return work_.totals(); }

 private:
  CustomerWork work_;
  std::deque<Duration> arrivals_;
  Duration next_arrival_ = work_.DrawGap();
  Duration next_departure_ = Duration::max();
};

class CustomersBare {
 public:
  CustomersBare() { Arrivals(); }

  void RunUntil(Duration end) { loop_.RunUntil(end); }

  [[nodiscard]] const CustomerTotals& totals() const { return work_.totals(); }

 private:
  BareTask Arrivals() {
    for (;;) {
      co_await loop_.Delay(work_.DrawGap());
      Customer();
    }
  }

  BareTask Customer() {
    const Duration arrival = loop_.now();
    co_await server_.Acquire();
    co_await loop_.Delay(work_.DrawService());
    work_.CountServed(loop_.now() - arrival);
    server_.Release();
  }

  CustomerWork work_;
  BareServer server_;
  BareLoop loop_;
};

/// A first-come, first-served server.
class Server : public Facility {
 public:
  class Acquiring : public Request {
   public:
    explicit Acquiring(Server& server) : Request(server), server_(server) {}

    void await_resume() const { ThrowDelivered(); }

    [[nodiscard]] std::string Describe() const override {
      return "a server of '" + server_.Path() + "'";
    }

   private:
    Server& server_;
  };

  Server(Model* owner, std::string_view name) : Facility(owner, name) {}

  Acquiring Acquire() { return Acquiring(*this); }

  void Release() { Post(0); }

 private:
  void Reset() override {
    is_busy_ = false;
    waiting_.clear();
  }

  void OnRequested(Request& request) override { waiting_.push_back(&request); }

  void OnPosted(std::uint64_t /*argument*/) override { is_busy_ = false; }

  void Settle() override {
    if (!is_busy_ && !waiting_.empty()) {
      is_busy_ = true;
      waiting_.front()->Wake();
      waiting_.pop_front();
    }
  }

  bool is_busy_ = false;
  std::deque<Request*> waiting_;
};

class CustomersTasks {
 public:
  void RunUntil(Duration end) { run_.RunUntil(end); }

  [[nodiscard]] const CustomerTotals& totals() const {
    return model_.work.totals();
  }

 private:
  struct Bank : Model {
    CustomerWork work;
    Server server{this, "server"};

    void Start() override { Spawn(Arrivals()); }

    Task<> Arrivals() {
      for (;;) {
        co_await Delay(work.DrawGap());
        Spawn(Customer());
      }
    }

    Task<> Customer() {
      const Duration arrival = Now();
      co_await server.Acquire();
      co_await Delay(work.DrawService());
      work.CountServed(Now() - arrival);
      server.Release();
    }
  };

  Bank model_;
  Simulator run_{model_};
};

}  // namespace orrery::process
