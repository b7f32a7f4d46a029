#include "orrery/store/store.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/test/temporary_folder.h"
#include "orrery/store/test/files.h"

namespace orrery {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class StoreTest : public testing::Test {
 protected:
  // An experiment that has ended.
  ExperimentId Ended(const NewExperiment& experiment,
                     ExperimentStatus status = ExperimentStatus::kCompleted) {
    const ExperimentId id = store_.Begin(experiment);
    store_.Finish(id, {.status = status});
    return id;
  }

  std::vector<ExperimentId> Listed(const ExperimentFilter& filter = {}) {
    std::vector<ExperimentId> ids;
    for (const ExperimentInfo& info : store_.List(filter)) {
      ids.push_back(info.id);
    }
    return ids;
  }

  TemporaryFolder folder_;
  ExperimentStore store_{folder_ / "orrery.db"};
};

TEST_F(StoreTest, DocumentCanGrowWhileTheExperimentRuns) {
  const ExperimentId id = store_.Begin({.document = R"({"k": 1})"});
  store_.SetDocument(id, R"({"k": 1, "live": {}})");
  EXPECT_EQ(store_.Read(id).document, R"({"k": 1, "live": {}})");
}

TEST_F(StoreTest, KeepsAllThatIsKnownOfAnExperiment) {
  const ExperimentId id = store_.Begin(
      {.created_ns = 1'764'000'000'123'456'789,
       .type = "sweep",
       .model = "Pendulum",
       .document = R"({"stop": 10})",
       .source_hash = "a1b2",
       .runs_asked = 30,
       .columns = {
           {.name = "length", .unit = "m", .role = RunColumn::Role::kVaried},
           {.name = "max(angle)", .unit = "rad"}}});
  store_.AppendLog(id, "first line\n");
  store_.AppendLog(id, "second line\n");
  store_.SetNotes(id, "looks good");
  store_.SetRunsAsked(id, 40);
  store_.Finish(id,
                {.status = ExperimentStatus::kFailed,
                 .message = "no convergence",
                 .summary = R"({"steps": 7})"});

  const ExperimentRecord record = ExperimentStore(store_.path()).Read(id);
  EXPECT_EQ(record.info.id, id);
  EXPECT_EQ(record.info.created_ns, 1'764'000'000'123'456'789);
  EXPECT_EQ(record.info.type, "sweep");
  EXPECT_EQ(record.info.model, "Pendulum");
  EXPECT_EQ(record.info.status, ExperimentStatus::kFailed);
  EXPECT_EQ(record.info.message, "no convergence");
  EXPECT_EQ(record.info.runs, (RunCounts{.asked = 40}));
  EXPECT_EQ(record.document, R"({"stop": 10})");
  EXPECT_EQ(record.source_hash, "a1b2");
  EXPECT_EQ(record.summary, R"({"steps": 7})");
  EXPECT_EQ(record.notes, "looks good");
  EXPECT_EQ(record.log, "first line\nsecond line\n");
  EXPECT_THAT(record.columns,
              ElementsAre(RunColumn{.name = "length",
                                    .unit = "m",
                                    .role = RunColumn::Role::kVaried},
                          RunColumn{.name = "max(angle)", .unit = "rad"}));
}

TEST_F(StoreTest, KeepsWhatValuesOfColumnsAreCalled) {
  RunColumn mode{.name = "mode", .role = RunColumn::Role::kVaried};
  mode.value_names.Edit() = {"", "Off", "Fast"};
  const std::vector<RunColumn> columns = {{.name = "x"}, mode, {.name = "y"}};
  const ExperimentId id = store_.Begin({.columns = columns});
  EXPECT_EQ(ExperimentStore(store_.path()).Read(id).columns, columns);
}

TEST_F(StoreTest, IsOneFileWhenNothingIsOpen) {
  const std::string path = folder_ / "alone.db";
  {
    ExperimentStore store(path);
    store.Finish(store.Begin({}), {});
    static_cast<void>(store.Begin({}));
  }
  std::filesystem::remove(store_.path());

  EXPECT_THAT(folder_.Files(), testing::Contains("alone.db"));
  EXPECT_THAT(
      folder_.Files(),
      testing::Not(testing::Contains(testing::StartsWith("alone.db-"))));
}

TEST_F(StoreTest, NumbersExperimentsFromOneAndNeverTwice) {
  EXPECT_EQ(Ended({}), 1);
  EXPECT_EQ(Ended({}), 2);
  store_.Delete(2);

  EXPECT_EQ(Ended({}), 3);
}

TEST_F(StoreTest, ListsTheNewestFirst) {
  Ended({});
  Ended({});
  Ended({});

  EXPECT_THAT(Listed(), ElementsAre(3, 2, 1));
  EXPECT_THAT(Listed({.limit = 2}), ElementsAre(3, 2));
  EXPECT_THAT(Listed({.limit = 0}), IsEmpty());
}

TEST_F(StoreTest, ListsWhatFitsAllThatIsGiven) {
  Ended({.created_ns = 10, .type = "simulate", .model = "A"});
  Ended({.created_ns = 20, .type = "sweep", .model = "A"});
  Ended({.created_ns = 30, .type = "sweep", .model = "B"},
        ExperimentStatus::kFailed);
  store_.Tag(1, "paper");
  store_.Tag(3, "paper");

  EXPECT_THAT(Listed({.type = "sweep"}), ElementsAre(3, 2));
  EXPECT_THAT(Listed({.model = "A"}), ElementsAre(2, 1));
  EXPECT_THAT(Listed({.tag = "paper"}), ElementsAre(3, 1));
  EXPECT_THAT(Listed({.status = ExperimentStatus::kFailed}), ElementsAre(3));
  EXPECT_THAT(Listed({.created_from_ns = 20}), ElementsAre(3, 2));
  EXPECT_THAT(Listed({.created_before_ns = 20}), ElementsAre(1));
  EXPECT_THAT(Listed({.type = "sweep", .model = "A", .tag = "paper"}),
              IsEmpty());
  EXPECT_THAT(Listed({.status = ExperimentStatus::kCompleted, .limit = 1}),
              ElementsAre(2));
}

TEST_F(StoreTest, SortsTagsAndKeepsEachOnce) {
  const ExperimentId id = Ended({});
  store_.Tag(id, "paper");
  store_.Tag(id, "draft");
  store_.Tag(id, "paper");
  EXPECT_THAT(store_.Read(id).info.tags, ElementsAre("draft", "paper"));

  store_.Untag(id, "draft");
  EXPECT_THAT(store_.Read(id).info.tags, ElementsAre("paper"));
}

TEST_F(StoreTest, KeepsTextsThatAreNotText) {
  const std::string odd("a\0b\xFF'\"", 6);
  const ExperimentId id = Ended({.model = odd});
  store_.SetNotes(id, odd);

  EXPECT_EQ(store_.Read(id).info.model, odd);
  EXPECT_EQ(store_.Read(id).notes, odd);
}

TEST_F(StoreTest, AttachmentGrowsByWhatIsAppended) {
  const ExperimentId id = Ended({});
  const std::string first(6'000'000, 'a');
  const std::string second(5'000'000, 'b');
  store_.AppendAttachment(id, "trace.csv", "text/csv", first);
  store_.AppendAttachment(id, "trace.csv", "text/csv", "");
  store_.AppendAttachment(id, "trace.csv", "text/csv", second);
  store_.AppendAttachment(id, "trace.csv", "text/csv", "c");

  EXPECT_EQ(store_.ReadAttachment(id, "trace.csv"), first + second + "c");
  EXPECT_THAT(
      store_.Read(id).attachments,
      ElementsAre(AttachmentInfo{
          .name = "trace.csv", .media_type = "text/csv", .size = 11'000'001}));
  EXPECT_THAT(store_.FindDamage(), IsEmpty());
}

TEST_F(StoreTest, RangeOfAnAttachmentEndsWhereItEnds) {
  const ExperimentId id = Ended({});
  std::string text;
  while (text.size() < 9'000'000) {
    text += std::to_string(text.size()) + ",";
  }
  store_.Attach(id, "trace.csv", "text/csv", text);

  const auto read = [&](std::size_t begin, std::size_t size) {
    return store_.ReadAttachment(
        id, "trace.csv", {.begin = begin, .size = size});
  };
  EXPECT_EQ(read(0, 5), text.substr(0, 5));
  EXPECT_EQ(read(4'194'300, 8), text.substr(4'194'300, 8));
  EXPECT_EQ(read(1, 8'900'000), text.substr(1, 8'900'000));
  EXPECT_EQ(read(8'388'608, 100), text.substr(8'388'608, 100));
  EXPECT_EQ(read(text.size() - 3, 100), text.substr(text.size() - 3));
  EXPECT_EQ(read(text.size(), 1), "");
  EXPECT_EQ(read(100'000'000, 7), "");
}

TEST_F(StoreTest, ListsExperimentsThatHaveAnAttachment) {
  const ExperimentId with = Ended({});
  const ExperimentId without = Ended({});
  store_.Attach(with, "trace.csv", "text/csv", "time");
  store_.Attach(without, "plan.json", "application/json", "{}");

  EXPECT_THAT(Listed({.attachment = "trace.csv"}), ElementsAre(with));
  EXPECT_THAT(Listed({.attachment = "plan.json"}), ElementsAre(without));
  EXPECT_THAT(Listed({.attachment = "spans.json"}), IsEmpty());
}

TEST_F(StoreTest, KeepsAttachments) {
  const ExperimentId id = Ended({});
  const std::string large(9'000'000, 'x');
  const std::string all_bytes = [] {
    std::string bytes;
    for (int i = 0; i < 256; ++i) {
      bytes += static_cast<char>(i);
    }
    return bytes;
  }();
  store_.Attach(id, "plan.json", "application/json", "{}");
  store_.Attach(id, "large.txt", "text/plain", large);
  store_.Attach(id, "bytes", "application/octet-stream", all_bytes);
  store_.Attach(id, "empty", "text/plain", "");

  EXPECT_EQ(store_.ReadAttachment(id, "plan.json"), "{}");
  EXPECT_EQ(store_.ReadAttachment(id, "large.txt"), large);
  EXPECT_EQ(store_.ReadAttachment(id, "bytes"), all_bytes);
  EXPECT_EQ(store_.ReadAttachment(id, "empty"), "");
  EXPECT_THAT(
      store_.Read(id).attachments,
      ElementsAre(AttachmentInfo{.name = "bytes",
                                 .media_type = "application/octet-stream",
                                 .size = 256},
                  AttachmentInfo{.name = "empty", .media_type = "text/plain"},
                  AttachmentInfo{.name = "large.txt",
                                 .media_type = "text/plain",
                                 .size = 9'000'000},
                  AttachmentInfo{.name = "plan.json",
                                 .media_type = "application/json",
                                 .size = 2}));
}

TEST_F(StoreTest, ReplacesAnAttachmentOfTheSameName) {
  const ExperimentId id = Ended({});
  store_.Attach(id, "plan.json", "text/plain", "old, and longer");
  store_.Attach(id, "plan.json", "application/json", "{}");

  EXPECT_EQ(store_.ReadAttachment(id, "plan.json"), "{}");
  EXPECT_EQ(store_.Read(id).attachments.size(), 1U);
}

TEST_F(StoreTest, GivesSpaceBackWhenAnExperimentIsDeleted) {
  std::string noise(4'000'000, ' ');
  unsigned state = 1;
  for (char& c : noise) {
    state = state * 1'664'525U + 1'013'904'223U;
    c = static_cast<char>(state >> 24U);
  }
  const std::string path = folder_ / "large.db";
  {
    ExperimentStore store(path);
    static_cast<void>(store.Begin({.model = "stays"}));
    store.Attach(store.Begin({}), "noise", "application/octet-stream", noise);
    store.Attach(store.Begin({}), "small", "text/plain", "kept");
  }
  EXPECT_GT(std::filesystem::file_size(path), 4'000'000U);

  ExperimentStore store(path);
  store.Delete(2);

  EXPECT_LT(std::filesystem::file_size(path), 1'000'000U);
  EXPECT_EQ(store.Read(1).info.model, "stays");
  EXPECT_EQ(store.ReadAttachment(3, "small"), "kept");
  EXPECT_THAT(store.FindDamage(), IsEmpty());
}

TEST_F(StoreTest, DeletesAnExperimentWithAllOfItsResults) {
  const ExperimentId id = store_.Begin({.columns = {{.name = "x"}}});
  TrajectoryBuilder builder({{.name = "x", .column = 0}});
  builder.Append(0, std::vector{1.0});
  store_.SaveTrajectory(id, 0, builder.Take());
  store_.SaveEvents(id, 0, EventLog({"e"}, {{.t = 1}}));
  store_.AppendRuns(id,
                    {.status = {RunStatus::kFailed},
                     .values = {{1}},
                     .failures = {{.message = "why"}}});
  store_.Attach(id, "a", "text/plain", "text");
  store_.Tag(id, "tag");
  store_.AppendLog(id, "log");
  store_.Finish(id, {});

  store_.Delete(id);

  EXPECT_THAT(store_.List(), IsEmpty());
  const ExperimentId next = Ended({});
  EXPECT_THAT(store_.Read(next).attachments, IsEmpty());
  EXPECT_THAT(store_.Read(next).trajectories, IsEmpty());
  EXPECT_THAT(store_.FindDamage(), IsEmpty());
}

TEST_F(StoreTest, DeletesAllOfSeveralExperimentsOrNone) {
  for (int i = 0; i < 4; ++i) {
    static_cast<void>(Ended({}));
  }
  const auto ids = [&] {
    std::vector<ExperimentId> list;
    for (const ExperimentInfo& info : store_.List()) {
      list.push_back(info.id);
    }
    return list;
  };

  EXPECT_THROW(store_.Delete(std::vector<ExperimentId>{1, 9, 2}), Error);
  EXPECT_THAT(ids(), ElementsAre(4, 3, 2, 1));
  store_.Delete(std::vector<ExperimentId>{3, 1, 3});
  EXPECT_THAT(ids(), ElementsAre(4, 2));
}

TEST_F(StoreTest, StoresAllOrNothingInOneTransaction) {
  const ExperimentId id = store_.Begin({});
  const auto write_and_fail = [&] {
    store_.InOneTransaction([&] {
      store_.AppendLog(id, "lost");
      store_.Attach(id, "lost", "text/plain", "lost");
      throw std::runtime_error("stop");
    });
  };
  EXPECT_THROW(write_and_fail(), std::runtime_error);
  EXPECT_EQ(store_.Read(id).log, "");
  EXPECT_THAT(store_.Read(id).attachments, IsEmpty());

  store_.InOneTransaction([&] {
    store_.AppendLog(id, "one ");
    store_.AppendLog(id, "two");
  });
  EXPECT_EQ(store_.Read(id).log, "one two");
}

TEST_F(StoreTest, LetsOnePartOfATransactionFailAlone) {
  const ExperimentId id = store_.Begin({});

  store_.InOneTransaction([&] {
    store_.AppendLog(id, "before ");
    EXPECT_THROW(store_.Untag(id, "none"), Error);
    EXPECT_THROW(store_.InOneTransaction([&] {
      store_.AppendLog(id, "lost");
      throw Error(ErrorCode::kIo, "stop");
    }),
                 Error);
    store_.AppendLog(id, "after");
  });

  EXPECT_EQ(store_.Read(id).log, "before after");
}

TEST_F(StoreTest, RunsWhatItBeganUntilItEnds) {
  const ExperimentId id = store_.Begin({});
  EXPECT_EQ(store_.Read(id).info.status, ExperimentStatus::kRunning);

  store_.Finish(id, {.status = ExperimentStatus::kCompleted});
  EXPECT_EQ(store_.Read(id).info.status, ExperimentStatus::kCompleted);

  store_.Resume(id);
  EXPECT_EQ(store_.Read(id).info.status, ExperimentStatus::kRunning);
}

TEST_F(StoreTest, InterruptsWhatItRanWhenItEnds) {
  ExperimentId id = 0;
  {
    ExperimentStore other(store_.path());
    id = other.Begin({});
    EXPECT_EQ(store_.Read(id).info.status, ExperimentStatus::kRunning);
  }
  EXPECT_EQ(store_.Read(id).info.status, ExperimentStatus::kInterrupted);
  EXPECT_THAT(Listed({.status = ExperimentStatus::kInterrupted}),
              ElementsAre(id));
  EXPECT_THAT(Listed({.status = ExperimentStatus::kRunning}), IsEmpty());

  store_.Resume(id);
  store_.Finish(id, {});
  EXPECT_EQ(store_.Read(id).info.status, ExperimentStatus::kCompleted);
}

TEST_F(StoreTest, RunsNeighboursIndependently) {
  const ExperimentId first = store_.Begin({});
  const ExperimentId second = store_.Begin({});
  ExperimentStore other(store_.path());
  const ExperimentId third = other.Begin({});
  store_.Finish(first, {});

  EXPECT_EQ(other.Read(second).info.status, ExperimentStatus::kRunning);
  EXPECT_EQ(store_.Read(third).info.status, ExperimentStatus::kRunning);
  EXPECT_THROW(other.Resume(second), Error);
  EXPECT_THROW(store_.Resume(third), Error);
  other.Resume(first);
}

TEST_F(StoreTest, FindsTheLocksThroughALink) {
  std::filesystem::create_symlink(store_.path(), folder_ / "link.db");
  const ExperimentId id = store_.Begin({});

  ExperimentStore linked(folder_ / "link.db", {.read_only = true});

  EXPECT_EQ(linked.Read(id).info.status, ExperimentStatus::kRunning);
}

TEST_F(StoreTest, ReadsWithoutWriting) {
  const ExperimentId id = store_.Begin({.model = "A"});
  ExperimentStore reader(store_.path(), {.read_only = true});

  EXPECT_EQ(reader.Read(id).info.model, "A");
  store_.AppendLog(id, "seen");
  EXPECT_EQ(reader.Read(id).log, "seen");
}

TEST_F(StoreTest, HasNoDamage) {
  const ExperimentId id = Ended({});
  store_.Attach(id, "a", "text/plain", "text");

  EXPECT_THAT(store_.FindDamage(), IsEmpty());
}

}  // namespace
}  // namespace orrery
