#include "orrery/plot/drawing/png.h"

#include <cairo.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "orrery/base/error.h"
#include "orrery/base/system/dynamic_library.h"

namespace orrery::plot::internal {
namespace {

#define ORRERY_CAIRO_FUNCTIONS(X)      \
  X(cairo_arc)                         \
  X(cairo_close_path)                  \
  X(cairo_create)                      \
  X(cairo_destroy)                     \
  X(cairo_fill)                        \
  X(cairo_fill_preserve)               \
  X(cairo_image_surface_create)        \
  X(cairo_line_to)                     \
  X(cairo_move_to)                     \
  X(cairo_new_path)                    \
  X(cairo_new_sub_path)                \
  X(cairo_paint)                       \
  X(cairo_restore)                     \
  X(cairo_rotate)                      \
  X(cairo_save)                        \
  X(cairo_scale)                       \
  X(cairo_select_font_face)            \
  X(cairo_set_dash)                    \
  X(cairo_set_font_size)               \
  X(cairo_set_line_cap)                \
  X(cairo_set_line_join)               \
  X(cairo_set_line_width)              \
  X(cairo_set_source_rgb)              \
  X(cairo_show_text)                   \
  X(cairo_status)                      \
  X(cairo_status_to_string)            \
  X(cairo_stroke)                      \
  X(cairo_surface_destroy)             \
  X(cairo_surface_status)              \
  X(cairo_surface_write_to_png_stream) \
  X(cairo_text_extents)                \
  X(cairo_translate)

ORRERY_LIBRARY(CairoLibrary, ORRERY_CAIRO_FUNCTIONS)

#undef ORRERY_CAIRO_FUNCTIONS

// Opened by the first picture: with the libraries of windows that it needs, it
// takes a millisecond to load.
const CairoLibrary& Cairo() {
  static const CairoLibrary functions(
      DynamicLibrary(ORRERY_CAIRO, "draw a PNG picture"));
  return functions;
}

struct Destroy {
  void operator()(cairo_t* context) const { Cairo().cairo_destroy(context); }

  void operator()(cairo_surface_t* surface) const {
    Cairo().cairo_surface_destroy(surface);
  }
};

void Check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS) {
    throw Error(ErrorCode::kInternal,
                std::string("cannot draw the plot: cairo says: ") +
                    Cairo().cairo_status_to_string(status));
  }
}

class Painter {
 public:
  explicit Painter(cairo_t* context) : context_(context) {
    Cairo().cairo_set_line_cap(context_, CAIRO_LINE_CAP_ROUND);
    Cairo().cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
  }

  void operator()(const Stroke& stroke) const {
    SetColor(stroke.color);
    Cairo().cairo_set_line_width(context_, stroke.width);
    Cairo().cairo_set_dash(context_,
                           stroke.dashes.data(),
                           static_cast<int>(stroke.dashes.size()),
                           0);
    for (const std::vector<Point>& line : stroke.lines) {
      Cairo().cairo_move_to(context_, line.front().x, line.front().y);
      for (const Point& point : line) {
        Cairo().cairo_line_to(context_, point.x, point.y);
      }
    }
    Cairo().cairo_stroke(context_);
  }

  void operator()(const Area& area) const {
    SetColor(area.color);
    for (const std::vector<Point>& outline : area.outlines) {
      Cairo().cairo_move_to(context_, outline.front().x, outline.front().y);
      for (const Point& point : outline) {
        Cairo().cairo_line_to(context_, point.x, point.y);
      }
      Cairo().cairo_close_path(context_);
    }
    Cairo().cairo_fill(context_);
  }

  void operator()(const Dots& dots) const {
    Cairo().cairo_set_dash(context_, nullptr, 0, 0);
    Cairo().cairo_set_line_width(context_, 0.8);
    for (const Point& center : dots.centers) {
      Cairo().cairo_new_sub_path(context_);
      Cairo().cairo_arc(
          context_, center.x, center.y, dots.radius, 0, 2 * std::numbers::pi);
      SetColor(dots.color);
      Cairo().cairo_fill_preserve(context_);
      Cairo().cairo_set_source_rgb(context_, 1, 1, 1);
      Cairo().cairo_stroke(context_);
    }
  }

  void operator()(const Label& label) const {
    Cairo().cairo_select_font_face(
        context_,
        "DejaVu Sans",
        CAIRO_FONT_SLANT_NORMAL,
        label.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    Cairo().cairo_set_font_size(context_, label.size);
    cairo_text_extents_t extents = {};
    Cairo().cairo_text_extents(context_, label.text.c_str(), &extents);
    const double shift = label.anchor == Anchor::kStart ? 0
                         : label.anchor == Anchor::kEnd ? 1
                                                        : 0.5;
    Cairo().cairo_save(context_);
    Cairo().cairo_translate(context_, label.at.x, label.at.y);
    if (label.upwards) {
      Cairo().cairo_rotate(context_, -std::numbers::pi / 2);
    }
    SetColor(label.color);
    Cairo().cairo_move_to(context_, -shift * extents.x_advance, 0);
    Cairo().cairo_show_text(context_, label.text.c_str());
    Cairo().cairo_restore(context_);
    Cairo().cairo_new_path(context_);
  }

 private:
  void SetColor(const Color& color) const {
    Cairo().cairo_set_source_rgb(
        context_, color.red / 255.0, color.green / 255.0, color.blue / 255.0);
  }

  cairo_t* context_;
};

}  // namespace

std::string ToPng(const Drawing& drawing, double scale) {
  const std::unique_ptr<cairo_surface_t, Destroy> surface(
      Cairo().cairo_image_surface_create(
          CAIRO_FORMAT_RGB24,
          static_cast<int>(std::lround(drawing.width * scale)),
          static_cast<int>(std::lround(drawing.height * scale))));
  Check(Cairo().cairo_surface_status(surface.get()));
  const std::unique_ptr<cairo_t, Destroy> context(
      Cairo().cairo_create(surface.get()));
  Cairo().cairo_scale(context.get(), scale, scale);
  Cairo().cairo_set_source_rgb(context.get(), 1, 1, 1);
  Cairo().cairo_paint(context.get());
  const Painter painter(context.get());
  for (const auto& shape : drawing.shapes) {
    std::visit(painter, shape);
  }
  Check(Cairo().cairo_status(context.get()));
  std::string bytes;
  Check(Cairo().cairo_surface_write_to_png_stream(
      surface.get(),
      [](void* out, const unsigned char* data, unsigned size) {
        static_cast<std::string*>(out)->append(
            reinterpret_cast<const char*>(data), size);
        return CAIRO_STATUS_SUCCESS;
      },
      &bytes));
  return bytes;
}

}  // namespace orrery::plot::internal
