#include "orrery/fmi/system/written_connections.h"

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/fmi/system/signal_flow.h"

namespace orrery::fmi::internal {
namespace {

std::string PathOf(const ConnectionEnd& end) {
  return end.first.empty() ? end.second : end.first + "." + end.second;
}

/// Makes connections from components to components.
class Connecting {
 public:
  Connecting(const std::string& system,
             const SystemElements& elements,
             std::vector<WrittenConnection> written,
             Diagnostics& diagnostics)
      : system_(system),
        elements_(elements),
        written_(std::move(written)),
        diagnostics_(diagnostics) {}

  std::vector<SystemConnection> Run() {
    SourceOf source_of;
    for (WrittenConnection& written : written_) {
      if (!Orient(written)) {
        continue;
      }
      if (!source_of.emplace(written.end, &written).second) {
        diagnostics_.Error(
            written.place,
            fmt::format("'{}' has two sources", PathOf(written.end)),
            "an input takes one signal; leave one out");
      }
    }
    if (diagnostics_.has_errors()) {
      return {};
    }
    for (const WrittenConnection& written : written_) {
      const SystemElement& end = elements_.at(written.end.first);
      if (end.component) {
        Trace(written, end, source_of);
      }
    }
    return std::move(connections_);
  }

 private:
  // The connection that gives a connector its signal.
  using SourceOf = std::map<ConnectionEnd, const WrittenConnection*>;

  // Follows a signal back to the component that it comes from. An input of the
  // whole system has no source: it keeps the start value of the component's.
  void Trace(const WrittenConnection& last,
             const SystemElement& end,
             const SourceOf& source_of) {
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
        connections_.push_back(std::move(connection));
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

  // The element of an end; null, after a report, if there is none.
  const SystemElement* ElementOf(const ConnectionEnd& end,
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

  // The connector of an element, or the one that `name` is an element of; null
  // if it declares none.
  static const SystemConnector* FindConnector(const SystemElement& element,
                                              const std::string& name) {
    auto found = element.connectors.find(name);
    if (found == element.connectors.end()) {
      found = element.connectors.find(name.substr(0, name.find('[')));
    }
    return found == element.connectors.end() ? nullptr : &found->second;
  }

  static std::string UnitOf(const SystemElement& element,
                            const std::string& name) {
    const SystemConnector* const connector = FindConnector(element, name);
    return connector == nullptr ? "" : connector->unit;
  }

  // The flow at an end of a connection; nothing, after a report, if there is no
  // such end. FMUs may have more connectors than are declared.
  std::optional<SignalFlow> FlowAt(const ConnectionEnd& end,
                                   const WrittenConnection& written) {
    const SystemElement* const element = ElementOf(end, written.place);
    if (element == nullptr) {
      return std::nullopt;
    }
    const SystemConnector* const connector =
        FindConnector(*element, end.second);
    if (connector != nullptr) {
      return FlowOf(connector->kind, end.first == written.around);
    }
    if (element->component) {
      return SignalFlow::kAny;
    }
    std::vector<std::string> names;
    for (const auto& [name, its] : element->connectors) {
      names.push_back(name);
    }
    diagnostics_.Error(
        written.place,
        element->is_dictionary
            ? fmt::format("the {} has no signal '{}'", end.first, end.second)
            : fmt::format("{} has no connector '{}'",
                          end.first.empty() ? "the system " + system_
                                            : "system '" + end.first + "'",
                          end.second),
        Suggest(end.second, names));
    return std::nullopt;
  }

  // Turns a connection so that its signal goes from its start to its end.
  // @returns false after a report.
  bool Orient(WrittenConnection& written) {
    const auto start = FlowAt(written.start, written);
    const auto end = FlowAt(written.end, written);
    if (!start || !end) {
      return false;
    }
    switch (WayBetween(*start, *end)) {
      case ConnectionWay::kForward:
        return true;
      case ConnectionWay::kBackward:
        std::swap(written.start, written.end);
        return true;
      default:
        break;
    }
    const auto described = [&](const ConnectionEnd& at) {
      return fmt::format(
          "'{}' ({}{})",
          PathOf(at),
          at.first == written.around ? "of the system, " : "",
          FindConnector(elements_.at(at.first), at.second)->kind);
    };
    diagnostics_.Error(
        written.place,
        fmt::format("{} and {} both {} a signal",
                    described(written.start),
                    described(written.end),
                    *start == SignalFlow::kGives ? "give" : "take"),
        "outputs of elements give signals, and so do inputs of the system "
        "around them; inputs of elements take them, and so do its outputs");
    return false;
  }

  const std::string& system_;
  const SystemElements& elements_;
  std::vector<WrittenConnection> written_;
  Diagnostics& diagnostics_;
  std::vector<SystemConnection> connections_;
};

}  // namespace

std::vector<SystemConnection> ConnectionsOf(
    const std::string& system,
    const SystemElements& elements,
    std::vector<WrittenConnection> written,
    Diagnostics& diagnostics) {
  return Connecting(system, elements, std::move(written), diagnostics).Run();
}

}  // namespace orrery::fmi::internal
