#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "orrery/server/children/child.h"
#include "orrery/server/events/event_ring.h"

namespace orrery::server {

/// The language server of a folder, as a child: `orrery-lsp`. It is started
/// with the first message. If it ends by itself, the event `child` tells pages
/// to open their documents anew, which starts another one. What it tells
/// without being asked becomes events `lsp`. Any thread may call the functions.
class LanguageService {
 public:
  struct Options {
    std::vector<std::string> argv;
    std::string folder;
    std::chrono::seconds patience{30};  ///< With an answer.
  };

  LanguageService(Options options, EventRing& events);
  LanguageService(const LanguageService&) = delete;
  LanguageService& operator=(const LanguageService&) = delete;
  ~LanguageService();

  /// Forwards a message of JSON-RPC of a page.
  /// @returns its answer; nothing for a notification.
  /// @throws HttpError 400 for a text that is no message; 503 if there is no
  ///     language server.
  [[nodiscard]] std::optional<std::string> Exchange(const std::string& text);

  /// The result of a question of our own.
  /// @throws HttpError 502 with the reason if there is none.
  [[nodiscard]] nlohmann::ordered_json Ask(
      const std::string& method, const nlohmann::ordered_json& parameters);

  /// Tells it that a file was `made`, `changed` or is `gone`, by whomever: it
  /// keeps what it has read. Nothing happens before it was started.
  /// @param path below the folder; empty: any of its files.
  void TellOfFile(const std::string& path, const std::string& what);

 private:
  struct Question;

  void Work();
  void ReadFrom(int output);
  void Take(const std::string& text);
  void Start();
  void End();
  void Send(const nlohmann::ordered_json& message);
  [[nodiscard]] bool IsForwarded(const std::string& method,
                                 const nlohmann::ordered_json& parameters);
  [[nodiscard]] nlohmann::ordered_json Initialize(
      const nlohmann::ordered_json& parameters);
  [[nodiscard]] nlohmann::ordered_json Answer(
      const std::string& method, const nlohmann::ordered_json& parameters);

  Options options_;
  EventRing& events_;

  std::mutex starting_;  // Held by whoever initialises.

  std::mutex mutex_;  // Guards what follows, except the thread.
  std::condition_variable news_;
  std::unique_ptr<Child> child_;
  std::string parameters_;  // Those of its initialisation; empty before that.
  std::string result_;
  std::map<std::int64_t, std::shared_ptr<Question>> questions_;
  std::int64_t newest_ = 0;
  std::map<std::string, int> opens_;  // How many pages have a document open.
  int deaths_ = 0;  // One after the other, each soon after its start.
  std::chrono::steady_clock::time_point started_;
  bool is_end_wanted_ = false;  // Another one is to begin.
  bool is_ended_ = false;

  std::mutex writing_;
  std::thread thread_;
};

}  // namespace orrery::server
