#include <chrono>
#include <cstdint>
#include <functional>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/test/message_of.h"
#include "orrery/devs/reference.h"
#include "orrery/devs/simulation/simulator.h"

// Wrong uses, each with its whole message.
namespace orrery::devs {
namespace {

using namespace std::chrono_literals;

/// A model that does as told.
class Puppet : public Atomic<Puppet> {
 public:
  struct State {
    int moves = 0;
  };

  struct Strings {
    /// By the number of transitions so far.
    std::function<Duration(int)> advance = [](int) {
      return kPassive;
    };
    std::function<void()> initial = [] {
    };
    std::function<void()> output = [] {
    };
    std::function<void()> internal = [] {
    };
    std::function<void()> external = [] {
    };
  };

  In<int> in{this, "in"};
  In<double> real{this, "real"};
  Out<int> out{this, "out"};

  Puppet() = default;

  explicit Puppet(Strings strings) : strings_(std::move(strings)) {}

  State Initial() const {
    strings_.initial();
    return {};
  }

  Duration TimeAdvance(const State& s) const {
    return strings_.advance(s.moves);
  }

  void Output(const State& s, Bag& y) const {
    strings_.output();
    y.Send(out, s.moves);
  }

  void Internal(State& s) const {
    ++s.moves;
    strings_.internal();
  }

  void External(State& s, Duration /*elapsed*/, const Bag& /*x*/) const {
    ++s.moves;
    strings_.external();
  }

 private:
  Strings strings_;
};

/// Takes no input where it has one.
class Deaf : public Atomic<Deaf> {
 public:
  struct State {};

  In<int> in{this, "in"};
};

class Box : public Coupled {
 public:
  In<int> in{this, "in"};
  Out<int> out{this, "out"};

  Box() = default;

  explicit Box(std::string_view name) : Coupled(name) {}
};

class TwinPorts : public Atomic<TwinPorts> {
 public:
  struct State {};

  In<int> in{this, "port"};
  Out<int> out{this, "port"};
};

class NamelessPort : public Atomic<NamelessPort> {
 public:
  struct State {};

  Out<int> out{this, ""};
};

class DottedPort : public Atomic<DottedPort> {
 public:
  struct State {};

  Out<int> out{this, "a.b"};
};

Duration EverySecond(int /*moves*/) {
  return 1s;
}

Duration AtOnce(int /*moves*/) {
  return 0s;
}

// 1 s, then the given time.
std::function<Duration(int)> After1s(Duration then) {
  return [then](int moves) {
    return moves == 0 ? 1s : then;
  };
}

/// A line of an atomic model b that a sends to each second.
struct ShortLine {
  explicit ShortLine(Puppet::Strings strings = {})
      : a(box.Add<Puppet>("a", Puppet::Strings{.advance = EverySecond})),
        b(box.Add<Puppet>("b", std::move(strings))) {
    box.Couple(a.out, b.in);
  }

  Box box{"line"};
  Puppet& a;
  Puppet& b;
};

void RunFor10s(const Coupled& model, Options options = {}) {
  Simulator run(model, std::move(options));
  run.RunUntil(10s);
}

struct WrongUse {
  std::string name;
  std::function<void()> use;
  std::string message;
};

void PrintTo(const WrongUse& c, std::ostream* out) {
  *out << c.name;
}

class ErrorsTest : public testing::TestWithParam<WrongUse> {};

TEST_P(ErrorsTest, SayWhatIsWrongWhereAndWhatMendsIt) {
  try {
    GetParam().use();
    FAIL() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), GetParam().message);
  }
}

std::vector<WrongUse> CasesOfCoupling() {
  return {
      {"foreign_model",
       [] {
         ShortLine line;
         Box elsewhere("elsewhere");
         elsewhere.Couple(line.a.out, elsewhere.out);
       },
       "cannot couple line.a.out to elsewhere.out: line.a.out belongs neither "
       "to elsewhere nor to one of its parts; couple it where its model is a "
       "part"},
      {"no_model",
       [] { ShortLine().box.Adopt("c", nullptr); },
       "cannot add 'c' to line: there is no model; give one"},
      {"part_of_a_part",
       [] {
         ShortLine line;
         auto& inner = line.box.Add<Box>("inner");
         auto& c = inner.Add<Puppet>("c");
         line.box.Couple(line.a.out, c.in);
       },
       "cannot couple line.a.out to line.inner.c.in: line.inner.c.in belongs "
       "neither to line nor to one of its parts; couple it where its model is "
       "a part"},
      {"from_an_input",
       [] {
         ShortLine line;
         line.box.Couple(line.a.in, line.b.in);
       },
       "cannot couple line.a.in to line.b.in: messages do not leave by the "
       "input line.a.in; name an output of a part or an input of line first"},
      {"to_an_output",
       [] {
         ShortLine line;
         line.box.Couple(line.a.out, line.b.out);
       },
       "cannot couple line.a.out to line.b.out: messages do not arrive at the "
       "output line.b.out; name an input of a part or an output of line "
       "second"},
      {"from_its_own_output",
       [] {
         ShortLine line;
         line.box.Couple(line.box.out, line.b.in);
       },
       "cannot couple line.out to line.b.in: messages do not leave by the "
       "output line.out; name an output of a part or an input of line first"},
      {"to_its_own_input",
       [] {
         ShortLine line;
         line.box.Couple(line.a.out, line.box.in);
       },
       "cannot couple line.a.out to line.in: messages do not arrive at the "
       "input line.in; name an input of a part or an output of line second"},
      {"types",
       [] {
         ShortLine line;
         line.box.Couple(line.a.out, line.b.real);
       },
       "cannot couple line.a.out to line.b.real: one sends int, the other "
       "takes double; couple ports of one type, or put a part between that "
       "converts"},
      {"with_itself",
       [] {
         ShortLine line;
         line.box.Couple(line.a.out, line.a.in);
       },
       "cannot couple line.a.out to line.a.in: a model is not coupled to "
       "itself; change its state in its own transitions"},
      {"straight_through",
       [] {
         ShortLine line;
         line.box.Couple(line.box.in, line.box.out);
       },
       "cannot couple line.in to line.out: nothing lies between; give the "
       "model a part that passes messages on"},
      {"undone_that_is_not_there",
       [] {
         ShortLine line;
         line.box.Uncouple(line.b.out, line.a.in);
       },
       "cannot uncouple line.b.out from line.a.in: they are not coupled in "
       "line"},
      {"twice",
       [] {
         ShortLine line;
         line.box.Couple(line.a.out, line.b.in);
       },
       "cannot couple line.a.out to line.b.in: they are coupled already; once "
       "is enough"},
  };
}

INSTANTIATE_TEST_SUITE_P(Coupling,
                         ErrorsTest,
                         testing::ValuesIn(CasesOfCoupling()),
                         [](const auto& c) { return c.param.name; });

std::vector<WrongUse> CasesOfBuilding() {
  return {
      {"part_without_a_name",
       [] { Box("line").Add<Puppet>(""); },
       "cannot add '' to line: a name has at least one character and no dot"},
      {"part_with_a_dot",
       [] { Box("line").Add<Puppet>("a.b"); },
       "cannot add 'a.b' to line: a name has at least one character and no "
       "dot"},
      {"part_twice",
       [] { ShortLine().box.Add<Puppet>("a"); },
       "cannot add 'a' to line: it has a part of this name already; choose "
       "another"},
      {"port_twice",
       [] { TwinPorts(); },
       "cannot add a port 'port' to a orrery::devs::(anonymous "
       "namespace)::TwinPorts: it has a port of this name already; choose "
       "another"},
      {"port_without_a_name",
       [] { NamelessPort(); },
       "cannot add a port '' to a orrery::devs::(anonymous "
       "namespace)::NamelessPort: a name has at least one character and no "
       "dot"},
      {"port_with_a_dot",
       [] { DottedPort(); },
       "cannot add a port 'a.b' to a orrery::devs::(anonymous "
       "namespace)::DottedPort: a name has at least one character and no "
       "dot"},
      {"remove_what_is_no_part",
       [] {
         const ShortLine line;
         Box other("other");
         other.Remove(line.b);
       },
       "cannot remove line.b from other: it is no part of it"},
      {"priority_of_no_part",
       [] {
         ShortLine line;
         ShortLine other;
         const std::vector<const Model*> order = {&line.a, &other.b};
         line.box.SetPriority(order);
       },
       "cannot give line.b a priority in line: it is no part of it; list its "
       "parts"},
      {"priority_twice",
       [] {
         ShortLine line;
         const std::vector<const Model*> order = {&line.a, &line.b, &line.a};
         line.box.SetPriority(order);
       },
       "cannot give line.a two priorities: it is listed twice; list it once"},
  };
}

INSTANTIATE_TEST_SUITE_P(Building,
                         ErrorsTest,
                         testing::ValuesIn(CasesOfBuilding()),
                         [](const auto& c) { return c.param.name; });

std::vector<WrongUse> CasesOfStarting() {
  const auto with_priority = [](const ShortLine& line,
                                std::vector<const Model*> priority) {
    RunFor10s(
        line.box,
        {.formalism = Formalism::kClassic, .priority = std::move(priority)});
  };
  return {
      {"priority_for_all_twice",
       [=] {
         const ShortLine line;
         with_priority(line, {&line.b, &line.a, &line.b});
       },
       "cannot give line.b two priorities: it is listed twice; list it once"},
      {"priority_of_a_coupled_model",
       [=] {
         ShortLine line;
         with_priority(line, {&line.box.Add<Box>("inner")});
       },
       "cannot find line.inner in a run of line: it is no atomic model of it; "
       "give one that "
       "was added to it or its parts"},
      {"priority_of_a_foreign_model",
       [=] {
         const ShortLine line;
         const Deaf foreign;
         with_priority(line, {&foreign});
       },
       "cannot find model in a run of line: it is no atomic model of it; give "
       "one that "
       "was added to it or its parts"},
      {"input_without_external",
       [] {
         ShortLine line;
         line.box.Add<Deaf>("deaf");
         RunFor10s(line.box);
       },
       "cannot run line.deaf: it has inputs and takes none; give it void "
       "External(State&, Duration elapsed, const Bag& x) const"},
      {"negative_advance_at_the_start",
       [] {
         RunFor10s(ShortLine({.advance = [](int) -> Duration {
                     return -1s;
                   }}).box);
       },
       "cannot go on with line at t = 0 s: the time advance of line.b is -1 s; "
       "a time advance is not negative"},
      {"throws_at_the_start",
       [] {
         RunFor10s(ShortLine({.initial = [] {
                     throw std::out_of_range("no table");
                   }}).box);
       },
       "cannot go on with line at t = 0 s: in line.b: no table"},
      {"infinite_duration_at_the_start",
       [] {
         RunFor10s(ShortLine({.advance = [](int) {
                     return ToDuration(kInfinity);
                   }}).box);
       },
       "cannot go on with line at t = 0 s: in line.b: cannot take inf s for a "
       "duration: a duration is a number between -9.2e9 s and 9.2e9 s"},
  };
}

INSTANTIATE_TEST_SUITE_P(Starting,
                         ErrorsTest,
                         testing::ValuesIn(CasesOfStarting()),
                         [](const auto& c) { return c.param.name; });

// A SELECT that chooses a part that is not due.
void SelectIdle(Formalism formalism) {
  ShortLine line;
  auto& idle = line.box.Add<Puppet>("idle");
  line.box.Add<Puppet>("c", Puppet::Strings{.advance = EverySecond});
  line.box.SetSelect(
      [&](std::span<const Model* const>) -> const Model& { return idle; });
  RunFor10s(line.box, {.formalism = formalism});
}

// Two models that wake each other, and one that has moved before.
void WakeEachOther(Formalism formalism, std::int64_t max_microsteps) {
  Box box("ring");
  box.Add<Puppet>("early", Puppet::Strings{.advance = After1s(kPassive)});
  // An input sets them going, and an event stops them.
  auto& a = box.Add<Puppet>(
      "a", Puppet::Strings{.advance = [](int moves) {
        return moves == 0 ? 2s : moves % 2 == 0 ? Duration(0) : kPassive;
      }});
  auto& b = box.Add<Puppet>("b", Puppet::Strings{.advance = [](int moves) {
                              return moves % 2 == 0 ? kPassive : Duration(0);
                            }});
  box.Couple(a.out, b.in);
  box.Couple(b.out, a.in);
  RunFor10s(box, {.formalism = formalism, .max_microsteps = max_microsteps});
}

/// Takes messages where none are.
class Hasty : public Atomic<Hasty> {
 public:
  struct State {
    int last = 0;
  };

  In<int> often{this, "often"};
  In<int> seldom{this, "seldom"};

  void External(State& s, Duration /*elapsed*/, const Bag& x) const {
    s.last = x[seldom].front();
  }
};

void TakeWhatIsNotThere(bool is_coupled) {
  ShortLine line;
  auto& hasty = line.box.Add<Hasty>("hasty");
  line.box.Couple(line.a.out, hasty.often);
  if (is_coupled) {
    auto& late = line.box.Add<Puppet>("late");
    line.box.Couple(line.b.out, hasty.seldom);
    line.box.Couple(late.out, hasty.seldom);
  }
  RunFor10s(line.box);
}

std::vector<WrongUse> CasesOfRunning() {
  const auto run = [](Puppet::Strings strings) {
    return [strings] {
      RunFor10s(ShortLine(strings).box);
    };
  };
  const std::string in_b = "cannot go on with line at t = 1 s: in line.b: ";
  return {
      {"negative_advance_after_an_input",
       run({.advance = [](int moves) -> Duration {
         return moves == 0 ? Duration(kPassive) : Duration(-1);
       }}),
       "cannot go on with line at t = 1 s: the time advance of line.b is "
       "-0.000000001 s; a time advance is not negative"},
      {"negative_advance_after_an_event",
       [] {
         Box box("box");
         box.Add<Puppet>("a", Puppet::Strings{.advance = After1s(-2500ms)});
         RunFor10s(box);
       },
       "cannot go on with box at t = 1 s: the time advance of box.a is -2.5 s; "
       "a time advance is not negative"},
      {"negative_advance_after_both",
       run({.advance = After1s(-1s)}),
       "cannot go on with line at t = 1 s: the time advance of line.b is -1 s; "
       "a time advance is not negative"},
      {"nan_in_a_transition",
       run({.external =
                [] {
                  static_cast<void>(ToDuration(kNaN));
                }}),
       in_b + "cannot take nan s for a duration: a duration is a number "
              "between -9.2e9 s and 9.2e9 s"},
      {"duration_beyond_the_range",
       run({.advance =
                [](int moves) {
                  return ToDuration(1e9 + moves * 9e9);
                }}),
       in_b + "cannot take 10000000000 s for a duration: a duration is a "
              "number between -9.2e9 s and 9.2e9 s"},
      {"throws_in_an_input",
       run({.external =
                [] {
                  throw std::runtime_error("no bread");
                }}),
       in_b + "no bread"},
      {"throws_what_is_no_exception",
       run({.external =
                [] {
                  throw 42;
                }}),
       in_b + "it throws what is no std::exception; throw one of these"},
      {"takes_what_is_not_there",
       [] { TakeWhatIsNotThere(true); },
       "cannot go on with line at t = 1 s: in line.hasty: cannot take the "
       "first message at line.hasty.seldom: none is there; see whether it is "
       "empty() before"},
      {"takes_what_can_never_be_there",
       [] { TakeWhatIsNotThere(false); },
       "cannot go on with line at t = 1 s: in line.hasty: cannot take the "
       "first message at line.hasty.seldom: none is there; see whether it is "
       "empty() before"},
      {"throws_in_an_event",
       run({.advance = EverySecond,
            .internal =
                [] {
                  throw std::runtime_error("no water");
                }}),
       in_b + "no water"},
      {"throws_in_an_output",
       run({.advance = EverySecond,
            .output =
                [] {
                  throw std::runtime_error("no voice");
                }}),
       in_b + "no voice"},
      {"endless",
       [] { WakeEachOther(Formalism::kParallel, 1000); },
       "cannot go on with ring at t = 2 s: more than 1000 steps at this time, "
       "in which ring.a, ring.b keep moving; give one of them a time advance "
       "above zero, or raise max_microsteps"},
      {"endless_in_classic_devs",
       [] { WakeEachOther(Formalism::kClassic, 1000); },
       "cannot go on with ring at t = 2 s: more than 1000 steps at this time, "
       "in which ring.a, ring.b keep moving; give one of them a time advance "
       "above zero, or raise max_microsteps"},
      {"endless_with_a_small_bound",
       [] { WakeEachOther(Formalism::kParallel, 10); },
       "cannot go on with ring at t = 2 s: more than 10 steps at this time, "
       "in which ring.a, ring.b keep moving; give one of them a time advance "
       "above zero, or raise max_microsteps"},
      {"select_chooses_what_is_not_due",
       [] { SelectIdle(Formalism::kClassic); },
       "cannot go on with line at t = 1 s: SELECT of line chooses line.idle, "
       "in which nothing is due; choose among the models given"},
      {"select_throws",
       [] {
         ShortLine line({.advance = EverySecond});
         line.box.SetSelect(
             [](std::span<const Model* const> models) -> const Model& {
               throw std::runtime_error("cannot choose among " +
                                        std::to_string(models.size()));
             });
         RunFor10s(line.box, {.formalism = Formalism::kClassic});
       },
       "cannot go on with line at t = 1 s: in SELECT of line: cannot choose "
       "among 2"},
  };
}

INSTANTIATE_TEST_SUITE_P(Running,
                         ErrorsTest,
                         testing::ValuesIn(CasesOfRunning()),
                         [](const auto& c) { return c.param.name; });

/// Does something at the second transition of b.
class Meddler : public Observer {
 public:
  explicit Meddler(std::function<void()> meddle) : meddle_(std::move(meddle)) {}

  void OnTransition(Duration time,
                    const Model& /*model*/,
                    Transition /*transition*/,
                    const void* /*state*/) override {
    if (time == 2s) {
      meddle_();
    }
  }

 private:
  std::function<void()> meddle_;
};

void Meddle(const std::function<void(Simulator&)>& meddle) {
  const ShortLine line;
  Simulator run(line.box);
  Meddler meddler([&] { meddle(run); });
  run.Observe(meddler, "line.b");
  run.RunUntil(10s);
}

std::vector<WrongUse> CasesOfUsingARun() {
  return {
      {"inject_into_the_past",
       [] {
         const ShortLine line;
         Simulator run(line.box);
         run.RunUntil(2s);
         run.Inject(line.box.in, 7, 1500ms);
       },
       "cannot inject into line.in at t = 1.5 s: the run is at t = 2 s; what "
       "has "
       "passed takes no input"},
      {"no_microstep_at_all",
       [] { RunFor10s(ShortLine().box, {.max_microsteps = 0}); },
       "cannot run line with a max_microsteps of 0: whatever happens takes a "
       "step; give 1 or more"},
      {"inject_at_no_time",
       [] {
         const ShortLine line;
         Simulator(line.box).Inject(line.box.in, 7, kPassive);
       },
       "cannot inject into line.in at kPassive: that time never comes; give "
       "another"},
      {"inject_into_a_part",
       [] {
         const ShortLine line;
         Simulator(line.box).Inject(line.a.in, 7, 1s);
       },
       "cannot inject into line.a.in: it is no input of the outermost model "
       "line; inject into one and couple it to this"},
      {"state_of_a_foreign_model",
       [] {
         const ShortLine line;
         const Puppet puppet;
         static_cast<void>(Simulator(line.box).state(puppet));
       },
       "cannot find model in a run of line: it is no atomic model of it; give "
       "one that "
       "was added to it or its parts"},
      {"observe_what_is_not_there",
       [] {
         class Blind : public Observer {};
         const ShortLine line;
         Blind observer;
         Simulator(line.box).Observe(observer, "line.x*");
       },
       "cannot observe 'line.x*': line has no atomic model of such a path; "
       "'*' stands for any text, '?' for any character"},
      {"observe_a_coupled_model",
       [] {
         class Blind : public Observer {};
         const ShortLine line;
         Blind observer;
         Simulator(line.box).Observe(observer, "line");
       },
       "cannot observe 'line': line has no atomic model of such a path; its "
       "parts are 'line.*'"},
      {"observe_a_misspelt_model",
       [] {
         class Blind : public Observer {};
         const ShortLine line;
         Blind observer;
         Simulator(line.box).Observe(observer, "line.aa");
       },
       "cannot observe 'line.aa': line has no atomic model of such a path; did "
       "you mean 'line.a'?"},
      {"observe_in_the_middle_of_an_instant",
       [] {
         class Nested : public Observer {
          public:
           explicit Nested(Simulator& run) : run_(run) {}
           void OnTransition(Duration time,
                             const Model&,
                             Transition,
                             const void*) override {
             if (time > 0s) {
               run_.Observe(*this);
             }
           }

          private:
           Simulator& run_;
         };
         const ShortLine line;
         Simulator run(line.box);
         Nested observer(run);
         run.Observe(observer);
         run.RunUntil(5s);
       },
       "cannot go on with line at t = 1 s: in an observer of line.a: cannot "
       "observe a run of "
       "line in the middle of an instant: observers and models are called from "
       "there; do it between two calls of RunUntil"},
      {"restore_a_run_of_another_model",
       [] {
         const ShortLine line;
         Box other("other");
         const Snapshot snapshot = Simulator(other).Save();
         Simulator(line.box).Restore(snapshot);
       },
       "cannot restore a run of line: the snapshot is one of other"},
      {"run_in_the_middle_of_an_instant",
       [] { Meddle([](Simulator& run) { run.RunUntil(5s); }); },
       "cannot go on with line at t = 2 s: in an observer of line.b: cannot "
       "run line in the "
       "middle of an instant: observers and models are called from there; do "
       "it between two calls of RunUntil"},
      {"step_in_the_middle_of_an_instant",
       [] { Meddle([](Simulator& run) { run.Step(); }); },
       "cannot go on with line at t = 2 s: in an observer of line.b: cannot "
       "run line in the "
       "middle of an instant: observers and models are called from there; do "
       "it between two calls of RunUntil"},
      {"save_in_the_middle_of_an_instant",
       [] { Meddle([](Simulator& run) { static_cast<void>(run.Save()); }); },
       "cannot go on with line at t = 2 s: in an observer of line.b: cannot "
       "save a run of "
       "line in the middle of an instant: observers and models are called from "
       "there; do it between two calls of RunUntil"},
      {"restore_in_the_middle_of_an_instant",
       [] {
         Meddle(
             [](Simulator& run) { run.Restore(Simulator(run.root()).Save()); });
       },
       "cannot go on with line at t = 2 s: in an observer of line.b: cannot "
       "restore a run of "
       "line in the middle of an instant: observers and models are called from "
       "there; do it between two calls of RunUntil"},
      {"send_by_the_port_of_another_model",
       [] {
         class Thief : public Atomic<Thief> {
          public:
           struct State {};

           Out<int> out{this, "out"};

           explicit Thief(const Puppet& other) : other_(other) {}

           Duration TimeAdvance(const State&) const { return 1s; }

           void Output(const State&, Bag& y) const { y.Send(other_.out, 1); }

           void Internal(State&) const {}

          private:
           const Puppet& other_;
         };
         ShortLine line;
         line.box.Add<Thief>("thief", line.b);
         RunFor10s(line.box);
       },
       "cannot go on with line at t = 1 s: in line.thief: cannot use port "
       "line.b.out in a function of line.thief: it belongs to another model; "
       "use a port of its own and couple it"},
      {"go_on_after_a_failure",
       [] {
         const ShortLine line({.external = [] {
           throw std::runtime_error("no");
         }});
         Simulator run(line.box);
         EXPECT_THROW(run.RunUntil(1s), Error);
         run.RunUntil(5s);
       },
       "cannot go on with line: its run has failed; start another"},
  };
}

INSTANTIATE_TEST_SUITE_P(UsingARun,
                         ErrorsTest,
                         testing::ValuesIn(CasesOfUsingARun()),
                         [](const auto& c) { return c.param.name; });

/// A model b with an event at 1 s and another at 3 s, alone in a box, for
/// abstract simulators that are driven by hand.
struct Two {
  Two() { box.Couple(box.in, b.in); }

  PortMail Input() {
    return sender.Send(box, [](Bag& x) { x.Put(0, 1); });
  }

  Box box{"box"};
  Puppet& b = box.Add<Puppet>("b", Puppet::Strings{.advance = After1s(2s)});
  ReferenceRun run;
  Sender sender{2};
};

std::vector<WrongUse> CasesOfClassicMessages() {
  const auto with_simulator = [](auto use) {
    return [use] {
      Two two;
      ClassicSimulator b(two.b, two.run);
      b.OnStar(1s);
      use(b, two);
    };
  };
  const auto with_coordinator = [](auto use) {
    return [use] {
      Two two;
      ClassicCoordinator box(two.box, two.run);
      box.OnStar(1s);
      use(box, two);
    };
  };
  return {
      {"input_before_the_last_event",
       with_simulator([](auto& b, Two& two) { b.OnInput(two.Input(), 500ms); }),
       "cannot give box.b an input at t = 0.5 s: its last event was at t = 1 s "
       "and its next is at t = 3 s; an input comes between the two"},
      {"input_after_the_next_event",
       with_simulator([](auto& b, Two& two) { b.OnInput(two.Input(), 4s); }),
       "cannot give box.b an input at t = 4 s: its last event was at t = 1 s "
       "and its next is at t = 3 s; an input comes between the two"},
      {"event_at_another_time",
       with_simulator([](auto& b, Two&) { b.OnStar(2s); }),
       "cannot carry out an event of box.b at t = 2 s: its next is at t = 3 s; "
       "carry it out then"},
      {"input_of_the_box_before_its_last_event",
       with_coordinator(
           [](auto& box, Two& two) { box.OnInput(two.Input(), 0s); }),
       "cannot give box an input at t = 0 s: its last event was at t = 1 s and "
       "its next is at t = 3 s; an input comes between the two"},
      {"input_of_the_box_after_its_next_event",
       with_coordinator(
           [](auto& box, Two& two) { box.OnInput(two.Input(), 5s); }),
       "cannot give box an input at t = 5 s: its last event was at t = 1 s and "
       "its next is at t = 3 s; an input comes between the two"},
      {"event_of_the_box_at_another_time",
       with_coordinator([](auto& box, Two&) { box.OnStar(5s); }),
       "cannot carry out an event of box at t = 5 s: its next is at t = 3 s; "
       "carry it out then"},
  };
}

INSTANTIATE_TEST_SUITE_P(ClassicMessages,
                         ErrorsTest,
                         testing::ValuesIn(CasesOfClassicMessages()),
                         [](const auto& c) { return c.param.name; });

std::vector<WrongUse> CasesOfParallelMessages() {
  const auto with_simulator = [](auto use) {
    return [use] {
      Two two;
      ParallelSimulator b(two.b, two.run);
      b.OnStar(PortMail(2), 1s);
      use(b, two);
    };
  };
  const auto with_coordinator = [](auto use) {
    return [use] {
      Two two;
      ParallelCoordinator box(two.box, two.run);
      box.OnStar(PortMail(1), 1s);
      use(box, two);
    };
  };
  return {
      {"star_before_the_last_event",
       with_simulator([](auto& b, Two& two) { b.OnStar(two.Input(), 500ms); }),
       "cannot give box.b an input at t = 0.5 s: its last event was at t = 1 s "
       "and its next is at t = 3 s; an input comes between the two"},
      {"star_after_the_next_event",
       with_simulator([](auto& b, Two& two) { b.OnStar(two.Input(), 4s); }),
       "cannot give box.b an input at t = 4 s: its last event was at t = 1 s "
       "and its next is at t = 3 s; an input comes between the two"},
      {"collect_at_another_time",
       with_simulator([](auto& b, Two&) { b.OnCollect(2s); }),
       "cannot carry out an event of box.b at t = 2 s: its next is at t = 3 s; "
       "carry it out then"},
      {"star_to_the_box_after_its_next_event",
       with_coordinator(
           [](auto& box, Two& two) { box.OnStar(two.Input(), 5s); }),
       "cannot give box an input at t = 5 s: its last event was at t = 1 s and "
       "its next is at t = 3 s; an input comes between the two"},
      {"collect_from_the_box_at_another_time",
       with_coordinator([](auto& box, Two&) { box.OnCollect(1s); }),
       "cannot carry out an event of box at t = 1 s: its next is at t = 3 s; "
       "carry it out then"},
  };
}

INSTANTIATE_TEST_SUITE_P(ParallelMessages,
                         ErrorsTest,
                         testing::ValuesIn(CasesOfParallelMessages()),
                         [](const auto& c) { return c.param.name; });

void RunReferenceFor10s(const Coupled& model, Options options = {}) {
  ReferenceSimulator run(model, std::move(options));
  run.RunUntil(10s);
}

std::vector<WrongUse> CasesOfTheReference() {
  return {
      {"negative_advance",
       [] { RunReferenceFor10s(ShortLine({.advance = After1s(-1s)}).box); },
       "cannot go on with line.b at t = 1 s: its time advance is -1 s; a time "
       "advance is not negative"},
      {"throws",
       [] {
         RunReferenceFor10s(ShortLine({.external = [] {
                              throw std::runtime_error("no");
                            }}).box);
       },
       "cannot go on with line.b at t = 1 s: no"},
      {"throws_at_the_start",
       [] {
         RunReferenceFor10s(ShortLine({.initial = [] {
                              throw std::runtime_error("no");
                            }}).box);
       },
       "cannot go on with line.b at t = 0 s: no"},
      {"input_without_external",
       [] {
         ShortLine line;
         line.box.Add<Deaf>("deaf");
         RunReferenceFor10s(line.box);
       },
       "cannot run line.deaf: it has inputs and takes none; give it void "
       "External(State&, Duration elapsed, const Bag& x) const"},
      {"endless",
       [] {
         RunReferenceFor10s(ShortLine({.advance = AtOnce}).box,
                            {.max_microsteps = 50});
       },
       "cannot go on with line at t = 0 s: more than 50 steps at this time; "
       "give a model a time advance above zero, or raise max_microsteps"},
      {"select",
       [] {
         ShortLine line({.advance = EverySecond});
         line.box.SetSelect([&](std::span<const Model* const>) -> const Model& {
           return line.box;
         });
         RunReferenceFor10s(line.box, {.formalism = Formalism::kClassic});
       },
       "cannot go on with line at t = 1 s: its SELECT chooses line, in which "
       "nothing is due; choose among the models given"},
      {"go_on_after_a_failure",
       [] {
         const ShortLine line({.external = [] {
           throw std::runtime_error("no");
         }});
         ReferenceSimulator run(line.box);
         EXPECT_THROW(run.RunUntil(1s), Error);
         run.RunUntil(5s);
       },
       "cannot go on with line: its run has failed; start another"},
      {"inject_into_the_past",
       [] {
         const ShortLine line;
         ReferenceSimulator run(line.box);
         run.RunUntil(2s);
         run.Inject(line.box.in, 7, 1500ms);
       },
       "cannot inject into line.in at t = 1.5 s: the run is at t = 2 s; what "
       "has "
       "passed takes no input"},
      {"inject_into_a_part",
       [] {
         const ShortLine line;
         ReferenceSimulator(line.box).Inject(line.a.in, 7, 1s);
       },
       "cannot inject into line.a.in: it is no input of the outermost model "
       "line; inject into one and couple it to this"},
      {"state_of_a_foreign_model",
       [] {
         const ShortLine line;
         const Puppet puppet;
         static_cast<void>(ReferenceSimulator(line.box).state(puppet));
       },
       "cannot find model in a run of line: it is no atomic model of it; give "
       "one that "
       "was added to it or its parts"},
      {"priority_twice",
       [] {
         const ShortLine line;
         RunReferenceFor10s(line.box,
                            {.formalism = Formalism::kClassic,
                             .priority = {&line.a, &line.a}});
       },
       "cannot give line.a two priorities: it is listed twice; list it once"},
  };
}

INSTANTIATE_TEST_SUITE_P(Reference,
                         ErrorsTest,
                         testing::ValuesIn(CasesOfTheReference()),
                         [](const auto& c) { return c.param.name; });

TEST(FailureTest, LeavesAllStatesReadable) {
  const ShortLine line({.external = [] {
    throw std::runtime_error("no");
  }});
  Simulator run(line.box);
  EXPECT_THROW(run.RunUntil(10s), Error);
  EXPECT_EQ(run.now(), 1s);
  EXPECT_EQ(run.state(line.a).moves, 1);
  EXPECT_EQ(run.state(line.b).moves, 1);
  EXPECT_EQ(run.statistics().internal, 1);
}

TEST(FailureTest, OfAnObserverIsSaidToBeItsOwn) {
  class Broken : public Observer {
    void OnOutput(Duration, const Model&, const Bag&) override {
      throw std::runtime_error("the disk is full");
    }
  } observer;

  const ShortLine line;
  Simulator run(line.box);
  run.Observe(observer, "line.a");
  EXPECT_EQ(MessageOf([&] { run.RunUntil(10s); }),
            "cannot go on with line at t = 1 s: in an observer of line.a: the "
            "disk is full");
}

TEST(FailureTest, IsUndoneByASnapshotFromBefore) {
  bool fails = true;
  const ShortLine line({.external = [&] {
    if (fails) {
      throw std::runtime_error("no");
    }
  }});
  Simulator run(line.box);
  const Snapshot start = run.Save();
  EXPECT_THROW(run.RunUntil(10s), Error);
  fails = false;
  run.Restore(start);
  run.RunUntil(10s);
  EXPECT_EQ(run.state(line.b).moves, 10);
}

TEST(FailureTest, LeavesOtherRunsOfTheModelAlone) {
  bool fails = true;
  const ShortLine line({.external = [&] {
    if (fails) {
      throw std::runtime_error("no");
    }
  }});
  Simulator failed(line.box);
  Simulator run(line.box);
  EXPECT_THROW(failed.RunUntil(10s), Error);
  fails = false;
  run.RunUntil(10s);
  EXPECT_EQ(run.state(line.b).moves, 10);
}

}  // namespace
}  // namespace orrery::devs
