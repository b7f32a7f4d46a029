#include "orrery/server/language/language_service.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/base/text/uri.h"
#include "orrery/server/http/json_response.h"
#include "orrery/server/http/message.h"
#include "orrery/server/http/parse_json.h"
#include "orrery/server/language/message_frames.h"

namespace orrery::server {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr int kRestarted = -32099;
constexpr int kTooLate = -32098;
constexpr int kMostDeaths = 5;
constexpr std::chrono::seconds kSoon{5};

Json FailureOf(int code, const std::string& message) {
  return {{"error", {{"code", code}, {"message", message}}}};
}

// Numbers as in FileChangeType (LSP 3.17).
int ChangeNumber(const std::string& what) {
  constexpr int kMade = 1;
  constexpr int kChanged = 2;
  constexpr int kGone = 3;
  return what == "made" ? kMade : what == "gone" ? kGone : kChanged;
}

// True if the language server may have read it, or files in it.
bool IsForLanguage(const std::string& path) {
  const std::filesystem::path name(path);
  return name.extension() == ".mo" || !name.has_extension();
}

// For questions before a page says what it can do.
Json OwnParameters(const std::string& folder) {
  return {{"processId", nullptr},
          {"rootUri", FileUri(folder)},
          {"capabilities", {{"general", {{"positionEncodings", {"utf-16"}}}}}}};
}

}  // namespace

struct LanguageService::Question {
  std::optional<Json> answer;  // With `result` or `error`.
};

LanguageService::LanguageService(Options options, EventRing& events)
    : options_(std::move(options)),
      events_(events),
      thread_([this] { Work(); }) {}

LanguageService::~LanguageService() {
  {
    const std::lock_guard lock(mutex_);
    is_ended_ = true;
    if (child_ != nullptr) {
      child_->Signal(SIGKILL);
    }
  }
  news_.notify_all();
  thread_.join();
}

// With `mutex_` held.
void LanguageService::Start() {
  child_ = std::make_unique<Child>(
      ChildOptions{.argv = options_.argv, .folder = options_.folder});
  started_ = Clock::now();
  news_.notify_all();
}

void LanguageService::Send(const Json& message) {
  const std::lock_guard one(writing_);
  int input = -1;
  {
    const std::lock_guard lock(mutex_);
    if (child_ != nullptr) {
      input = dup(child_->input().number());
    }
  }
  const Descriptor mine(input);
  const std::string text = Framed(PrintJson(message));
  for (std::string_view rest = text; !rest.empty() && mine;) {
    const ssize_t count = write(mine.number(), rest.data(), rest.size());
    if (count <= 0) {
      return;  // It has ended; who waits for an answer is told.
    }
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

Json LanguageService::Answer(const std::string& method,
                             const Json& parameters) {
  const auto question = std::make_shared<Question>();
  std::int64_t id = 0;
  {
    const std::lock_guard lock(mutex_);
    if (child_ == nullptr) {
      return FailureOf(kRestarted, "the language server has ended");
    }
    id = ++newest_;
    questions_[id] = question;
  }
  Send({{"jsonrpc", "2.0"},
        {"id", id},
        {"method", method},
        {"params", parameters}});
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, options_.patience, [&] {
    return question->answer.has_value() || is_ended_;
  });
  questions_.erase(id);
  return question->answer.value_or(FailureOf(
      kTooLate,
      fmt::format("the language server has not answered {} within {} s",
                  method,
                  options_.patience.count())));
}

// The result of the initialisation. Another page may be able to do other
// things: then the server begins anew.
Json LanguageService::Initialize(const Json& parameters) {
  const std::lock_guard only(starting_);
  const std::string asked = PrintJson(parameters);
  {
    const std::lock_guard lock(mutex_);
    if (child_ != nullptr && (parameters_ == asked || parameters.is_null()) &&
        !result_.empty()) {
      return ParseJson(result_);
    }
    if (child_ != nullptr) {
      is_end_wanted_ = true;
      child_->Signal(SIGKILL);
    }
  }
  {
    std::unique_lock lock(mutex_);
    news_.wait(lock, [this] { return child_ == nullptr || is_ended_; });
    try {
      Start();
    } catch (const Error& error) {
      throw HttpError{.status = 503,
                      .code = "language",
                      .message = error.what(),
                      .hint =
                          "the program orrery-lsp belongs beside "
                          "orrery-studio"};
    }
  }
  Json used = parameters;
  if (used.is_null()) {
    const std::lock_guard lock(mutex_);
    used = parameters_.empty() ? OwnParameters(options_.folder)
                               : ParseJson(parameters_);
  }
  Json answer = Answer("initialize", used);
  Send({{"jsonrpc", "2.0"}, {"method", "initialized"}, {"params", {}}});
  const std::lock_guard lock(mutex_);
  parameters_ = PrintJson(used);
  result_ = PrintJson(answer);
  return answer;
}

// Several pages may have a document open: the last one closes it.
bool LanguageService::IsForwarded(const std::string& method,
                                  const Json& parameters) {
  const bool opens = method == "textDocument/didOpen";
  if (!opens && method != "textDocument/didClose") {
    return true;
  }
  const std::string uri = parameters.value("textDocument", Json::object())
                              .value("uri", std::string());
  const std::lock_guard lock(mutex_);
  int& count = opens_[uri];
  count += opens ? 1 : -1;
  const bool is_open = count > 0;
  if (!is_open) {
    opens_.erase(uri);
  }
  return opens || !is_open;
}

std::optional<std::string> LanguageService::Exchange(const std::string& text) {
  Json message = ParseJson(text);
  if (!message.is_object()) {
    throw HttpError{.status = 400,
                    .code = "message",
                    .message = "cannot forward what is no message",
                    .hint = ""};
  }
  const std::string method = message.value("method", "");
  const Json id = message.value("id", Json());
  const Json parameters = message.value("params", Json::object());
  if (method.empty() || method == "initialized" || method == "exit" ||
      method == "$/cancelRequest") {
    return std::nullopt;  // Ours to say; answers are given by us, too.
  }
  Json answer;
  if (method == "initialize") {
    answer = Initialize(parameters);
  } else if (method == "shutdown") {
    answer = {{"result", nullptr}};
  } else {
    static_cast<void>(Initialize(nullptr));
    if (id.is_null()) {
      if (IsForwarded(method, parameters)) {
        Send({{"jsonrpc", "2.0"}, {"method", method}, {"params", parameters}});
      }
      return std::nullopt;
    }
    answer = Answer(method, parameters);
  }
  Json whole = {{"jsonrpc", "2.0"}, {"id", id}};
  whole.update(answer);
  return PrintJson(whole);
}

Json LanguageService::Ask(const std::string& method, const Json& parameters) {
  static_cast<void>(Initialize(nullptr));
  const Json answer = Answer(method, parameters);
  if (!answer.contains("result")) {
    throw HttpError{
        .status = 502,
        .code = "language",
        .message = answer.value("error", Json::object())
                       .value("message", "cannot ask the language server"),
        .hint = ""};
  }
  return answer.at("result");
}

void LanguageService::TellOfFile(const std::string& path,
                                 const std::string& what) {
  if (!IsForLanguage(path)) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    if (child_ == nullptr || result_.empty()) {
      return;
    }
  }
  const std::string whole =
      path.empty() ? options_.folder : options_.folder + "/" + path;
  const Json change = {{"uri", FileUri(whole)}, {"type", ChangeNumber(what)}};
  Send({{"jsonrpc", "2.0"},
        {"method", "workspace/didChangeWatchedFiles"},
        {"params", {{"changes", Json::array({change})}}}});
}

void LanguageService::Take(const std::string& text) {
  const Json message = ParseJsonIfSound(text);
  if (!message.is_object()) {
    return;
  }
  const bool has_id = message.contains("id");
  if (message.contains("method")) {
    if (has_id) {
      // Nothing that it may ask of a client is for pages.
      Send({{"jsonrpc", "2.0"}, {"id", message.at("id")}, {"result", nullptr}});
    } else {
      events_.Publish("lsp", PrintJson(message));
    }
    return;
  }
  const std::lock_guard lock(mutex_);
  const Json id = message.value("id", Json());
  const auto asked = id.is_number_integer()
                         ? questions_.find(id.get<std::int64_t>())
                         : questions_.end();
  if (asked != questions_.end()) {
    Json answer = message;
    answer.erase("id");
    answer.erase("jsonrpc");
    asked->second->answer = std::move(answer);
    news_.notify_all();
  }
}

void LanguageService::ReadFrom(int output) {
  MessageFrames frames;
  std::array<char, 1U << 16U> buffer{};
  while (!frames.is_broken()) {
    const ssize_t count = read(output, buffer.data(), buffer.size());
    if (count <= 0) {
      return;
    }
    frames.Add({buffer.data(), static_cast<std::size_t>(count)});
    while (const std::optional<std::string> message = frames.Next()) {
      Take(*message);
    }
  }
}

// After the output of the child has ended. The next message starts another one:
// the documents that pages open anew, as a rule.
void LanguageService::End() {
  int signal = 0;
  bool is_wanted = false;
  {
    const std::lock_guard lock(mutex_);
    for (int i = 0; i < 100 && !child_->Ended(); ++i) {
      pollfd wanted{
          .fd = child_->process().number(), .events = POLLIN, .revents = 0};
      poll(&wanted, 1, 10);
    }
    signal = child_->Ended().value_or(ChildEnd{}).signal;
    child_.reset();
    for (const auto& question : questions_) {
      question.second->answer =
          FailureOf(kRestarted, "the language server has ended");
    }
    deaths_ = Clock::now() - started_ < kSoon ? deaths_ + 1 : 1;
    result_.clear();
    opens_.clear();
    is_wanted = std::exchange(is_end_wanted_, false) || is_ended_;
  }
  news_.notify_all();
  if (!is_wanted) {
    const bool goes_on = deaths_ < kMostDeaths;
    events_.Publish(
        "child",
        PrintJson(
            {{"what", goes_on ? "restarted" : "gone"},
             {"signal", signal == 0 ? Json() : Json(NameOfSignal(signal))}}));
  }
}

void LanguageService::Work() {
  while (true) {
    int output = -1;
    {
      std::unique_lock lock(mutex_);
      news_.wait(lock, [this] { return child_ != nullptr || is_ended_; });
      if (is_ended_) {
        child_.reset();
        return;
      }
      output = child_->output().number();
    }
    ReadFrom(output);
    End();
  }
}

}  // namespace orrery::server
