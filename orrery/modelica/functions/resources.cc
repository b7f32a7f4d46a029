#include "orrery/modelica/functions/resources.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

// The path of a resource: modelica://Library.Package/Resources/file is relative
// to the folder of the class (specification 3.6, section 13.5). Other names are
// paths already.
std::string ResourceNamed(LoweringContext& context,
                          std::string name,
                          const ast::Span& span) {
  constexpr std::string_view kScheme = "modelica://";
  constexpr std::string_view kFileScheme = "file://";
  if (name.starts_with(kFileScheme)) {
    name.erase(0, kFileScheme.size());
  } else if (name.starts_with(kScheme)) {
    const std::size_t end =
        std::min(name.find('/', kScheme.size()), name.size());
    const std::string library =
        name.substr(kScheme.size(), end - kScheme.size());
    const ClassNode* const node = context.session.tree.FindGlobal(library);
    const bool has_file = node != nullptr && node->scope->file != nullptr;
    const std::filesystem::path text(has_file ? node->scope->file->name() : "");
    if (!has_file || !context.session.files.Contains(text.string())) {
      context.Fail(
          span,
          "cannot find '" + name + "': no file has the class '" + library + "'",
          "name the folder that the library's folder is in by the environment "
          "variable MODELICAPATH, or name the file itself");
    }
    name = (text.parent_path() /
            std::filesystem::path(name.substr(std::min(end + 1, name.size()))))
               .string();
  }
  return name;
}

std::shared_ptr<const SourceFile> FindFile(LoweringContext& context,
                                           const std::string& name) {
  const Instance* top = context.where.instance;
  while (top != nullptr && top->parent != nullptr) {
    top = top->parent;
  }
  const std::filesystem::path path(name);
  if (path.is_relative() && top != nullptr && top->type->scope != nullptr &&
      top->type->scope->file != nullptr) {
    const std::filesystem::path text(top->type->scope->file->name());
    const std::string beside = (text.parent_path() / path).string();
    if (context.session.files.Contains(beside)) {
      return context.session.files.Read(beside);
    }
  }
  return context.session.files.Read(name);
}

}  // namespace orrery::modelica::internal
