#include "orrery/sdk/documents/factor_text.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/model/flat_model.h"
#include "orrery/sdk/documents/subject.h"
#include "orrery/sdk/model/model.h"
#include "orrery/sdk/model/setting_parts.h"

namespace orrery {

namespace internal = sdk::internal;

namespace {

const std::string& MeantBy(const std::string& called,
                           std::span<const ParameterText> labels) {
  const auto label = std::ranges::find(labels, called, &ParameterText::value);
  return label == labels.end() ? called : label->name;
}

// Notes of the model of a run about its quantities, read at the first use.
class QuantityNotes {
 public:
  QuantityNotes(std::span<const std::string> vary,
                const RunDocument& run,
                std::span<const ParameterText> labels)
      : run_(run),
        labels_(labels),
        varied_(internal::NamesVaried(vary, labels)) {}

  std::shared_ptr<const Enumeration> EnumerationOf(const std::string& called) {
    const std::string& name = Meant(called);
    if (IsCode(run_)) {
      return nullptr;
    }
    const Variable* const variable = Find(name);
    return variable == nullptr ? nullptr : variable->notes->enumeration;
  }

  // True if a parameter takes texts. For a class it is always true, since a
  // class has no literals.
  bool IsText(const std::string& called) {
    const std::string& name = Meant(called);
    if (IsCode(run_)) {
      return true;
    }
    return internal::IsString(Flat(), name);
  }

  // Refuses to vary a name among texts that is no quantity, or whose text is
  // fixed.
  void CheckTexts(const std::string& called) {
    if (IsCode(run_)) {
      return;
    }
    const std::string& name = Meant(called);
    internal::RefuseFixedText(Flat(), name, "vary '" + name + "'");
    if (!IsText(called) && internal::VariableOf(Flat(), name) == nullptr) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot vary '" + name + "': model " + flat_->name +
                      " has no such quantity" +
                      Clause(Suggest(name, internal::NamesIn(*flat_))));
    }
  }

  std::string UnitOf(const std::string& called) {
    const std::string& name = Meant(called);
    if (IsCode(run_)) {
      return LoadSubject(run_)->KindOfVaried(name).unit;
    }
    const Variable* const variable = Find(name);
    if (variable == nullptr) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot vary '" + name + "' in a unit: model " + flat_->name +
                      " has no such quantity" +
                      Clause(Suggest(name, internal::NamesIn(*flat_))));
    }
    return variable->notes->unit;
  }

 private:
  [[nodiscard]] const std::string& Meant(const std::string& called) const {
    return MeantBy(called, labels_);
  }

  const FlatModel& Flat() {
    if (flat_ == nullptr) {
      flat_ = FlatModelOf(LoadModel(run_, SettingsIn(run_), varied_));
    }
    return *flat_;
  }

  const Variable* Find(const std::string& name) {
    internal::RefuseText(Flat(), name, "vary '" + name + "'");
    return internal::VariableOf(Flat(), name);
  }

  const RunDocument& run_;
  std::span<const ParameterText> labels_;
  std::vector<std::string> varied_;
  std::shared_ptr<const FlatModel> flat_;
};

// True if the word may be a number, which no text in a list begins with.
bool MayBeNumber(std::string_view word) {
  return word.empty() || word == "true" || word == "false" || word == "inf" ||
         std::string_view("+-.0123456789").find(word.front()) !=
             std::string_view::npos;
}

// Reads NAME={a,b}, or NAME=a, for a parameter that takes texts; returns
// nothing for other texts.
std::optional<Factor> TextFactorOf(const std::string& text,
                                   QuantityNotes& notes) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    return std::nullopt;
  }
  const std::string name(
      internal::WithoutBlanks(std::string_view{text}.substr(0, equals)));
  std::string_view range =
      internal::WithoutBlanks(std::string_view{text}.substr(equals + 1));
  const bool is_list = range.starts_with('{') && range.ends_with('}');
  if (is_list) {
    range = range.substr(1, range.size() - 2);
  }
  const std::vector<std::string_view> words =
      internal::PartsBetweenCommas(range);
  const bool may_be_texts =
      is_list ? !std::ranges::all_of(words, MayBeNumber)
              : words.size() == 1 && !MayBeNumber(range) &&
                    range.find_first_of("([{:") == std::string_view::npos;
  if (!may_be_texts) {
    return std::nullopt;
  }
  notes.CheckTexts(name);
  if (!notes.IsText(name)) {
    return std::nullopt;
  }
  std::vector<double> values;
  std::vector<std::string> texts;
  for (const std::string_view word : words) {
    values.push_back(static_cast<double>(texts.size()));
    texts.push_back(internal::WithoutQuotes(word));
  }
  return Factor{.name = name,
                .range = std::move(values),
                .text = text,
                .texts = std::move(texts)};
}

}  // namespace

std::vector<std::string> internal::NamesVaried(
    std::span<const std::string> vary, std::span<const ParameterText> labels) {
  std::vector<std::string> names;
  for (const std::string& text : vary) {
    const std::string_view name =
        std::string_view{text}.substr(0, text.find('='));
    names.push_back(MeantBy(std::string(WithoutBlanks(name)), labels));
  }
  return names;
}

std::vector<Factor> internal::FactorsOf(std::span<const std::string> vary,
                                        const RunDocument& run,
                                        std::span<const ParameterText> labels) {
  QuantityNotes notes(vary, run, labels);
  std::vector<std::optional<Factor>> of_texts;
  std::vector<std::string> others;
  for (const std::string& text : vary) {
    of_texts.push_back(TextFactorOf(text, notes));
    if (!of_texts.back()) {
      others.push_back(text);
    }
  }
  std::vector<Factor> of_numbers = ParseFactors(
      "--vary",
      others,
      [&](const std::string& name) { return notes.EnumerationOf(name); },
      [&](const std::string& name) { return notes.UnitOf(name); });
  std::vector<Factor> factors;
  factors.reserve(of_texts.size());
  auto next = of_numbers.begin();
  for (std::optional<Factor>& factor : of_texts) {
    factors.push_back(std::move(factor ? *factor : *next++));
  }
  return factors;
}

}  // namespace orrery
