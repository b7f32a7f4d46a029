#include "orrery/process/engine/outside_tasks.h"

#include <cstdint>
#include <string>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/process/run/run.h"

namespace orrery::process::internal {

using orrery::ToText;

void CheckMaySpawnAt(const Run& run, const char* name, Duration at) {
  run.CheckIsIdle("spawn a task");
  run.CheckGoesOn();
  if (at < run.now()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot spawn task '" + std::string(name) + "' at " +
                    ToText(at) + ": it is " + ToText(run.now()) + " already");
  }
}

Node& SpawnAt(Run& run,
              std::coroutine_handle<> frame,
              const char* name,
              Duration at) {
  const std::uint64_t hash = StableHash(name);
  Node& task =
      AddOutsideTask(run,
                     {.frame = frame,
                      .name = name,
                      .key = MixKeys(MixKeys(~run.options.seed, hash),
                                     run.names_from_outside.Next(hash))});
  run.calendar.Schedule(task, at);
  return task;
}

Node& SpawnAt(Run& run, const Recipe& recipe, const char* name, Duration at) {
  Node& task = SpawnAt(run, recipe(run), name, at);
  run.logs.SetRecipe(task.index, recipe);
  return task;
}

Node& AddOutsideTask(Run& run, const NewTask& task) {
  Node& added = run.tasks.Add(run.tasks.root(), task);
  ++run.statistics.spawned;
  added.is_from_outside = true;
  added.is_to_begin = true;
  added.state = TaskState::kDelayed;
  return added;
}

}  // namespace orrery::process::internal
