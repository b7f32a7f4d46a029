// A warehouse: random orders wait for a tote and for goods, are picked (express
// first), packed, and leave with the next truck of the timetable. The shelf is
// replenished when it runs low, by the forklift that also loads the trucks.
//
// A small day is compared with results by hand, and shown as a Gantt chart. A
// month is checked against laws that hold for any warehouse (nothing is lost,
// Little's law). Runs without shortages are compared with queueing theory.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "orrery/queueing/queueing.h"
#include "orrery/sdk/process_timeline.h"

namespace {

namespace process = orrery::process;
namespace queueing = orrery::queueing;
using namespace std::chrono_literals;
using orrery::Duration;
using orrery::Seconds;
using process::Task;

constexpr double kExpressShare = 0.3;

struct Order {
  std::int64_t number = 0;
  Duration arrival{};
  std::int64_t lines = 1;
  bool is_express = false;
};

struct Tote {
  std::int64_t lines;  // Capacity.
};

struct Settings {
  std::int64_t pickers = 4;
  std::int64_t stations = 2;
  std::int64_t small_totes = 12;  // For two lines.
  std::int64_t big_totes = 6;
  double stock = 150;
  double reorder_point = 80;
  double pallet = 120;
  Duration lead_time = 30min;
  Duration put_away = 10min;
  Duration between_trucks = 1h;
  Duration loading = 6min;
  std::int64_t truck_capacity = 100;

  // Means of exponential times, unless orders are booked.
  Duration spacing = 60s;
  Duration line = 75s;
  Duration packing = 90s;
  std::vector<Order> booked;  // None: random orders.
};

double SecondsOf(Duration duration) {
  return Seconds(duration).value;
}

struct Warehouse : process::Model {
  explicit Warehouse(Settings s) : settings(std::move(s)) {}

  Settings settings;

  queueing::FilterStore<Tote> totes{this, "totes"};
  queueing::Container shelf{
      this, "shelf", {.capacity = 1e9, .initial = settings.stock}};
  queueing::PriorityResource pickers{this, "pickers", settings.pickers};
  queueing::Resource stations{this, "stations", settings.stations};
  queueing::Resource forklift{this, "forklift"};
  queueing::Store<Order> dock{this, "dock"};

  process::Resource stock{this, "stock", [this] {
                            return shelf.level();
                          }};
  process::Resource waiting{this, "waiting_for_picker", [this] {
                              return pickers.queue_length();
                            }};

  std::int64_t ordered = 0;
  std::int64_t shipped = 0;
  std::int64_t aboard = 0;  // In trucks that have not left.
  double picked = 0;        // Lines.
  double delivered = 0;
  std::int64_t trucks = 0;
  std::int64_t late_trucks = 0;
  queueing::TimeWeighted in_house;
  queueing::Sample order_s;
  queueing::Sample express_s;
  queueing::Monitor express_wait_s;  // For a picker.
  queueing::Monitor standard_wait_s;
  // From arrival at the dock until the truck closes its doors.
  queueing::Monitor dock_s;
  queueing::BatchMeans daily_s{1440};

  // The number of orders in the house, summed over their places.
  [[nodiscard]] std::int64_t InProgress() const {
    return totes.gets_waiting() + shelf.gets_waiting() +
           pickers.queue_length() + pickers.in_use() + stations.queue_length() +
           stations.in_use() + dock.size() + aboard;
  }

  // At the end of the warm-up.
  void ResetStatistics() {
    pickers.ResetStatistics();
    stations.ResetStatistics();
    forklift.ResetStatistics();
    express_wait_s.Reset();
    standard_wait_s.Reset();
    dock_s.Reset();
  }

  void Start() override {
    for (std::int64_t i = 0; i < settings.small_totes; ++i) {
      totes.Push({.lines = 2});
    }
    for (std::int64_t i = 0; i < settings.big_totes; ++i) {
      totes.Push({.lines = 1'000'000});
    }
    Spawn(settings.booked.empty() ? Customers() : BookedOrders());
    Spawn(Replenishment());
    Spawn(Timetable());
  }

 private:
  [[nodiscard]] Duration Drawn(orrery::RandomStream& stream,
                               Duration mean) const {
    return settings.booked.empty()
               ? orrery::ToDuration(stream.Exponential(SecondsOf(mean)))
               : mean;
  }

  // The number of lines is geometric. So the time to pick them, a sum of
  // exponential times, is exponential, and theory applies.
  Task<> Customers() {
    orrery::RandomStream arrivals = Random("arrivals");
    orrery::RandomStream contents = Random("contents");
    for (;;) {
      co_await Delay(Drawn(arrivals, settings.spacing));
      Order order{.number = ordered, .arrival = Now()};
      order.is_express = contents.Bernoulli(kExpressShare);
      while (contents.Bernoulli(0.5)) {
        ++order.lines;
      }
      Spawn(Fulfil(order));
    }
  }

  Task<> BookedOrders() {
    for (const Order& order : settings.booked) {
      co_await Delay(order.arrival - Now());
      Spawn(Fulfil(order));
    }
  }

  Task<> Fulfil(Order order) {
    Annotate("order", order.number);
    ++ordered;
    in_house.Add(1, Now());
    const Tote tote = co_await totes.Get([order](const Tote& candidate) {
      return candidate.lines >= order.lines;
    });
    co_await shelf.Get(static_cast<double>(order.lines));
    co_await Call(Pick(order));
    co_await Call(Pack());
    totes.Push(tote);
    co_await dock.Put(order);
  }

  Task<> Pick(Order order) {
    const Duration asked = Now();
    const queueing::Priority urgency{.priority = order.is_express ? 0.0 : 1.0};
    const queueing::Holding picker = co_await pickers.Acquire(urgency);
    (order.is_express ? express_wait_s : standard_wait_s)
        .Add(SecondsOf(Now() - asked));
    orrery::RandomStream times = Random("times");
    for (std::int64_t i = 0; i < order.lines; ++i) {
      co_await Delay(Drawn(times, settings.line));
    }
    picked += static_cast<double>(order.lines);
  }

  Task<> Pack() {
    const queueing::Holding station = co_await stations.Acquire();
    orrery::RandomStream times = Random("times");
    co_await Delay(Drawn(times, settings.packing));
  }

  Task<> Replenishment() {
    for (;;) {
      co_await Until(shelf <= settings.reorder_point);
      co_await Delay(settings.lead_time);
      {
        const queueing::Holding held = co_await forklift.Acquire();
        co_await Delay(settings.put_away);
      }
      co_await shelf.Put(settings.pallet);
      delivered += settings.pallet;
    }
  }

  // There is always a truck at the dock; when it closes the next one comes.
  Task<> Timetable() {
    for (std::int64_t n = 1;; ++n) {
      const Duration closes = n * settings.between_trucks;
      std::vector<Order> load;
      while (Now() < closes) {
        if (std::ssize(load) == settings.truck_capacity) {
          co_await Delay(closes - Now());
          break;
        }
        auto [order, closing] =
            co_await AnyOf(dock.Get(), Delay(closes - Now()));
        if (order) {
          load.push_back(*order);
          dock_s.Add(SecondsOf(closes - Now()));
          ++aboard;
        }
      }
      Spawn(Truck(std::move(load)));
    }
  }

  Task<> Truck(std::vector<Order> load) {
    const Duration closed = Now();
    {
      const queueing::Holding held = co_await forklift.Acquire();
      co_await Delay(settings.loading);
    }
    ++trucks;
    late_trucks += Now() > closed + settings.loading ? 1 : 0;
    const auto count = std::ssize(load);
    aboard -= count;
    shipped += count;
    in_house.Add(-static_cast<double>(count), Now());
    for (const Order& order : load) {
      const double time_s = SecondsOf(Now() - order.arrival);
      order_s.Add(time_s);
      daily_s.Add(time_s);
      if (order.is_express) {
        express_s.Add(time_s);
      }
    }
  }
};

// Reports the checks that fail.
class Findings {
 public:
  void Expect(const char* what, bool holds) {
    if (!holds) {
      std::printf("WRONG: %s\n", what);
      is_right_ = false;
    }
  }

  void ExpectNear(const char* what,
                  const std::vector<double>& runs,
                  double theory) {
    const orrery::Estimate estimate = orrery::EstimateMean(runs);
    std::printf("  %-34s %9.4f -+ %.4f   theory %9.4f\n",
                what,
                estimate.mean,
                estimate.half_width,
                theory);
    Expect(what,
           std::abs(estimate.mean - theory) <= 1.5 * estimate.half_width &&
               estimate.half_width < 0.1 * theory);
  }

  [[nodiscard]] bool is_right() const { return is_right_; }

 private:
  bool is_right_ = true;
};

// One picker (60 s a line), one station (120 s), a truck each 14 minutes that
// takes 180 s to load, four pieces on the shelf and a pallet of ten, ordered
// when one is left, there after 300 s and put away in 120 s. In seconds:
//
//   order         comes  lines  picked    packed    closes at  leaves  took
//   0                 0      2    0-120   120-240         840    1020  1020
//   1                60      1  120-180   240-360         840    1020   960
//   2 express        90      3  480-660   660-780         840    1020   930
//   3               490      1  720-780   900-1020       1680    1860  1370
//   4 express       500      1  660-720   780-900        1680    1860  1360
//
// At 60 s one piece is left, so that order 2 waits for the pallet until 480 s;
// order 4 overtakes order 3.
void CheckSmallDay(Findings& findings) {
  Warehouse house({.pickers = 1,
                   .stations = 1,
                   .small_totes = 3,
                   .big_totes = 2,
                   .stock = 4,
                   .reorder_point = 1,
                   .pallet = 10,
                   .lead_time = 300s,
                   .put_away = 120s,
                   .between_trucks = 840s,
                   .loading = 180s,
                   .line = 60s,
                   .packing = 120s,
                   .booked = {{0, 0s, 2, false},
                              {1, 60s, 1, false},
                              {2, 90s, 3, true},
                              {3, 490s, 1, false},
                              {4, 500s, 1, true}}});
  process::Simulator run(house, {.records = {.profiles = true, .spans = true}});
  constexpr Duration kEnd = 1860s;
  run.RunUntil(kEnd);

  const auto took = house.order_s.values();
  const std::vector<double> by_hand = {1020, 960, 930, 1360, 1370};
  findings.Expect("times of the small day", std::ranges::equal(took, by_hand));
  const queueing::ResourceStatistics picker = house.pickers.statistics();
  findings.Expect("picker at work for 480 s of 1860 s",
                  picker.utilisation == 480.0 / 1860);
  findings.Expect("waits for the picker: 60 s, 160 s and 230 s",
                  picker.queue.mean == 450.0 / 1860 && picker.queue.max == 2 &&
                      picker.wait_s.max == 230);
  findings.Expect("order 2 waits 390 s for goods",
                  house.shelf.statistics().get_wait_s.max == 390);
  findings.Expect("stock of 4 + 10 - 8", house.shelf.level() == 6);
  findings.Expect("forklift at work for 120 s and twice 180 s",
                  house.forklift.statistics().in_use.mean == 480.0 / 1860);
  std::printf(
      "%s\n",
      RenderTimelineTerminal(orrery::ToTimeline(run.recording(), 0s, kEnd))
          .c_str());
}

// Checks laws that hold for any warehouse.
void CheckMonth(Findings& findings) {
  constexpr Duration kEnd = 30 * 24h;
  const Settings settings;
  Warehouse house(settings);
  process::Simulator run(house);
  run.RunUntil(kEnd);

  const queueing::ResourceStatistics pickers = house.pickers.statistics();
  const queueing::StockStatistics shelf = house.shelf.statistics();
  std::printf("a month: %lld orders, %lld shipped, %lld in progress\n",
              static_cast<long long>(house.ordered),
              static_cast<long long>(house.shipped),
              static_cast<long long>(house.InProgress()));
  std::printf("  stock %.1f on average, %.0f pallets; %.3f wait for goods\n",
              shelf.level.mean,
              house.delivered / settings.pallet,
              shelf.gets_waiting.mean);
  std::printf("  %.3f wait for a picker, %.3f for a station\n",
              pickers.queue.mean,
              house.stations.statistics().queue.mean);
  std::printf("  %lld trucks, %lld of them late\n",
              static_cast<long long>(house.trucks),
              static_cast<long long>(house.late_trucks));
  const orrery::Estimate daily = house.daily_s.estimate();
  std::printf(
      "  an order takes %.1f -+ %.1f min; half of them less than %.1f, 95 %% "
      "less than %.1f\n",
      daily.mean / 60,
      daily.half_width / 60,
      house.order_s.Quantile(0.5) / 60,
      house.order_s.Quantile(0.95) / 60);
  std::printf("  95 %% of express orders take less than %.1f min\n\n",
              house.express_s.Quantile(0.95) / 60);

  findings.Expect("orders in = shipped + in progress",
                  house.ordered == house.shipped + house.InProgress());
  findings.Expect(
      "each order in the house counts once",
      house.in_house.value() == static_cast<double>(house.InProgress()));
  Warehouse again(settings);
  process::Simulator shuffled(again, {.shuffle = 1});
  shuffled.RunUntil(kEnd);
  findings.Expect(
      "the same in any order of what is at one time",
      std::ranges::equal(again.order_s.values(), house.order_s.values()));
  // Goods in the hands of pickers have left the shelf, and are not yet picked.
  const double taken = settings.stock + house.delivered - house.shelf.level();
  findings.Expect(
      "stock: goods taken are picked, or being picked",
      taken >= house.picked &&
          (taken == house.picked) ==
              (house.pickers.in_use() + house.pickers.queue_length() == 0));
  findings.Expect("totes: all are there or in use",
                  house.totes.size() + house.InProgress() -
                          house.totes.gets_waiting() - house.dock.size() -
                          house.aboard ==
                      settings.small_totes + settings.big_totes);
  // Little's law, L T = sum of all W, except for orders that are still there.
  const queueing::Monitor times = house.order_s.Summary();
  const double rest_s = house.in_house.AreaSeconds(kEnd) - times.sum();
  findings.Expect("L = lambda W for the house",
                  rest_s >= 0 &&
                      rest_s <= house.in_house.value() * times.max() &&
                      rest_s < 0.002 * times.sum());
  const double waited_s =
      pickers.wait_s.mean * static_cast<double>(pickers.granted);
  findings.Expect("L = lambda W for those who wait for a picker",
                  std::abs(pickers.queue.mean * SecondsOf(kEnd) - waited_s) <
                      0.001 * waited_s);
  findings.Expect("days hardly depend on each other",
                  std::abs(house.daily_s.Correlation()) <
                      2 / std::sqrt(static_cast<double>(daily.count)));
}

// The share of arrivals that wait if `servers` serve `load` (Erlang's C).
double ErlangC(std::int64_t servers, double load) {
  double term = 1;
  double sum = 1;
  for (std::int64_t k = 1; k < servers; ++k) {
    term *= load / static_cast<double>(k);
    sum += term;
  }
  const double last = term * load / (static_cast<double>(servers) - load);
  return last / (sum + last);
}

// A warehouse with enough totes and goods, and statistics without the first
// day.
struct IdealWarehouse : Warehouse {
  static constexpr Duration kWarmUp = 24h;

  IdealWarehouse()
      : Warehouse({.small_totes = 0,
                   .big_totes = 10'000,
                   .stock = 100'000,
                   .reorder_point = 99'000}) {}

  Task<> WarmUp() {
    co_await Delay(kWarmUp);
    ResetStatistics();
  }

  void Start() override {
    Warehouse::Start();
    Spawn(WarmUp());
  }
};

struct Result {
  double pickers;
  double stations;
  double forklift;
  double express_wait_s;
  double standard_wait_s;
  double station_wait_s;
  double dock_s;
};

Result Measure(const IdealWarehouse& house, const process::Simulator& /*run*/) {
  const queueing::ResourceStatistics stations = house.stations.statistics();
  return {.pickers = house.pickers.statistics().utilisation,
          .stations = stations.utilisation,
          .forklift = house.forklift.statistics().utilisation,
          .express_wait_s = house.express_wait_s.mean(),
          .standard_wait_s = house.standard_wait_s.mean(),
          .station_wait_s = stations.wait_s.mean,
          .dock_s = house.dock_s.mean()};
}

// Pickers are an M/M/4 with two priorities (A. Cobham, Priority assignment in
// waiting line problems, 1954). Their output is a Poisson stream again (P. J.
// Burke, The output of a queuing system, 1956), so that the stations are an
// M/M/2, and parcels come to the dock at uniform times of the hour.
void CheckTheory(Findings& findings) {
  const auto runs = queueing::Replicate(
      {.count = 20, .until = IdealWarehouse::kWarmUp + 10 * 24h},
      [] { return std::make_unique<IdealWarehouse>(); },
      Measure);
  const auto expect = [&](const char* what, auto member, double theory) {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const Result& run : runs) {
      values.push_back(run.*member);
    }
    findings.ExpectNear(what, values, theory);
  };

  const Settings settings;
  const double rate = 1 / SecondsOf(settings.spacing);
  const double lines = 2;
  const double picking_s = lines * SecondsOf(settings.line);
  const double packing_s = SecondsOf(settings.packing);
  const auto num_pickers = static_cast<double>(settings.pickers);
  const auto num_stations = static_cast<double>(settings.stations);
  const double rho = rate * picking_s / num_pickers;
  const double rho_packing = rate * packing_s / num_stations;
  const double work_s =
      ErlangC(settings.pickers, rate * picking_s) * picking_s / num_pickers;
  const double pallets = rate * lines / settings.pallet;
  const double forklift =
      pallets * SecondsOf(settings.put_away) +
      SecondsOf(settings.loading) / SecondsOf(settings.between_trucks);
  std::printf("twenty runs of ten days, with totes and goods enough:\n");
  expect("pickers at work", &Result::pickers, rho);
  expect("stations at work", &Result::stations, rho_packing);
  expect("forklift at work", &Result::forklift, forklift);
  expect("express waits for a picker (s)",
         &Result::express_wait_s,
         work_s / (1 - kExpressShare * rho));
  expect("standard waits for a picker (s)",
         &Result::standard_wait_s,
         work_s / (1 - kExpressShare * rho) / (1 - rho));
  expect("all wait for a station (s)",
         &Result::station_wait_s,
         ErlangC(settings.stations, rate * packing_s) * packing_s /
             num_stations / (1 - rho_packing));
  expect("at the dock (s)",
         &Result::dock_s,
         SecondsOf(settings.between_trucks) / 2);
}

}  // namespace

int main() {
  Findings findings;
  CheckSmallDay(findings);
  CheckMonth(findings);
  CheckTheory(findings);
  return findings.is_right() ? 0 : 1;
}
