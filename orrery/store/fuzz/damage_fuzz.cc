#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/results/event_log.h"
#include "orrery/results/trajectory.h"
#include "orrery/store/store.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

namespace {

// A file in a folder of its own, for the whole run.
class StoreFile {
 public:
  StoreFile() {
    std::string folder =
        std::filesystem::temp_directory_path() / "orrery-fuzz-XXXXXX";
    folder_ = mkdtemp(folder.data());
    Fill();
    std::ifstream in(path(), std::ios::binary);
    sound_.assign(std::istreambuf_iterator<char>(in), {});
  }

  StoreFile(const StoreFile&) = delete;
  StoreFile& operator=(const StoreFile&) = delete;

  ~StoreFile() { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path() const { return folder_ + "/orrery.db"; }

  // The bytes of a store with all kinds of results.
  [[nodiscard]] const std::string& sound() const { return sound_; }

 private:
  void Fill() const {
    orrery::ExperimentStore store(path());
    const orrery::ExperimentId id =
        store.Begin({.type = "sweep",
                     .model = "Pendulum",
                     .document = "{}",
                     .runs_asked = 5,
                     .columns = {{.name = "x"}, {.name = "y"}}});
    store.AppendRuns(
        id,
        {.status = {orrery::RunStatus::kCompleted, orrery::RunStatus::kFailed},
         .values = {{1, 2}, {3, 4}},
         .failures = {{.run = 1, .message = "why"}}});
    orrery::TrajectoryBuilder builder({{.name = "x", .column = 0}});
    for (int i = 0; i < 100; ++i) {
      builder.Append(i, std::vector{0.1 * i});
    }
    store.SaveTrajectory(id, 0, builder.Take());
    store.SaveEvents(id, 0, orrery::EventLog({"e"}, {{.t = 1}}));
    store.Attach(id, "plan.json", "application/json", "{}");
    store.Tag(id, "tag");
    store.AppendLog(id, "log");
    store.Finish(id, {});
  }

  std::string folder_;
  std::string sound_;
};

// Three bytes for the position, one for the new value.
void Damage(std::string& bytes, const std::uint8_t* data, std::size_t size) {
  for (std::size_t i = 0; i + 4 <= size; i += 4) {
    const std::size_t place = data[i] + (std::size_t{data[i + 1]} << 8U) +
                              (std::size_t{data[i + 2]} << 16U);
    bytes[place % bytes.size()] = static_cast<char>(data[i + 3]);
  }
}

}  // namespace

/// A store with any bytes changed must be read, or refused with an error; the
/// same for writes to it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static const StoreFile file;
  std::string bytes = file.sound();
  Damage(bytes, data, size);
  for (const char* ending : {"-wal", "-shm", "-journal"}) {
    std::filesystem::remove(file.path() + ending);
  }
  std::ofstream(file.path(), std::ios::binary) << bytes;
  try {
    orrery::ExperimentStore store(file.path());
    static_cast<void>(store.FindDamage());
    static_cast<void>(store.UnfinishedRuns(1));
    static_cast<void>(store.ReadFailures(1, 10));
    store.Tag(1, "other");
    store.Delete(1);
  } catch (const orrery::Error& error) {
    ORRERY_CHECK(error.code() != orrery::ErrorCode::kInternal);
  }
  return 0;
}
