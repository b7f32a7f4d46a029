#include "orrery/server/routes/experiment_routes.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/numbers/random.h"
#include "orrery/base/text/parse.h"
#include "orrery/sdk/local_time.h"
#include "orrery/sdk/reports/many_runs_report.h"
#include "orrery/sdk/reports/stored_report.h"
#include "orrery/sdk/runs/record_files.h"
#include "orrery/server/http/json_response.h"
#include "orrery/server/http/or_missing.h"
#include "orrery/server/http/parse_json.h"
#include "orrery/server/results/conditions.h"
#include "orrery/server/results/windows.h"

namespace orrery::server {
namespace {

using Json = nlohmann::ordered_json;
using Parts = Router::Parts;

// Answers a request about one run of an experiment.
using ReadRun = Response (*)(StudioContext&,
                             const Request&,
                             ExperimentId,
                             std::int64_t);

constexpr long long kMostRows = 100'000;
constexpr long long kMostSignals = 5000;
constexpr std::size_t kMostCurves = 16;
constexpr long long kMostPixels = 10'000;
constexpr long long kMostSpans = 250'000;
constexpr long long kMostSteps = 5000;
constexpr std::size_t kMostLastValues = 2'000'000;  // Decoded for a window.

Response Bytes(std::string bytes) {
  return {.type = "application/octet-stream",
          .body = std::move(bytes),
          .headers = {},
          .stream = {}};
}

Window WindowIn(const Request& request, long long usual, long long most) {
  return {.offset = static_cast<std::size_t>(CountIn(request, "offset", 0)),
          .limit = static_cast<std::size_t>(
              std::min(CountIn(request, "limit", usual), most))};
}

std::optional<double> TimeIn(const Request& request, std::string_view name) {
  const std::string text = request.Parameter(name);
  if (text.empty()) {
    return std::nullopt;
  }
  const std::optional<double> time = ParseNumber(text);
  if (!time) {
    throw HttpError{.status = 400,
                    .code = "query",
                    .message = fmt::format(
                        "cannot take {}='{}': it is no number", name, text),
                    .hint = ""};
  }
  return time;
}

// Width of a chart; 0 if none is named.
std::size_t PixelsIn(const Request& request) {
  return static_cast<std::size_t>(
      std::clamp(CountIn(request, "px", 0), 0LL, kMostPixels));
}

// Names with `,` between them.
std::vector<std::string> NamesIn(std::string_view text) {
  std::vector<std::string> names;
  for (const std::string_view part : SplitAtCommas(text)) {
    if (!part.empty()) {
      names.emplace_back(part);
    }
  }
  return names;
}

// Gives an experiment these tags, and no others.
void SetTags(ExperimentStore& store,
             const ExperimentInfo& info,
             const std::vector<std::string>& tags) {
  for (const std::string& tag : info.tags) {
    if (std::ranges::find(tags, tag) == tags.end()) {
      store.Untag(info.id, tag);
    }
  }
  for (const std::string& tag : tags) {
    store.Tag(info.id, tag);
  }
}

Response Change(StoredResults& results, ExperimentId id, const Json& json) {
  results.Write([&](ExperimentStore& store) {
    const ExperimentRecord record = store.Read(id);
    if (json.contains("notes")) {
      store.SetNotes(id, json.at("notes").get<std::string>());
    }
    if (json.contains("tags")) {
      SetTags(
          store, record.info, json.at("tags").get<std::vector<std::string>>());
    }
  });
  return NoContent();
}

Response ListExperiments(StudioContext& studio, const Request& request) {
  if (!studio.results.is_there()) {
    return JsonResponse(Json{{"experiments", Json::array()}});
  }
  ExperimentFilter filter;
  const auto take = [&](const char* name, std::optional<std::string>& to) {
    if (const std::string text = request.Parameter(name); !text.empty()) {
      to = text;
    }
  };
  take("model", filter.model);
  take("tag", filter.tag);
  take("type", filter.type);
  take("attachment", filter.attachment);
  filter.limit = static_cast<std::size_t>(
      std::min(CountIn(request, "limit", 200), kMostRows));
  std::vector<ExperimentInfo> list;
  studio.results.Read(
      [&](ExperimentStore& store) { list = store.List(filter); });
  return JsonResponse(JsonReport(list, LocalTime));
}

Response ReadExperiment(StudioContext& studio, ExperimentId id) {
  ExperimentRecord record;
  std::string results = "null";
  studio.results.Read([&](ExperimentStore& store) {
    record = OrMissing([&] { return store.Read(id); });
    if (HasWholeReport(record)) {
      results = record.summary;
    } else if (!record.columns.empty()) {
      ManyRunsReport report = ReadManyRuns(store, record);
      report.has_values = false;
      results = JsonReport(report);
    }
  });
  return JsonResponse(JsonReport(record, results, LocalTime));
}

Response ReadRuns(StudioContext& studio,
                  const Request& request,
                  ExperimentId id) {
  const auto table = OrMissing([&] { return studio.results.Table(id); });
  const std::vector<std::size_t> chosen =
      ChooseRuns(*table,
                 ParseConditions(request.Parameter("where")),
                 request.Parameter("sort"));
  const Window window = WindowIn(request, 200, kMostRows);
  if (request.Header("accept") == "application/octet-stream") {
    return Bytes(RunsAsBytes(*table, chosen, window));
  }
  std::vector<RunFailure> failures;
  if (std::ranges::find(table->status, RunStatus::kFailed) !=
      table->status.end()) {
    studio.results.Read([&](ExperimentStore& store) {
      failures = store.ReadFailures(id, static_cast<std::size_t>(kMostRows));
    });
  }
  return JsonResponse(RunsAsJson(*table, chosen, window, failures));
}

// The files that the experiment was made of, as they were: models, libraries,
// data. Their names and sizes, or the text of one.
Response ReadTexts(StudioContext& studio,
                   const Request& request,
                   ExperimentId id) {
  const std::string name = request.Parameter("name");
  std::string text;
  Json items = Json::array();
  studio.results.Read([&](ExperimentStore& store) {
    if (!name.empty()) {
      text = OrMissing([&] { return store.ReadAttachment(id, name); });
      return;
    }
    const ExperimentRecord record = OrMissing([&] { return store.Read(id); });
    for (const AttachmentInfo& file : record.attachments) {
      if (IsRecordOfRun(file.name)) {
        continue;
      }
      const std::uint64_t hash =
          StableHash(store.ReadAttachment(id, file.name));
      items.push_back({{"name", file.name},
                       {"size", file.size},
                       {"hash", fmt::format("{:016x}", hash)}});
    }
  });
  if (name.empty()) {
    return JsonResponse(Json{{"items", std::move(items)}});
  }
  return {.type = "text/plain; charset=utf-8",
          .body = std::move(text),
          .headers = {},
          .stream = {}};
}

Response ReadSignals(StudioContext& studio,
                     const Request& request,
                     ExperimentId id,
                     std::int64_t run) {
  const auto tree = OrMissing([&] { return studio.results.Tree(id, run); });
  const Window window = WindowIn(request, 500, kMostSignals);
  const std::string under = request.Parameter("under");
  const std::string text = request.Parameter("q");
  const SignalWindow found =
      text.empty() ? tree->Under(under, window.offset, window.limit)
                   : tree->Search(under, text, window.offset, window.limit);
  std::vector<std::string> names;
  for (const SignalEntry& entry : found.entries) {
    if (entry.signal != nullptr) {
      names.push_back(entry.name);
    }
  }
  Trajectory last;
  if (!names.empty()) {
    studio.results.Read([&](ExperimentStore& store) {
      const auto rows = static_cast<std::size_t>(store.CountRows(id, run));
      if (rows * names.size() <= kMostLastValues) {
        last = store.ReadTrajectory(id, run, names);
      }
    });
  }
  return JsonResponse(SignalsAsJson(found, last));
}

Response ReadCurves(StudioContext& studio,
                    const Request& request,
                    ExperimentId id,
                    std::int64_t run) {
  CurvesWanted wanted{.names = NamesIn(request.Parameter("s")),
                      .x = request.Parameter("x"),
                      .from = TimeIn(request, "from"),
                      .to = TimeIn(request, "to")};
  wanted.pixels = static_cast<std::size_t>(
      std::clamp(CountIn(request, "px", 1000), 1LL, kMostPixels));
  if (wanted.names.empty() || wanted.names.size() > kMostCurves) {
    throw HttpError{
        .status = 400,
        .code = "query",
        .message = fmt::format("cannot draw {} signals at once: one to {}",
                               wanted.names.size(),
                               kMostCurves),
        .hint = "s=w,tau"};
  }
  if (request.Parameter("missing") == "skip") {
    const auto tree = OrMissing([&] { return studio.results.Tree(id, run); });
    const bool has_axis = wanted.x.empty() || tree->Contains(wanted.x);
    std::erase_if(wanted.names, [&](const std::string& name) {
      return !has_axis || !tree->Contains(name);
    });
    if (!has_axis) {
      wanted.x.clear();
    }
  }
  std::vector<std::string> read = wanted.names;
  if (!wanted.x.empty()) {
    read.push_back(wanted.x);
  }
  const Trajectory rows =
      OrMissing([&] { return studio.results.Rows(id, run, std::move(read)); });
  return Bytes(CurvesAsBytes(rows, wanted));
}

Response ReadEvents(StudioContext& studio,
                    const Request& request,
                    ExperimentId id,
                    std::int64_t run) {
  EventLog events;
  studio.results.Read([&](ExperimentStore& store) {
    const ExperimentRecord record = OrMissing([&] { return store.Read(id); });
    if (std::ranges::find(record.event_logs, run) != record.event_logs.end()) {
      events = store.ReadEvents(id, run);
    }
  });
  return JsonResponse(
      EventsAsJson(events,
                   {.from = TimeIn(request, "from"),
                    .to = TimeIn(request, "to"),
                    .text = request.Parameter("q"),
                    .window = WindowIn(request, 500, kMostRows)}));
}

Response ReadSpans(StudioContext& studio,
                   const Request& request,
                   ExperimentId id,
                   std::int64_t /*run*/) {
  std::shared_ptr<const SpanTable> spans;
  studio.results.ReadFile([&](ExperimentStore& store, std::uint64_t file) {
    const ExperimentRecord record = OrMissing([&] { return store.Read(id); });
    const auto attachment = std::ranges::find(
        record.attachments, kSpansAttachment, &AttachmentInfo::name);
    const bool has_spans = attachment != record.attachments.end();
    const std::string key =
        fmt::format("{} {} {}", file, id, has_spans ? attachment->size : 0);
    spans = studio.spans.Get(key, [&] {
      return SpanTable(has_spans ? store.ReadAttachment(id, kSpansAttachment)
                                 : "[]");
    });
  });
  return JsonResponse(
      spans->Part({.from = TimeIn(request, "from"),
                   .to = TimeIn(request, "to"),
                   .pixels = PixelsIn(request),
                   .window = WindowIn(request, 5000, kMostSpans)}));
}

Response ReadTrace(StudioContext& studio,
                   const Request& request,
                   ExperimentId id,
                   std::int64_t /*run*/) {
  return JsonResponse(
      studio.traces.Part(id,
                         {.from = TimeIn(request, "from"),
                          .to = TimeIn(request, "to"),
                          .filter = request.Parameter("filter"),
                          .window = WindowIn(request, 200, kMostSteps),
                          .pixels = PixelsIn(request)}));
}

Response ReadTraceState(StudioContext& studio,
                        const Request& request,
                        ExperimentId id,
                        std::int64_t /*run*/) {
  return JsonResponse(studio.traces.StateBefore(
      id,
      request.Parameter("model"),
      static_cast<std::uint64_t>(CountIn(request, "at", 0))));
}

}  // namespace

void AddExperimentRoutes(Router& router, StudioContext& studio) {
  const auto add = [&](const char* pattern, ReadRun answer) {
    router.Add("GET",
               pattern,
               [&studio, answer](const Request& request, const Parts& parts) {
                 return answer(studio, request, IdOf(parts[0]), IdOf(parts[1]));
               });
  };
  add("/api/experiments/{}/{}/signals", ReadSignals);
  add("/api/experiments/{}/{}/data", ReadCurves);
  add("/api/experiments/{}/{}/events", ReadEvents);
  add("/api/experiments/{}/{}/spans", ReadSpans);
  add("/api/experiments/{}/{}/trace", ReadTrace);
  add("/api/experiments/{}/{}/trace/state", ReadTraceState);
  router.Add("GET", "/api/experiments", [&studio](const auto& request, auto&) {
    return ListExperiments(studio, request);
  });
  router.Add(
      "GET", "/api/experiments/{}", [&studio](const auto&, const Parts& parts) {
        return ReadExperiment(studio, IdOf(parts[0]));
      });
  router.Add("GET",
             "/api/experiments/{}/runs",
             [&studio](const Request& request, const Parts& parts) {
               return ReadRuns(studio, request, IdOf(parts[0]));
             });
  router.Add("GET",
             "/api/experiments/{}/texts",
             [&studio](const Request& request, const Parts& parts) {
               return ReadTexts(studio, request, IdOf(parts[0]));
             });
  router.Add("PATCH",
             "/api/experiments/{}",
             [&studio](const Request& request, const Parts& parts) {
               const Json json = ParseJson(request.body);
               return OrMissing([&] {
                 return Change(studio.results, IdOf(parts[0]), json);
               });
             });
  router.Add("DELETE",
             "/api/experiments/{}",
             [&studio](const auto&, const Parts& parts) {
               OrMissing([&] {
                 studio.results.Write([&](ExperimentStore& store) {
                   store.Delete(IdOf(parts[0]));
                 });
               });
               return NoContent();
             });
}

}  // namespace orrery::server
