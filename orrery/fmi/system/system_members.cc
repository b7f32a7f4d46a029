#include "orrery/fmi/system/system_members.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/fmi/attribute_reader.h"
#include "orrery/fmi/clock_calls.h"
#include "orrery/fmi/fmu.h"
#include "orrery/fmi/sizes.h"

namespace orrery::fmi {
namespace {

// A value in the unit of its variable, as of `--set`.
// @throws Error that says why there is none.
std::string ValueFor(const Variable& variable,
                     const SystemParameter& parameter) {
  const SignalTransformation& change = parameter.change;
  const auto fail = [&] {
    throw Error(
        ErrorCode::kInvalidModel,
        fmt::format("the mapping has no value for {}", parameter.value));
  };
  if (!change.items.empty()) {
    const auto item = change.items.find(parameter.value);
    if (item == change.items.end()) {
      fail();
    }
    return item->second;
  }
  const auto number = internal::ParseReal(parameter.value);
  if (!number) {
    return parameter.value;
  }
  const auto changed = change.Apply(*number);
  if (!changed) {
    fail();
  }
  double value = *changed;
  if (!parameter.unit.empty() && !variable.unit.empty()) {
    const auto conversion = ConversionBetween(parameter.unit, variable.unit);
    if (!conversion) {
      throw Error(ErrorCode::kInvalidModel,
                  fmt::format("its unit is '{}', and that of the variable "
                              "'{}': they measure different quantities",
                              parameter.unit,
                              variable.unit));
    }
    value = (*conversion)(value);
  }
  return value == *number ? parameter.value : ShortestText(value);
}

// The values of the elements of an array, which stand in one text, row by row
// (SSP 2.0); the parameter itself for all others.
// @throws Error for another number of them.
std::vector<SystemParameter> ElementsOf(const SystemParameter& parameter,
                                        const Variable& variable) {
  std::istringstream text(parameter.value);
  const std::vector<std::string> items{std::istream_iterator<std::string>(text),
                                       {}};
  if (items.size() < 2 || !IsNumber(variable.type) ||
      variable.type == ValueType::kEnumeration) {
    return {parameter};
  }
  if (items.size() != SizeOf(variable)) {
    throw Error(ErrorCode::kInvalidModel,
                fmt::format("it has {} values, and the variable {}",
                            items.size(),
                            SizeOf(variable)));
  }
  std::vector<SystemParameter> elements(items.size(), parameter);
  for (std::size_t i = 0; i < items.size(); ++i) {
    elements[i].value = items[i];
    elements[i].variable = variable.name + Subscripts(variable, i);
  }
  return elements;
}

// The settings that a parameter of a component makes.
// @throws Error that says why there are none.
void AddSettings(const Fmu& fmu,
                 const SystemParameter& parameter,
                 const Variable& variable,
                 std::vector<ParameterText>& settings) {
  for (const SystemParameter& value : ElementsOf(parameter, variable)) {
    const ParameterText text{.name = value.variable,
                             .value = ValueFor(variable, value)};
    if (!IsStructural(fmu, text.name)) {
      static_cast<void>(ReadSettings(*fmu.description, {&text, 1}));
    }
    settings.push_back(text);
  }
}

// The parameters of a component that can be set; reports all others.
std::vector<ParameterText> BoundSettings(const SystemComponent& component,
                                         const Fmu& fmu,
                                         Diagnostics& diagnostics) {
  const Description& its = *fmu.description;
  std::vector<ParameterText> settings;
  for (const SystemParameter& parameter : component.parameters) {
    const auto place = FindPlace(its, parameter.variable);
    if (!place) {
      diagnostics.Warning(parameter.place,
                          fmt::format("component '{}' has no variable '{}'",
                                      component.path,
                                      parameter.variable),
                          Suggest(parameter.variable, VariableNames(its)));
      continue;
    }
    try {
      AddSettings(fmu, parameter, its.variables[place->variable], settings);
    } catch (const Error& error) {
      diagnostics.Error(parameter.place,
                        fmt::format("component '{}', '{}': {}",
                                    component.path,
                                    parameter.variable,
                                    error.what()));
    }
  }
  return settings;
}

// The kind of use by which a component runs; nothing, after a report, if its
// FMU is not for it.
std::optional<InterfaceKind> KindFor(const SystemComponent& component,
                                     const Description& its,
                                     Diagnostics& diagnostics) {
  for (const auto& [name, kind] :
       {std::pair("CoSimulation", InterfaceKind::kCoSimulation),
        std::pair("ModelExchange", InterfaceKind::kModelExchange)}) {
    const bool is_wanted = component.kind.empty() || component.kind == "any" ||
                           component.kind == name;
    if (is_wanted && its.Find(kind) != nullptr) {
      return kind;
    }
  }
  std::vector<std::string_view> kinds;
  for (const Interface& interface : its.interfaces) {
    kinds.push_back(NameOf(kInterfaceNames, interface.kind));
  }
  const bool is_any = component.kind.empty() || component.kind == "any";
  diagnostics.Error(
      component.place,
      fmt::format("component '{}' cannot be run{}: its FMU is for {}",
                  component.path,
                  is_any ? "" : " by " + component.kind,
                  fmt::join(kinds, " and ")),
      "components run by CoSimulation and ModelExchange");
  return std::nullopt;
}

bool IsOfTexts(const Description& its, const std::string& name) {
  const auto place = FindPlace(its, name);
  return place && !IsNumber(its.variables[place->variable].type);
}

// The items of an enumeration; none of other variables.
std::span<const EnumerationItem> ItemsOf(const Description& its,
                                         const Variable& variable) {
  if (variable.type != ValueType::kEnumeration || !variable.declared_type) {
    return {};
  }
  return its.types[*variable.declared_type].items;
}

std::vector<std::string> NamesOf(std::span<const EnumerationItem> items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const EnumerationItem& item : items) {
    names.push_back(item.name);
  }
  return names;
}

bool MapsItems(const SignalTransformation& change) {
  return !change.items.empty();
}

/// One end of a connection.
struct LinkEnd {
  const SystemMember& member;
  const std::string& name;
  VariablePlace place = {};

  [[nodiscard]] const Variable& variable() const {
    return member.description().variables[place.variable];
  }

  [[nodiscard]] std::string path() const { return member.path + "." + name; }

  [[nodiscard]] std::size_t count() const {
    return place.is_element ? 1 : SizeOf(variable());
  }
};

/// Checks and makes the links of one connection.
class Linking {
 public:
  Linking(const SystemConnection& connection,
          SystemMember& from,
          SystemMember& to,
          Diagnostics& diagnostics)
      : its_(connection),
        from_member_(from),
        to_member_(to),
        from_{.member = from, .name = connection.output},
        to_{.member = to, .name = connection.input},
        diagnostics_(diagnostics) {}

  std::vector<SystemLink> Run() {
    if (!Find(from_) || !Find(to_) || !Fits() || !FindConversion() ||
        !FindChanges()) {
      return {};
    }
    const bool is_continuous =
        to_.variable().variability == Variability::kContinuous;
    PortRow& inputs =
        is_continuous ? to_member_.continuous : to_member_.discrete;
    const std::size_t output =
        from_member_.outputs.PlaceOf(from_member_.description(), from_.place);
    const std::size_t input =
        inputs.PlaceOf(to_member_.description(), to_.place);
    std::vector<SystemLink> links;
    for (std::size_t i = 0; i < from_.count(); ++i) {
      links.push_back({.from = its_.from,
                       .from_place = output + i,
                       .to = its_.to,
                       .to_place = input + i,
                       .is_continuous = is_continuous,
                       .changes = changes_,
                       .conversion = conversion_,
                       .input = to_.path()});
    }
    return links;
  }

 private:
  bool Fail(const std::string& why, const std::string& hint) {
    diagnostics_.Error(its_.place, why, hint);
    return false;
  }

  bool Find(LinkEnd& end) {
    const Description& description = end.member.description();
    const auto place = FindPlace(description, end.name);
    if (!place) {
      return Fail(
          fmt::format(
              "component '{}' has no variable '{}'", end.member.path, end.name),
          Suggest(end.name, VariableNames(description)));
    }
    end.place = *place;
    return true;
  }

  bool Fits() {
    const Variable& source = from_.variable();
    const Variable& target = to_.variable();
    if (target.causality != Causality::kInput) {
      return Fail(fmt::format("'{}' takes no signal: it is its FMU's {}",
                              to_.path(),
                              NameOf(kCausalityNames, target.causality)),
                  "a connection leads to an input");
    }
    if (source.causality == Causality::kInput) {
      return Fail(fmt::format("'{}' gives no signal: it is its FMU's input",
                              from_.path()),
                  "a connection comes from an output");
    }
    const bool has_table = std::ranges::any_of(
        its_.changes, [](const SignalTransformation& change) {
          return !change.table.empty() || MapsItems(change);
        });
    if (!IsNumber(source.type) || !IsNumber(target.type) ||
        (IsFloat(source.type) && !IsFloat(target.type) && !has_table)) {
      return Fail(fmt::format("'{}' is {}, and '{}' {}",
                              from_.path(),
                              NameOf(kValueTypeNames, source.type),
                              to_.path(),
                              NameOf(kValueTypeNames, target.type)),
                  "a connection joins numbers of one type");
    }
    if (from_.count() != to_.count()) {
      return Fail(fmt::format("'{}' has {} elements, and '{}' {}",
                              from_.path(),
                              from_.count(),
                              to_.path(),
                              to_.count()),
                  "connect elements, as a[1]");
    }
    return true;
  }

  bool FindConversion() {
    const std::string& from =
        its_.from_unit.empty() ? from_.variable().unit : its_.from_unit;
    const std::string& to =
        its_.to_unit.empty() ? to_.variable().unit : its_.to_unit;
    if (!its_.converts_units || from == to || from.empty() || to.empty()) {
      return true;
    }
    conversion_ = ConversionBetween(from, to);
    return conversion_ ||
           Fail(fmt::format("'{}' is in '{}', and '{}' in '{}': they measure "
                            "different quantities",
                            from_.path(),
                            from,
                            to_.path(),
                            to),
                "suppressUnitConversion = \"true\" takes the numbers as they "
                "are");
  }

  // Names of items become their numbers, which FMUs give each other.
  bool FindChanges() {
    changes_ = its_.changes;
    if (std::ranges::none_of(changes_, MapsItems)) {
      return true;
    }
    if (!std::ranges::all_of(changes_, MapsItems)) {
      return Fail(
          "the transformations of the signal map items of an "
          "enumeration, and others change its numbers",
          "map its items alone, or its numbers alone");
    }
    for (const LinkEnd* const end : {&from_, &to_}) {
      if (ItemsOf(end->member.description(), end->variable()).empty()) {
        return Fail(
            fmt::format("'{}' is {}, and the transformation of the signal maps "
                        "the items of an enumeration",
                        end->path(),
                        NameOf(kValueTypeNames, end->variable().type)),
            "map its numbers by IntegerMappingTransformation");
      }
    }
    SignalTransformation change;
    for (const EnumerationItem& item :
         ItemsOf(from_.member.description(), from_.variable())) {
      std::optional<std::string> name = item.name;
      for (const SignalTransformation& its : changes_) {
        name = name ? ItemAfter(its, *name) : name;
      }
      if (name && !AddTarget(*name, item.value, change)) {
        return false;
      }
    }
    changes_ = {std::move(change)};
    return true;
  }

  // The name that a transformation makes of one; nothing if it maps others.
  static std::optional<std::string> ItemAfter(
      const SignalTransformation& change, const std::string& name) {
    const auto found = change.items.find(name);
    return found == change.items.end() ? std::nullopt
                                       : std::optional(found->second);
  }

  bool AddTarget(const std::string& name,
                 std::int64_t from,
                 SignalTransformation& change) {
    const auto items = ItemsOf(to_.member.description(), to_.variable());
    const auto target = std::ranges::find(items, name, &EnumerationItem::name);
    if (target == items.end()) {
      return Fail(fmt::format("'{}' has no item '{}'", to_.path(), name),
                  Suggest(name, NamesOf(items)));
    }
    change.table.emplace(static_cast<double>(from),
                         static_cast<double>(target->value));
    return true;
  }

  const SystemConnection& its_;
  SystemMember& from_member_;
  SystemMember& to_member_;
  LinkEnd from_;
  LinkEnd to_;
  Diagnostics& diagnostics_;
  std::optional<UnitConversion> conversion_;
  std::vector<SignalTransformation> changes_;
};

}  // namespace

std::size_t PortRow::PlaceOf(const Description& its, const VariablePlace& at) {
  auto known = std::ranges::find(variables_, at.variable);
  if (known == variables_.end()) {
    variables_.push_back(at.variable);
    places_.push_back(row.size());
    known = variables_.end() - 1;
    std::ranges::copy(StartNumbers(its.variables[at.variable]),
                      std::back_inserter(row));
    groups = GroupByType(its, variables_, places_);
  }
  return places_[static_cast<std::size_t>(known - variables_.begin())] +
         at.element;
}

std::unique_ptr<SystemMember> internal::LoadMember(
    const SystemComponent& component,
    const std::vector<ParameterText>& settings,
    Diagnostics& diagnostics) {
  const Fmu fmu = ReadFmu(component.file, diagnostics);
  const auto kind = KindFor(component, *fmu.description, diagnostics);
  if (!kind) {
    return nullptr;
  }
  if (*kind == InterfaceKind::kCoSimulation && HasClocks(*fmu.description)) {
    diagnostics.Error(
        component.place,
        fmt::format("component '{}' cannot be run in a system: its FMU has "
                    "clocks",
                    component.path),
        "clocks of FMUs that are run by themselves tick");
    return nullptr;
  }
  std::vector<ParameterText> all = BoundSettings(component, fmu, diagnostics);
  all.insert(all.end(), settings.begin(), settings.end());
  const auto others = std::stable_partition(
      all.begin(), all.end(), [&](const ParameterText& text) {
        return IsStructural(fmu, text.name);
      });
  auto member = std::make_unique<SystemMember>();
  member->path = component.path;
  const std::span<const ParameterText> sizes(all.begin(), others);
  member->library =
      std::make_shared<const Library>(WithSizes(fmu, *kind, sizes), *kind);
  member->settings = ReadSettings(member->description(), {others, all.end()});
  if (*kind == InterfaceKind::kModelExchange) {
    const auto texts = std::stable_partition(
        others, all.end(), [&](const ParameterText& text) {
          return !IsOfTexts(member->description(), text.name);
        });
    member->integrated = std::make_unique<const IntegratedModel>(
        fmu, sizes, std::span<const ParameterText>(texts, all.end()));
  }
  member->recorded = RecordedOf(member->description(), {});
  return member;
}

std::vector<SystemLink> internal::LinksOf(const SystemConnection& connection,
                                          const SystemMembers& members,
                                          Diagnostics& diagnostics) {
  return Linking(connection,
                 *members[connection.from],
                 *members[connection.to],
                 diagnostics)
      .Run();
}

}  // namespace orrery::fmi
