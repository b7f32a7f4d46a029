#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/syntax/ast.h"
#include "orrery/syntax/grammar/tree_memory.h"
#include "orrery/syntax/token_reader.h"

namespace orrery::modelica::internal {

/// Reads the leaves of a tree, names and literals, and makes its nodes.
///
/// The base of the parsers of a text. Each of them adds a part of the grammar
/// to the one below it: expressions, modifications, elements, items, classes.
/// They descend recursively; each Parse function parses the production that it
/// is named after. If the reader has failed, it returns the part parsed so far.
class TreeBuilder {
 public:
  TreeBuilder(const TreeBuilder&) = delete;
  TreeBuilder& operator=(const TreeBuilder&) = delete;

 protected:
  /// Nodes go to `memory`.
  TreeBuilder(const std::shared_ptr<const SourceFile>& file,
              Diagnostics& diagnostics,
              std::pmr::memory_resource& memory)
      : in_(file, diagnostics), memory_(memory) {}

  ~TreeBuilder() = default;

  /// One level of nesting; false if nesting is too deep.
  class Level {
   public:
    explicit Level(TreeBuilder& builder);

    ~Level() { --builder_.depth_; }

    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

    explicit operator bool() const { return is_fine_; }

   private:
    TreeBuilder& builder_;
    bool is_fine_ = true;
  };

  template <typename T>
  const T* New(T node) {
    return memory_.New(std::move(node));
  }

  template <typename T>
  ast::List<T> Keep(const std::vector<T>& nodes) {
    return memory_.Keep(nodes);
  }

  template <typename Node>
  const ast::Expression* NewExpression(std::uint32_t begin, Node node) {
    return New(ast::Expression{in_.SpanFrom(begin), std::move(node)});
  }

  // Names.
  ast::Identifier MakeIdentifier(const Token& token);
  ast::Identifier ParseIdentifier(std::string_view what);
  ast::Name ParseName(std::string_view what);
  ast::Name ParseTypeSpecifier();
  ast::List<ast::Identifier> ParseIdentifiers(std::string_view what);

  // Literals.
  [[nodiscard]] ast::StringLiteral MakeString(const Token& token) const;
  ast::List<ast::StringLiteral> ParseStrings();
  const ast::Expression* ParseInteger();
  const ast::Expression* ParseReal();

  [[nodiscard]] TreeMemory& memory() noexcept { return memory_; }

  TokenReader in_;

 private:
  TreeMemory memory_;
  std::size_t depth_ = 0;
};

}  // namespace orrery::modelica::internal
