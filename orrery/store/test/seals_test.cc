#include <array>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/store/store.h"
#include "orrery/store/test/store_file.h"

namespace orrery {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// A store whose experiment has a row in every table.
class SealTest : public StoreFileTest {
 protected:
  SealTest() {
    RunColumn mode{.name = "gearbox"};
    mode.value_names.Edit() = {"Off", "On"};
    ExperimentStore store(path_);
    const ExperimentId id = store.Begin(
        {.document = R"({"stop":1})", .runs_asked = 2, .columns = {mode}});
    store.AppendRuns(id,
                     {.status = {RunStatus::kCompleted, RunStatus::kFailed},
                      .values = {{1, 0}},
                      .failures = {{.run = 1, .message = "why"}}});
    TrajectoryBuilder builder({{.name = "x", .column = 0}});
    builder.Append(0, std::vector{1.0});
    store.SaveTrajectory(id, 0, builder.Take());
    store.Attach(id, "plan.json", "application/json", "{}");
    store.Tag(id, "paper");
    store.SetNotes(id, "as published");
    store.AppendLog(id, "began");
    store.Finish(id, {.summary = R"({"final":4})"});
  }

  // Flips the lowest bit of the first byte of `text`, wherever it stands.
  void FlipIn(const std::string& text) {
    std::string bytes = ReadFile(path_);
    std::size_t found = 0;
    for (std::size_t at = 0; (at = bytes.find(text, at)) != std::string::npos;
         ++at, ++found) {
      bytes[at] = static_cast<char>(bytes[at] ^ 1);
    }
    EXPECT_GT(found, 0U) << text;
    WriteFile(path_, bytes);
  }

  std::string DamageIn(const std::string& what) const {
    return "cannot read '$': there is damage in " + what +
           " of experiment 1; what is sound can be read still";
  }
};

TEST_F(SealTest, AFlippedBitInATextIsTold) {
  const std::string sound = ReadFile(path_);
  for (const auto& [text, what] : std::vector<std::array<std::string, 2>>{
           {R"(1})", "the document, the summary or the notes"},
           {R"(4})", "the document, the summary or the notes"},
           {"as published", "the document, the summary or the notes"},
           {"began", "the log"},
           {"why", "the messages of failed runs"},
           {"application/json", "the list of attachments"},
           {"gearbox", "the columns of the table of runs"},
           {"On", "the names of values"}}) {
    WriteFile(path_, sound);
    FlipIn(text);

    EXPECT_EQ(Says(ErrorCode::kIo,
                   [&] { static_cast<void>(ExperimentStore(path_).Read(1)); }),
              DamageIn(what))
        << text;
  }
}

TEST_F(SealTest, AChangedNumberIsTold) {
  const std::string sound = ReadFile(path_);
  for (const auto& [change, what] : std::vector<std::array<std::string, 2>>{
           {"experiment SET created_ns = 1", "the entry"},
           {"experiment SET runs_failed = 0", "the entry"},
           {"batch SET first = 1", "the batches of runs"},
           {"failure SET run = 0", "the messages of failed runs"},
           {"series SET run = 1", "the list of trajectories and events"},
           {"run_column_value SET name = 'No' WHERE value = 1",
            "the names of values"}}) {
    WriteFile(path_, sound);
    Change("UPDATE " + change);

    EXPECT_EQ(
        Says(ErrorCode::kIo,
             [&] { static_cast<void>(ExperimentStore(path_).ReadRuns(1)); }),
        DamageIn(what))
        << change;
    EXPECT_THAT(ExperimentStore(path_).FindDamage(),
                testing::Contains(HasSubstr(what)))
        << change;
  }
}

TEST_F(SealTest, ALostDocumentIsTold) {
  Change("DELETE FROM experiment_text");

  EXPECT_EQ(Says(ErrorCode::kIo,
                 [&] { static_cast<void>(ExperimentStore(path_).Read(1)); }),
            DamageIn("the document"));
}

TEST_F(SealTest, DamageIsNotSealedByAChange) {
  FlipIn(R"(1})");
  ExperimentStore store(path_);

  EXPECT_EQ(Says(ErrorCode::kIo, [&] { store.SetNotes(1, "new"); }),
            "cannot write '$': there is damage in the document, the summary "
            "or the notes of the experiment");
  EXPECT_EQ(Says(ErrorCode::kIo, [&] { store.Resume(1); }),
            DamageIn("the document, the summary or the notes"));
}

TEST_F(SealTest, AListTellsOfADamagedEntryAndItCanBeDeleted) {
  Change("UPDATE experiment SET model = 'other'");
  ExperimentStore store(path_);

  EXPECT_EQ(Says(ErrorCode::kIo, [&] { static_cast<void>(store.List()); }),
            DamageIn("the entry"));
  store.Delete(1);
  EXPECT_THAT(store.List(), IsEmpty());
}

TEST_F(SealTest, AStoreWithoutSealsIsReadAndIsSealedOnceItIsWritten) {
  Change("PRAGMA user_version = 2");
  for (const char* table : {"experiment",
                            "experiment_text",
                            "tag",
                            "log",
                            "run_column",
                            "run_column_value",
                            "batch",
                            "failure",
                            "series",
                            "attachment"}) {
    Change(std::string("ALTER TABLE ") + table + " DROP COLUMN seal");
  }

  EXPECT_EQ(ExperimentStore(path_, {.read_only = true}).Read(1).document,
            R"({"stop":1})");
  EXPECT_EQ(ExperimentStore(path_).Read(1).document, R"({"stop":1})");
  FlipIn(R"(1})");
  EXPECT_EQ(Says(ErrorCode::kIo,
                 [&] { static_cast<void>(ExperimentStore(path_).Read(1)); }),
            DamageIn("the document, the summary or the notes"));
}

}  // namespace
}  // namespace orrery
