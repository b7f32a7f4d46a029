#include "orrery/cli/options/worker_options.h"

#include <string>

#include "orrery/base/duration.h"
#include "orrery/cli/commands/experiments/worker_command.h"
#include "orrery/cli/request/option_values.h"

namespace orrery::cli {
namespace {

// A time from a millisecond to a day, in seconds or with a unit.
Duration WaitOf(const std::string& option, const std::string& text) {
  const double seconds = TimeOf(option, text);
  if (!(seconds >= 1e-3 && seconds <= 86400)) {
    Refuse(option, text, "a time from 1 ms to 24 h");
  }
  return ToDuration(seconds);
}

}  // namespace

void AddWhereToRun(CLI::App& app, WhereToRun& where) {
  CLI::Option* jobs = AddJobs(app, where.jobs);
  CLI::Option* queue =
      app.add_option("--queue",
                     where.queue,
                     "Have it carried out by the workers on this NATS server, "
                     "as in nats://host:4222 (see orrery worker)")
          ->type_name("URL")
          ->excludes(jobs);
  AddOption(app,
            "--patience",
            "How long a worker may be silent before its runs go to others "
            "(default 5 s)",
            WaitOf,
            [&](Duration time) { where.patience = time; })
      ->type_name("TIME")
      ->needs(queue);
}

void AddWorker(CLI::App& app, WorkerCommand& command, int& status) {
  CLI::App* worker = app.add_subcommand(
      "worker", "Carry out runs for those who submit them to a NATS server");
  worker
      ->add_option("--queue",
                   command.queue,
                   "The server, as in nats://host:4222 or "
                   "tls://user:password@host")
      ->type_name("URL")
      ->required();
  AddOption(*worker,
            "--jobs",
            "Threads (default: one a processor)",
            JobsOf,
            [&](int count) { command.jobs = count; })
      ->type_name("COUNT");
  AddOption(*worker,
            "--idle",
            "End after so long without a run (default: never)",
            WaitOf,
            [&](Duration time) { command.idle = time; })
      ->type_name("TIME");
  worker->add_flag(
      "--plugins",
      [&](std::int64_t) { command.plugins = PluginPolicy::kLoad; },
      "Load models that are plug-ins: code, of anyone who may submit");
  worker->callback([&] { status = Worker(command); });
}

}  // namespace orrery::cli
