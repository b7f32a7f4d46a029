#include "orrery/plot/drawing/png.h"

#include <cairo.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "orrery/base/error.h"

namespace orrery::plot::internal {
namespace {

struct Destroy {
  void operator()(cairo_t* context) const { cairo_destroy(context); }

  void operator()(cairo_surface_t* surface) const {
    cairo_surface_destroy(surface);
  }
};

void Check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS) {
    throw Error(ErrorCode::kInternal,
                std::string("cannot draw the plot: cairo says: ") +
                    cairo_status_to_string(status));
  }
}

class Painter {
 public:
  explicit Painter(cairo_t* context) : context_(context) {
    cairo_set_line_cap(context_, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
  }

  void operator()(const Stroke& stroke) const {
    SetColor(stroke.color);
    cairo_set_line_width(context_, stroke.width);
    cairo_set_dash(context_,
                   stroke.dashes.data(),
                   static_cast<int>(stroke.dashes.size()),
                   0);
    for (const std::vector<Point>& line : stroke.lines) {
      cairo_move_to(context_, line.front().x, line.front().y);
      for (const Point& point : line) {
        cairo_line_to(context_, point.x, point.y);
      }
    }
    cairo_stroke(context_);
  }

  void operator()(const Area& area) const {
    SetColor(area.color);
    for (const std::vector<Point>& outline : area.outlines) {
      cairo_move_to(context_, outline.front().x, outline.front().y);
      for (const Point& point : outline) {
        cairo_line_to(context_, point.x, point.y);
      }
      cairo_close_path(context_);
    }
    cairo_fill(context_);
  }

  void operator()(const Dots& dots) const {
    cairo_set_dash(context_, nullptr, 0, 0);
    cairo_set_line_width(context_, 0.8);
    for (const Point& center : dots.centers) {
      cairo_new_sub_path(context_);
      cairo_arc(
          context_, center.x, center.y, dots.radius, 0, 2 * std::numbers::pi);
      SetColor(dots.color);
      cairo_fill_preserve(context_);
      cairo_set_source_rgb(context_, 1, 1, 1);
      cairo_stroke(context_);
    }
  }

  void operator()(const Label& label) const {
    cairo_select_font_face(
        context_,
        "DejaVu Sans",
        CAIRO_FONT_SLANT_NORMAL,
        label.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context_, label.size);
    cairo_text_extents_t extents = {};
    cairo_text_extents(context_, label.text.c_str(), &extents);
    const double shift = label.anchor == Anchor::kStart ? 0
                         : label.anchor == Anchor::kEnd ? 1
                                                        : 0.5;
    cairo_save(context_);
    cairo_translate(context_, label.at.x, label.at.y);
    if (label.upwards) {
      cairo_rotate(context_, -std::numbers::pi / 2);
    }
    SetColor(label.color);
    cairo_move_to(context_, -shift * extents.x_advance, 0);
    cairo_show_text(context_, label.text.c_str());
    cairo_restore(context_);
    cairo_new_path(context_);
  }

 private:
  void SetColor(const Color& color) const {
    cairo_set_source_rgb(
        context_, color.red / 255.0, color.green / 255.0, color.blue / 255.0);
  }

  cairo_t* context_;
};

}  // namespace

std::string ToPng(const Drawing& drawing, double scale) {
  const std::unique_ptr<cairo_surface_t, Destroy> surface(
      cairo_image_surface_create(
          CAIRO_FORMAT_RGB24,
          static_cast<int>(std::lround(drawing.width * scale)),
          static_cast<int>(std::lround(drawing.height * scale))));
  Check(cairo_surface_status(surface.get()));
  const std::unique_ptr<cairo_t, Destroy> context(cairo_create(surface.get()));
  cairo_scale(context.get(), scale, scale);
  cairo_set_source_rgb(context.get(), 1, 1, 1);
  cairo_paint(context.get());
  const Painter painter(context.get());
  for (const auto& shape : drawing.shapes) {
    std::visit(painter, shape);
  }
  Check(cairo_status(context.get()));
  std::string bytes;
  Check(cairo_surface_write_to_png_stream(
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
