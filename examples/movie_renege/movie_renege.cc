// A cinema with one counter and three films. A visitor leaves the line when his
// film is sold out: he waits for the counter or for a condition on a cell,
// whichever comes first.

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>

#include "orrery/queueing/queueing.h"

namespace {

namespace process = orrery::process;
namespace queueing = orrery::queueing;
using namespace std::chrono_literals;
using orrery::Duration;
using orrery::Seconds;

constexpr std::int64_t kTickets = 50;

struct Film : process::Model {
  using Model::Model;

  process::Cell<process::Counter<>> tickets{this, "tickets", kTickets};
  std::int64_t sold = 0;
  int buyers = 0;
  int refused = 0;
  int left_the_line = 0;
  Duration sold_out{};
  Duration last_left{};
};

struct Cinema : process::Model {
  queueing::Resource counter{this, "counter"};
  Film first{this, "first"};
  Film second{this, "second"};
  Film third{this, "third"};
  std::array<Film*, 3> films = {&first, &second, &third};
  int visitors = 0;

  process::Task<> Visitor(Film& film, std::int64_t wanted) {
    const auto [held, sold_out] =
        co_await AnyOf(counter.Acquire(), Until(film.tickets < 2));
    if (!held) {
      ++film.left_the_line;
      film.last_left = Now();
      co_return;
    }
    if (film.tickets.Get() < wanted) {
      ++film.refused;
      co_await Delay(30s);  // Talk.
      co_return;
    }
    film.tickets.Add(-wanted);
    film.sold += wanted;
    ++film.buyers;
    if (film.tickets.Get() < 2) {
      film.sold_out = Now();
    }
    co_await Delay(1min);
  }

  process::Task<> Visitors() {
    orrery::RandomStream arrivals = Random("arrivals");
    orrery::RandomStream wishes = Random("wishes");
    while (Now() < 2h) {
      co_await Delay(arrivals.Exponential(30) * 1s);
      Film& film = *films[static_cast<std::size_t>(wishes.UniformInt(0, 2))];
      const std::int64_t wanted = wishes.UniformInt(1, 6);
      if (film.tickets.Get() >= 2) {
        ++visitors;
        Spawn(Visitor(film, wanted));
      }
    }
  }

  void Start() override { Spawn(Visitors()); }
};

}  // namespace

int main() {
  Cinema cinema;
  process::Simulator run(cinema);
  run.Run();
  bool is_right = true;
  int accounted = 0;
  for (const Film* film : cinema.films) {
    std::printf(
        "the %s film was sold out after %.1f min; then %d left the "
        "line, and %d had been refused\n",
        film->name().c_str(),
        Seconds(film->sold_out).value / 60,
        film->left_the_line,
        film->refused);
    accounted += film->buyers + film->refused + film->left_the_line;
    // All waiting visitors leave at the time at which the film is sold out.
    is_right &= run.Get(film->tickets) == kTickets - film->sold &&
                run.Get(film->tickets) < 2 && film->left_the_line > 0 &&
                film->last_left == film->sold_out;
  }
  const queueing::ResourceStatistics counter = cinema.counter.statistics();
  return is_right && accounted == cinema.visitors && run.waiting().empty() &&
                 cinema.counter.in_use() == 0 &&
                 counter.requests == cinema.visitors &&
                 counter.requests == counter.granted + counter.withdrawn
             ? 0
             : 1;
}
