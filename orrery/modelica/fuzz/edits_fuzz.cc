#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <variant>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/modelica/text_edits/class_editor.h"
#include "orrery/modelica/workspace/workspace.h"

namespace {

namespace ast = orrery::modelica::ast;
using orrery::modelica::ClassEditor;
using orrery::modelica::Document;
using orrery::modelica::Point;
using orrery::modelica::Workspace;

constexpr const char* kPath = "/nowhere/fuzz.mo";
constexpr int kSteps = 6;

// Reads what to do from the end of the input.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size)
      : data_(data), left_(size) {}

  std::size_t Below(std::size_t count) {
    return left_ == 0 || count == 0 ? 0 : data_[--left_] % count;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

std::vector<std::string> ComponentsOf(const ast::LongClass& body) {
  std::vector<std::string> names = {"nothing"};
  for (const ast::Element& element : body.elements) {
    if (const auto* const clause =
            std::get_if<const ast::ComponentClause*>(&element.node)) {
      for (const ast::ComponentDeclaration& declared : (*clause)->components) {
        names.emplace_back(declared.name.text);
      }
    }
  }
  return names;
}

void Step(ClassEditor& editor,
          const std::vector<std::string>& names,
          Choices& choices) {
  const std::string& name = names[choices.Below(names.size())];
  const std::string& other = names[choices.Below(names.size())];
  const Point by = {.x = static_cast<double>(choices.Below(9)) - 4, .y = 2.5};
  switch (choices.Below(11)) {
    case 0:
      editor.Move({name, other}, by, choices.Below(2) == 0);
      break;
    case 1:
      editor.Rotate({name}, 90, false);
      break;
    case 2:
      editor.Flip({name}, choices.Below(2) == 0, false);
      break;
    case 3:
      editor.RemoveComponents({name});
      break;
    case 4:
      editor.Connect({.from = name + ".a", .to = other}, {by, by}, {});
      break;
    case 5:
      editor.SetModifier(name, {"x", "start"}, "1");
      break;
    case 6:
      editor.SetModifier(name, {"x"}, std::nullopt);
      break;
    case 7:
      editor.SetAnnotation(
          other == name ? "" : name, {"Dialog", "tab"}, "\"t\"");
      break;
    case 8:
      editor.Duplicate(name, by);
      break;
    case 9:
      editor.AddComponent({.type = "Lib.Part", .place = {.origin = by}});
      break;
    default:
      editor.AddExtends("Base");
      break;
  }
}

void Edit(const Document& document,
          const ast::ClassDefinition& text,
          Choices& choices) {
  const auto* const body = std::get_if<ast::LongClass>(&text.node);
  if (body == nullptr) {
    return;
  }
  ClassEditor editor(document, document.NameOf(text));
  const std::vector<std::string> names = ComponentsOf(*body);
  for (int i = 0; i < kSteps; ++i) {
    const std::string before = editor.text();
    try {
      Step(editor, names, choices);
    } catch (const orrery::Error&) {
      if (editor.text() != before) {
        std::abort();
      }
    }
  }
  if (orrery::modelica::Edited(document.text(), editor.edits()) !=
      editor.text()) {
    std::abort();
  }
}

}  // namespace

// Any edits of any class come without a crash; one that is refused changes
// nothing; their edits of the first text give the last one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Workspace workspace({});
  workspace.Open(kPath, std::string(reinterpret_cast<const char*>(data), size));
  const auto document = workspace.Read(kPath);
  Choices choices(data, size);
  for (const auto& stored : document->tree().classes) {
    const std::string name = document->NameOf(*stored.definition);
    if (document->FindClass(name) == stored.definition) {
      Edit(*document, *stored.definition, choices);
    }
  }
  return 0;
}
