#pragma once

#include <map>
#include <string>
#include <vector>

#include "orrery/modelica/scene/graphics.h"
#include "orrery/modelica/text_edits/class_text.h"
#include "orrery/modelica/text_edits/edited_text.h"

namespace orrery::modelica::internal {

/// Adds the edits that give a connection a line of these points.
void SetLine(ClassText::Connection connection,
             const std::vector<Point>& points,
             std::vector<TextEdit>& edits);

/// Moves lines of connections with the components at their ends. It remembers
/// how they were first: a line both of whose ends have come back is as it was,
/// whatever bends it had.
class MovedLines {
 public:
  /// Adds the edits that move the ends of lines at these components.
  void Move(const ClassText& text,
            const std::vector<std::string>& names,
            const Point& by,
            std::vector<TextEdit>& edits);

 private:
  struct Line {
    std::string first;           // As it was, in bytes.
    std::vector<Point> present;  // As it was left; another one is new.
    Point from;                  // How far its ends are from there.
    Point to;
  };

  // By the text of both ends; connections that are written twice share one.
  std::map<std::string, Line> lines_;
};

}  // namespace orrery::modelica::internal
