#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/syntax/ast.h"
#include "orrery/syntax/grammar/tree_memory.h"

namespace orrery::modelica::internal {

/// The ranges of iterators that are written without one, as in
/// `for i loop y := y + x[i]; end for`: i runs over the size of x
/// (specification 3.6, section 11.2.2.1).
class ImpliedRanges {
 public:
  explicit ImpliedRanges(TreeMemory& memory) : memory_(memory) {}

  /// A text that iterators may follow or precede. Only there are the uses of
  /// names as subscripts noted.
  class Scope {
   public:
    explicit Scope(ImpliedRanges& ranges)
        : ranges_(ranges), begin_(ranges.uses_.size()) {
      ++ranges_.open_scopes_;
    }

    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

    ~Scope() {
      if (--ranges_.open_scopes_ == 0) {
        ranges_.uses_.clear();
      }
    }

    /// The indices of a loop over this text. Those without a range get the
    /// sizes of the dimensions in which they are subscripts.
    [[nodiscard]] ast::List<ast::ForIndex> Close(
        std::vector<ast::ForIndex> indices) const {
      return ranges_.Close(std::move(indices), begin_);
    }

   private:
    ImpliedRanges& ranges_;
    std::size_t begin_;
  };

  /// Notes the subscripts of a reference that are names.
  void Note(const ast::ComponentReference& reference);

 private:
  // A subscript that is just a name, which may be an iterator.
  struct Use {
    std::string_view name;
    ast::ComponentReference reference;
    std::size_t part = 0;
    std::size_t dimension = 0;
  };

  const ast::Expression* MakeSize(const Use& use);
  ast::List<ast::ForIndex> Close(std::vector<ast::ForIndex> indices,
                                 std::size_t begin);

  TreeMemory& memory_;
  std::vector<Use> uses_;  // In open scopes only.
  std::size_t open_scopes_ = 0;
};

}  // namespace orrery::modelica::internal
