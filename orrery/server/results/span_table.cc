#include "orrery/server/results/span_table.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/server/http/json_response.h"
#include "orrery/server/http/parse_json.h"

namespace orrery::server {
namespace {

using Json = nlohmann::ordered_json;

double SpanNumber(const Json& span, const char* name, double missing) {
  const auto found = span.find(name);
  return found != span.end() && found->is_number() ? found->get<double>()
                                                   : missing;
}

std::optional<std::int64_t> BarRowOf(const Json& span) {
  std::optional<std::int64_t> parent;
  const auto number = span.find("parent");
  if (number != span.end() && number->is_number_integer()) {
    parent = number->get<std::int64_t>();
  }
  const auto attributes = span.find("attributes");
  const bool is_activity =
      attributes != span.end() && attributes->contains("directive");
  return RowOfSpan(parent, is_activity, span.value("name", ""));
}

}  // namespace

SpanTable::SpanTable(const std::string& json) {
  const Json all = ParseJsonIfSound(json);
  const bool is_sound =
      all.is_array() &&
      std::all_of(all.begin(), all.end(), [](const Json& span) {
        return span.is_object();
      });
  if (!is_sound) {
    throw Error(ErrorCode::kIo,
                "cannot read the spans of tasks: they are damaged");
  }
  for (const Json& span : all) {
    const double begin = SpanNumber(span, "begin", -kInfinity);
    const double end = SpanNumber(span, "end", kInfinity);
    bars_.push_back({.begin = begin, .end = end, .row = BarRowOf(span)});
    texts_.push_back(PrintJson(span));
    end_ = std::max(end_, end == kInfinity ? begin : end);
  }
}

std::vector<std::size_t> SpanTable::Overlapping(
    const SpansWanted& wanted) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < bars_.size(); ++i) {
    if (bars_[i].begin <= wanted.to.value_or(kInfinity) &&
        bars_[i].end >= wanted.from.value_or(-kInfinity)) {
      found.push_back(i);
    }
  }
  return found;
}

std::string SpanTable::Part(const SpansWanted& wanted) const {
  const DrawnRange range{.from = wanted.from.value_or(0),
                         .to = wanted.to.value_or(end_),
                         .pixels = wanted.pixels};
  const std::vector<std::size_t> found =
      wanted.pixels > 0 && range.to > range.from ? BarsToDraw(bars_, range)
                                                 : Overlapping(wanted);
  const std::size_t begin = std::min(wanted.window.offset, found.size());
  const std::size_t count = std::min(wanted.window.limit, found.size() - begin);
  std::string items;
  for (std::size_t i = begin; i < begin + count; ++i) {
    items += (items.empty() ? "" : ",") + texts_[found[i]];
  }
  return fmt::format("{{\"total\":{},\"items\":[{}]}}", found.size(), items);
}

}  // namespace orrery::server
