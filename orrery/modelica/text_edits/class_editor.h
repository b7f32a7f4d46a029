#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/modelica/scene/graphics.h"
#include "orrery/modelica/text_edits/connector_sizing.h"
#include "orrery/modelica/text_edits/edited_text.h"
#include "orrery/modelica/workspace/document.h"

namespace orrery::modelica {

struct NewComponent {
  std::string type;  ///< Its full name.
  std::string name;  ///< Empty: one is made of the type's name.
  Placement place;
  std::string modifiers;  ///< "R=1500"; may be empty.
};

/// A connection as it is written: "R1.n".
struct ConnectionEnds {
  std::string from;
  std::string to;
};

/// Changes of one class, as the smallest edits of its text. Each step is a
/// gesture in a diagram; the edits of several steps belong together.
///
/// Only numbers that change are replaced: who wrote `extent` keeps `extent`,
/// who wrote `origin` keeps `origin`. New declarations go behind the last one
/// of their kind, with its indentation and line ends. What is inherited cannot
/// be changed here.
///
/// All steps throw Error kInvalidArgument, with the reason, for what cannot be
/// done, or would bring a syntax error; the text is then as before.
class ClassEditor {
 public:
  /// @param class_name counted from the top of all classes, as Document's.
  /// @param sizing by which arrays of connectors grow with their connections;
  ///     null: they do not. It must outlive the editor.
  /// @throws Error kInvalidArgument if the text has no such long class.
  ClassEditor(const Document& document,
              std::string class_name,
              const ConnectorSizing* sizing = nullptr);
  ~ClassEditor();
  ClassEditor(const ClassEditor&) = delete;
  ClassEditor& operator=(const ClassEditor&) = delete;

  /// @returns its name.
  std::string AddComponent(const NewComponent& component);

  /// Takes components away, with their connections.
  void RemoveComponents(const std::vector<std::string>& names);

  /// Takes a connection away. An array that grows with its connections shrinks,
  /// and its elements behind move up.
  void RemoveConnection(const ConnectionEnds& ends);

  /// Moves components; lines of their connections follow. What has come back
  /// in a later step is as it was.
  /// @param in_icon their places in the icon are meant.
  void Move(const std::vector<std::string>& names,
            const Point& by,
            bool in_icon);

  /// Gives a component that place.
  void Place(const std::string& name, const Placement& place, bool in_icon);

  /// Turns components about their middles, counter-clockwise.
  void Rotate(const std::vector<std::string>& names,
              double degrees,
              bool in_icon);

  /// Mirrors components in their places, left to right or top to bottom.
  void Flip(const std::vector<std::string>& names,
            bool is_horizontal,
            bool in_icon);

  /// Adds a connection. An array that grows with its connections gets an
  /// element: "sum.u", or its element 0 or the one behind the last, becomes
  /// "sum.u[3]" (specification 3.6, section 18.7).
  void Connect(const ConnectionEnds& ends,
               const std::vector<Point>& points,
               const std::optional<Colour>& colour);

  /// Gives the line of a connection these points.
  void Reroute(const ConnectionEnds& ends, const std::vector<Point>& points);

  /// Chooses what stands for a replaceable class of a component.
  /// @param kind as in the declaration: "package".
  /// @param type none: what the component's class declares is to hold.
  void ChooseClass(const std::string& component,
                   const std::string& kind,
                   const std::string& name,
                   const std::optional<std::string>& type);

  /// Sets a modifier of a component, as {"R"} or {"a", "start"}, or without a
  /// path its value; for an empty name that of a component of the class by the
  /// path's first part. Without a text it is taken away.
  void SetModifier(const std::string& component,
                   const std::vector<std::string>& path,
                   const std::optional<std::string>& text);

  /// Sets an argument of the annotation of a component or, for an empty name,
  /// of the class: {"Documentation", "info"}.
  void SetAnnotation(const std::string& component,
                     const std::vector<std::string>& path,
                     const std::optional<std::string>& text);

  /// Says in the annotation of a package of this text, by its full name, that
  /// it uses that version of a library, unless it says so of any version.
  void AddUse(const std::string& package,
              const std::string& library,
              const std::string& version);

  /// Copies a component, with its modifiers, beside it.
  /// @returns the name of the copy.
  std::string Duplicate(const std::string& name, const Point& by);

  void AddExtends(const std::string& base);

  /// Adds an empty class in this one.
  void AddClass(const std::string& kind,
                const std::string& name,
                const std::string& description);

  /// The present text.
  [[nodiscard]] const std::string& text() const noexcept;

  /// All changes, as edits of the first text, in its order.
  [[nodiscard]] std::vector<TextEdit> edits() const;

 private:
  class Content;

  std::unique_ptr<Content> content_;
};

}  // namespace orrery::modelica
