#include "orrery/sdk/peers/live_request.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/base/text/parse.h"
#include "orrery/base/text/utf8.h"
#include "orrery/sdk/json/json_values.h"

namespace orrery {

namespace internal = sdk::internal;

using internal::Json;
using internal::PrintOnALine;

namespace {

using RequestKind = LiveRequest::Kind;

constexpr std::size_t kMaxQuoted = 60;

bool IsControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

// Quotes a text in readable form.
std::string Quoted(const std::string& text) {
  std::string shown = text.substr(0, kMaxQuoted);
  std::ranges::replace_if(shown, IsControl, '?');
  return "'" + ToUtf8(shown) + (text.size() <= kMaxQuoted ? "'" : "...'");
}

// Every request is checked, so that later code may rely on it.
void RequireUtf8(const std::string& line) {
  if (!IsUtf8(line)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot take {}: it is no UTF-8; send it as that",
                            Quoted(line)));
  }
}

// The refused value as it was written. It does not descend into nested values,
// which may be too deep.
std::string Written(const Json& json) {
  return json.is_primitive() ? Quoted(PrintOnALine(json))
                             : std::string("an ") + json.type_name();
}

// JSON Lines ------------------------------------------------------------------

[[noreturn]] void RefuseJson(const std::string& what, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("cannot take {}: {}", what, why));
}

constexpr const char* kJsonForm =
    R"(give an object, as in {"k": 2} or {"time": 1.5, "set": {"k": 2}})";

double ValueOf(const std::string& name, const Json& json) {
  if (json.is_boolean()) {
    return json.get<bool>() ? 1 : 0;
  }
  if (!json.is_number()) {
    RefuseJson(Written(json) + " for '" + name + "'",
               "give a number, true or false");
  }
  return json.get<double>();
}

std::vector<std::string> ShownNames(const Json& json) {
  if (json.is_string()) {
    return {json.get<std::string>()};
  }
  std::vector<std::string> names;
  if (!json.is_array()) {
    RefuseJson(Written(json) + " to show",
               R"(give a list of names, as in {"show": ["x"]})");
  }
  for (const Json& name : json) {
    if (!name.is_string()) {
      RefuseJson(Written(name) + " to show",
                 R"(give a list of names, as in {"show": ["x"]})");
    }
    names.push_back(name.get<std::string>());
  }
  return names;
}

RequestKind DeedOf(const std::string& name) {
  constexpr std::array<std::pair<std::string_view, RequestKind>, 3> kDeeds = {
      {{"pause", RequestKind::kPause},
       {"resume", RequestKind::kResume},
       {"stop", RequestKind::kStop}}};
  for (const auto& [deed, kind] : kDeeds) {
    if (deed == name) {
      return kind;
    }
  }
  RefuseJson(Quoted(name) + " to do", "give \"pause\", \"resume\" or \"stop\"");
}

void TakeMember(const std::string& name,
                const Json& value,
                LiveRequest& request) {
  if (name == "time") {
    if (!value.is_number()) {
      RefuseJson(Written(value) + " for the time", "give a number, in seconds");
    }
    request.time = value.get<double>();
  } else if (name == "set" && value.is_object()) {
    for (const auto& [target, its] : value.items()) {
      request.settings.push_back(
          {.name = target, .value = ValueOf(target, its)});
    }
  } else if (name == "show" && !value.is_number() && !value.is_boolean()) {
    request.kind = RequestKind::kShow;
    request.names = ShownNames(value);
  } else if (name == "do" && value.is_string()) {
    request.kind = DeedOf(value.get<std::string>());
  } else {
    request.settings.push_back({.name = name, .value = ValueOf(name, value)});
  }
}

// Typed -----------------------------------------------------------------------

constexpr std::string_view kSpace = " \t\r";

std::string Trimmed(const std::string& text) {
  return std::string(Trim(text, kSpace));
}

LiveRequest TypedSetting(const std::string& line, std::size_t equals) {
  const std::string name = Trimmed(line.substr(0, equals));
  const std::string value = Trimmed(line.substr(equals + 1));
  const bool is_truth = value == "true" || value == "false";
  const auto number = is_truth ? std::optional(value == "true" ? 1.0 : 0.0)
                               : ParseNumber(value);
  if (name.empty() || !number) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot set {}: give NAME = VALUE, as in k = 2",
                            Quoted(Trimmed(line))));
  }
  return {.kind = RequestKind::kSet,
          .settings = {{.name = name, .value = *number}}};
}

LiveRequest TypedPace(const std::string& word,
                      const std::vector<std::string>& rest) {
  const auto factor = rest.empty() ? std::optional(2.0) : ParseNumber(rest[0]);
  if (rest.size() > 1 || !factor || !(*factor > 0) || !std::isfinite(*factor)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot go {0} {1}: give a number above 0, as in "
                            "{0} 2",
                            word,
                            fmt::join(rest, " ")));
  }
  return {.kind = RequestKind::kPace,
          .speed = word == "faster" ? *factor : 1 / *factor};
}

struct TypedWord {
  std::string_view word;
  RequestKind kind;
  std::string_view form;
  std::string_view meaning;
};

constexpr std::array<TypedWord, 7> kTypedWords = {
    {{"show", RequestKind::kShow, "show [NAME...]", "tell values"},
     {"pause", RequestKind::kPause, "pause", "hold the run where it is"},
     {"resume", RequestKind::kResume, "resume", "let it go on"},
     {"faster",
      RequestKind::kPace,
      "faster [FACTOR]",
      "go twice, or FACTOR times, as fast"},
     {"slower", RequestKind::kPace, "slower [FACTOR]", "the opposite"},
     {"stop", RequestKind::kStop, "stop", "end the run and keep its results"},
     {"help", RequestKind::kHelp, "help", "show this"}}};

}  // namespace

LiveRequest ParseJsonRequest(const std::string& line) {
  RequireUtf8(line);
  Json json;
  try {
    json = Json::parse(line);
  } catch (const Json::exception&) {
    RefuseJson(Quoted(line), std::string("it is no JSON; ") + kJsonForm);
  }
  if (!json.is_object()) {
    RefuseJson(Quoted(line), kJsonForm);
  }
  LiveRequest request;
  for (const auto& [name, value] : json.items()) {
    TakeMember(name, value, request);
  }
  if (request.kind == RequestKind::kNothing && !request.settings.empty()) {
    request.kind = RequestKind::kSet;
  }
  if (request.kind != RequestKind::kSet && !request.settings.empty()) {
    RefuseJson(Quoted(line), "set values in a line of their own");
  }
  return request;
}

LiveRequest ParseTypedRequest(const std::string& line) {
  RequireUtf8(line);
  constexpr auto kIsOdd = [](char c) {
    return IsControl(c) && kSpace.find(c) == std::string_view::npos;
  };
  if (std::ranges::any_of(line, kIsOdd)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot do {}: it holds a control character; type "
                            "it again without",
                            Quoted(line)));
  }
  if (const std::size_t equals = line.rfind('='); equals != std::string::npos) {
    return TypedSetting(line, equals);
  }
  std::istringstream words(line);
  std::string word;
  words >> word;
  std::vector<std::string> rest;
  for (std::string next; words >> next;) {
    rest.push_back(next);
  }
  if (word.empty()) {
    return {};
  }
  std::vector<std::string> known;
  for (const TypedWord& typed : kTypedWords) {
    known.emplace_back(typed.word);
    if (typed.word != word) {
      continue;
    }
    if (typed.kind == RequestKind::kPace) {
      return TypedPace(word, rest);
    }
    if (typed.kind != RequestKind::kShow && !rest.empty()) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot {}: '{}' is too much; give '{}' alone",
                              Trimmed(line),
                              rest[0],
                              word));
    }
    return {.kind = typed.kind, .names = rest};
  }
  const std::string nearest = Nearest(word, known);
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("cannot do {}: nobody knows what it means; {}",
                          Quoted(Trimmed(line)),
                          nearest.empty()
                              ? "give NAME = VALUE, or help for all there is"
                              : "did you mean '" + nearest + "'?"));
}

std::string TypedRequestsHelp() {
  std::string text =
      fmt::format("  {:<16} {}\n",
                  "NAME = VALUE",
                  "set a parameter or an input, or send a message to an input");
  for (const TypedWord& typed : kTypedWords) {
    text += fmt::format("  {:<16} {}\n", typed.form, typed.meaning);
  }
  return text;
}

}  // namespace orrery
