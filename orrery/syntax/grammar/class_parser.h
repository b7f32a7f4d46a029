#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/syntax/class_ast.h"
#include "orrery/syntax/grammar/item_parser.h"

namespace orrery::modelica::internal {

/// Parses classes and stored definitions (specification 3.6, appendices A.2.1
/// and A.2.2). Used once, for one text.
class ClassParser final : public ItemParser {
 public:
  using ItemParser::ItemParser;

  void ParseStoredDefinition(ast::StoredDefinition& result);

 private:
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

  void ParseWithin(ast::StoredDefinition& result);
  void ParseStoredClass(std::vector<ast::StoredClass>& classes);
  const ast::ClassDefinition* ParseClassDefinition(bool must_be_short) override;
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

  bool file_end_reported_ = false;
};

}  // namespace orrery::modelica::internal
