#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/modelica/dialog/dialog.h"
#include "orrery/modelica/scene/icon_svg.h"
#include "orrery/modelica/scene/scene.h"
#include "orrery/modelica/workspace/workspace.h"

namespace {

using orrery::modelica::Document;
using orrery::modelica::Layer;
using orrery::modelica::Workspace;

constexpr const char* kPath = "/nowhere/fuzz.mo";
constexpr std::size_t kMostClasses = 20;

void AddClasses(const Document& document,
                const orrery::modelica::ast::ClassDefinition& text,
                std::vector<std::string>& names) {
  if (names.size() < kMostClasses) {
    names.push_back(document.NameOf(text));
    for (const auto* const nested : orrery::modelica::ClassesIn(text)) {
      AddClasses(document, *nested, names);
    }
  }
}

// True if a span lies in a text, or is none.
bool IsIn(const orrery::modelica::ast::Span& span, std::string_view text) {
  return span.begin <= span.end && span.end <= text.size();
}

void Draw(Workspace& workspace,
          const Document& document,
          const std::string& name,
          Layer layer) {
  const auto scene =
      orrery::modelica::MakeScene(workspace, document, name, layer);
  for (const auto& [id, icon] : scene.icons) {
    std::ignore = orrery::modelica::ToSvg(icon);
  }
  const std::string_view text =
      scene.file == nullptr ? document.text() : scene.file->text();
  for (const auto& component : scene.components) {
    if (!IsIn(component.span, text)) {
      std::abort();
    }
  }
  for (const auto& connection : scene.connections) {
    if (!IsIn(connection.span, text)) {
      std::abort();
    }
  }
}

}  // namespace

// Diagrams, icons and parameters of all classes of any text come without a
// crash, with places that lie in it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Workspace workspace({});
  workspace.Open(kPath, std::string(reinterpret_cast<const char*>(data), size));
  const auto document = workspace.Read(kPath);
  std::vector<std::string> names;
  for (const auto& stored : document->tree().classes) {
    AddClasses(*document, *stored.definition, names);
  }
  for (const std::string& name : names) {
    try {
      Draw(workspace, *document, name, Layer::kDiagram);
      Draw(workspace, *document, name, Layer::kIcon);
      std::ignore = orrery::modelica::Describe(workspace, *document, name);
    } catch (const orrery::Error&) {
      continue;  // Another class of that name hides it.
    }
  }
  return 0;
}
