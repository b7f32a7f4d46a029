#include "orrery/modelica/classes/class_node.h"

namespace orrery::modelica::internal {

SourceSpan At(const Scope* scope, const ast::Span& span) {
  return {scope->file, span.begin, span.end};
}

std::vector<Member*> MembersOf(ClassNode& function, ast::Causality causality) {
  std::vector<Member*> members;
  for (Member& member : function.members) {
    if (member.clause != nullptr && !member.is_protected &&
        member.clause->prefix.causality == causality) {
      members.push_back(&member);
    }
  }
  return members;
}

std::size_t DeclaredRank(const Member& input, const ClassNode& type) {
  std::size_t rank =
      input.declaration->subscripts.size() + input.clause->subscripts.size();
  for (const WrittenSizes& sizes : type.sizes) {
    rank += sizes.subscripts->size();
  }
  return rank;
}

}  // namespace orrery::modelica::internal
