#include "orrery/cli/saving/saving.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/diagnostic.h"
#include "orrery/base/error.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/sdk/documents/source_hash.h"
#include "orrery/sdk/local_time.h"

namespace orrery::cli {
namespace {

std::string MediaTypeOf(const std::string& file) {
  if (file.ends_with(".csv")) {
    return "text/csv";
  }
  return file.ends_with(".json") ? "application/json" : "text/plain";
}

}  // namespace

std::string StorePath(const RunCommand& command) {
  return command.store.empty() ? "orrery.db" : command.store;
}

std::string ShellWord(const std::string& text) {
  const auto is_plain = [](unsigned char c) {
    constexpr std::string_view kPlain = "_./+-:=@%,";
    return std::isalnum(c) != 0 || c > 127 ||
           kPlain.find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) {
    return text;
  }
  std::string word = "'";
  for (const char c : text) {
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return word + "'";
}

std::string StoreOption(const RunCommand& command) {
  return command.store.empty() ? "" : " --store " + ShellWord(command.store);
}

SavedExperiment::SavedExperiment(const RunCommand& command,
                                 NewExperiment experiment)
    : command_(command), model_(experiment.model), created_ns_(Now()) {
  std::string why_not;
  if (command.is_saved) {
    why_not = Begin(experiment);
  }
  ReportStream(command.report_fd).Begin(id_, model_);
  if (!why_not.empty()) {
    Warn(fmt::format("the experiment is not saved: {}", why_not),
         "--store FILE saves it elsewhere, --no-save nowhere");
  }
}

void SavedExperiment::Warn(const std::string& message,
                           const std::string& hint) const {
  PrintError("{}: warning: {}; {}\n", command_.program, message, hint);
  const Diagnostic warning{
      .severity = Severity::kWarning, .message = message, .hint = hint};
  ReportNotices(command_.report_fd, std::span(&warning, 1));
}

// Returns why it is not saved; an empty text if it is.
std::string SavedExperiment::Begin(NewExperiment& experiment) {
  const RunCommand& command = command_;
  try {
    store_.emplace(StorePath(command));
    experiment.created_ns = created_ns_;
    experiment.source_hash = SourceHashOf(DocumentOf(command));
    id_ = store_->Begin(experiment);
    for (const auto& file : command.files.all()) {
      store_->Attach(
          id_, file->name(), MediaTypeOf(file->name()), file->text());
    }
  } catch (const Error& error) {
    if (!command.store.empty()) {
      throw;
    }
    store_.reset();
    return error.what();
  }
  return "";
}

SavedExperiment::SavedExperiment(const RunCommand& command,
                                 const std::string& model)
    : SavedExperiment(command,
                      {.type = kSingleRun,
                       .model = model,
                       .document = ToJson(DocumentOf(command))}) {}

SavedExperiment::SavedExperiment(const RunCommand& command, ExperimentId id)
    : command_(command), store_(std::in_place, StorePath(command)), id_(id) {
  const ExperimentInfo info = store_->Read(id).info;
  model_ = info.model;
  created_ns_ = info.created_ns;
  store_->Resume(id);
  ReportStream(command.report_fd).Begin(id_, model_);
}

void SavedExperiment::TakeDown(const LiveRecord& record) {
  if (store_) {
    RunDocument document = DocumentOf(command_);
    document.live = record;
    store_->SetDocument(id_, ToJson(document));
  }
}

void SavedExperiment::Finish(const ExperimentEnd& end) {
  if (store_) {
    FinishStored(end);
  }
  ReportStream(command_.report_fd).End(end.status, end.message);
}

void SavedExperiment::FinishStored(const ExperimentEnd& end) {
  store_->Finish(id_, end);
  has_ended_ = store_->IsStillThere();
  if (!has_ended_) {
    Warn(fmt::format("the experiment is not saved: {} was removed, or "
                     "replaced, while it ran",
                     store_->path()),
         "what it comes to is told now and never again");
  }
}

SavedExperiment::~SavedExperiment() {
  if (has_ended_ && !command_.quiet) {
    const auto words = [this](const char* verb) {
      return fmt::format("{} {} {}{}",
                         ShellWord(command_.called),
                         verb,
                         id_,
                         StoreOption(command_));
    };
    PrintError("saved as experiment {} ({}, {}); show it again: {}\n",
               id_,
               model_,
               LocalTime(created_ns_),
               words("show"));
    if (offers_to_resume_) {
      PrintError("go on with it: {}\n", words("resume"));
    }
  }
}

void SavedExperiment::Finish(const Trajectory& trajectory,
                             const EventLog& events,
                             const ExperimentEnd& end) {
  if (store_) {
    SaveResults(trajectory, events, end);
  }
  Finish(end);
}

void SavedExperiment::SaveResults(const Trajectory& trajectory,
                                  const EventLog& events,
                                  const ExperimentEnd& end) {
  store_->InOneTransaction([&] {
    store_->SaveTrajectory(id_, 0, trajectory);
    store_->SaveEvents(id_, 0, events);
    const bool is_completed = end.status == ExperimentStatus::kCompleted;
    store_->AppendRuns(
        id_,
        {.first = 0,
         .status = {is_completed ? RunStatus::kCompleted : RunStatus::kFailed},
         .values = {},
         .failures = is_completed ? std::vector<RunFailure>{}
                                  : std::vector<RunFailure>{
                                        {.run = 0, .message = end.message}}});
  });
}

ExperimentStatus StatusOf(RunOutcome outcome) noexcept {
  switch (outcome) {
    case RunOutcome::kCompleted:
    case RunOutcome::kTerminated:
      return ExperimentStatus::kCompleted;
    case RunOutcome::kInterrupted:
      return ExperimentStatus::kInterrupted;
    default:
      return ExperimentStatus::kFailed;
  }
}

ExperimentStatus StatusOf(RunEnd end) noexcept {
  switch (end) {
    case RunEnd::kCompleted:
      return ExperimentStatus::kCompleted;
    case RunEnd::kInterrupted:
      return ExperimentStatus::kInterrupted;
    case RunEnd::kFailed:
      return ExperimentStatus::kFailed;
  }
  return ExperimentStatus::kFailed;
}

std::int64_t Now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace orrery::cli
