#include "orrery/modelica/dialog/quantities.h"

#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/assist/descriptions.h"
#include "orrery/modelica/scene/instance_view.h"

namespace orrery::modelica {
namespace internal {
namespace {

// Components in components: a class that has itself would never end.
constexpr int kDeepest = 8;

class QuantityList {
 public:
  QuantityList(ClassTree& tree, std::size_t most)
      : evaluator_(tree), most_(most) {}

  void Add(const InstanceView& view, const std::string& prefix, int depth);

  [[nodiscard]] std::vector<Quantity> Take() { return std::move(found_); }

 private:
  void AddNumber(Member& member, const std::string& name, bool is_outermost);

  ViewEvaluator evaluator_;
  std::size_t most_;
  std::vector<Quantity> found_;
};

bool IsScalar(const Member& member) {
  return member.clause->subscripts.size() == 0 &&
         member.declaration->subscripts.size() == 0;
}

QuantityKind QuantityKindOf(const Member& member, bool is_outermost) {
  const ast::TypePrefix& prefix = member.clause->prefix;
  if (prefix.variability == ast::Variability::kParameter) {
    return QuantityKind::kParameter;
  }
  if (is_outermost && prefix.causality == ast::Causality::kInput) {
    return QuantityKind::kInput;
  }
  if (is_outermost && prefix.causality == ast::Causality::kOutput) {
    return QuantityKind::kOutput;
  }
  return QuantityKind::kVariable;
}

void QuantityList::AddNumber(Member& member,
                             const std::string& name,
                             bool is_outermost) {
  if (member.clause->prefix.variability == ast::Variability::kConstant) {
    return;
  }
  found_.push_back({.name = name,
                    .unit = AttributeOf(evaluator_.tree(), member, "unit"),
                    .description = DescriptionOf(member),
                    .kind = QuantityKindOf(member, is_outermost)});
}

void QuantityList::Add(const InstanceView& view,
                       const std::string& prefix,
                       int depth) {
  for (Member& member : view.node->members) {
    if (found_.size() == most_) {
      return;
    }
    if (member.clause == nullptr || member.is_protected || !IsScalar(member)) {
      continue;
    }
    ClassNode* const type = evaluator_.tree().TypeOf(member);
    if (type == nullptr) {
      continue;
    }
    evaluator_.tree().Expand(type);
    const std::string name = prefix + std::string(member.name);
    if (type->built_in == BuiltIn::kReal ||
        type->built_in == BuiltIn::kInteger ||
        type->built_in == BuiltIn::kBoolean) {
      AddNumber(member, name, prefix.empty());
    } else if (type->built_in == BuiltIn::kNone && depth < kDeepest) {
      const InstanceView its = evaluator_.ViewOf(view, member);
      if (its.node != nullptr) {
        Add(its, name + ".", depth + 1);
      }
    }
  }
}

}  // namespace
}  // namespace internal

std::string_view Describe(QuantityKind kind) noexcept {
  switch (kind) {
    case QuantityKind::kParameter:
      return "parameter";
    case QuantityKind::kInput:
      return "input";
    case QuantityKind::kOutput:
      return "output";
    case QuantityKind::kVariable:
      return "variable";
  }
  return "";
}

std::vector<Quantity> ListQuantities(Workspace& workspace,
                                     const Document& document,
                                     const std::string& class_name,
                                     std::size_t most) {
  internal::ClassTree& tree = workspace.TreeOf(document);
  internal::ClassNode* const node = tree.FindGlobal(class_name);
  if (node == nullptr || class_name.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot list the quantities of '" + class_name +
                    "': there is no such class");
  }
  tree.Expand(node);
  internal::QuantityList list(tree, most);
  list.Add({.node = node}, "", 0);
  return list.Take();
}

}  // namespace orrery::modelica
