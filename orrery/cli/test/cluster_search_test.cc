#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/cli/test/cluster_fixture.h"

namespace orrery::cli {
namespace {

using testing::HasSubstr;

// Searches whose runs are carried out on a cluster.
class ClusterSearchTest : public ClusterTest {
 protected:
  ClusterSearchTest() {
    Write("spring.mo", R"(
model Spring
  parameter Real k = 4;
  parameter Real c = 0.3;
  parameter Integer n = 1;
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -k*x - n*c*v;
  annotation(experiment(StopTime = 6));
end Spring;
)");
    // x of k = 3, c = 0.5, with some noise.
    Write("a.csv",
          "time,x\n0,1.003\n1,-0.052\n2,-0.569\n3,0.151\n4,0.301\n"
          "5,-0.139\n6,-0.155\n");
    Write("b.csv",
          "time,x\n0,2.01\n1,-0.13\n2,-1.11\n3,0.28\n4,0.62\n"
          "5,-0.27\n6,-0.31\n");
  }

  [[nodiscard]] static std::vector<std::string> Optimum(
      std::vector<std::string> how) {
    how.insert(how.begin(),
               {"optimize",
                "spring.mo",
                "--vary",
                "k=[1,9]",
                "--vary",
                "c=[0.1,2]",
                "--minimize",
                "integral((x-exp(-time)*cos(2*time))^2)"});
    return how;
  }

  [[nodiscard]] static std::vector<std::string> Fit(
      std::vector<std::string> how) {
    how.insert(how.begin(),
               {"calibrate",
                "spring.mo",
                "--vary",
                "k=[1,9]",
                "--vary",
                "c=[0.1,2]",
                "--data",
                "a.csv",
                "--data",
                "b.csv, x=2"});
    return how;
  }

  // Repeats the experiment on the cluster, and returns its output.
  [[nodiscard]] std::string OnceMoreThere(std::vector<std::string> words) {
    std::filesystem::remove(folder_ + "/my.db");
    words.insert(words.end(), {"--store", "my.db"});
    const Outcome here = Orrery(words);
    EXPECT_EQ(here.exit_code, 0) << here.err;
    const Outcome there = Orrery(OnCluster({"rerun", "1", "--store", "my.db"}));
    EXPECT_EQ(there.exit_code, 0) << there.err;
    return there.out;
  }
};

constexpr const char* kTheSame = "the same as experiment 1, to the last bit";

TEST_F(ClusterSearchTest, AnOptimisationIsTheSameOnACluster) {
  StartWorker();
  StartWorker();
  for (const char* method : {"slsqp", "bobyqa", "direct-l"}) {
    EXPECT_THAT(
        OnceMoreThere(Optimum({"--method", method, "--max-evaluations", "60"})),
        HasSubstr(kTheSame))
        << method;
  }
  EXPECT_FALSE(HasJobs());
}

TEST_F(ClusterSearchTest, SearchesFromSeveralStartsAreTheSameOnACluster) {
  StartWorker();
  StartWorker();
  EXPECT_THAT(OnceMoreThere(Optimum({"--starts", "4"})), HasSubstr(kTheSame));
  EXPECT_THAT(OnceMoreThere(Fit({"--starts", "4", "--profile"})),
              HasSubstr(kTheSame));
}

TEST_F(ClusterSearchTest, WholeNumbersAreGoneThroughThere) {
  StartWorker();
  EXPECT_THAT(OnceMoreThere({"optimize",
                             "spring.mo",
                             "--vary",
                             "n=integer[1,40]",
                             "--minimize",
                             "abs(min(x) + 0.2)"}),
              HasSubstr(kTheSame));
}

TEST_F(ClusterSearchTest, ACalibrationIsTheSameOnACluster) {
  StartWorker();
  EXPECT_THAT(OnceMoreThere(Fit({})), HasSubstr(kTheSame));
}

TEST_F(ClusterSearchTest, AModelThatIsAClassIsOptimisedThere) {
  StartWorker({"--plugins"});
  EXPECT_THAT(OnceMoreThere({"optimize",
                             Plugin("deadly"),
                             "--vary",
                             "number=integer[1,5]",
                             "--minimize",
                             "(twice-7)^2",
                             "--stop",
                             "2"}),
              HasSubstr(kTheSame));
}

TEST_F(ClusterSearchTest, WorkersThatAreKilledChangeNoBitOfASearch) {
  Write("slow.mo", kLorenz);
  const std::vector<std::string> search = {"optimize",
                                           "slow.mo",
                                           "--vary",
                                           "r=[20,29]",
                                           "--minimize",
                                           "max(z)",
                                           "--method",
                                           "direct-l",
                                           "--max-evaluations",
                                           "400",
                                           "--solver",
                                           "rk4",
                                           "--step",
                                           "0.001"};
  const std::string here = TableOf(search);
  StartWorker();
  StartWorker();
  std::vector<std::string> words = OnCluster(search, "0.5");
  words.insert(words.end(), {"--no-save", "--output", "there.csv"});
  const pid_t submitter = Start(words, "out");
  RandomStream random(12, "kills");
  for (int i = 0; i < 3; ++i) {
    Sleep(random.Uniform(0.2, 0.6));
    KillAny(random);
  }
  const Outcome outcome = Finish(submitter);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(ReadAll(folder_ + "/there.csv"), here);
}

TEST_F(ClusterSearchTest, AnInterruptedSearchKeepsTheBestPoint) {
  StartWorker();
  std::vector<std::string> words =
      OnCluster(Optimum({"--method", "esch", "--max-evaluations", "1000000"}));
  words.insert(words.end(), {"--store", "my.db"});
  const pid_t submitter = Start(words, "out");
  ASSERT_TRUE(Eventually([&] { return HasJobs(); }));
  Sleep(1);
  kill(submitter, SIGINT);
  EXPECT_EQ(Finish(submitter).exit_code, 1);
  EXPECT_FALSE(HasJobs());
  EXPECT_THAT(Orrery({"show", "1", "--store", "my.db"}).out,
              HasSubstr("interrupted"));
}

}  // namespace
}  // namespace orrery::cli
