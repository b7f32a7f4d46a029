#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "orrery/syntax/class_ast.h"
#include "orrery/syntax/token_reader.h"

namespace orrery::modelica::internal {

/// A recursive descent parser for one text, used once. Each Parse function
/// parses the production that it is named after. If the reader has failed, it
/// returns the part parsed so far.
class Parser {
 public:
  /// Nodes go to `memory`.
  Parser(const std::shared_ptr<const SourceFile>& file,
         Diagnostics& diagnostics,
         std::pmr::memory_resource& memory)
      : in_(file, diagnostics), memory_(memory) {}

  void ParseStoredDefinition(ast::StoredDefinition& result);

  /// An expression that is the whole text.
  const ast::Expression* ParseWholeExpression();

 private:
  // One level of nesting; false if nesting is too deep.
  class Level {
   public:
    explicit Level(Parser& parser);

    ~Level() { --parser_.depth_; }

    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

    explicit operator bool() const { return is_fine_; }

   private:
    Parser& parser_;
    bool is_fine_ = true;
  };

  // A construct that an `end` must close.
  struct Block {
    TokenKind kind = TokenKind::kIf;
    ast::Span begin;        // The opening keyword.
    std::string_view name;  // Classes only.
  };

  enum class Mode : std::uint8_t { kElements, kEquations, kAlgorithm };

  // A class body under construction.
  struct Body {
    struct Piece {
      ast::Section section;
      std::size_t element_count = 0;
    };

    Mode mode = Mode::kElements;
    bool is_initial = false;
    ast::Visibility visibility = ast::Visibility::kPublic;
    std::vector<ast::Element> elements;
    std::vector<Piece> pieces;
    const ast::External* external = nullptr;
    const ast::ClassModification* annotation = nullptr;
  };

  // A subscript that is just a name, which may be an iterator.
  struct NamedSubscript {
    std::string_view name;
    ast::ComponentReference reference;
    std::size_t part = 0;
    std::size_t dimension = 0;
  };

  // Scope of an expression that iterators may follow; only there named
  // subscripts are recorded.
  class Noting {
   public:
    explicit Noting(Parser& parser)
        : parser_(parser), begin_(parser.named_subscripts_.size()) {
      ++parser_.open_notings_;
    }

    Noting(const Noting&) = delete;
    Noting& operator=(const Noting&) = delete;

    ~Noting() {
      if (--parser_.open_notings_ == 0) {
        parser_.named_subscripts_.clear();
      }
    }

    [[nodiscard]] std::size_t begin() const noexcept { return begin_; }

   private:
    Parser& parser_;
    std::size_t begin_;
  };

  template <typename T>
  const T* New(T node) {
    static_assert(std::is_trivially_destructible_v<T>);
    void* place = memory_.allocate(sizeof(T), alignof(T));
    return ::new (place) T(std::move(node));
  }

  template <typename T>
  ast::List<T> Keep(const std::vector<T>& nodes) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (nodes.empty()) {
      return {};
    }
    std::pmr::polymorphic_allocator<T> allocator(&memory_);
    T* first = allocator.allocate(nodes.size());
    std::uninitialized_copy(nodes.begin(), nodes.end(), first);
    return {first, nodes.size()};
  }

  template <typename Node>
  const ast::Expression* NewExpression(std::uint32_t begin, Node node) {
    return New(ast::Expression{in_.SpanFrom(begin), std::move(node)});
  }

  // Names and descriptions.
  ast::Identifier MakeIdentifier(const Token& token);
  ast::Identifier ParseIdentifier(std::string_view what);
  ast::Name ParseName(std::string_view what);
  ast::Name ParseTypeSpecifier();
  ast::List<ast::Identifier> ParseIdentifiers(std::string_view what);
  [[nodiscard]] ast::StringLiteral MakeString(const Token& token) const;
  ast::List<ast::StringLiteral> ParseStrings();
  ast::Description ParseDescription();
  ast::Description ParseOwnDescription();
  const ast::ClassModification* ParseAnnotation();

  // Expressions.
  const ast::Expression* ParseExpression();
  const ast::Expression* ParseCondition();
  const ast::Expression* ParseSimpleExpression();
  const ast::Expression* ParseIfExpression();
  const ast::Expression* ParseOperation(ast::Precedence min);
  const ast::Expression* ParseSteps(const ast::Expression* first,
                                    std::uint32_t begin,
                                    ast::Precedence precedence);
  const ast::Expression* ParseOperand(ast::Precedence min);
  const ast::Expression* MakeInvalid();

  // Operands.
  const ast::Expression* ParsePrimary();
  const ast::Expression* ParseInteger();
  const ast::Expression* ParseReal();
  const ast::Expression* ParseReferenceOrCall();
  const ast::Expression* ParseKeywordCall();
  const ast::Expression* ParseParenthesized();
  const ast::Expression* ParseMatrix();
  const ast::Expression* ParseArray();
  ast::Call ParseCallArguments(ast::ComponentReference function);
  ast::CallArgument ParseCallArgument();
  ast::CallArgument ParseNamedArgument();
  const ast::Expression* ParsePartialApplication();
  ast::ComponentReference ParseComponentReference();
  ast::Expressions ParseExpressionList();
  ast::Expressions ParseOutputs();
  ast::Expressions ParseSubscripts();
  const ast::Expression* ParseSubscript();

  // Iterators.
  std::vector<ast::ForIndex> ParseForIndices();
  void NoteSubscripts(const ast::ComponentReference& reference);
  const ast::Expression* MakeSize(const NamedSubscript& subscript);
  ast::List<ast::ForIndex> CloseIndices(std::vector<ast::ForIndex> indices,
                                        std::size_t begin);

  // Modifications.
  [[nodiscard]] bool AtModification() const;
  const ast::Modification* ParseModification();
  const ast::ClassModification* ParseClassModification(bool may_break = false);
  ast::Argument ParseArgument();
  void ParseReplacement(ast::Argument& argument);
  ast::Argument ParseInheritanceBreak();
  const ast::ConstrainingClause* ParseConstrainingClause();

  // Equations and statements.
  template <typename Item>
  ast::List<Item> ParseItems();
  template <typename Item>
  std::optional<Item> ParseItem();
  std::optional<ast::Equation> ParseEquation();
  std::optional<ast::Statement> ParseStatement();
  template <typename Item>
  std::optional<Item> ParseCompound();
  template <typename Item>
  ast::List<ast::Branch<Item>> ParseBranches(TokenKind open, TokenKind next);
  template <typename Item>
  ast::For<Item> ParseFor();
  ast::While ParseWhile();
  ast::Connect ParseConnect();
  std::optional<ast::Equation> ParseSimpleEquation();
  std::optional<ast::Statement> ParseAssignment();
  std::optional<ast::Statement> ParseMultiAssignment();
  void ParseMisplacedDeclaration(std::string_view section);
  bool TakeElseOfWhen();
  void ParseEndOf(TokenKind kind);
  [[nodiscard]] bool AtItemsEnd() const;
  [[nodiscard]] bool IsOpenBelow(TokenKind kind) const;
  [[nodiscard]] bool IsInLoop() const;

  // Classes.
  void ParseWithin(ast::StoredDefinition& result);
  void ParseStoredClass(std::vector<ast::StoredClass>& classes);
  [[nodiscard]] bool AtClass() const;
  [[nodiscard]] bool AtElement() const;
  [[nodiscard]] bool AtDoubtfulName() const;
  [[nodiscard]] bool AtEquation() const;
  ast::ClassPrefixes ParseClassPrefixes();
  const ast::ClassDefinition* ParseClassDefinition(bool must_be_short = false);
  void ParseShortClass(ast::ClassDefinition& result);
  void ParseEnumeration(ast::ClassDefinition& result);
  void ParseDerivativeClass(ast::ClassDefinition& result);
  void ParseLongClass(ast::ClassDefinition& result, bool is_extension);
  void ParseBody(Body& body);
  bool ParseSectionHeader(Body& body);
  void ParseSection(Body& body);
  void ParseElements(Body& body);
  void ParseStray();
  void ParseExternal(Body& body);
  void ParseClassAnnotation(Body& body);
  ast::LongClass FinishBody(const Body& body);
  void ParseEndOfClass();
  std::optional<ast::Element> ParseElement(ast::Visibility visibility);
  bool ParseDeclaredElement(ast::Element& element);
  const ast::Import* ParseImport();
  const ast::Extends* ParseExtends();
  ast::TypePrefix ParseTypePrefix();
  const ast::ComponentClause* ParseComponentClause(bool is_single = false);
  ast::ComponentDeclaration ParseComponentDeclaration(bool is_single);

  TokenReader in_;
  std::pmr::memory_resource& memory_;
  std::vector<Block> blocks_;  // Open blocks, outermost first.
  std::vector<NamedSubscript> named_subscripts_;  // Open loops only.
  std::size_t open_notings_ = 0;
  std::size_t depth_ = 0;
  std::size_t open_subscripts_ = 0;
  bool file_end_reported_ = false;
};

}  // namespace orrery::modelica::internal
