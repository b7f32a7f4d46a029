#include "orrery/fmi/description.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "orrery/fmi/attribute_reader.h"
#include "orrery/fmi/description_check.h"
#include "orrery/fmi/description_parts.h"
#include "orrery/fmi/files/xml_document.h"

namespace orrery::fmi {
namespace {

using internal::ReadingContext;

constexpr const char* kReadable = "FMI 2.0 and 3.0 can be read";

// The version of a description, if it can be read.
std::optional<FmiVersion> VersionOf(const XmlDocument& document,
                                    Diagnostics& diagnostics) {
  const XmlElement& root = document.root();
  if (root.name != "fmiModelDescription") {
    diagnostics.Error(
        document.PlaceOf(root),
        fmt::format("a description of FMI begins with <fmiModelDescription>, "
                    "not with <{}>",
                    root.name));
    return std::nullopt;
  }
  const auto text = root.Find("fmiVersion");
  if (!text) {
    diagnostics.Error(document.PlaceOf(root),
                      "it does not say its version of FMI (fmiVersion)",
                      kReadable);
    return std::nullopt;
  }
  if (*text == "2.0") {
    return FmiVersion::k2;
  }
  if (text->starts_with("3.")) {
    return FmiVersion::k3;
  }
  diagnostics.Error(document.PlaceOf(root, "fmiVersion"),
                    fmt::format("it is of FMI {}", *text),
                    kReadable);
  return std::nullopt;
}

// Adds findings in the order of the text; reading goes from part to part. A
// tool that does a thing wrong may do so with each of 100,000 variables: of
// warnings the first are told, and how many there are.
void AddInOrder(const Diagnostics& findings, Diagnostics& diagnostics) {
  constexpr std::size_t kMostWarnings = 200;
  std::vector<Diagnostic> in_order = findings.list();
  std::ranges::stable_sort(in_order, {}, [](const Diagnostic& finding) {
    return std::pair(finding.line, finding.column);
  });
  std::size_t warnings = 0;
  for (Diagnostic& finding : in_order) {
    if (finding.severity == Severity::kError || ++warnings <= kMostWarnings) {
      diagnostics.Add(std::move(finding));
    }
  }
  if (warnings > kMostWarnings) {
    diagnostics.Add({.severity = Severity::kNote,
                     .message = fmt::format("there are {} further warnings",
                                            warnings - kMostWarnings)});
  }
}

}  // namespace

double AsDouble(const Number& number) {
  if (const auto* const real = std::get_if<double>(&number)) {
    return *real;
  }
  if (const auto* const its = std::get_if<std::int64_t>(&number)) {
    return static_cast<double>(*its);
  }
  return static_cast<double>(std::get<std::uint64_t>(number));
}

std::string TextOf(const Number& number) {
  return std::visit([](auto value) { return fmt::format("{}", value); },
                    number);
}

int Compare(const Number& a, const Number& b) {
  const auto sign = [](const auto& x, const auto& y) {
    return x < y ? -1 : (y < x ? 1 : 0);
  };
  if (a.index() == b.index()) {
    return std::visit(
        [&](const auto& its) {
          using Its = std::remove_cvref_t<decltype(its)>;
          return sign(its, *std::get_if<Its>(&b));
        },
        a);
  }
  return sign(AsDouble(a), AsDouble(b));
}

std::size_t CountOf(const Values& values) {
  return std::visit([](const auto& its) { return its.size(); }, values);
}

Values EmptyOf(ValueType type) {
  if (IsFloat(type)) {
    return std::vector<double>();
  }
  if (type == ValueType::kString || type == ValueType::kBinary) {
    return std::vector<std::string>();
  }
  return type == ValueType::kUInt64 ? Values(std::vector<std::uint64_t>())
                                    : Values(std::vector<std::int64_t>());
}

std::uint64_t SizeOf(const Variable& variable) noexcept {
  std::uint64_t size = 1;
  for (const Dimension& dimension : variable.dimensions) {
    if (dimension.size != 0 &&
        size > std::numeric_limits<std::uint64_t>::max() / dimension.size) {
      return std::numeric_limits<std::uint64_t>::max();
    }
    size *= dimension.size;
  }
  return size;
}

Values StartOf(const Variable& variable) {
  const std::size_t size = SizeOf(variable);
  Values values = variable.start.value_or(EmptyOf(variable.type));
  std::visit(
      [size](auto& its) {
        if (its.size() == 1) {
          const auto only = its.front();
          its.assign(size, only);
        } else {
          its.resize(size);
        }
      },
      values);
  return values;
}

std::vector<double> StartNumbers(const Variable& variable) {
  std::vector<double> numbers;
  std::visit(
      [&numbers]<typename T>(const std::vector<T>& values) {
        for (const T& value : values) {
          if constexpr (!std::is_same_v<T, std::string>) {
            numbers.push_back(static_cast<double>(value));
          }
        }
      },
      StartOf(variable));
  return numbers;
}

bool IsInRange(const Variable& variable, const Number& number) {
  return !(variable.min && Compare(number, *variable.min) < 0) &&
         !(variable.max && Compare(number, *variable.max) > 0);
}

const Interface* Description::Find(InterfaceKind kind) const noexcept {
  const auto found = std::ranges::find(interfaces, kind, &Interface::kind);
  return found == interfaces.end() ? nullptr : &*found;
}

std::unique_ptr<Description> ReadDescription(
    std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics) {
  const auto document = XmlDocument::Parse(std::move(file), diagnostics);
  if (document == nullptr) {
    return nullptr;
  }
  const auto version = VersionOf(*document, diagnostics);
  if (!version) {
    return nullptr;
  }
  Diagnostics findings;
  auto description = std::make_unique<Description>();
  description->version = *version;
  description->version_text =
      document->root().Find("fmiVersion").value_or(std::string_view());
  const ReadingContext context{.document = *document,
                               .diagnostics = findings,
                               .description = *description};
  internal::ReadHead(context);
  internal::ReadInterfaces(context);
  internal::ReadUnits(context);
  internal::ReadLogCategories(context);
  internal::ReadExperiment(context);
  if (*version == FmiVersion::k2) {
    internal::ReadVariables2(context);
    internal::ReadStructure2(context);
  } else {
    internal::ReadVariables3(context);
    internal::ReadStructure3(context);
  }
  internal::CheckVariables(context);
  // A reference to nothing would be told twice.
  if (!findings.has_errors()) {
    internal::CheckStructure(context);
  }
  AddInOrder(findings, diagnostics);
  return findings.has_errors() ? nullptr : std::move(description);
}

}  // namespace orrery::fmi
