#include "orrery/experiment/design/design.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <variant>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/experiment/design/point_source.h"
#include "orrery/experiment/design/sobol_sequence.h"

namespace orrery {

namespace internal = experiment::internal;

namespace {

using internal::PointMap;
using internal::PointSource;
using internal::SharedPoints;
using internal::SobolSequence;
using Columns = std::vector<std::vector<double>>;

constexpr std::array<DesignKind, 5> kKinds = {DesignKind::kGrid,
                                              DesignKind::kList,
                                              DesignKind::kRandom,
                                              DesignKind::kLatinHypercube,
                                              DesignKind::kSobol};

class GridPoints final : public PointSource {
 public:
  explicit GridPoints(Columns values) : values_(std::move(values)) {}

  void Point(std::int64_t i, std::span<double> point) const override {
    auto rest = static_cast<std::size_t>(i);
    for (std::size_t k = values_.size(); k-- > 0;) {
      point[k] = values_[k][rest % values_[k].size()];
      rest /= values_[k].size();
    }
  }

 private:
  Columns values_;
};

class ListPoints final : public PointSource {
 public:
  explicit ListPoints(Columns values) : values_(std::move(values)) {}

  void Point(std::int64_t i, std::span<double> point) const override {
    for (std::size_t k = 0; k < values_.size(); ++k) {
      point[k] = values_[k][static_cast<std::size_t>(i)];
    }
  }

 private:
  Columns values_;
};

// The grid points of some factors, each with all draws of the others.
class GridOfDraws final : public PointSource {
 public:
  // @param is_drawn by factor.
  GridOfDraws(Columns grid,
              SharedPoints draws,
              std::int64_t count,
              std::vector<bool> is_drawn)
      : num_drawn_(is_drawn.size() - grid.size()),
        grid_(std::move(grid)),
        draws_(std::move(draws)),
        count_(count),
        is_drawn_(std::move(is_drawn)) {}

  void Point(std::int64_t i, std::span<double> point) const override {
    std::vector<double> values(point.size());
    const std::span<double> drawn = std::span(values).first(num_drawn_);
    const std::span<double> given = std::span(values).subspan(num_drawn_);
    draws_->Point(i % count_, drawn);
    grid_.Point(i / count_, given);
    auto next_drawn = drawn.begin();
    auto next_given = given.begin();
    for (std::size_t k = 0; k < point.size(); ++k) {
      point[k] = is_drawn_[k] ? *next_drawn++ : *next_given++;
    }
  }

 private:
  std::size_t num_drawn_;
  GridPoints grid_;
  SharedPoints draws_;
  std::int64_t count_;
  std::vector<bool> is_drawn_;
};

[[noreturn]] void Refuse(const std::string& what, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument, "cannot " + what + ": " + why);
}

// The values of all factors, of a grid or a list.
Columns ValuesOf(std::span<const Factor> factors, DesignKind kind) {
  const std::string what = "make a " + std::string(NameOf(kind));
  Columns columns;
  for (const Factor& factor : factors) {
    const auto* const values = std::get_if<std::vector<double>>(&factor.range);
    if (values == nullptr) {
      Refuse(what + " of " + factor.name,
             DistributionOf(factor).text() +
                 " has no list of values; give values, as in 1:0.5:10 or "
                 "{1,2,5}, or draw points: random, latin-hypercube or sobol");
    }
    if (values->empty()) {
      Refuse(what + " of " + factor.name, "it has no value; give one or more");
    }
    columns.push_back(*values);
  }
  return columns;
}

std::int64_t GridSize(std::span<const Factor> factors, const Columns& columns) {
  constexpr double kMost = 0x1p53;
  double size = 1;
  std::string product;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    size *= static_cast<double>(columns[k].size());
    product += (product.empty() ? "" : " x ") +
               std::to_string(columns[k].size()) + " of " + factors[k].name;
  }
  if (size > kMost) {
    Refuse("make a grid",
           "there are " + ShortestText(size) + " points (" + product +
               "); draw points instead: random, latin-hypercube or sobol");
  }
  return static_cast<std::int64_t>(size);
}

std::int64_t ListSize(std::span<const Factor> factors, const Columns& columns) {
  const std::size_t size = columns.front().size();
  for (std::size_t k = 1; k < columns.size(); ++k) {
    if (columns[k].size() != size) {
      Refuse("make a list",
             factors[0].name + " has " + std::to_string(size) + " values, " +
                 factors[k].name + " " + std::to_string(columns[k].size()) +
                 "; give as many for each, or make a grid");
    }
  }
  return static_cast<std::int64_t>(size);
}

SharedPoints MakeUnitPoints(std::span<const std::string> names,
                            const DesignOptions& options) {
  if (options.kind == DesignKind::kRandom) {
    return internal::MakeRandomPoints(names, options.seed);
  }
  if (options.kind == DesignKind::kLatinHypercube) {
    return internal::MakeLatinHypercube(names, options.points, options.seed);
  }
  if (names.size() > SobolSequence::kMaxDimension) {
    Refuse("make a sobol design",
           "there are " + std::to_string(names.size()) +
               " factors, and the sequence has at most " +
               std::to_string(SobolSequence::kMaxDimension) +
               " dimensions; draw random or latin-hypercube points");
  }
  return options.is_shifted
             ? std::make_shared<const SobolSequence>(names, options.seed)
             : std::make_shared<const SobolSequence>(names.size());
}

SharedPoints MakeDrawnPoints(std::span<const Factor> factors,
                             std::span<const std::string> names,
                             const DesignOptions& options) {
  if (options.points < 1 || options.points > Design::kMaxPoints) {
    Refuse("make a " + std::string(NameOf(options.kind)) + " design of " +
               std::to_string(options.points) + " points",
           "give a number from 1 to " + std::to_string(Design::kMaxPoints));
  }
  std::vector<double> correlation_factor;
  if (!options.correlations.empty()) {
    correlation_factor = CorrelationFactor(names, options.correlations);
  }
  return internal::MakeMappedPoints(
      MakeUnitPoints(names, options),
      PointMap(factors, options.points, std::move(correlation_factor)));
}

bool IsDrawn(const Factor& factor) {
  return !std::holds_alternative<std::vector<double>>(factor.range);
}

}  // namespace

std::string_view NameOf(DesignKind kind) noexcept {
  switch (kind) {
    case DesignKind::kGrid:
      return "grid";
    case DesignKind::kList:
      return "list";
    case DesignKind::kRandom:
      return "random";
    case DesignKind::kLatinHypercube:
      return "latin-hypercube";
    case DesignKind::kSobol:
      return "sobol";
  }
  return "";
}

DesignKind DesignKindOf(std::string_view name) {
  const auto* const found = std::ranges::find(
      kKinds, name, [](DesignKind kind) { return NameOf(kind); });
  if (found == kKinds.end()) {
    std::vector<std::string> known;
    known.reserve(kKinds.size());
    for (const DesignKind kind : kKinds) {
      known.emplace_back(NameOf(kind));
    }
    Refuse("make a design '" + std::string(name) + "'",
           "there is no such kind; " + Suggest(name, known));
  }
  return *found;
}

Design::Design(std::span<const Factor> factors, const DesignOptions& options)
    : names_(internal::NamesOf(factors)) {
  if (options.kind != DesignKind::kGrid && options.kind != DesignKind::kList) {
    size_ = options.points;
    points_ = MakeDrawnPoints(factors, names_, options);
    return;
  }
  if (options.kind == DesignKind::kGrid && options.points > 0 &&
      std::ranges::any_of(factors, IsDrawn)) {
    MakeGridOfDraws(factors, options);
    return;
  }
  if (!options.correlations.empty()) {
    Refuse("correlate the factors of a " + std::string(NameOf(options.kind)),
           "its values are given; draw points: random, latin-hypercube or "
           "sobol");
  }
  Columns columns = ValuesOf(factors, options.kind);
  if (options.kind == DesignKind::kGrid) {
    size_ = GridSize(factors, columns);
    points_ = std::make_shared<const GridPoints>(std::move(columns));
  } else {
    size_ = ListSize(factors, columns);
    points_ = std::make_shared<const ListPoints>(std::move(columns));
  }
}

void Design::MakeGridOfDraws(std::span<const Factor> factors,
                             const DesignOptions& options) {
  std::vector<Factor> drawn;
  std::vector<Factor> given;
  std::vector<bool> is_drawn;
  for (const Factor& factor : factors) {
    is_drawn.push_back(IsDrawn(factor));
    (is_drawn.back() ? drawn : given).push_back(factor);
  }
  Columns columns = ValuesOf(given, options.kind);
  draws_ = options.points;
  size_ = GridSize(given, columns);
  if (size_ > kMaxPoints / draws_) {
    Refuse("make a grid of " + std::to_string(size_) + " points with " +
               std::to_string(draws_) + " draws each",
           "at most " + std::to_string(kMaxPoints) +
               " runs are possible; take fewer values or draws");
  }
  size_ *= draws_;
  const std::vector<std::string> names = internal::NamesOf(drawn);
  points_ = std::make_shared<const GridOfDraws>(
      std::move(columns),
      MakeDrawnPoints(drawn,
                      names,
                      {.kind = DesignKind::kRandom,
                       .points = draws_,
                       .seed = options.seed,
                       .correlations = options.correlations}),
      draws_,
      std::move(is_drawn));
}

Design::Design(const Table& table)
    : size_(static_cast<std::int64_t>(table.rows())) {
  Columns columns;
  for (const TableColumn& column : table.columns()) {
    const auto missing = std::ranges::find_if(
        column.values, [](double x) { return std::isnan(x); });
    if (missing != column.values.end()) {
      Refuse("take the points of " + table.name(),
             "row " + std::to_string(missing - column.values.begin() + 1) +
                 " has no value of " + column.name +
                 "; give one, or leave out the row");
    }
    names_.push_back(column.name);
    columns.push_back(column.values);
  }
  points_ = std::make_shared<const ListPoints>(std::move(columns));
}

Design::Design(std::span<const Factor> factors,
               std::int64_t size,
               std::shared_ptr<const internal::PointSource> points)
    : names_(internal::NamesOf(factors)),
      size_(size),
      points_(std::move(points)) {}

void Design::Point(std::int64_t i, std::span<double> point) const {
  ORRERY_CHECK(i >= 0 && i < size_ && point.size() == dimension());
  points_->Point(i, point);
}

}  // namespace orrery
