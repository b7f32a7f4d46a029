#include "orrery/modelica/text_edits/connection_edits.h"

#include <algorithm>

#include "orrery/modelica/text_edits/line_edits.h"
#include "orrery/modelica/text_edits/modifier_edits.h"
#include "orrery/modelica/text_edits/number_edits.h"
#include "orrery/syntax/annotations.h"

namespace orrery::modelica::internal {
namespace {

// The points of a line as its connection writes them; null if it has none.
const ast::Expression* PointsOf(ClassText::Connection connection) {
  const ast::Modification* const line =
      ArgumentIn(connection->description.annotation, "Line");
  return line == nullptr ? nullptr : ValueIn(line->arguments, "points");
}

Point PointBehind(const Point& a, const Point& b) {
  return {.x = a.x + b.x, .y = a.y + b.y};
}

}  // namespace

void SetLine(ClassText::Connection connection,
             const std::vector<Point>& points,
             std::vector<TextEdit>& edits) {
  const ast::ClassModification* const annotation =
      connection->description.annotation;
  const ast::Modification* const line = ArgumentIn(annotation, "Line");
  const std::string argument = "points=" + PointsText(points);
  if (line == nullptr || line->arguments == nullptr) {
    AddAnnotation(
        annotation, WholeOf(*connection).end, "Line(" + argument + ")", edits);
  } else if (const auto* old = ValueIn(line->arguments, "points")) {
    SetPoints(*old, points, edits);
  } else {
    AddArgument(*line->arguments, argument, edits);
  }
}

void MovedLines::Move(const ClassText& text,
                      const std::vector<std::string>& names,
                      const Point& by,
                      std::vector<TextEdit>& edits) {
  const auto is_moved = [&names](const ast::ComponentReference& reference) {
    return std::ranges::find(names, reference.parts.front().name.text) !=
           names.end();
  };
  for (const ClassText::Connection connection : text.Connections()) {
    const auto& ends = std::get<ast::Connect>(connection->node);
    const bool first = is_moved(ends.from);
    const bool last = is_moved(ends.to);
    const ast::Expression* const written = PointsOf(connection);
    const auto points = PointsIn(written);
    if ((!first && !last) || !points) {
      continue;
    }
    const std::string ends_text =
        text.TextOf(ends.from) + " " + text.TextOf(ends.to);
    Line& line = lines_[ends_text];
    if (!std::ranges::equal(line.present, *points, AreSamePoints)) {
      line = {.first = std::string(text.document().TextOf(written->span))};
    }
    line.from = first ? PointBehind(line.from, by) : line.from;
    line.to = last ? PointBehind(line.to, by) : line.to;
    const bool is_back =
        AreSamePoints(line.from, {}) && AreSamePoints(line.to, {});
    if (is_back) {
      edits.push_back({.span = written->span, .text = line.first});
      lines_.erase(ends_text);
      continue;
    }
    line.present = Moved(*points, by, first, last);
    SetPoints(*written, line.present, edits);
  }
}

}  // namespace orrery::modelica::internal
