#include "orrery/program/delay_history.h"

#include <algorithm>

namespace orrery {

void DelayHistory::Start(double t, std::span<const double> values) {
  *this = DelayHistory();
  lines_.resize(values.size());
  pieces_.Push({.begin = -std::numeric_limits<double>::infinity(),
                .end = t,
                .first_term = 0});
  for (std::size_t i = 0; i < values.size(); ++i) {
    polynomials_.Push({values[i]});
    lines_[i].breaks.Push({.t = t, .order = 1});
  }
  AppendPoint(values);
}

void DelayHistory::Append(double t, std::span<const Polynomial> polynomials) {
  const double begin = end();
  if (pieces_.back().begin == begin) {  // A point, which the piece continues.
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      polynomials_.DropLast();
    }
    pieces_.DropLast();
  }
  pieces_.Push({.begin = begin, .end = t, .first_term = polynomials_.end()});
  for (const Polynomial& polynomial : polynomials) {
    polynomials_.Push(polynomial);
  }
}

void DelayHistory::AppendPoint(std::span<const double> values) {
  const double t = end();
  const bool is_point = pieces_.back().begin == t;
  for (std::size_t i = 0; is_point && i < lines_.size(); ++i) {
    polynomials_.DropLast();
  }
  if (is_point) {
    pieces_.DropLast();
  }
  pieces_.Push({.begin = t, .end = t, .first_term = polynomials_.end()});
  for (const double value : values) {
    polynomials_.Push({value});
  }
}

double DelayHistory::PartBegin(std::size_t i) const noexcept {
  const Line& line = lines_[i];
  return line.passed > line.breaks.begin()
             ? line.breaks[line.passed - 1].t
             : -std::numeric_limits<double>::infinity();
}

double DelayHistory::PartEnd(std::size_t i) const noexcept {
  const Line& line = lines_[i];
  return line.passed < line.breaks.end()
             ? line.breaks[line.passed].t
             : std::numeric_limits<double>::infinity();
}

const DelayHistory::Piece& DelayHistory::PieceAt(std::size_t i,
                                                 double t) noexcept {
  const double part_begin = PartBegin(i);
  const double part_end = PartEnd(i);
  std::size_t& at = lines_[i].piece;
  at = std::clamp(at, pieces_.begin(), pieces_.end() - 1);
  // Either of two pieces that meet at t will do: they are as one there.
  while (at > pieces_.begin() &&
         (t < pieces_[at].begin || pieces_[at].begin >= part_end)) {
    --at;
  }
  while (at + 1 < pieces_.end() &&
         (t > pieces_[at].end || pieces_[at].end <= part_begin) &&
         pieces_[at + 1].begin < part_end) {
    ++at;
  }
  return pieces_[at];
}

DelayHistory::Sample DelayHistory::At(std::size_t i, double t) noexcept {
  return Evaluate(PieceAt(i, t), i, t);
}

double DelayHistory::LastAt(std::size_t i, double t) const noexcept {
  return Evaluate(pieces_.back(), i, t).value;
}

DelayHistory::Sample DelayHistory::Evaluate(const Piece& piece,
                                            std::size_t i,
                                            double t) const noexcept {
  const Polynomial& c = PolynomialOf(piece, i);
  const double half = (piece.end - piece.begin) / 2;
  if (!(half > 0) || half == std::numeric_limits<double>::infinity()) {
    return {.value = c[0], .rate = 0};
  }
  const double theta = (t - piece.begin) / half - 1;
  double value = c[kTerms - 1];
  double slope = 0;
  for (std::size_t k = kTerms - 1; k-- > 0;) {
    slope = slope * theta + value;
    value = value * theta + c[k];
  }
  return {.value = value, .rate = slope / half};
}

void DelayHistory::ForgetBefore(double t) noexcept {
  while (pieces_.begin() + 1 < pieces_.end() &&
         pieces_[pieces_.begin()].end < t) {
    pieces_.DropFirst();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      polynomials_.DropFirst();
    }
  }
  for (Line& line : lines_) {
    while (line.breaks.begin() + 1 < line.passed &&
           line.breaks[line.breaks.begin()].t < t) {
      line.breaks.DropFirst();
    }
  }
}

void DelayHistory::Transfer(StateStream& stream, std::size_t num_quantities) {
  lines_.resize(num_quantities);
  for (Line& line : lines_) {
    line.breaks.Transfer(stream, sizeof(double) + sizeof(int), [&](Break& at) {
      stream.Number(at.t);
      stream.Number(at.order);
    });
    stream.Number(line.passed);
    stream.Number(line.piece);
    stream.Expect(
        line.passed >= line.breaks.begin() && line.passed <= line.breaks.end(),
        "a break outside");
  }
  polynomials_.Transfer(stream, sizeof(Polynomial), [&](Polynomial& its) {
    for (double& term : its) {
      stream.Number(term);
    }
  });
  pieces_.Transfer(stream, 3 * sizeof(double), [&](Piece& piece) {
    stream.Number(piece.begin);
    stream.Number(piece.end);
    stream.Number(piece.first_term);
    stream.Expect(piece.first_term >= polynomials_.begin() &&
                      piece.first_term <= polynomials_.end() &&
                      polynomials_.end() - piece.first_term >= num_quantities,
                  "a polynomial outside");
  });
  stream.Expect(num_quantities == 0 || !pieces_.empty(), "no past");
  stream.Number(reach);
  stream.Number(passage);
}

}  // namespace orrery
