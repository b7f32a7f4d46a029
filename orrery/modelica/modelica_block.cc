#include "orrery/modelica/modelica_block.h"

#include <cmath>
#include <memory>
#include <string_view>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/base/text/parse.h"
#include "orrery/modelica/flattening/flattening.h"
#include "orrery/modelica/session/session.h"
#include "orrery/syntax/parser.h"

namespace orrery {
namespace {

// The shortest text of the number.
std::string TextOf(double number) {
  if (!std::isfinite(number)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot give a block the value " + std::to_string(number) +
                    ": it is not a finite number");
  }
  return ShortestText(number);
}

std::string TextOf(bool value) {
  return value ? "true" : "false";
}

std::string TextOf(const std::vector<double>& row);

// `{a, b}`, or `none` if empty.
template <typename Items>
std::string ListOf(const Items& items, const char* none) {
  std::string text;
  for (const auto& item : items) {
    text += (text.empty() ? "{" : ", ") + TextOf(item);
  }
  return text.empty() ? none : text + "}";
}

std::string TextOf(const std::vector<double>& row) {
  return ListOf(row, "fill(0, 0)");
}

/// Nests modifications: `I.k = 1` as `I(k = 1)`.
struct Nest {
  std::string name;
  std::vector<std::string> values;  // More than one is the author's error.
  std::vector<Nest> parts;

  Nest& Part(std::string_view wanted) {
    for (Nest& part : parts) {
      if (part.name == wanted) {
        return part;
      }
    }
    parts.push_back({.name = std::string(wanted), .values = {}, .parts = {}});
    return parts.back();
  }

  void Add(std::string_view path, const std::string& value) {
    // A redeclaration's name has dots of its own.
    const std::size_t dot =
        path.find(' ') == std::string_view::npos ? path.find('.') : path.npos;
    if (dot == std::string_view::npos) {
      Part(path).values.push_back(value);
    } else {
      Part(path.substr(0, dot)).Add(path.substr(dot + 1), value);
    }
  }

  [[nodiscard]] std::string ToText() const {
    std::string inner;
    for (const Nest& part : parts) {
      inner += (inner.empty() ? "(" : ", ") + part.ToText();
    }
    if (!inner.empty()) {
      inner = name + inner + ")";
    }
    for (const std::string& value : values) {
      inner += inner.empty() || inner.ends_with(' ') ? "" : ", ";
      inner += name + " = " + value;
    }
    return inner.empty() ? name : inner;
  }
};

std::shared_ptr<const FlatModel> FlatModelOf(
    const ModelicaClass& type, const ModelicaBlock::Arguments& modifications) {
  Nest nest{.name = type.name, .values = {}, .parts = {}};
  for (const ModelicaModification& modification : modifications) {
    nest.Add(modification.name, modification.value.formula());
  }
  // Messages show the author the second line.
  const std::string name = "BlockInCpp";
  const auto text = std::make_shared<const SourceFile>(
      "C++",
      "model " + name + " extends\n" + nest.ToText() + ";\nend " + name +
          ";\n");
  Diagnostics diagnostics;
  std::vector<std::unique_ptr<const modelica::ast::StoredDefinition>> trees;
  trees.push_back(modelica::Parse(text, diagnostics));
  if (type.file != nullptr) {
    trees.push_back(modelica::Parse(type.file, diagnostics));
  }
  diagnostics.ThrowIfErrors();
  std::vector<const modelica::ast::StoredDefinition*> definitions;
  definitions.reserve(trees.size());
  for (const auto& tree : trees) {
    definitions.push_back(tree.get());
  }
  auto flat = std::make_shared<FlatModel>();
  flat->name = type.name;
  modelica::internal::Session session(definitions, *flat, {}, {}, diagnostics);
  modelica::internal::ClassNode* const node =
      session.tree.FindGlobal(type.name);
  // The text below gives the best message for a missing class.
  if (node != nullptr && node->definition == nullptr) {
    diagnostics.Error({},
                      "cannot make a block of " + type.name + ": it is a type",
                      "models and blocks can be used");
  } else if (node == nullptr ||
             modelica::internal::CheckModel(session, *node)) {
    modelica::internal::Flattening(session).Run(session.tree.FindGlobal(name));
  }
  diagnostics.ThrowIfErrors();
  flat->warnings = diagnostics.list();
  return flat;
}

}  // namespace

ModelicaValue::ModelicaValue(double number) : formula_(TextOf(number)) {}

ModelicaValue::ModelicaValue(bool value) : formula_(TextOf(value)) {}

ModelicaValue::ModelicaValue(std::initializer_list<double> numbers)
    : ModelicaValue(std::vector<double>(numbers)) {}

ModelicaValue::ModelicaValue(const std::vector<double>& numbers)
    : formula_(ListOf(numbers, "fill(0, 0)")) {}

ModelicaValue::ModelicaValue(const std::vector<bool>& values)
    : formula_(ListOf(values, "fill(false, 0)")) {}

ModelicaValue::ModelicaValue(const std::vector<std::vector<double>>& rows)
    : formula_(ListOf(rows, "fill(0, 0, 0)")) {}

ModelicaValue ModelicaValue::Text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  }
  return {quoted + "\""};
}

ModelicaBlock::ModelicaBlock(const ModelicaClass& type,
                             const Arguments& modifications)
    : FlatBlock(std::string(LastPart(type.name)),
                FlatModelOf(type, modifications)),
      class_name_(type.name) {}

}  // namespace orrery
