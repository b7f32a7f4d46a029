#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/text_edits/class_text.h"
#include "orrery/modelica/text_edits/connector_sizing.h"
#include "orrery/modelica/text_edits/edited_text.h"

namespace orrery::modelica::internal {

/// Makes arrays of connectors grow and shrink with their connections.
class SizedConnectors {
 public:
  /// @param sizing may be null: nothing grows then.
  SizedConnectors(ClassText& text, const ConnectorSizing* sizing)
      : text_(text), sizing_(sizing) {}

  /// Makes place for a connection between two ends.
  /// @param[in,out] end become elements of arrays, if these grow.
  /// @throws Error kInvalidArgument for an element beyond the next one.
  void Grow(std::string& from, std::string& to);

  /// Takes connections away, with their lines: the elements of arrays that
  /// nothing else is connected to go, and others move up.
  void Remove(const std::vector<ClassText::Connection>& connections,
              std::vector<TextEdit> edits);

 private:
  // An end of a connection at such an array.
  struct End {
    std::string component;
    std::string connector;
    std::optional<std::int64_t> index;
    ast::Span index_span;  // In the text of the end.
    std::string parameter;
    std::int64_t size = 0;
    std::int64_t default_size = 0;  // Where the component sets none.
  };

  // A component and its connector.
  using Array = std::pair<std::string, std::string>;

  // The elements of an array that nothing is connected to any more.
  struct Gone {
    End end;
    std::set<std::int64_t> indices;
  };

  [[nodiscard]] std::optional<End> EndIn(const std::string& written) const;
  template <typename Take>
  void ForEnds(ClassText::Connection connection, const Take& take) const;
  [[nodiscard]] std::map<Array, Gone> GoneWith(
      const std::vector<ClassText::Connection>& connections) const;
  [[nodiscard]] bool IsArray(const std::string& written) const;
  void SetSize(const End& end, std::int64_t size);

  ClassText& text_;
  const ConnectorSizing* sizing_;
};

}  // namespace orrery::modelica::internal
