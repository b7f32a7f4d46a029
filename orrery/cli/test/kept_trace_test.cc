// The trace of a DEVS run, kept with its experiment.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/cli/test/cli_fixture.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/runs/trace_index.h"

namespace orrery::cli {
namespace {

class CliKeptTraceTest : public CliTest {};

TEST_F(CliKeptTraceTest, KeptTraceIsTheOneThatIsWritten) {
  const Outcome outcome = Orrery({"run",
                                  Plugin("bank"),
                                  "--store",
                                  "a.db",
                                  "--keep-trace",
                                  "--trace",
                                  "a.csv",
                                  "--stop",
                                  "6 h"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  ExperimentStore store(folder_ + "/a.db");
  const std::string text = store.ReadAttachment(1, kTraceAttachment);
  EXPECT_EQ(text, ReadAll(folder_ + "/a.csv"));
  const TraceIndex index =
      TraceIndexFrom(store.ReadAttachment(1, kTraceIndexAttachment));
  EXPECT_EQ(index.size, text.size());
  EXPECT_FALSE(index.is_cut);
  EXPECT_EQ(index.models.size(), 3U);
  EXPECT_EQ(index.links.size(), 2U);
  EXPECT_GT(index.steps, 1000U);
}

TEST_F(CliKeptTraceTest, TraceIsKeptOfTheObservedModelsOnly) {
  const Outcome outcome = Orrery({"run",
                                  Plugin("bank"),
                                  "--store",
                                  "a.db",
                                  "--keep-trace",
                                  "--observe",
                                  "bank.door",
                                  "--stop",
                                  "6 h"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  ExperimentStore store(folder_ + "/a.db");
  EXPECT_EQ(
      TraceIndexFrom(store.ReadAttachment(1, kTraceIndexAttachment)).models,
      std::vector<std::string>{"bank.door"});
}

TEST_F(CliKeptTraceTest, TraceCannotBeKeptWithoutAnExperiment) {
  const Outcome outcome = Orrery({"run", Plugin("bank"), "--keep-trace"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "orrery: cannot take --keep-trace beside --no-save: the trace is "
            "kept with the saved experiment; leave one of them out\n");
}

}  // namespace
}  // namespace orrery::cli
