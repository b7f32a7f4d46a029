#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/modelica/scene/graphics.h"
#include "orrery/modelica/workspace/workspace.h"

namespace orrery::modelica {

enum class Layer : std::uint8_t { kIcon, kDiagram };

/// Drawing of a class where it is a component: primitives of its bases
/// first, its own last. Equal icons are shared; texts have slots, which each
/// component fills.
struct Icon {
  std::string id;  ///< "i:" and a number that depends on the content alone.
  CoordinateSystem system;
  std::vector<Graphic> graphics;
};

/// A connector of a component or of the class.
struct Port {
  std::string name;
  std::string type;  ///< The full name of its class.
  std::string icon;  ///< Its id.
  Placement place;   ///< In the icon of the component.
  std::vector<std::string> sizes;
  bool is_flow = false;  ///< It has flow variables: no signal.
};

/// A text of an icon, as a component shows it.
struct SlotText {
  std::size_t slot = 0;  ///< The number of the primitive in the icon.
  std::string text;
};

struct SceneComponent {
  std::string name;
  std::string type;  ///< The full name of its class; as written if not found.
  std::string icon;  ///< Empty if the class is not found.
  std::optional<Placement> place;  ///< None: nobody has placed it yet.
  std::vector<SlotText> texts;
  std::vector<Port> ports;
  std::vector<std::string> sizes;
  bool is_present = true;  ///< False if its condition is false.
  bool is_connector = false;
  std::string inherited;  ///< The class that declares it; empty: the own.
  ast::Span span;         ///< Its declaration, in the own class only.
};

struct SceneConnection {
  std::string from;  ///< As written: "R1.n", "bus.x[2]".
  std::string to;
  std::optional<Graphic> line;
  bool is_present = true;
  std::string inherited;
  ast::Span span;
};

/// A layer of a class as data.
struct Scene {
  std::string class_name;
  std::shared_ptr<const SourceFile> file;  ///< The text of the class.
  CoordinateSystem system;
  std::vector<Graphic> graphics;
  std::vector<SceneComponent> components;
  std::vector<SceneConnection> connections;
  std::map<std::string, Icon> icons;  ///< By id: those of components, ports.
  std::vector<std::string> notes;     ///< Things that cannot be drawn, and why.
};

/// The scene of a class of the document, or of any class it sees.
/// @throws Error kInvalidArgument if there is no such class.
[[nodiscard]] Scene MakeScene(Workspace& workspace,
                              const Document& document,
                              const std::string& class_name,
                              Layer layer);

/// The icon of a class that the document sees, for a library.
/// @throws Error kInvalidArgument if there is no such class.
[[nodiscard]] Icon MakeIcon(Workspace& workspace,
                            const Document& document,
                            const std::string& class_name);

}  // namespace orrery::modelica
