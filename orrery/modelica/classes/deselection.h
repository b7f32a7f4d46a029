#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/syntax/class_ast.h"

/// Selective model extension (specification 3.6, section 7.4): what the breaks
/// of an extends clause leave out of what it inherits.
namespace orrery::modelica::internal {

/// Sections of which something was left out.
struct SelectedSections {
  std::deque<ast::Section> sections;
  std::deque<std::vector<ast::Equation>> equations;
  std::deque<std::vector<ast::Branch<ast::Equation>>> branches;
};

/// The breaks of one extends clause.
class Deselection {
 public:
  /// @param modification of the clause; may be null.
  explicit Deselection(const ast::ClassModification* modification);

  [[nodiscard]] bool empty() const noexcept { return breaks_.empty(); }

  /// True if a break leaves out the component of that name.
  bool LeavesOut(std::string_view component);

  /// The section without connections that a break leaves out.
  const ast::Section& Without(const ast::Section& section,
                              SelectedSections& selected);

  /// A break that has left nothing out.
  struct Useless {
    ast::Span span;
    std::string what;
  };

  [[nodiscard]] std::vector<Useless> FindUseless() const;

 private:
  struct Break {
    ast::Span span;
    std::string_view component;  // Empty for a connection.
    std::string from;            // Its ends, as texts.
    std::string to;
    bool is_used = false;
  };

  bool LeavesOut(const ast::Connect& connect);
  bool AnyIn(const ast::List<ast::Equation>& equations);
  ast::List<ast::Equation> Without(const ast::List<ast::Equation>& equations,
                                   SelectedSections& selected);

  std::vector<Break> breaks_;
};

}  // namespace orrery::modelica::internal
