#include "orrery/plot/drawing/svg.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "orrery/base/text/xml.h"

namespace orrery::plot::internal {
namespace {

// Coordinates are whole hundredths of a pixel: relative steps add up exactly.
std::int64_t Hundredths(double x) {
  return std::llround(100 * x);
}

// The number without needless zeros: "12.5", ".25", "-3".
std::string Number(std::int64_t hundredths) {
  std::string text = hundredths < 0 ? "-" : "";
  const std::int64_t size = std::abs(hundredths);
  if (size >= 100 || size == 0) {
    text += std::to_string(size / 100);
  }
  if (size % 100 != 0) {
    text += '.';
    text += static_cast<char>('0' + size / 10 % 10);
    if (size % 10 != 0) {
      text += static_cast<char>('0' + size % 10);
    }
  }
  return text;
}

std::string Number(double x) {
  return Number(Hundredths(x));
}

std::string Escaped(const std::string& text) {
  return EscapeXml(text, XmlPlace::kText);
}

std::string Hex(const Color& color) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "#";
  for (const int part : {color.red, color.green, color.blue}) {
    out += kDigits[part / 16];
    out += kDigits[part % 16];
  }
  return out;
}

// "M" to the first point, then "l" by steps.
std::string PathOf(const std::vector<Point>& line) {
  std::int64_t x = Hundredths(line.front().x);
  std::int64_t y = Hundredths(line.front().y);
  std::string path = "M" + Number(x) + "," + Number(y);
  const std::size_t bare = path.size();
  for (const Point& point : line) {
    const std::int64_t dx = Hundredths(point.x) - x;
    const std::int64_t dy = Hundredths(point.y) - y;
    if (dx == 0 && dy == 0) {
      continue;
    }
    path += path.size() == bare ? "l" : dx < 0 ? "" : " ";
    path += Number(dx);
    path += dy < 0 ? "" : " ";
    path += Number(dy);
    x += dx;
    y += dy;
  }
  // Round caps make a dot of this.
  return path.size() == bare ? path + "h0" : path;
}

class SvgWriter {
 public:
  explicit SvgWriter(const Drawing& drawing) {
    const std::string width = Number(drawing.width);
    const std::string height = Number(drawing.height);
    out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width +
           "\" height=\"" + height + "\" viewBox=\"0 0 " + width + " " +
           height +
           "\" role=\"img\" aria-labelledby=\"title desc\" "
           "font-family=\"Helvetica Neue,Helvetica,Arial,DejaVu Sans,"
           "sans-serif\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n"
           "<title id=\"title\">" +
           Escaped(drawing.title) +
           "</title>\n"
           "<desc id=\"desc\">" +
           Escaped(drawing.description) +
           "</desc>\n"
           "<rect width=\"" +
           width + "\" height=\"" + height + "\" fill=\"#fff\"/>\n";
  }

  void operator()(const Stroke& stroke) {
    out_ += "<path fill=\"none\" stroke=\"" + Hex(stroke.color) + "\"";
    if (stroke.width != 1) {
      out_ += " stroke-width=\"" + Number(stroke.width) + "\"";
    }
    if (!stroke.dashes.empty()) {
      out_ += " stroke-dasharray=\"";
      for (const double& dash : stroke.dashes) {
        out_ += Number(dash) + (&dash == &stroke.dashes.back() ? "\"" : " ");
      }
    }
    out_ += " d=\"";
    for (const std::vector<Point>& line : stroke.lines) {
      out_ += PathOf(line);
    }
    out_ += "\"/>\n";
  }

  void operator()(const Area& area) {
    out_ += "<path fill=\"" + Hex(area.color) + "\" d=\"";
    for (const std::vector<Point>& outline : area.outlines) {
      out_ += PathOf(outline) + "z";
    }
    out_ += area.tooltip.empty()
                ? "\"/>\n"
                : "\"><title>" + Escaped(area.tooltip) + "</title></path>\n";
  }

  void operator()(const Dots& dots) {
    if (dots.centers.size() > kMostCircles) {
      WriteCrowd(dots);
      return;
    }
    out_ += "<g fill=\"" + Hex(dots.color) +
            "\" stroke=\"#fff\" stroke-width=\".8\">\n";
    for (const Point& center : dots.centers) {
      out_ += "<circle cx=\"" + Number(center.x) + "\" cy=\"" +
              Number(center.y) + "\" r=\"" + Number(dots.radius) + "\"/>\n";
    }
    out_ += "</g>\n";
  }

  void operator()(const Label& label) {
    const std::string x = Number(label.at.x);
    const std::string y = Number(label.at.y);
    out_ += "<text x=\"" + x + "\" y=\"" + y + "\" font-size=\"" +
            Number(label.size) + "\" fill=\"" + Hex(label.color) + "\"";
    if (label.anchor != Anchor::kStart) {
      out_ += label.anchor == Anchor::kEnd ? " text-anchor=\"end\""
                                           : " text-anchor=\"middle\"";
    }
    if (label.bold) {
      out_ += " font-weight=\"bold\"";
    }
    if (label.upwards) {
      out_ += " transform=\"rotate(-90 " + x + " " + y + ")\"";
    }
    out_ += ">" + Escaped(label.text) + "</text>\n";
  }

  std::string Finish() && { return std::move(out_) + "</svg>\n"; }

 private:
  // Draws many dots as one path: a fifth of the size, without rims.
  void WriteCrowd(const Dots& dots) {
    out_ += "<path stroke=\"" + Hex(dots.color) + "\" stroke-width=\"" +
            Number(2 * dots.radius) + "\" d=\"";
    for (const Point& center : dots.centers) {
      out_ += PathOf({center});
    }
    out_ += "\"/>\n";
  }

  static constexpr std::size_t kMostCircles = 200;

  std::string out_;
};

}  // namespace

std::string ToSvg(const Drawing& drawing) {
  SvgWriter writer(drawing);
  for (const auto& shape : drawing.shapes) {
    std::visit(writer, shape);
  }
  return std::move(writer).Finish();
}

}  // namespace orrery::plot::internal
