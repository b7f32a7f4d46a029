#include "orrery/sdk/json/json_values.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/base/text/json_nesting.h"

namespace orrery::sdk::internal {
namespace {

struct JsonOfValue {
  Json operator()(std::monostate /*none*/) const { return nullptr; }

  Json operator()(bool value) const { return value; }

  Json operator()(std::int64_t value) const { return value; }

  Json operator()(double value) const { return NumberOrNull(value); }

  Json operator()(Duration value) const { return Seconds(value).value; }

  Json operator()(const std::string& value) const { return value; }
};

// Builds `json` from the events of a parser. Keys of an object must be unique.
class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(Json& json) : json_(json) {}

  bool null() override { return Add(nullptr); }

  bool boolean(bool value) override { return Add(value); }

  bool number_integer(std::int64_t value) override { return Add(value); }

  bool number_unsigned(std::uint64_t value) override { return Add(value); }

  bool number_float(double value, const std::string& /*text*/) override {
    return Add(value);
  }

  bool string(std::string& value) override { return Add(std::move(value)); }

  bool binary(Json::binary_t& value) override { return Add(std::move(value)); }

  bool start_object(std::size_t /*size*/) override {
    return Open(Json::object());
  }

  bool key(std::string& name) override {
    key_ = std::move(name);
    return true;
  }

  bool end_object() override { return Close(); }

  bool start_array(std::size_t /*size*/) override {
    return Open(Json::array());
  }

  bool end_array() override { return Close(); }

  bool parse_error(std::size_t /*position*/,
                   const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return false;
  }

 private:
  bool Add(Json value) {
    Place(std::move(value));
    return true;
  }

  bool Open(Json value) {
    open_.push_back(&Place(std::move(value)));
    return true;
  }

  bool Close() {
    open_.pop_back();
    return true;
  }

  Json& Place(Json value) {
    if (open_.empty()) {
      return json_ = std::move(value);
    }
    if (open_.back()->is_array()) {
      return open_.back()->emplace_back(std::move(value));
    }
    auto& members = open_.back()->get_ref<Json::object_t&>();
    members.Json::object_t::Container::emplace_back(std::move(key_),
                                                    std::move(value));
    return members.back().second;
  }

  Json& json_;
  std::string key_;          // The key of the next value of an object.
  std::vector<Json*> open_;  // Each is a member of the one before.
};

}  // namespace

Json NumberOrNull(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json NumbersAsJson(const std::vector<double>& values) {
  Json array = Json::array();
  for (const double value : values) {
    array.push_back(NumberOrNull(value));
  }
  return array;
}

double NumberFrom(const Json& json, double missing) {
  return json.is_number() ? json.get<double>() : missing;
}

Json ValueAsJson(const Record::Value& value) {
  return std::visit(JsonOfValue(), value);
}

Json DiagnosticsAsJson(const std::vector<Diagnostic>& list) {
  Json array = Json::array();
  for (const Diagnostic& diagnostic : list) {
    array.push_back({{"severity", NameOf(diagnostic.severity)},
                     {"message", diagnostic.message},
                     {"hint", diagnostic.hint},
                     {"path", diagnostic.path},
                     {"file", diagnostic.file},
                     {"line", diagnostic.line},
                     {"column", diagnostic.column}});
  }
  return array;
}

Json ParsePrinted(const std::string& text) {
  Json json;
  Builder builder(json);
  if (NestingOfJson(text) > kMostJsonNesting ||
      !Json::sax_parse(text, &builder)) {
    throw Error(ErrorCode::kIo,
                "cannot read what is stored of an experiment: it is damaged, "
                "it is no JSON any more");
  }
  return json;
}

// Replaces invalid UTF-8, which names and texts may contain.
std::string Print(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string PrintOnALine(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace orrery::sdk::internal
