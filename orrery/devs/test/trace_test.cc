#include "orrery/devs/simulation/trace.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/devs/test/parts.h"

namespace orrery::devs {
namespace {

using namespace std::chrono_literals;
using testing_parts::Collector;
using testing_parts::PlainGenerator;
using testing_parts::PlainJob;
using testing_parts::PlainProcessor;

// source -> cpu -> sink: a job at 1 s, 2 s, ...; each takes 1.5 s.
class TracedLine : public Coupled {
 public:
  PlainGenerator& source = Add<PlainGenerator>("source", 1s, 1s);
  PlainProcessor& cpu = Add<PlainProcessor>("cpu", 1500ms);
  Collector& sink = Add<Collector>("sink");

  TracedLine() : Coupled("line") {
    Couple(source.out, cpu.in);
    Couple(cpu.out, sink.in);
  }
};

TEST(TraceTest, CsvHasALineForEachValue) {
  const TracedLine line;
  Simulator run(line);
  std::ostringstream out;
  Trace trace(out,
              Trace::Format::kCsv,
              {.states = true, .outputs = true, .inputs = true});
  run.Observe(trace, "line.c*");
  run.RunUntil(2500ms);
  EXPECT_EQ(out.str(),
            "time,model,event,name,value\n"
            "0,line.cpu,start,job,\n"
            "0,line.cpu,start,sigma,inf\n"
            "1,line.cpu,input,in.id,0\n"
            "1,line.cpu,external,job.id,0\n"
            "1,line.cpu,external,sigma,1.5\n"
            "2,line.cpu,input,in.id,1\n"
            "2,line.cpu,external,job.id,0\n"
            "2,line.cpu,external,sigma,0.5\n"
            "2.5,line.cpu,output,out.id,0\n"
            "2.5,line.cpu,internal,job,\n"
            "2.5,line.cpu,internal,sigma,inf\n");
}

TEST(TraceTest, JsonLinesHaveAnObjectForEachValue) {
  const TracedLine line;
  Simulator run(line);
  std::ostringstream out;
  Trace trace(out, Trace::Format::kJsonLines);
  run.Observe(trace, "line.source");
  run.RunUntil(1s);
  EXPECT_EQ(
      out.str(),
      R"({"time":0,"model":"line.source","event":"start","name":"next","value":0})"
      "\n"
      R"({"time":1,"model":"line.source","event":"output","name":"out.id","value":0})"
      "\n"
      R"({"time":1,"model":"line.source","event":"internal","name":"next","value":1})"
      "\n");
}

TEST(TraceTest, ModelThatIsIgnoredAgainWritesNothing) {
  const TracedLine line;
  Simulator run(line);
  std::ostringstream out;
  Trace trace(out, Trace::Format::kJsonLines, {.states = false});
  run.Observe(trace);
  run.RunUntil(1s);
  const std::string until_then = out.str();
  run.Ignore(trace);
  run.RunUntil(10s);
  EXPECT_EQ(out.str(), until_then);
  EXPECT_THAT(until_then, testing::HasSubstr("line.source"));
}

TEST(TraceTest, PatternThatFitsNothingIsAnError) {
  const TracedLine line;
  Simulator run(line);
  std::ostringstream out;
  Trace trace(out, Trace::Format::kCsv);
  const auto why = [&]() -> std::string {
    try {
      run.Observe(trace, "line.gpu");
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(why(),
            "cannot observe 'line.gpu': line has no atomic model of such a "
            "path; did you mean 'line.cpu'?");
}

struct Reading {
  double value = 0;
  std::string unit;

  void Describe(Record& record) const {
    record.Add("value", value);
    record.Add("unit", unit);
  }
};

class Sensor : public Atomic<Sensor> {
 public:
  struct State {
    bool is_done = false;
  };

  Out<Reading> out{this, "out"};

  Duration TimeAdvance(const State& s) const {
    return s.is_done ? kPassive : Duration(1s);
  }

  void Output(const State&, Bag& y) const {
    y.Send(out, {.value = 0.1, .unit = "a \"b\", c"});
    y.Send(out, {.value = std::numeric_limits<double>::infinity()});
  }

  void Internal(State& s) const { s.is_done = true; }
};

TEST(TraceTest, TextsAreQuotedAndWhatIsNoNumberIsNull) {
  Coupled model("m");
  model.Add<Sensor>("s");
  for (const auto format : {Trace::Format::kCsv, Trace::Format::kJsonLines}) {
    Simulator run(model);
    std::ostringstream out;
    Trace trace(out, format, {.states = false});
    run.Observe(trace);
    run.RunUntil(1s);
    if (format == Trace::Format::kCsv) {
      EXPECT_THAT(
          out.str(),
          testing::HasSubstr("1,m.s,output,out.unit,\"a \"\"b\"\", c\"\n"
                             "1,m.s,output,out.value,inf\n"));
    } else {
      EXPECT_THAT(
          out.str(),
          testing::HasSubstr(R"("name":"out.unit","value":"a \"b\", c"})"));
      EXPECT_THAT(out.str(),
                  testing::HasSubstr(R"("name":"out.value","value":null})"));
    }
  }
}

TEST(TraceTest, ObserverThatHasSeenEnoughMayIgnoreItselfAtOnce) {
  class Once : public Observer {
   public:
    explicit Once(Simulator& run) : run_(run) {}

    void OnOutput(Duration, const Model&, const Bag&) override {
      ++outputs;
      run_.Ignore(*this);
    }

    int outputs = 0;

   private:
    Simulator& run_;
  };

  Coupled line("line");
  line.Add<PlainGenerator>("source", 1s, 1s);
  line.Add<PlainGenerator>("other", 1s, 1s);
  Simulator run(line);
  Once first(run);
  Once second(run);
  run.Observe(first);
  run.Observe(second);
  run.RunUntil(3s);
  EXPECT_EQ(first.outputs, 1);
  EXPECT_EQ(second.outputs, 1);
}

/// Two of its parts send by `out`.
struct Twins : Coupled {
  Out<PlainJob> out{this, "out"};
  Out<PlainJob> unused{this, "unused"};
  PlainGenerator& first = Add<PlainGenerator>("first", 1s, 1s);
  PlainGenerator& second = Add<PlainGenerator>("second", 2s, 2s);

  Twins() : Coupled("twins") {
    Couple(second.out, out);
    Couple(first.out, out);
  }
};

TEST(TraceTest, OutermostModelShowsWhatLeavesIt) {
  for (const Formalism formalism :
       {Formalism::kParallel, Formalism::kClassic}) {
    const Twins twins;
    Simulator run(twins, {.formalism = formalism});
    std::ostringstream out;
    Trace trace(out, Trace::Format::kCsv);
    run.Observe(trace, twins);
    run.RunUntil(2s);
    EXPECT_EQ(out.str(),
              formalism == Formalism::kParallel
                  ? "time,model,event,name,value\n"
                    "1,twins,output,out.id,0\n"
                    "2,twins,output,out.id,0\n"
                    "2,twins,output,out.id,1\n"
                  : "time,model,event,name,value\n"
                    "1,twins,output,out.id,0\n"
                    "2,twins,output,out.id,1\n"
                    "2,twins,output,out.id,0\n");
    run.Ignore(trace);
    run.RunUntil(4s);
    EXPECT_EQ(std::ranges::count(out.str(), '\n'), 4);
  }
}

}  // namespace
}  // namespace orrery::devs
