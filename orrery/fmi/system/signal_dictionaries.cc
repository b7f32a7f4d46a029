#include "orrery/fmi/system/signal_dictionaries.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"

namespace orrery::fmi::internal {
namespace {

std::map<std::string, SystemConnector> SignalsOf(const XmlElement& dictionary) {
  std::map<std::string, SystemConnector> signals;
  for (const XmlElement& entry : dictionary.children) {
    if (LocalName(entry.name) != "DictionaryEntry") {
      continue;
    }
    SystemConnector signal{.kind = "inout"};
    for (const XmlElement& type : entry.children) {
      if (IsReal(LocalName(type.name))) {
        signal.unit = AttributeText(type, "unit");
      }
    }
    signals.emplace(AttributeText(entry, "name"), std::move(signal));
  }
  return signals;
}

}  // namespace

void SignalDictionaries::Declare(const XmlDocument& document,
                                 const XmlElement& system,
                                 const std::string& path,
                                 SystemTexts& texts) {
  const XmlElement* const list = LocalChild(system, "SignalDictionaries");
  if (list == nullptr) {
    return;
  }
  for (const XmlElement& element : list->children) {
    if (LocalName(element.name) != "SignalDictionary") {
      continue;
    }
    const std::string name = AttributeText(element, "name");
    const std::string key =
        fmt::format("{}{}dictionary {}", path, path.empty() ? "" : ".", name);
    if (!declared_.emplace(std::pair(path, name), key).second) {
      diagnostics_.Error(
          document.PlaceOf(element),
          fmt::format("there are two signal dictionaries '{}'", name),
          "give each dictionary of a system a name of its own");
      continue;
    }
    const XmlElement* const content =
        ContentOf(document, element, "", texts).second;
    SystemElement& own = elements_[key];
    own.path = key;
    own.is_dictionary = true;
    if (content != nullptr) {
      own.connectors = SignalsOf(*content);
    }
  }
}

void SignalDictionaries::Refer(const XmlDocument& document,
                               const XmlElement& reference,
                               const std::string& path,
                               const std::string& around) {
  const std::string name = AttributeText(reference, "dictionary");
  for (std::string system = around;;
       system = system.substr(
           0, system.rfind('.') == std::string::npos ? 0 : system.rfind('.'))) {
    const auto found = declared_.find({system, name});
    if (found != declared_.end()) {
      references_.emplace(path, found->second);
      return;
    }
    if (system.empty()) {
      break;
    }
  }
  std::vector<std::string> names;
  for (const auto& [key, element] : declared_) {
    names.push_back(key.second);
  }
  diagnostics_.Error(
      document.PlaceOf(reference),
      fmt::format(
          "'{}' refers to the signal dictionary '{}', which neither its "
          "system nor one around it has",
          path,
          name),
      Suggest(name, names));
}

std::string SignalDictionaries::Resolve(const std::string& path) const {
  const auto found = references_.find(path);
  return found == references_.end() ? path : found->second;
}

}  // namespace orrery::fmi::internal
