#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "orrery/server/events/event_ring.h"
#include "orrery/server/files/drafts.h"
#include "orrery/server/files/folder.h"
#include "orrery/server/files/watch.h"
#include "orrery/server/files/writers.h"
#include "orrery/server/http/gate.h"
#include "orrery/server/http/http.h"
#include "orrery/server/http/router.h"
#include "orrery/server/language/language_service.h"
#include "orrery/server/page/page.h"
#include "orrery/server/results/kept.h"
#include "orrery/server/results/span_table.h"
#include "orrery/server/results/stored_results.h"
#include "orrery/server/results/stored_traces.h"
#include "orrery/server/runs/plan_runs.h"
#include "orrery/server/runs/run_queue.h"
#include "orrery/server/runs/run_request.h"
#include "orrery/server/sessions.h"
#include "orrery/server/trust.h"

namespace orrery::server {

/// A library that models may use. Plain data.
struct LibraryPlace {
  std::string name;
  std::string version;  ///< May be empty.
  std::string path;
};

/// What a studio is made of. Plain data.
struct StudioOptions {
  std::string folder = ".";
  std::string address = "127.0.0.1";
  int port = 0;          ///< 0: any that is free.
  std::string page;      ///< A folder; empty for the page that is built in.
  std::string programs;  ///< The folder of `orrery` and its helpers.

  /// The words that start the language server; empty: `orrery-lsp` there.
  std::vector<std::string> language_server;
  std::string state;  ///< The user's folder for what programs remember.
  std::vector<LibraryPlace> libraries;

  /// Folders of libraries whose texts the page may show.
  std::vector<std::string> library_folders;
};

/// A workbench in the browser for the models of a folder.
class Studio {
 public:
  static constexpr int kMostStreams = 16;

  /// Opens the port; answers nobody yet.
  /// @throws Error kInvalidArgument if there is no such folder; kIo if the port
  ///     is taken.
  explicit Studio(const StudioOptions& options);
  Studio(const Studio&) = delete;
  Studio& operator=(const Studio&) = delete;
  ~Studio();

  [[nodiscard]] int port() const noexcept { return rules_.port; }

  [[nodiscard]] const Folder& folder() const noexcept { return folder_; }

  [[nodiscard]] Sessions& sessions() noexcept { return sessions_; }

  /// The address of its page, good for one browser.
  [[nodiscard]] std::string NewUrl();

  /// Answers requests until Stop().
  void Run();

  /// From any thread.
  void Stop();

 private:
  void AddRoutes();
  void AddFileRoutes();
  void AddDraftRoutes();
  void AddWriterRoutes();
  void AddRunRoutes();
  void AddLanguageRoutes();
  void AddExperimentRoutes();
  void AddReportRoutes();
  void AddFmuRoutes();
  [[nodiscard]] Response Enter(const Request& request);
  [[nodiscard]] Response Session() const;
  [[nodiscard]] Response Stream(const Request& request);
  [[nodiscard]] Response StartRun(const Request& request);
  void CheckTrustOf(const RunWords& asked);
  [[nodiscard]] RunWords AcceptRun(const std::string& body);
  [[nodiscard]] Response Resource(const Request& request) const;
  [[nodiscard]] Response LibraryText(const Request& request) const;
  [[nodiscard]] Response ListExperiments(const Request& request);
  [[nodiscard]] Response ReadExperiment(ExperimentId id);
  [[nodiscard]] Response ReadRuns(const Request& request, ExperimentId id);
  [[nodiscard]] Response ReadTexts(const Request& request, ExperimentId id);
  [[nodiscard]] Response ReadSignals(const Request& request,
                                     ExperimentId id,
                                     std::int64_t run);
  [[nodiscard]] Response ReadCurves(const Request& request,
                                    ExperimentId id,
                                    std::int64_t run);
  [[nodiscard]] Response ReadEvents(const Request& request,
                                    ExperimentId id,
                                    std::int64_t run);
  [[nodiscard]] Response ReadSpans(const Request& request,
                                   ExperimentId id,
                                   std::int64_t run);
  [[nodiscard]] Response ReadTrace(const Request& request,
                                   ExperimentId id,
                                   std::int64_t run);
  [[nodiscard]] Response ReadTraceState(const Request& request,
                                        ExperimentId id,
                                        std::int64_t run);
  [[nodiscard]] Response CarryOutPlan(const Request& request);
  [[nodiscard]] Response MakeReport(const Request& request) const;
  [[nodiscard]] Response DescribeFmu(const Request& request) const;
  [[nodiscard]] Response ExportFmu(const Request& request);
  [[nodiscard]] Response TellOfWriter(const std::string& path,
                                      const Writers::Writer& writer);
  void PublishDraft(const std::string& path);
  void PublishFile(const std::string& path, const std::string& what);

  StudioOptions options_;
  Folder folder_;
  Drafts drafts_;
  Writers writers_;
  Page page_;
  Sessions sessions_;
  Trust trust_;
  EventRing events_;
  std::atomic<int> streams_ = 0;
  RunQueue runs_;
  LanguageService language_;
  StoredResults results_;
  StoredTraces traces_;
  Kept<SpanTable> spans_{4};
  PlanRuns plans_;
  Router router_;
  HttpServer http_;
  GateRules rules_;
  FolderWatch watch_;  // Ends first: it tells the others.
};

}  // namespace orrery::server
