#pragma once

#include <atomic>
#include <string>

#include "orrery/server/files/watch.h"
#include "orrery/server/http/gate.h"
#include "orrery/server/http/http.h"
#include "orrery/server/http/router.h"
#include "orrery/server/page/page.h"
#include "orrery/server/routes/studio_context.h"
#include "orrery/server/sessions.h"

namespace orrery::server {

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

  [[nodiscard]] const Folder& folder() const noexcept {
    return context_.folder;
  }

  [[nodiscard]] Sessions& sessions() noexcept { return sessions_; }

  /// The address of its page, good for one browser.
  [[nodiscard]] std::string NewUrl();

  /// Answers requests until Stop().
  void Run();

  /// From any thread.
  void Stop();

 private:
  void AddRoutes();
  [[nodiscard]] Response Enter(const Request& request);
  [[nodiscard]] Response Session() const;
  [[nodiscard]] Response Stream(const Request& request);
  void PublishFile(const std::string& path, const std::string& what);

  StudioContext context_;
  Page page_;
  Sessions sessions_;
  std::atomic<int> streams_ = 0;
  Router router_;
  HttpServer http_;
  GateRules rules_;
  FolderWatch watch_;  // Ends first: it tells the others.
};

}  // namespace orrery::server
