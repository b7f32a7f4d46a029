#pragma once

#include <string>
#include <vector>

#include "orrery/server/events/event_ring.h"
#include "orrery/server/files/drafts.h"
#include "orrery/server/files/folder.h"
#include "orrery/server/files/writers.h"
#include "orrery/server/language/language_service.h"
#include "orrery/server/results/kept.h"
#include "orrery/server/results/span_table.h"
#include "orrery/server/results/stored_results.h"
#include "orrery/server/results/stored_traces.h"
#include "orrery/server/runs/plan_runs.h"
#include "orrery/server/runs/run_queue.h"
#include "orrery/server/runs/trust.h"

namespace orrery::server {

/// A library that models may use. Plain data.
struct LibraryPlace {
  std::string name;
  std::string version;  ///< May be empty.
  std::string path;
};

/// Parts of a studio. Plain data.
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

/// The parts of a studio that answer its requests. Several threads may use each
/// part at once.
struct StudioContext {
  /// @throws Error kInvalidArgument if there is no such folder.
  explicit StudioContext(const StudioOptions& given);
  StudioContext(const StudioContext&) = delete;
  StudioContext& operator=(const StudioContext&) = delete;
  ~StudioContext() = default;

  StudioOptions options;
  Folder folder;
  Drafts drafts;
  Writers writers;
  Trust trust;
  EventRing events;
  RunQueue runs;
  LanguageService language;
  StoredResults results;
  StoredTraces traces;
  Kept<SpanTable> spans{4};
  PlanRuns plans;
};

}  // namespace orrery::server
