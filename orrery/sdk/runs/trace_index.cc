#include "orrery/sdk/runs/trace_index.h"

#include <functional>
#include <utility>

#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/base/text/parse.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kBlockBytes = std::uint64_t{64} << 10U;
constexpr std::size_t kMostLinks = 200'000;

// The end of the field at the beginning of the text, which may be in quotes.
// @param after what stands behind a field without them.
std::size_t EndOfField(std::string_view text, char after) {
  if (!text.starts_with('"')) {
    return text.find(after);
  }
  std::size_t at = 1;
  while ((at = text.find('"', at)) != std::string_view::npos) {
    if (at + 1 == text.size() || text[at + 1] != '"') {
      return at + 1 == text.size() ? std::string_view::npos : at + 1;
    }
    at += 2;
  }
  return at;
}

[[noreturn]] void FailDamagedIndex() {
  throw Error(ErrorCode::kIo,
              "cannot read the index of a trace: it is damaged");
}

// The atomic models' inputs, and the outermost outputs, at which the messages
// of a port arrive.
class Couplings {
 public:
  explicit Couplings(const devs::Coupled& root) : root_(root) {
    devs::ForEachCoupled(root, [this](const devs::Coupled& coupled) {
      for (const devs::Coupling& coupling : coupled.couplings()) {
        next_[coupling.from].push_back(coupling.to);
      }
    });
  }

  [[nodiscard]] std::vector<const devs::Port*> Ends(
      const devs::Port& from) const {
    std::vector<const devs::Port*> ends;
    std::unordered_set<const devs::Port*> seen;
    std::vector<const devs::Port*> left = {&from};
    while (!left.empty()) {
      const devs::Port* const port = left.back();
      left.pop_back();
      const auto found = next_.find(port);
      if (port != &from &&
          (port->owner().ops() != nullptr ||
           (&port->owner() == &root_ && found == next_.end()))) {
        ends.push_back(port);
        continue;
      }
      if (found == next_.end()) {
        continue;
      }
      for (const devs::Port* to : found->second) {
        if (seen.insert(to).second) {
          left.push_back(to);
        }
      }
    }
    return ends;
  }

 private:
  const devs::Coupled& root_;
  std::unordered_map<const devs::Port*, std::vector<const devs::Port*>> next_;
};

void AddLinks(const devs::Model& model,
              const Couplings& couplings,
              const devs::Coupled& root,
              std::vector<TraceIndex::Link>& links) {
  for (const devs::Port* port = model.first_port(); port != nullptr;
       port = port->next()) {
    if (port->direction() != devs::PortDirection::kOut) {
      continue;
    }
    for (const devs::Port* end : couplings.Ends(*port)) {
      if (links.size() == kMostLinks) {
        return;
      }
      links.push_back(
          {.from = model.Path(),
           .port = std::string(port->name()),
           .to = &end->owner() == &root ? "" : end->owner().Path()});
    }
  }
}

}  // namespace

std::optional<TraceRow> TakeTraceRow(std::string_view& rest) {
  TraceRow row;
  std::string_view text = rest;
  for (std::string_view* field :
       {&row.time, &row.model, &row.event, &row.name, &row.value}) {
    const char wanted = field == &row.value ? '\n' : ',';
    const std::size_t end = EndOfField(text, wanted);
    if (end == std::string_view::npos || text[end] != wanted) {
      return std::nullopt;
    }
    *field = text.substr(0, end);
    text.remove_prefix(end + 1);
  }
  rest = text;
  return row;
}

double TraceSeconds(std::string_view time) {
  return ParseNumber(std::string(time)).value_or(0);
}

std::string CsvFieldText(std::string_view field) {
  if (!field.starts_with('"')) {
    return std::string(field);
  }
  std::string text;
  for (std::size_t i = 1; i + 1 < field.size(); ++i) {
    text += field[i];
    i += field[i] == '"' ? 1U : 0U;
  }
  return text;
}

bool MicrostepFinder::IsNew(const TraceRow& row) {
  if (number_ == 0 || row.time != time_) {
    return true;
  }
  if (row.event == "output") {
    return has_changes_;
  }
  if (row.model == last_model_ && row.event == last_event_) {
    return false;  // Another field of the same state.
  }
  const auto changed = changed_.find(std::hash<std::string_view>{}(row.model));
  return changed != changed_.end() && changed->second == steps_;
}

bool MicrostepFinder::BeginsWith(const TraceRow& row) {
  if (row.event == "start") {
    return false;
  }
  const bool is_new = IsNew(row);
  if (is_new) {
    number_ = row.time == time_ ? number_ + 1 : 1;
    time_ = row.time;
    has_changes_ = false;
    ++steps_;
  }
  if (!is_new && row.model == last_model_ && row.event == last_event_) {
    return false;
  }
  if (row.event != "output" && row.event != "input") {
    has_changes_ = true;
    changed_[std::hash<std::string_view>{}(row.model)] = steps_;
  }
  last_model_ = row.model;
  last_event_ = row.event;
  return is_new;
}

void TraceIndexer::Add(std::string_view lines) {
  std::string_view rest = lines;
  while (const std::optional<TraceRow> row = TakeTraceRow(rest)) {
    const std::uint64_t begin = index_.size;
    index_.size +=
        static_cast<std::uint64_t>(row->value.end() - row->time.begin() + 1);
    if (row->time == "time") {
      continue;  // The head.
    }
    if (row->model != last_model_) {
      last_model_ = row->model;
      if (known_.insert(last_model_).second) {
        index_.models.push_back(CsvFieldText(row->model));
      }
    }
    if (!finder_.BeginsWith(*row)) {
      continue;
    }
    if (index_.blocks.empty() ||
        begin - index_.blocks.back().begin >= kBlockBytes) {
      index_.blocks.push_back({.begin = begin,
                               .step = index_.steps,
                               .time = TraceSeconds(row->time),
                               .number = finder_.number()});
    }
    ++index_.steps;
    last_time_ = row->time;
  }
}

TraceIndex TraceIndexer::Index() const {
  TraceIndex index = index_;
  index.end = TraceSeconds(last_time_);
  return index;
}

std::vector<TraceIndex::Link> LinksOf(const devs::Coupled& root) {
  const Couplings couplings(root);
  std::vector<TraceIndex::Link> links;
  devs::ForEachCoupled(root, [&](const devs::Coupled& coupled) {
    for (const auto& part : coupled.parts()) {
      if (part->ops() != nullptr) {
        AddLinks(*part, couplings, root, links);
      }
    }
  });
  return links;
}

std::string ToJson(const TraceIndex& index) {
  Json links = Json::array();
  for (const TraceIndex::Link& link : index.links) {
    links.push_back({link.from, link.port, link.to});
  }
  Json blocks = Json::array();
  for (const TraceIndex::Block& block : index.blocks) {
    blocks.push_back({block.begin, block.step, block.time, block.number});
  }
  return Json{{"size", index.size},
              {"steps", index.steps},
              {"end", index.end},
              {"is_cut", index.is_cut},
              {"models", index.models},
              {"links", std::move(links)},
              {"blocks", std::move(blocks)}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

TraceIndex TraceIndexFrom(const std::string& json) {
  const Json read = Json::parse(json, nullptr, false);
  if (!read.is_object()) {
    FailDamagedIndex();
  }
  try {
    TraceIndex index{.size = read.at("size"),
                     .steps = read.at("steps"),
                     .end = read.at("end"),
                     .is_cut = read.at("is_cut"),
                     .models = read.at("models"),
                     .links = {},
                     .blocks = {}};
    for (const Json& link : read.at("links")) {
      index.links.push_back(
          {.from = link.at(0), .port = link.at(1), .to = link.at(2)});
    }
    for (const Json& block : read.at("blocks")) {
      index.blocks.push_back({.begin = block.at(0),
                              .step = block.at(1),
                              .time = block.at(2),
                              .number = block.at(3)});
    }
    return index;
  } catch (const Json::exception&) {
    FailDamagedIndex();
  }
}

}  // namespace orrery
