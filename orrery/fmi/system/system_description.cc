#include "orrery/fmi/system/system_description.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/fmi/archive.h"
#include "orrery/fmi/attribute_reader.h"
#include "orrery/fmi/system/parameter_sets.h"

namespace orrery::fmi {
namespace {

using internal::AttributeText;
using internal::LocalChild;
using internal::LocalName;

constexpr std::string_view kUsualText = "SystemStructure.ssd";

/// A connector of a component, or of a system, which passes signals on.
struct SystemConnector {
  std::string kind;
  std::string unit;
};

/// An element at one place of the hierarchy.
struct SystemElement {
  std::string path;  // Dotted; empty: the whole.
  std::optional<std::size_t> component;
  std::map<std::string, SystemConnector> connectors;
};

/// A connection as it is written.
struct WrittenConnection {
  std::pair<std::string, std::string> start;  // Path of an element, connector.
  std::pair<std::string, std::string> end;
  SignalTransformation change;
  bool converts_units = true;
  SourceSpan place;
};

// `[1,2]` of "1 2", as names of FMI have it.
std::string SubscriptsOf(const std::string& indices) {
  std::istringstream items(indices);
  std::string subscripts;
  for (std::string item; items >> item;) {
    subscripts += (subscripts.empty() ? "[" : ",") + item;
  }
  return subscripts.empty() ? subscripts : subscripts + "]";
}

/// Reads one description.
class SystemReader {
 public:
  SystemReader(const ReadNamed& read, Diagnostics& diagnostics)
      : texts_(read, diagnostics), diagnostics_(diagnostics) {}

  SystemDescription Run(const std::shared_ptr<const SourceFile>& text) {
    document_ = texts_.Parse(text);
    diagnostics_.ThrowIfErrors();
    const XmlElement& root = document_->root();
    const XmlElement* const system =
        LocalName(root.name) == "SystemStructureDescription"
            ? LocalChild(root, "System")
            : nullptr;
    if (system == nullptr) {
      diagnostics_.Error(document_->PlaceOf(root),
                         "this is no system of SSP: a "
                         "<SystemStructureDescription> with a <System> is");
      diagnostics_.ThrowIfErrors();
    }
    CheckVersion(root);
    result_.name = AttributeText(*system, "name");
    if (const auto* const times = LocalChild(root, "DefaultExperiment")) {
      result_.start = internal::ParseReal(AttributeText(*times, "startTime"));
      result_.stop = internal::ParseReal(AttributeText(*times, "stopTime"));
    }
    ReadSystemElement(*system, "");
    Connect();
    diagnostics_.ThrowIfErrors();
    return std::move(result_);
  }

 private:
  // Texts without a version are read as if they had a known one.
  void CheckVersion(const XmlElement& root) {
    const std::string version = AttributeText(root, "version");
    if (!version.empty() && !version.starts_with("1.") &&
        !version.starts_with("2.")) {
      diagnostics_.Error(document_->PlaceOf(root, "version"),
                         "this system is of SSP " + version,
                         "SSP 1.0 and 2.0 can be read");
      diagnostics_.ThrowIfErrors();
    }
  }

  void Tell(const XmlElement& element,
            std::string message,
            std::string hint = {}) {
    diagnostics_.Error(
        document_->PlaceOf(element), std::move(message), std::move(hint));
  }

  static std::string Join(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
  }

  void ReadConnectors(const XmlElement& element, SystemElement& into) {
    const XmlElement* const list = LocalChild(element, "Connectors");
    if (list == nullptr) {
      return;
    }
    for (const XmlElement& child : list->children) {
      if (LocalName(child.name) != "Connector") {
        continue;
      }
      SystemConnector connector{.kind = AttributeText(child, "kind"),
                                .unit = {}};
      for (const XmlElement& type : child.children) {
        if (internal::IsReal(LocalName(type.name))) {
          connector.unit = AttributeText(type, "unit");
        }
      }
      into.connectors.insert_or_assign(AttributeText(child, "name"), connector);
    }
  }

  // Values of outer systems take the places of those of inner ones.
  void ReadSystemElement(const XmlElement& system, const std::string& path) {
    SystemElement& own = elements_[path];
    own.path = path;
    ReadConnectors(system, own);
    if (const XmlElement* const elements = LocalChild(system, "Elements")) {
      for (const XmlElement& element : elements->children) {
        ReadElement(element, path);
      }
    }
    for (SystemParameter& parameter : internal::ParametersBoundIn(
             *document_, system, texts_, diagnostics_)) {
      GiveParameter(std::move(parameter), path);
    }
    if (const XmlElement* const list = LocalChild(system, "Connections")) {
      for (const XmlElement& element : list->children) {
        if (LocalName(element.name) == "Connection") {
          ReadConnection(element, path);
        }
      }
    }
  }

  void ReadElement(const XmlElement& element, const std::string& path) {
    const std::string_view kind = LocalName(element.name);
    const std::string name = Join(path, AttributeText(element, "name"));
    if (kind == "System") {
      ReadSystemElement(element, name);
    } else if (kind == "Component") {
      ReadComponent(element, name);
    } else if (kind == "SignalDictionaryReference") {
      Tell(element,
           fmt::format("'{}' refers to a signal dictionary, which is not "
                       "supported",
                       name),
           "connect the components to each other");
    }
  }

  void ReadComponent(const XmlElement& element, const std::string& path) {
    const std::string type = AttributeText(element, "type");
    constexpr std::array<std::string_view, 3> kRun = {
        "", "application/x-fmu-sharedlibrary", "application/fmu"};
    if (std::ranges::find(kRun, type) == kRun.end()) {
      Tell(
          element,
          fmt::format(
              "component '{}' is of the type {}, which is not run", path, type),
          "the type that is run is application/x-fmu-sharedlibrary");
      return;
    }
    SystemElement& own = elements_[path];
    own.path = path;
    own.component = result_.components.size();
    ReadConnectors(element, own);
    SystemComponent component{.path = path,
                              .file = nullptr,
                              .kind = AttributeText(element, "implementation"),
                              .parameters = internal::ParametersBoundIn(
                                  *document_, element, texts_, diagnostics_),
                              .place = document_->PlaceOf(element)};
    const std::string source = AttributeText(element, "source");
    try {
      component.file = texts_.read()(source);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kInternal) {
        throw;
      }
      diagnostics_.Error(document_->PlaceOf(element, "source"), error.what());
    }
    result_.components.push_back(std::move(component));
  }

  // Gives a component the parameter that a system around it names by path.
  void GiveParameter(SystemParameter parameter, const std::string& path) {
    const std::string name = Join(path, parameter.variable);
    SystemComponent* best = nullptr;
    for (SystemComponent& component : result_.components) {
      if (name.starts_with(component.path + ".") &&
          (best == nullptr || component.path.size() > best->path.size())) {
        best = &component;
      }
    }
    if (best == nullptr) {
      std::vector<std::string> paths;
      for (const SystemComponent& component : result_.components) {
        paths.push_back(component.path);
      }
      diagnostics_.Warning(
          parameter.place,
          fmt::format("no component has the parameter '{}'", name),
          Suggest(name.substr(0, name.find('.')), paths));
      return;
    }
    parameter.variable = name.substr(best->path.size() + 1);
    best->parameters.push_back(std::move(parameter));
  }

  void ReadConnection(const XmlElement& element, const std::string& path) {
    const auto end =
        [&](const char* whose, const char* which, const char* indices) {
          const std::string name = AttributeText(element, whose);
          return std::pair(name.empty() ? path : Join(path, name),
                           AttributeText(element, which) +
                               SubscriptsOf(AttributeText(element, indices)));
        };
    const auto suppressed =
        internal::ParseFlag(AttributeText(element, "suppressUnitConversion"));
    written_.push_back(
        {.start = end("startElement", "startConnector", "startIndices"),
         .end = end("endElement", "endConnector", "endIndices"),
         .change =
             internal::TransformationIn(*document_, element, diagnostics_),
         .converts_units = !suppressed.value_or(false),
         .place = document_->PlaceOf(element)});
  }

  // The element of an end; null, after a report, if there is none.
  const SystemElement* ElementOf(const std::pair<std::string, std::string>& end,
                                 const SourceSpan& place) {
    const auto found = elements_.find(end.first);
    if (found != elements_.end()) {
      return &found->second;
    }
    std::vector<std::string> paths;
    for (const auto& [path, element] : elements_) {
      paths.push_back(path);
    }
    diagnostics_.Error(place,
                       fmt::format("there is no element '{}', of which '{}' is "
                                   "connected",
                                   end.first,
                                   end.second),
                       Suggest(end.first, paths));
    return nullptr;
  }

  static std::string UnitOf(const SystemElement& element,
                            const std::string& name) {
    const auto found = element.connectors.find(name);
    return found == element.connectors.end() ? "" : found->second.unit;
  }

  // Makes connections from components to components of those that are written.
  void Connect() {
    std::map<std::pair<std::string, std::string>, const WrittenConnection*>
        source_of;
    for (const WrittenConnection& written : written_) {
      static_cast<void>(ElementOf(written.start, written.place));
      if (ElementOf(written.end, written.place) == nullptr) {
        continue;
      }
      if (!source_of.emplace(written.end, &written).second) {
        diagnostics_.Error(
            written.place,
            fmt::format("'{}' has two sources",
                        Join(written.end.first, written.end.second)),
            "an input takes one signal; leave one out");
      }
    }
    if (diagnostics_.has_errors()) {
      return;
    }
    for (const WrittenConnection& written : written_) {
      const SystemElement& end = elements_.at(written.end.first);
      if (end.component) {
        Trace(written, end, source_of);
      }
    }
  }

  // Follows a signal back to the component that it comes from. An input of the
  // whole system has no source: it keeps the start value of the component's.
  void Trace(const WrittenConnection& last,
             const SystemElement& end,
             const std::map<std::pair<std::string, std::string>,
                            const WrittenConnection*>& source_of) {
    SystemConnection connection{.from = 0,
                                .output = {},
                                .to = *end.component,
                                .input = last.end.second,
                                .changes = {},
                                .from_unit = {},
                                .to_unit = UnitOf(end, last.end.second),
                                .converts_units = true,
                                .place = last.place};
    const WrittenConnection* at = &last;
    for (std::size_t hops = 0; hops <= written_.size(); ++hops) {
      connection.changes.insert(connection.changes.begin(), at->change);
      connection.converts_units =
          connection.converts_units && at->converts_units;
      const SystemElement& start = elements_.at(at->start.first);
      if (start.component) {
        connection.from = *start.component;
        connection.output = at->start.second;
        connection.from_unit = UnitOf(start, at->start.second);
        result_.connections.push_back(std::move(connection));
        return;
      }
      const auto before = source_of.find(at->start);
      if (before == source_of.end()) {
        return;
      }
      at = before->second;
    }
    diagnostics_.Error(last.place, "this signal comes from itself");
  }

  internal::SystemTexts texts_;
  Diagnostics& diagnostics_;
  const XmlDocument* document_ = nullptr;
  SystemDescription result_;
  std::map<std::string, SystemElement> elements_;  // By path.
  std::vector<WrittenConnection> written_;
};

}  // namespace

std::optional<double> SignalTransformation::Apply(double x) const {
  if (table.empty()) {
    return factor * x + offset;
  }
  const auto found = table.find(x);
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

SystemDescription ReadSystem(const std::shared_ptr<const SourceFile>& text,
                             const ReadNamed& read,
                             Diagnostics& diagnostics) {
  return SystemReader(read, diagnostics).Run(text);
}

SystemDescription ReadSystemFile(const std::shared_ptr<const SourceFile>& file,
                                 const std::string& variant,
                                 const ReadNamed& read,
                                 Diagnostics& diagnostics) {
  if (file->name().ends_with(".ssd")) {
    if (!variant.empty()) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot take the variant '{}' of {}: it is one "
                              "description, and variants are those of an "
                              "archive (.ssp); give the name of the other "
                              "file instead",
                              variant,
                              file->name()));
    }
    return ReadSystem(file, read, diagnostics);
  }
  const Archive archive(file);
  const auto read_entry = [&](const std::string& name) {
    const std::string path =
        std::filesystem::path(name).lexically_normal().generic_string();
    const Archive::Entry* const entry = archive.Find(path);
    if (entry == nullptr) {
      std::vector<std::string> names;
      for (const Archive::Entry& its : archive.files()) {
        names.push_back(its.name);
      }
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("{} has no file '{}'{}",
                              archive.name(),
                              name,
                              Clause(Suggest(name, names))));
    }
    return std::make_shared<const SourceFile>(archive.name() + "/" + path,
                                              archive.Read(*entry));
  };
  return ReadSystem(
      read_entry(variant.empty() ? std::string(kUsualText) : variant),
      read_entry,
      diagnostics);
}

}  // namespace orrery::fmi
