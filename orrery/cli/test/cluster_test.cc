#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/numbers/random.h"
#include "orrery/cli/test/cluster_fixture.h"
#include "orrery/cli/test/hot_model.h"
#include "orrery/experiment/cluster/jet_stream.h"
#include "orrery/experiment/cluster/job_messages.h"
#include "orrery/experiment/test/nats_server.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/steady_clock.h"

namespace orrery::cli {
namespace {

using experiment::internal::JetStream;
using experiment::internal::JobNames;
using std::chrono::steady_clock;
using testing::HasSubstr;
using testing::Not;

TEST_F(ClusterTest, TheNumberOfWorkersChangesNoByte) {
  const std::string here = TableOf(LorenzSweep(600));
  EXPECT_EQ(std::ranges::count(here, '\n'), 601);
  EXPECT_THAT(here, HasSubstr("600,failed,30,nan,nan"));
  for (const int count : {1, 2, 4}) {
    while (static_cast<int>(workers_.size()) < count) {
      StartWorker();
    }
    EXPECT_EQ(TableOf(OnCluster(LorenzSweep(600))), here) << count;
  }
  EXPECT_FALSE(HasJobs());
}

TEST_F(ClusterTest, ASensitivityAnalysisIsTheSameOnACluster) {
  StartWorker();
  for (const char* method : {"sobol", "local"}) {
    const std::vector<std::string> words = {"sensitivity",
                                            "lorenz.mo",
                                            "--method",
                                            method,
                                            "--vary",
                                            "r=[20,29]",
                                            "--vary",
                                            "x=[0.5,1.5]",
                                            "--samples",
                                            "8",
                                            "--stop",
                                            "0.5",
                                            "--keep",
                                            "y"};
    EXPECT_EQ(TableOf(OnCluster(words)), TableOf(words)) << method;
  }
}

TEST_F(ClusterTest, AFailedRunTellsTheSameReason) {
  StartWorker();
  std::vector<std::string> words = {
      "sweep", "lorenz.mo", "--vary", "r={28,30,31}", "--keep", "x"};
  const std::string here = Orrery(words).out;
  EXPECT_THAT(here, HasSubstr("too chaotic"));
  const std::string there = Orrery(OnCluster(words)).out;
  // After the first line, which tells the duration.
  EXPECT_EQ(there.substr(there.find('\n')), here.substr(here.find('\n')));
}

TEST_F(ClusterTest, WarningsOfRunsAreTheSameOnACluster) {
  StartWorker();
  Write("hot.mo", kHot);
  const std::vector<std::string> words = {
      "sweep", "hot.mo", "--vary", "k=1:6", "--keep", "x"};
  const std::string here = Orrery(words).err;
  EXPECT_THAT(here, HasSubstr("warning: in 3 of 6 runs (the first: run 4): "));
  EXPECT_THAT(Orrery(OnCluster(words)).err, HasSubstr(here));
}

TEST_F(ClusterTest, WorkersThatAreKilledChangeNoByte) {
  const int kills = Kills(6);
  const std::vector<std::string> sweep = LorenzSweep(1000 * kills);
  const std::string here = TableOf(sweep);
  StartWorker();
  StartWorker();
  std::vector<std::string> words = OnCluster(sweep, "1");
  words.insert(words.end(), {"--no-save", "--output", "there.csv"});
  const pid_t submitter = Start(words, "out");
  RandomStream random(11, "kills");
  for (int i = 0; i < kills; ++i) {
    Sleep(random.Uniform(0.2, 0.6));
    KillAny(random);
  }
  const Outcome outcome = Finish(submitter);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(ReadAll(folder_ + "/there.csv"), here);
}

TEST_F(ClusterTest, AKilledSubmitterIsResumedToTheSameBits) {
  const std::vector<std::string> sweep = LorenzSweep(6000);
  const std::string here = TableOf(sweep);
  StartWorker();
  StartWorker();
  std::vector<std::string> words = OnCluster(sweep);
  words.insert(words.end(), {"--store", "my.db"});
  const pid_t submitter = Start(words, "out");
  ASSERT_TRUE(Eventually([&] {
    return std::filesystem::exists(folder_ + "/my.db") && HasJobs();
  }));
  Sleep(0.7);
  Kill(submitter);
  std::int64_t finished = 0;
  {
    ExperimentStore store(folder_ + "/my.db");
    const ExperimentInfo info = store.Read(1).info;
    EXPECT_EQ(info.status, ExperimentStatus::kInterrupted);
    finished = info.runs.finished;
    EXPECT_GT(finished, 0);
    EXPECT_LT(finished, 5999);
  }
  const Outcome outcome =
      Orrery(OnCluster({"resume", "1", "--store", "my.db"}));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  ExperimentStore store(folder_ + "/my.db");
  WriteRuns(folder_ + "/there.csv", store.ReadRuns(1));
  EXPECT_EQ(ReadAll(folder_ + "/there.csv"), here);
  // The workers remove the job that the submitter has left behind.
  EXPECT_TRUE(Eventually([&] { return !HasJobs(); }));
}

TEST_F(ClusterTest, AnInterruptedSweepFreesItsWorkersAtOnce) {
  StartWorker();
  std::vector<std::string> words = OnCluster({"sweep",
                                              "lorenz.mo",
                                              "--vary",
                                              "r={28,29}",
                                              "--stop",
                                              "1e9",
                                              "--keep",
                                              "x"});
  words.emplace_back("--no-save");
  const pid_t submitter = Start(words, "out");
  ASSERT_TRUE(Eventually([&] { return HasJobs(); }));
  Sleep(1);  // The worker is at a run that takes hours.
  kill(submitter, SIGINT);
  EXPECT_EQ(Finish(submitter).exit_code, 1);
  EXPECT_FALSE(HasJobs());
  const auto begin = steady_clock::now();
  static_cast<void>(TableOf(OnCluster(LorenzSweep(10))));
  EXPECT_LT(steady_clock::now() - begin, std::chrono::seconds(2));
}

TEST_F(ClusterTest, AWorkerThatIsToldToEndHandsItsRunsBack) {
  const std::vector<std::string> sweep = LorenzSweep(3000);
  const std::string here = TableOf(sweep);
  const pid_t first = StartWorker();
  std::vector<std::string> words = OnCluster(sweep, "60");
  words.insert(words.end(), {"--no-save", "--output", "there.csv"});
  const pid_t submitter = Start(words, "out");
  Sleep(1);
  StartWorker();
  EXPECT_EQ(End(first), 0);
  // No worker waits for the patience of a minute to end.
  const auto begin = steady_clock::now();
  EXPECT_EQ(Finish(submitter).exit_code, 0);
  EXPECT_LT(steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_EQ(ReadAll(folder_ + "/there.csv"), here);
}

TEST_F(ClusterTest, ARunThatKillsItsWorkersFailsAlone) {
  for (int i = 0; i < 2; ++i) {
    StartWorker({"--plugins"});
  }
  std::vector<std::string> words = OnCluster({"sweep",
                                              Plugin("deadly"),
                                              "--vary",
                                              "number=1:40",
                                              "--keep",
                                              "twice",
                                              "--stop",
                                              "2",
                                              "--no-save",
                                              "--output",
                                              "there.csv"},
                                             "0.5");
  const pid_t submitter = Start(words, "out");
  int num_died = 0;
  int status = 0;
  while (waitpid(submitter, &status, WNOHANG) == 0 && num_died < 20) {
    for (pid_t& worker : workers_) {
      if (waitpid(worker, nullptr, WNOHANG) == worker) {
        ++num_died;
        std::swap(worker, workers_.back());
        workers_.pop_back();
        StartWorker({"--plugins"});
        break;
      }
    }
    Sleep(0.01);
  }
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_THAT(
      ReadAll(folder_ + "/out"),
      HasSubstr("run 13 failed: cannot carry out the run: 3 workers ended or "
                "fell silent at work on it"));
  EXPECT_LE(num_died, 4);
  const std::string table = ReadAll(folder_ + "/there.csv");
  EXPECT_THAT(table, HasSubstr("\n12,completed,12,24\n13,failed,13,nan\n14,"));
  std::size_t completed = 0;
  for (std::size_t at = table.find("completed"); at != std::string::npos;
       at = table.find("completed", at + 1)) {
    ++completed;
  }
  EXPECT_EQ(completed, 39U);
}

TEST_F(ClusterTest, APluginIsTakenOnlyByWorkersThatAreToldTo) {
  StartWorker();
  const std::vector<std::string> sweep = {
      "sweep", Plugin("deadly"), "--vary", "number=1:3", "--stop", "2"};
  std::vector<std::string> words = OnCluster(sweep);
  words.emplace_back("--no-save");
  const pid_t submitter = Start(words, "out");
  const std::string refusal =
      "a plug-in is code, which this worker takes from nobody; start it as "
      "orrery worker --plugins";
  EXPECT_TRUE(Eventually([&] {
    return ReadAll(folder_ + "/err").find(refusal) != std::string::npos;
  }));
  EXPECT_THAT(ReadAll(folder_ + "/err"), HasSubstr("takes no part"));
  EXPECT_THAT(ReadAll(folder_ + "/worker1.err"), HasSubstr(refusal));
  StartWorker({"--plugins"});
  const Outcome outcome = Finish(submitter);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("3 of 3 runs completed"));
}

TEST_F(ClusterTest, CCodeOfAModelIsRunOnlyByWorkersThatAreToldTo) {
  Write("c.mo",
        "model C\n  function f\n    input Real x;\n    output Real y;\n"
        "    external \"C\" y = cbrt(x);\n  end f;\n"
        "  parameter Real k = 1;\n  Real y = f(k);\nend C;\n");
  StartWorker();
  const pid_t submitter = Start(OnCluster({"sweep",
                                           "c.mo",
                                           "--vary",
                                           "k={8,27}",
                                           "--keep",
                                           "final(y)",
                                           "--external",
                                           "--no-save"}),
                                "out");
  EXPECT_TRUE(Eventually([&] {
    return ReadAll(folder_ + "/err").find("by a worker without --plugins") !=
           std::string::npos;
  }));
  StartWorker({"--plugins"});
  const Outcome outcome = Finish(submitter);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("2 of 2 runs completed"));
}

TEST_F(ClusterTest, AllFilesOfASweepComeByTheServer) {
  Write("fed.mo",
        "model Fed\n  input Real u;\n  parameter Real k = 1;\n"
        "  Real x(start = 0, fixed = true);\nequation\n  der(x) = k*u;\n"
        "end Fed;\n");
  Write("u.csv", "time,u\n0,1\n1,3\n");
  Write("points.csv", "k\n1\n2\n");
  StartWorker();
  const std::string table = TableOf(OnCluster({"sweep",
                                               "fed.mo",
                                               "--input",
                                               "u.csv",
                                               "--points",
                                               "points.csv",
                                               "--stop",
                                               "1",
                                               "--solver",
                                               "rk4",
                                               "--step",
                                               "0.5",
                                               "--keep",
                                               "x"}));
  // The integral of 1 + 2 t.
  EXPECT_EQ(table, "run,status,k,x\n1,completed,1,2\n2,completed,2,4\n");
}

TEST_F(ClusterTest, AWorkerOfAnotherVersionTakesNoPartAndSaysSo) {
  StartWorker();
  SweepDocument document{.run = {.file = folder_ + "/lorenz.mo"},
                         .vary = {"r={20}"}};
  ClusterJob job = MakeJob(document, MakeSeries(document));
  job.version = "0.0.9";
  const SteadyClock clock;
  std::string told;
  const std::vector<RunRange> all = {{.first = 0, .count = 1}};
  const SeriesProgress progress =
      CarryOutOnCluster(job,
                        all,
                        {.url = server_.url(),
                         .tell =
                             [&](const std::string& line) {
                               told = line;
                             }},
                        clock,
                        {.take = {}, .progress = {}, .goes_on = [&] {
                           return told.empty();
                         }});
  EXPECT_EQ(progress.ended, 0);
  EXPECT_THAT(told,
              HasSubstr("cannot take the job: it is of Orrery 0.0.9, and this "
                        "worker is " +
                        std::string(Version())));
}

TEST_F(ClusterTest, SeveralSubmittersShareTheWorkers) {
  const std::vector<std::string> sweep = LorenzSweep(2000);
  const std::string here = TableOf(sweep);
  StartWorker();
  StartWorker();
  std::vector<pid_t> submitters;
  for (const char* name : {"a", "b", "c"}) {
    std::vector<std::string> words = OnCluster(sweep);
    words.insert(words.end(),
                 {"--no-save", "--output", std::string(name) + ".csv"});
    submitters.push_back(Start(words, std::string(name) + ".out"));
  }
  for (const pid_t submitter : submitters) {
    EXPECT_EQ(Finish(submitter).exit_code, 0);
  }
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_EQ(ReadAll(folder_ + "/" + name + ".csv"), here);
  }
}

TEST_F(ClusterTest, AServerThatIsStartedAgainLosesNothing) {
  const std::vector<std::string> sweep = LorenzSweep(4000);
  const std::string here = TableOf(sweep);
  StartWorker();
  std::vector<std::string> words = OnCluster(sweep);
  words.insert(words.end(), {"--no-save", "--output", "there.csv"});
  const pid_t submitter = Start(words, "out");
  Sleep(1);
  server_.Stop();
  Sleep(0.5);
  server_.Start();
  const Outcome outcome = Finish(submitter);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(ReadAll(folder_ + "/there.csv"), here);
}

// The worker comes last, so that the job does not end before all is there.
TEST_F(ClusterTest, GarbageInTheQueuesHarmsNobody) {
  JetStream stranger(server_.url(), "stranger");
  const JobNames junk("junk");
  stranger.CreateStream(JobNames::kTextStream,
                        {JobNames::kTexts},
                        JetStream::Retention::kUntilDeleted);
  stranger.CreateStream(junk.Stream(),
                        {junk.Task(), junk.Report()},
                        JetStream::Retention::kUntilDone);
  EXPECT_TRUE(stranger.Store(junk.Definition(), "{\"orrery\": [[["));
  std::vector<std::string> words = OnCluster(LorenzSweep(2000));
  words.insert(words.end(), {"--no-save", "--output", "there.csv"});
  const pid_t submitter = Start(words, "out");
  const auto is_ours = [&](const std::string& stream) {
    return stream != junk.Stream();
  };
  std::vector<std::string> streams;
  ASSERT_TRUE(Eventually([&] {
    streams = stranger.StreamsOf(JobNames::AnyTask()).value();
    return std::ranges::any_of(streams, is_ours);
  }));
  const JobNames names =
      JobNames::OfStream(*std::ranges::find_if(streams, is_ours)).value();
  for (const char* text : {"", "{}", "\xff\xfe", "[1]", "{\"first\": 1e99}"}) {
    EXPECT_TRUE(stranger.Store(names.Task(), text));
    EXPECT_TRUE(stranger.Store(names.Report(), text));
  }
  EXPECT_TRUE(stranger.Store(names.Task(),
                             ToMessage(experiment::internal::RunTask{
                                 .runs = {.first = 1999, .count = 9}})));
  experiment::internal::WorkerReport forged{.worker = "forged"};
  forged.batch = {.first = 999'999'999,
                  .status = {RunStatus::kCompleted},
                  .values = {{1}, {2}, {3}}};
  EXPECT_TRUE(stranger.Store(names.Report(), ToMessage(forged)));
  forged.batch = {.first = 0, .status = {RunStatus::kCompleted}, .values = {}};
  EXPECT_TRUE(stranger.Store(names.Report(), ToMessage(forged)));
  StartWorker();
  EXPECT_EQ(Finish(submitter).exit_code, 0);
  EXPECT_EQ(ReadAll(folder_ + "/there.csv"), TableOf(LorenzSweep(2000)));
}

TEST_F(ClusterTest, AnIdleWorkerEndsWhenItWasToldTo) {
  const pid_t worker = StartWorker({"--idle", "0.3"});
  workers_.clear();
  int status = 0;
  waitpid(worker, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(ReadAll(folder_ + "/worker1.out"), "0 runs carried out\n");
}

TEST_F(ClusterTest, WithoutAWorkerTheUserIsTold) {
  std::vector<std::string> words = OnCluster(LorenzSweep(10));
  words.emplace_back("--no-save");
  const pid_t submitter = Start(words, "out");
  EXPECT_TRUE(Eventually([&] {
    return ReadAll(folder_ + "/err").find("no worker is at work on this") !=
           std::string::npos;
  }));
  StartWorker();
  EXPECT_EQ(Finish(submitter).exit_code, 0);
}

class ClusterServerTest : public CliTest {
 protected:
  // Returns the error message of commands that cannot use a server.
  [[nodiscard]] std::string FailureOf(const std::string& url,
                                      int exit_code) const {
    WriteCircle();
    const auto begin = steady_clock::now();
    const Outcome outcome =
        Orrery({"sweep", "circle.cbd", "--points", "p.csv", "--queue", url});
    EXPECT_EQ(outcome.exit_code, exit_code);
    const Outcome worker = Orrery({"worker", "--queue", url});
    EXPECT_EQ(worker.err, outcome.err);
    EXPECT_LT(steady_clock::now() - begin, std::chrono::seconds(4));
    return outcome.err;
  }
};

TEST_F(ClusterServerTest, WhatIsNoServerIsToldWithinTwoSeconds) {
  EXPECT_THAT(FailureOf("nats://127.0.0.1:1", 1),
              HasSubstr("cannot reach nats://127.0.0.1:1: no server listens "
                        "there; start one by nats-server -js"));
  EXPECT_THAT(FailureOf("nats://10.255.255.1:4222", 1),
              HasSubstr("cannot reach nats://10.255.255.1:4222: "));
  EXPECT_THAT(FailureOf("http://x", 2),
              HasSubstr("cannot reach 'http://x': it is no address of a NATS "
                        "server; give one as in nats://host:4222"));
}

TEST_F(ClusterServerTest, AServerWithoutJetStreamIsTold) {
  const NatsServer server(std::vector<std::string>{});
  EXPECT_THAT(FailureOf(server.url(), 1),
              HasSubstr(": JetStream is not enabled there; start the server "
                        "as nats-server -js"));
}

TEST_F(ClusterServerTest, AWrongPasswordIsToldAndNotShown) {
  const NatsServer server({"-js", "--user", "ann", "--pass", "right"});
  const std::string host = server.url().substr(7);
  const std::string message = FailureOf("nats://ann:wrong@" + host, 1);
  EXPECT_THAT(message, HasSubstr("it refuses who we are"));
  EXPECT_THAT(message, Not(HasSubstr("wrong")));
  EXPECT_THAT(FailureOf(server.url(), 1), HasSubstr("it refuses who we are"));
  JetStream accepted("nats://ann:right@" + host, "test");
  EXPECT_EQ(accepted.url(), "nats://" + host);
}

TEST_F(ClusterServerTest, OptionsThatDoNotGoTogetherAreRefused) {
  Write("lorenz.mo", kLorenz);
  const auto refused = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"sweep", "lorenz.mo", "--vary", "r=1:2"});
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.err;
  };
  EXPECT_THAT(refused({"--queue", "nats://x", "--jobs", "2"}),
              HasSubstr("--queue"));
  EXPECT_THAT(refused({"--patience", "2"}), HasSubstr("--queue"));
  EXPECT_THAT(refused({"--queue", "nats://x", "--patience", "0"}),
              HasSubstr("cannot take --patience 0: give a time from 1 ms to "
                        "24 h"));
  EXPECT_THAT(Orrery({"worker"}).err, HasSubstr("--queue"));
  EXPECT_EQ(Orrery({"run", "lorenz.mo", "--store", "my.db"}).exit_code, 0);
  EXPECT_THAT(
      Orrery({"rerun", "1", "--store", "my.db", "--queue", "nats://x"}).err,
      HasSubstr("those of many runs are carried out there; leave out --queue"));
}

}  // namespace
}  // namespace orrery::cli
