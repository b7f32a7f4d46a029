#include "orrery/fmi/system/system_description.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/fmi/archive.h"
#include "orrery/fmi/attribute_reader.h"
#include "orrery/fmi/system/parameter_sets.h"
#include "orrery/fmi/system/signal_dictionaries.h"
#include "orrery/fmi/system/signal_flow.h"
#include "orrery/fmi/system/written_connections.h"

namespace orrery::fmi {
namespace {

using internal::AttributeText;
using internal::LocalChild;
using internal::LocalName;
using internal::SystemConnector;
using internal::SystemElement;
using internal::WrittenConnection;

constexpr std::string_view kUsualText = "SystemStructure.ssd";

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
      : texts_(read, diagnostics),
        diagnostics_(diagnostics),
        dictionaries_(elements_, diagnostics) {}

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
    result_.connections = internal::ConnectionsOf(
        result_.name, elements_, std::move(written_), diagnostics_);
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
      const std::string name = AttributeText(child, "name");
      SystemConnector connector{.kind = AttributeText(child, "kind")};
      if (!internal::FlowOf(connector.kind, /*is_of_system=*/false)) {
        Tell(child,
             fmt::format("connector '{}' is of the kind '{}', which there is "
                         "not",
                         name,
                         connector.kind),
             "the kinds are input, output, inout, local, parameter, "
             "calculatedParameter, structuralParameter, constant and "
             "unspecified");
        connector.kind.clear();
      }
      for (const XmlElement& type : child.children) {
        ReadUnit(type, name, connector);
      }
      if (!into.connectors.emplace(name, connector).second) {
        Tell(child,
             fmt::format("'{}' is declared twice", Join(into.path, name)),
             "give each connector of an element a name of its own");
      }
    }
  }

  void ReadUnit(const XmlElement& type,
                const std::string& name,
                SystemConnector& connector) {
    const std::string unit = AttributeText(type, "unit");
    if (internal::IsReal(LocalName(type.name))) {
      connector.unit = unit;
    } else if (!unit.empty()) {
      diagnostics_.Error(document_->PlaceOf(type, "unit"),
                         fmt::format("connector '{}' is {} and has a unit",
                                     name,
                                     LocalName(type.name)),
                         "only numbers of type Real, Float64 and Float32 have "
                         "one");
    }
  }

  // Values of outer systems take the places of those of inner ones.
  void ReadSystemElement(const XmlElement& system, const std::string& path) {
    SystemElement& own = elements_[path];
    own.path = path;
    ReadConnectors(system, own);
    dictionaries_.Declare(*document_, system, path, texts_);
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
    const std::string own_name = AttributeText(element, "name");
    const std::string name = Join(path, own_name);
    if (kind == "System" || kind == "Component" ||
        kind == "SignalDictionaryReference") {
      if (own_name.empty()) {
        Tell(element, fmt::format("this {} has no name", kind));
        return;
      }
      if (!names_.insert(name).second) {
        Tell(element,
             fmt::format("there are two elements '{}'", name),
             "give each element of a system a name of its own");
        return;
      }
    }
    if (kind == "System") {
      ReadSystemElement(element, name);
    } else if (kind == "Component") {
      ReadComponent(element, name);
    } else if (kind == "SignalDictionaryReference") {
      dictionaries_.Refer(*document_, element, name, path);
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
          return std::pair(
              name.empty() ? path : dictionaries_.Resolve(Join(path, name)),
              AttributeText(element, which) +
                  SubscriptsOf(AttributeText(element, indices)));
        };
    const auto suppressed =
        internal::ParseFlag(AttributeText(element, "suppressUnitConversion"));
    written_.push_back(
        {.start = end("startElement", "startConnector", "startIndices"),
         .end = end("endElement", "endConnector", "endIndices"),
         .around = path,
         .change =
             internal::TransformationIn(*document_, element, diagnostics_),
         .converts_units = !suppressed.value_or(false),
         .place = document_->PlaceOf(element)});
  }

  internal::SystemTexts texts_;
  Diagnostics& diagnostics_;
  const XmlDocument* document_ = nullptr;
  SystemDescription result_;
  internal::SystemElements elements_;
  internal::SignalDictionaries dictionaries_;
  std::set<std::string> names_;  // Paths of all elements.
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
