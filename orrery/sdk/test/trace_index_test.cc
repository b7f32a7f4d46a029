#include "orrery/sdk/runs/trace_index.h"

#include <chrono>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/error.h"
#include "orrery/devs/library.h"
#include "orrery/sdk/runs/devs_run.h"

namespace orrery {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

constexpr const char* kHead = "time,model,event,name,value\n";

// The numbers of the microsteps that begin with these rows; 0 for the others.
std::vector<std::uint64_t> NumbersOf(std::string_view rows) {
  MicrostepFinder finder;
  std::vector<std::uint64_t> numbers;
  while (const auto row = TakeTraceRow(rows)) {
    numbers.push_back(finder.BeginsWith(*row) ? finder.number() : 0);
  }
  return numbers;
}

TEST(TraceRowTest, FieldsMayHoldCommasQuotesAndLines) {
  std::string_view text =
      "1.5,\"a,b\",output,out,\"x \"\"y\"\"\nz\"\n2,m,internal,,\n";
  const auto first = TakeTraceRow(text);
  ASSERT_TRUE(first);
  EXPECT_EQ(CsvFieldText(first->model), "a,b");
  EXPECT_EQ(CsvFieldText(first->value), "x \"y\"\nz");
  const auto second = TakeTraceRow(text);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->time, "2");
  EXPECT_EQ(second->value, "");
  EXPECT_FALSE(TakeTraceRow(text));
}

TEST(TraceRowTest, HalfARowIsNone) {
  for (const char* half : {"",
                           "1,m",
                           "1,m,output,out,3",
                           "1,m,output,out,\"3\n",
                           "1,m,output\n",
                           "1,m,output,out,\"3\"\""}) {
    std::string_view text = half;
    EXPECT_FALSE(TakeTraceRow(text)) << half;
    EXPECT_EQ(text, half);
  }
}

TEST(MicrostepFinderTest, OutputAfterATransitionBeginsTheNextOne) {
  EXPECT_THAT(NumbersOf("0,a,start,n,0\n"
                        "1,a,output,out,1\n1,b,output,out,1\n"
                        "1,a,internal,n,1\n1,c,external,n,1\n"
                        "1,c,output,out,1\n1,c,internal,n,0\n"
                        "2,a,output,out,2\n"),
              ElementsAre(0, 1, 0, 0, 0, 2, 0, 1));
}

TEST(MicrostepFinderTest, ModelThatChangesAgainBeginsTheNextOne) {
  EXPECT_THAT(NumbersOf("1,a,internal,n,1\n1,a,internal,m,1\n"
                        "1,b,external,n,1\n1,a,internal,n,2\n"
                        "1,a,external,n,3\n"),
              ElementsAre(1, 0, 0, 2, 3));
}

TEST(TraceIndexerTest, BlocksBeginWithMicrosteps) {
  std::string text = kHead;
  TraceIndexer indexer;
  indexer.Add(kHead);
  constexpr int kSteps = 20'000;
  for (int i = 0; i < kSteps; ++i) {
    // Three microsteps a second.
    const std::string lines = std::to_string(i / 3) + ",bank.door,output,out," +
                              std::to_string(i) + "\n" + std::to_string(i / 3) +
                              ",bank.door,internal,,\n";
    indexer.Add(lines);
    text += lines;
  }
  const TraceIndex index = indexer.Index();
  EXPECT_EQ(index.size, text.size());
  EXPECT_EQ(index.steps, std::uint64_t{kSteps});
  EXPECT_EQ(index.end, (kSteps - 1) / 3);
  EXPECT_THAT(index.models, ElementsAre("bank.door"));
  EXPECT_EQ(index.blocks.size(), text.size() / 65'536 + 1);
  for (const TraceIndex::Block& block : index.blocks) {
    std::string_view rest = std::string_view(text).substr(block.begin);
    const auto row = TakeTraceRow(rest);
    ASSERT_TRUE(row);
    EXPECT_EQ(row->value, std::to_string(block.step));
    EXPECT_EQ(block.time, static_cast<double>(block.step / 3));
    EXPECT_EQ(block.number, block.step % 3 + 1);
  }
}

TEST(TraceIndexTest, ComesBackFromJson) {
  TraceIndex index{
      .size = 5'000'000'000,
      .steps = 7,
      .end = 0.1,
      .is_cut = true,
      .models = {"a", "b \"c\""},
      .links = {{.from = "a", .port = "out", .to = ""}},
      .blocks = {
          {.begin = 28, .step = 0, .time = 1e-9},
          {.begin = 4'294'967'297, .step = 3, .time = 0.1, .number = 2}}};
  const TraceIndex read = TraceIndexFrom(ToJson(index));
  EXPECT_EQ(ToJson(read), ToJson(index));
  EXPECT_EQ(read.size, index.size);
  EXPECT_EQ(read.blocks[1].begin, 4'294'967'297U);
  EXPECT_EQ(read.blocks[1].number, 2U);
  EXPECT_TRUE(read.is_cut);
}

TEST(TraceIndexTest, DamagedOneIsAnError) {
  for (const char* text : {"",
                           "[]",
                           "{}",
                           R"({"size":"x"})",
                           R"({"size":1,"steps":1,"end":0,"is_cut":false,)"
                           R"("models":[],"links":[],"blocks":[[1]]})"}) {
    EXPECT_THROW(static_cast<void>(TraceIndexFrom(text)), Error) << text;
  }
}

class Chain : public devs::Coupled {
 public:
  class Shop : public devs::Coupled {
   public:
    devs::In<devs::Job> in{this, "in"};
    devs::Out<devs::Job> out{this, "out"};

    Shop() {
      auto& till =
          Add<devs::Server<>>("till", devs::Distribution::Exponential(1));
      Couple(in, till.in);
      Couple(till.out, out);
    }
  };

  devs::Out<devs::Job> left{this, "left"};

  explicit Chain(Parameters& p) : Coupled("chain") {
    auto& door =
        Add<devs::Generator<>>("door", devs::Distribution::Exponential(2));
    auto& shop = Add<Shop>("shop");
    auto& till =
        Add<devs::Server<>>("till", devs::Distribution::Exponential(1));
    Couple(door.out, shop.in);
    Couple(shop.out, till.in);
    Couple(till.out, left);
    p.SetDefaultStop(100s);
  }
};

TEST(LinksTest, LeadThroughCoupledModelsAndToTheOutside) {
  const DevsModel model = DevsModel::Of<Chain>("Chain");
  std::string text;
  DevsRun run(model, {.trace_text = [&text](std::string_view lines) {
                text += lines;
              }});
  std::vector<std::string> links;
  for (const TraceIndex::Link& link : LinksOf(run.root())) {
    links.push_back(link.from + "." + link.port + " > " + link.to);
  }
  EXPECT_THAT(links,
              testing::UnorderedElementsAre("chain.door.out > chain.shop.till",
                                            "chain.shop.till.out > chain.till",
                                            "chain.till.out > "));
  EXPECT_EQ(run.Run().outcome, DevsOutcome::kCompleted);
  EXPECT_TRUE(text.starts_with(kHead));
  TraceIndexer indexer;
  indexer.Add(text);
  EXPECT_EQ(indexer.size(), text.size());
  EXPECT_GT(indexer.Index().steps, 100U);
  EXPECT_LE(indexer.Index().end, 100);
}

}  // namespace
}  // namespace orrery
