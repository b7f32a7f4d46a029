#include "orrery/server/runs/run_request.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/base/text/parse.h"
#include "orrery/sdk/documents/run_document.h"
#include "orrery/sdk/fmu/fmu_file.h"
#include "orrery/server/files/folder.h"
#include "orrery/server/http/message.h"
#include "orrery/server/http/parse_json.h"
#include "orrery/server/http/target.h"

namespace orrery::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 10> kCommands = {"run",
                                                        "sweep",
                                                        "sensitivity",
                                                        "calibrate",
                                                        "optimize",
                                                        "steady",
                                                        "linearize",
                                                        "frequency",
                                                        "rerun",
                                                        "resume"};

enum class OptionKind : std::uint8_t { kValue, kFlag, kFile };

struct AllowedOption {
  std::string_view name;
  OptionKind kind = OptionKind::kValue;
};

// Which of them mean something to a command, the command says itself.
constexpr std::array kOptions = {
    AllowedOption{"absolute-tolerance"},
    AllowedOption{"at"},
    AllowedOption{"bound"},
    AllowedOption{"confidence"},
    AllowedOption{"correlate"},
    AllowedOption{"data", OptionKind::kFile},
    AllowedOption{"design"},
    AllowedOption{"fix"},
    AllowedOption{"formalism"},
    AllowedOption{"free"},
    AllowedOption{"frequencies"},
    AllowedOption{"from"},
    AllowedOption{"group"},
    AllowedOption{"input", OptionKind::kFile},
    AllowedOption{"inputs"},
    AllowedOption{"interval"},
    AllowedOption{"jobs"},
    AllowedOption{"keep"},
    AllowedOption{"keep-trace", OptionKind::kFlag},
    AllowedOption{"log", OptionKind::kFlag},
    AllowedOption{"loss"},
    AllowedOption{"match"},
    AllowedOption{"max-consecutive-events"},
    AllowedOption{"max-evaluations"},
    AllowedOption{"max-iterations"},
    AllowedOption{"max-microsteps"},
    AllowedOption{"maximize"},
    AllowedOption{"method"},
    AllowedOption{"minimize"},
    AllowedOption{"moving"},
    AllowedOption{"noise"},
    AllowedOption{"observe"},
    AllowedOption{"output-times"},
    AllowedOption{"outputs"},
    AllowedOption{"plan", OptionKind::kFile},
    AllowedOption{"points"},
    AllowedOption{"priority"},
    AllowedOption{"profile", OptionKind::kFlag},
    AllowedOption{"protected", OptionKind::kFlag},
    AllowedOption{"record"},
    AllowedOption{"replications"},
    AllowedOption{"runs"},
    AllowedOption{"samples"},
    AllowedOption{"search-tolerance"},
    AllowedOption{"second-order", OptionKind::kFlag},
    AllowedOption{"seed"},
    AllowedOption{"sensitivity"},
    AllowedOption{"sigma"},
    AllowedOption{"sliding"},
    AllowedOption{"solver"},
    AllowedOption{"start"},
    AllowedOption{"starts"},
    AllowedOption{"step"},
    AllowedOption{"step-times"},
    AllowedOption{"stop"},
    AllowedOption{"subject-to"},
    AllowedOption{"time"},
    AllowedOption{"tolerance"},
    AllowedOption{"until"},
    AllowedOption{"until-known"},
    AllowedOption{"vary"},
    AllowedOption{"watch"},
    AllowedOption{"without"}};

// Members of a request that are options which may be given several times.
constexpr std::array<std::string_view, 8> kLists = {
    "vary", "keep", "minimize", "maximize", "data", "match", "record", "watch"};

[[noreturn]] void RefuseRequest(std::string message, std::string hint = "") {
  throw HttpError{.status = 400,
                  .code = "request",
                  .message = std::move(message),
                  .hint = std::move(hint)};
}

std::string TextOf(const Json& value, std::string_view name) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  if (value.is_number() || value.is_boolean()) {
    return value.dump();
  }
  RefuseRequest(fmt::format("cannot take {}: it is no text", name));
}

class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}

  RunWords Read() {
    if (!json_.is_object()) {
      RefuseRequest("cannot read the request: it is no object");
    }
    const std::string command =
        TextOf(json_.value("command", Json("")), "command");
    if (std::ranges::find(kCommands, command) == kCommands.end()) {
      RefuseRequest(fmt::format("cannot do '{}' from a page", command),
                    fmt::format("one of {}", fmt::join(kCommands, ", ")));
    }
    its_.words = {command};
    command == "rerun" || command == "resume" ? AddExperiment() : AddModel();
    AddSettings();
    AddOptions();
    for (const std::string_view name : kLists) {
      AddList(name);
    }
    return its_;
  }

 private:
  void AddExperiment() {
    const Json options = json_.value("options", Json::object());
    const std::string id =
        TextOf(options.value("experiment", Json("")), "experiment");
    its_.experiment = ParseId(id);
    if (!its_.experiment) {
      RefuseRequest("cannot take experiment '" + id + "': it is no number");
    }
    its_.words.push_back(id);
  }

  void AddModel() {
    const std::string file = TextOf(json_.value("file", Json("")), "file");
    CheckPath(file);
    its_.files.push_back(file);
    // A file without an ending is a program that is a model.
    its_.is_code =
        IsPlugin(file) || IsFmu(file) || IsFmuSystem(file) ||
        file.find('.',
                  file.rfind('/') == std::string::npos ? 0 : file.rfind('/')) ==
            std::string::npos;
    its_.words.push_back(file.starts_with('-') ? "./" + file : file);
    const std::string name = TextOf(json_.value("class", Json("")), "class");
    if (name.starts_with('-')) {
      RefuseRequest("cannot take class '" + name + "': it is no name");
    }
    if (!name.empty()) {
      its_.words.push_back(name);
    }
  }

  void AddSettings() {
    const Json settings = json_.value("set", Json::object());
    if (!settings.is_object()) {
      RefuseRequest("cannot take set: it is no object of names and values");
    }
    for (const auto& [name, value] : settings.items()) {
      its_.words.push_back(
          fmt::format("--set={}={}", name, TextOf(value, name)));
    }
  }

  void AddOptions() {
    const Json options = json_.value("options", Json::object());
    if (!options.is_object()) {
      RefuseRequest(
          "cannot take options: they are no object of names and values");
    }
    for (const auto& [name, value] : options.items()) {
      if (name == "experiment") {
        continue;
      }
      if (!value.is_array()) {
        AddOption(name, value);
        continue;
      }
      for (const Json& one : value) {
        AddOption(name, one);
      }
    }
  }

  void AddList(std::string_view name) {
    const Json list = json_.value(std::string(name), Json::array());
    if (!list.is_array()) {
      RefuseRequest(
          fmt::format("cannot take {}: it is no array of texts", name));
    }
    for (const Json& one : list) {
      AddOption(name, one);
    }
  }

  void AddOption(std::string_view name, const Json& value) {
    const auto found = std::ranges::find(kOptions, name, &AllowedOption::name);
    if (found == kOptions.end()) {
      RefuseRequest(fmt::format("cannot take option '{}' from a page", name),
                    "the command in a terminal takes it");
    }
    if (found->kind == OptionKind::kFlag) {
      if (value != Json(false)) {
        its_.words.push_back(fmt::format("--{}", name));
      }
      return;
    }
    const std::string text = TextOf(value, name);
    if (found->kind == OptionKind::kFile) {
      CheckPath(text);
      its_.files.push_back(text);
    }
    its_.words.push_back(fmt::format("--{}={}", name, text));
  }

  const Json& json_;
  RunWords its_;
};

}  // namespace

RunWords ParseRunRequest(const std::string& text) {
  const Json json = ParseJson(text);
  RunWords words = Reader(json).Read();
  for (const std::string& word : words.words) {
    if (word.find('\0') != std::string::npos) {
      RefuseRequest("cannot take a text with a null byte");
    }
  }
  return words;
}

std::string ParseRunAction(const std::string& text) {
  const Json json = ParseJson(text);
  const std::string action =
      json.is_object() ? TextOf(json.value("do", Json("")), "do") : "";
  if (action == "pause" || action == "resume" || action == "stop") {
    return Json{{"do", action}}.dump();
  }
  if (action != "set" || !json.value("set", Json()).is_object()) {
    RefuseRequest("cannot do '" + action + "' to a run",
                  "one of pause, resume, stop, set");
  }
  Json values = Json::object();
  for (const auto& [name, value] : json.at("set").items()) {
    const std::optional<double> number = ParseNumber(TextOf(value, name));
    if (!number) {
      RefuseRequest(
          fmt::format("cannot set {} while the run goes on: '{}' is no "
                      "number",
                      name,
                      TextOf(value, name)));
    }
    values[name] = *number;
  }
  return Json{{"set", values}}.dump();
}

}  // namespace orrery::server
