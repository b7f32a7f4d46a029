#include "orrery/sdk/model.h"

#include <utility>

#include "orrery/base/error.h"
#include "orrery/cbd/load.h"
#include "orrery/compile/compile.h"
#include "orrery/model/block.h"
#include "orrery/model/flat_model.h"
#include "orrery/model/lower.h"
#include "orrery/modelica/load.h"

namespace orrery {

struct Model::Content {
  FlatModel flat;
  Diagnostics diagnostics;
};

namespace {

std::string EndingOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  const bool has_ending =
      dot != std::string::npos && (slash == std::string::npos || dot > slash);
  return has_ending ? path.substr(dot) : "";
}

FlatModel LoadModelica(const std::string& path,
                       const std::string& class_name,
                       Diagnostics& diagnostics) {
  auto flat =
      modelica::Flatten(SourceFile::Read(path), class_name, diagnostics);
  diagnostics.ThrowIfErrors();
  ORRERY_CHECK(flat.has_value());
  return std::move(*flat);
}

FlatModel LoadNetlist(const std::string& path,
                      const std::string& class_name,
                      Diagnostics& diagnostics) {
  if (!class_name.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot load class '" + class_name + "' from " + path +
                    ": a netlist has no classes; leave out the class");
  }
  return LoadCbd(SourceFile::Read(path), diagnostics);
}

}  // namespace

Model::Model(std::shared_ptr<Content> content) : content_(std::move(content)) {}

const std::string& Model::name() const noexcept {
  return content_->flat.name;
}

const std::vector<Diagnostic>& Model::warnings() const noexcept {
  return content_->diagnostics.list();
}

Model LoadFile(const std::string& path, const std::string& class_name) {
  auto content = std::make_shared<Model::Content>();
  const std::string ending = EndingOf(path);
  if (ending == ".mo") {
    content->flat = LoadModelica(path, class_name, content->diagnostics);
  } else if (ending == ".cbd") {
    content->flat = LoadNetlist(path, class_name, content->diagnostics);
  } else {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot load " + path +
                    ": the ending of its name says no kind of model; name it "
                    ".mo (Modelica) or .cbd (netlist of causal blocks)");
  }
  content->diagnostics.ThrowIfErrors();
  return Model(std::move(content));
}

Model MakeModel(Block& top) {
  auto content = std::make_shared<Model::Content>();
  content->flat = Lower(top);
  for (const Diagnostic& warning : content->flat.warnings) {
    content->diagnostics.Add(warning);
  }
  return Model(std::move(content));
}

std::shared_ptr<const Program> Compile(const Model& model) {
  Model::Content& content = model.content();
  Diagnostics diagnostics = content.diagnostics;
  auto program = Compile(content.flat, diagnostics);
  diagnostics.ThrowIfErrors();
  return program;
}

std::string EquationsAsText(const Program& program) {
  return ListEquations(program);
}

std::string EquationsAsLatex(const Program& program) {
  return ListEquationsAsLatex(program);
}

}  // namespace orrery
