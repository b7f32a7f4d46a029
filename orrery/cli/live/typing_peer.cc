#include "orrery/cli/live/typing_peer.h"

#include <unistd.h>

#include <cstdio>
#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/terminal/columns.h"
#include "orrery/sdk/peers/line_listener.h"

namespace orrery::cli {
namespace {

using RequestKind = LiveRequest::Kind;

std::string RowText(double time, std::span<const Record::Field> values) {
  std::string text = fmt::format("t = {:.6g} s", time);
  for (const Record::Field& field : values) {
    text += fmt::format("  {} = {}", field.name, WordsOf(field.value));
  }
  return text + "\n";
}

// The answer to a request that was carried out.
std::string AnswerText(const LiveRequest& request,
                       const LiveRun& run,
                       const LivePace& pace) {
  const std::string at = fmt::format("t = {:.6g} s", run.t());
  switch (request.kind) {
    case RequestKind::kSet:
      return fmt::format("{}  {} = {:.6g}\n",
                         at,
                         request.settings[0].name,
                         request.settings[0].value);
    case RequestKind::kShow:
      return RowText(run.t(), run.Values(request.names));
    case RequestKind::kPause:
      return at + "  paused; 'resume' lets it go on\n";
    case RequestKind::kResume:
      return at + "  goes on\n";
    case RequestKind::kPace:
      return fmt::format(
          "{}  a second of the model takes {:.6g} s\n", at, pace.factor());
    case RequestKind::kHelp:
      return TypedRequestsHelp();
    case RequestKind::kNothing:
    case RequestKind::kStop:
      break;
  }
  return "";
}

void TellTyping(const std::string& text) {
  fmt::print("{}", text);
  std::fflush(stdout);
}

class Typing final : public LivePeer {
 public:
  explicit Typing(bool hears_messages) : hears_messages_(hears_messages) {}

  void Begin(LivePace& pace) override {
    if (isatty(STDIN_FILENO) == 1) {
      TellTyping("type 'help' for what can be typed while it runs\n");
    }
    listener_.emplace(
        STDIN_FILENO,
        [&pace](const std::string& line) { TakeTyped(line, pace); },
        [&pace] { LetGo(pace); });
  }

  void Show(std::span<const LiveRow> rows) override {
    for (const LiveRow& row : rows) {
      if (hears_messages_) {
        TellTyping(RowText(row.time, row.values));
      }
    }
  }

  void End(const LiveEnd& /*end*/) override { listener_.reset(); }

 private:
  static void TakeTyped(const std::string& line, LivePace& pace) {
    LiveRequest request;
    try {
      request = ParseTypedRequest(line);
    } catch (const Error& error) {
      pace.Post([why = std::string(error.what())](LiveRun&) {
        TellTyping(why + "\n");
      });
      return;
    }
    CarryOut(request,
             pace,
             {.done =
                  [request, &pace](const LiveRun& run) {
                    TellTyping(AnswerText(request, run, pace));
                  },
              .refused =
                  [](const std::string& why) {
                    TellTyping(why + "\n");
                  }});
  }

  bool hears_messages_;
  std::optional<LineListener> listener_;
};

}  // namespace

std::unique_ptr<LivePeer> TypingPeer(const LiveRun& run) {
  return std::make_unique<Typing>(run.period() == 0);
}

}  // namespace orrery::cli
