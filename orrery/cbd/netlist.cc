#include "orrery/cbd/netlist.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/text/parse.h"

namespace orrery::cbd::internal {

namespace {

constexpr std::size_t kMaxPairs = 3;
constexpr std::size_t kMaxQuoted = 40;
constexpr std::string_view kSpaces = " \t\r\f\v";

/// `text` in quotes, cut and made printable: it may be anything.
std::string Quoted(std::string_view text) {
  std::string shown(text.substr(0, kMaxQuoted));
  for (char& c : shown) {
    c = c >= ' ' && c <= '~' ? c : '?';
  }
  return "'" + shown + (text.size() > kMaxQuoted ? "..." : "") + "'";
}

std::string_view Trimmed(std::string_view text) {
  return Trim(text, kSpaces);
}

bool IsDigit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// The form whose letter is `text`; null if there is none.
const NetlistBlockForm* FormOf(std::string_view text) {
  const auto* const found =
      std::ranges::find(kNetlistBlockForms, text, &NetlistBlockForm::letter);
  return found == kNetlistBlockForms.end() ? nullptr : found;
}

/// A hint for `text`, an unknown type of block.
std::string SuggestType(std::string_view text) {
  std::string letters;
  for (const NetlistBlockForm& form : kNetlistBlockForms) {
    std::string word(text);
    std::ranges::transform(word, word.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    const bool is_lower_case =
        word.size() == 1 && form.letter.front() == word[0] - 'a' + 'A';
    if (is_lower_case || word == form.name ||
        (word == "*" && form.type == NetlistBlockType::kMultiplier)) {
      return "did you mean '" + std::string(form.letter) + "'?";
    }
    letters += (letters.empty() ? "" : ", ") + std::string(form.letter);
  }
  return "known: " + letters;
}

/// "4", "4, 6 or 8", or "3 or more": the number of fields of a block, its type
/// and number among them.
std::string FieldCounts(const NetlistBlockForm& form) {
  const std::size_t once = form.fields.size();
  std::string least = std::to_string(2 + once);
  switch (form.count) {
    case NetlistFieldCount::kOnce:
      return least;
    case NetlistFieldCount::kOnceThenInputs:
      return least + " or more";
    case NetlistFieldCount::kUpToThreeTimes:
      break;
  }
  return least + ", " + std::to_string(2 + 2 * once) + " or " +
         std::to_string(2 + kMaxPairs * once);
}

/// The number of fields after type and number.
std::size_t NumGiven(const std::vector<std::string_view>& fields) {
  return fields.size() - std::min<std::size_t>(fields.size(), 2);
}

/// True if the number of fields fits the form, given once or repeated, where
/// each repetition has `more` fields.
bool IsComplete(const NetlistBlockForm& form,
                std::size_t fields,
                std::size_t more = 0) {
  const std::size_t once = form.fields.size() + more;
  switch (form.count) {
    case NetlistFieldCount::kOnce:
      return fields == once;
    case NetlistFieldCount::kOnceThenInputs:
      return fields >= once;
    case NetlistFieldCount::kUpToThreeTimes:
      break;
  }
  return fields >= once && fields % once == 0 && fields / once <= kMaxPairs;
}

/// The kind of the field at `place` behind type and number; see
/// `NetlistBlockForm::fields`.
char KindOfField(const NetlistBlockForm& form, std::size_t place) {
  if (form.count == NetlistFieldCount::kUpToThreeTimes) {
    return form.fields[place % form.fields.size()];
  }
  return place < form.fields.size() ? form.fields[place] : 'e';
}

/// A hint for a wrong number of fields. The usual cause is a comma within a
/// number, or within the number of each pair.
std::string HintOnCount(const NetlistBlockForm& form,
                        const std::vector<std::string_view>& fields) {
  const std::size_t given = NumGiven(fields);
  const bool has_decimals =
      given > 1 && (IsComplete(form, given - 1) || IsComplete(form, given, 1));
  const auto is_whole = [](std::string_view field) {
    return !field.empty() &&
           field.find_first_not_of("0123456789") == std::string_view::npos;
  };
  for (std::size_t i = 2; has_decimals && i + 1 < fields.size(); ++i) {
    const std::string_view whole = fields[i];
    const std::string_view decimals = fields[i + 1];
    const bool is_close = whole.data() + whole.size() + 1 == decimals.data();
    if (KindOfField(form, i - 2) == 'P' && is_close && is_whole(decimals) &&
        is_whole(whole.substr(whole.starts_with('-') ? 1 : 0))) {
      return "write the decimals of a number after a point: " +
             std::string(whole) + "." + std::string(decimals);
    }
  }
  return "write " + std::string(form.usage);
}

class Parser {
 public:
  Parser(std::shared_ptr<const SourceFile> source, Diagnostics& diagnostics)
      : source_(std::move(source)),
        text_(source_->text()),
        diagnostics_(diagnostics) {}

  std::vector<NetlistBlock> Run();

 private:
  bool IsText();
  void ParseLine(std::string_view line);
  void ParseBlock(std::string_view block);
  std::vector<std::string_view> Split(std::string_view block);
  bool CheckSeparators(std::string_view block,
                       const std::vector<std::string_view>& fields);
  bool Register(NetlistBlock& block, std::string_view field);
  bool ParseFields(const NetlistBlockForm& form,
                   const std::vector<std::string_view>& fields,
                   NetlistBlock& block);
  bool ParseInput(std::string_view field, NetlistBlock& block);
  std::optional<std::uint64_t> ParseBlockNumber(std::string_view field);
  std::optional<double> ParseNumber(std::string_view field);
  void CheckInputs();
  std::string SuggestInput(std::uint64_t wanted);

  /// The place of `part`, a piece of the text.
  [[nodiscard]] SourceSpan SpanOf(std::string_view part) const {
    const auto begin = static_cast<std::uint32_t>(part.data() - text_.data());
    return {source_, begin, begin + static_cast<std::uint32_t>(part.size())};
  }

  std::shared_ptr<const SourceFile> source_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  std::vector<NetlistBlock> blocks_;
  // The first definition of each number, even if its line has an error.
  std::unordered_map<std::uint64_t, SourceSpan> defined_;
  std::vector<std::string> known_;  // The numbers in order, once needed.
};

std::vector<NetlistBlock> Parser::Run() {
  if (!IsText()) {
    return {};
  }
  std::string_view rest = text_;
  if (rest.starts_with("\xef\xbb\xbf")) {  // A byte order mark.
    rest.remove_prefix(3);
  }
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    ParseLine(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  CheckInputs();
  if (defined_.empty() && !diagnostics_.has_errors()) {
    diagnostics_.Add({.message = "the netlist has no blocks",
                      .hint = "write one block a line, as in 'K, 1, 9.81'",
                      .file = source_->name()});
  }
  return std::move(blocks_);
}

bool Parser::IsText() {
  const auto found = std::ranges::find_if(text_, [](char c) {
    return (c >= 0 && c < ' ' && c != '\n' &&
            kSpaces.find(c) == std::string_view::npos) ||
           c == '\x7f';
  });
  if (found == text_.end()) {
    return true;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(*found);
  const std::string hex = {kDigits[byte >> 4U], kDigits[byte & 15U]};
  const auto at = static_cast<std::size_t>(found - text_.begin());
  diagnostics_.Error(SpanOf(text_.substr(at, 1)),
                     "the file is no netlist: it has the byte 0x" + hex +
                         ", which is no text");
  return false;
}

void Parser::ParseLine(std::string_view line) {
  std::string_view block = Trimmed(line.substr(0, line.find('#')));
  if (block.ends_with(';')) {
    block = Trimmed(block.substr(0, block.size() - 1));
  } else if (block.empty()) {
    return;
  }
  if (const std::size_t semicolon = block.find(';');
      semicolon != std::string_view::npos) {
    diagnostics_.Error(SpanOf(block.substr(semicolon)),
                       "a block ends its line",
                       "begin a new line after the semicolon");
  }
  // Read them all; otherwise later blocks would be reported as missing.
  while (true) {
    const std::size_t end = std::min(block.find(';'), block.size());
    ParseBlock(Trimmed(block.substr(0, end)));
    if (end == block.size()) {
      return;
    }
    block.remove_prefix(end + 1);
  }
}

void Parser::ParseBlock(std::string_view block) {
  const std::vector<std::string_view> fields = Split(block);
  if (!CheckSeparators(block, fields)) {
    return;
  }
  const NetlistBlockForm* const form = FormOf(fields[0]);
  if (form == nullptr) {
    diagnostics_.Error(SpanOf(fields[0]),
                       "there is no block type " + Quoted(fields[0]),
                       SuggestType(fields[0]));
  }
  NetlistBlock parsed;
  parsed.span = SpanOf(block);
  const bool is_registered = fields.size() > 1 && Register(parsed, fields[1]);
  if (form == nullptr) {
    return;
  }
  parsed.type = form->type;
  const bool is_sound = ParseFields(*form, fields, parsed);
  if (is_registered && is_sound) {
    blocks_.push_back(std::move(parsed));
  }
}

std::vector<std::string_view> Parser::Split(std::string_view block) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t comma = block.find(',');
    fields.push_back(Trimmed(block.substr(0, comma)));
    if (comma == std::string_view::npos) {
      return fields;
    }
    block.remove_prefix(comma + 1);
  }
}

bool Parser::CheckSeparators(std::string_view block,
                             const std::vector<std::string_view>& fields) {
  if (block.empty()) {
    diagnostics_.Error(
        SpanOf(block), "there is no block before the semicolon", "remove it");
    return false;
  }
  const std::size_t space = fields[0].find_first_of(kSpaces);
  if (space == std::string_view::npos ||
      (fields.size() > 1 && FormOf(fields[0].substr(0, space)) == nullptr)) {
    return true;
  }
  diagnostics_.Error(SpanOf(block),
                     "the fields of a block are separated by commas",
                     "write them as in 'W, 7, 2.0, 1'");
  return false;
}

bool Parser::Register(NetlistBlock& block, std::string_view field) {
  const std::optional<std::uint64_t> number = ParseBlockNumber(field);
  if (!number) {
    return false;
  }
  block.number = *number;
  block.number_span = SpanOf(field);
  const auto [first, is_new] = defined_.try_emplace(*number, block.number_span);
  if (!is_new) {
    const int line = source_->PositionOf(first->second.begin).line;
    diagnostics_.Error(block.number_span,
                       "block " + std::to_string(*number) +
                           " is already defined in line " +
                           std::to_string(line),
                       "give one of the two another number");
  }
  return is_new;
}

bool Parser::ParseFields(const NetlistBlockForm& form,
                         const std::vector<std::string_view>& fields,
                         NetlistBlock& block) {
  if (!IsComplete(form, NumGiven(fields))) {
    diagnostics_.Error(block.span,
                       "the " + std::string(form.name) + " has " +
                           std::to_string(fields.size()) +
                           (fields.size() == 1 ? " field" : " fields") +
                           ", but must have " + FieldCounts(form),
                       HintOnCount(form, fields));
    return false;
  }
  bool is_sound = true;
  for (std::size_t i = 2; i < fields.size(); ++i) {
    const SourceSpan span = SpanOf(fields[i]);
    switch (KindOfField(form, i - 2)) {
      case 'P': {
        const std::optional<double> number = ParseNumber(fields[i]);
        is_sound = is_sound && number;
        block.numbers.push_back({.value = number.value_or(0), .span = span});
        break;
      }
      case 'F':
        is_sound = is_sound && !fields[i].empty();
        block.file = fields[i];
        block.file_span = span;
        break;
      default:
        is_sound = ParseInput(fields[i], block) && is_sound;
    }
  }
  if (form.type == NetlistBlockType::kNetlist && block.file.empty()) {
    diagnostics_.Error(block.file_span,
                       "the name of the netlist's file is missing",
                       "write " + std::string(form.usage));
  }
  return is_sound;
}

bool Parser::ParseInput(std::string_view field, NetlistBlock& block) {
  NetlistBlock::Input input{.block = 0, .output = {}, .span = SpanOf(field)};
  const std::size_t dot = field.find('.');
  const std::optional<std::uint64_t> number =
      ParseBlockNumber(field.substr(0, dot));
  if (number && dot != std::string_view::npos) {
    input.output = ParseBlockNumber(field.substr(dot + 1));
  }
  if (!number || (dot != std::string_view::npos && !input.output)) {
    return false;
  }
  input.block = *number;
  block.inputs.push_back(std::move(input));
  return true;
}

std::optional<std::uint64_t> Parser::ParseBlockNumber(std::string_view field) {
  std::uint64_t number = 0;
  const char* const end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, number);
  const bool is_whole = stop == end && !field.empty();
  if (is_whole && error == std::errc{}) {
    return number;
  }
  if (is_whole && error == std::errc::result_out_of_range) {
    diagnostics_.Error(SpanOf(field),
                       "the block number " + Quoted(field) + " is too large",
                       "use at most 18446744073709551615");
    return {};
  }
  const bool is_signal = field.size() > 1 && field.front() == 'b' &&
                         std::ranges::all_of(field.substr(1), IsDigit);
  diagnostics_.Error(SpanOf(field),
                     field.empty() ? "a block number is missing"
                                   : Quoted(field) + " is no block number",
                     is_signal
                         ? "write " + std::string(field.substr(1))
                         : "block numbers are whole and not negative, as in 7");
  return {};
}

std::optional<double> Parser::ParseNumber(std::string_view field) {
  std::string_view digits = field;
  const bool is_negative = digits.starts_with('-');
  if (is_negative || digits.starts_with('+')) {
    digits.remove_prefix(1);
  }
  auto format = std::chars_format::general;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    digits.remove_prefix(2);
    format = std::chars_format::hex;
  }
  double value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, format);
  const bool is_number =
      stop == end && !digits.empty() &&
      (IsDigit(digits[0]) || digits[0] == '.' ||
       (format == std::chars_format::hex && digits[0] != '-'));
  if (is_number && error == std::errc{} && std::isfinite(value)) {
    return is_negative ? -value : value;
  }
  if (is_number && error == std::errc::result_out_of_range) {
    diagnostics_.Error(SpanOf(field),
                       "the number " + Quoted(field) +
                           " is out of the range of double precision",
                       "its magnitude must be 0 or between 2.3e-308 and "
                       "1.7e308");
    return {};
  }
  diagnostics_.Error(
      SpanOf(field),
      field.empty() ? "a number is missing" : Quoted(field) + " is no number",
      "write it as in 2, -0.5 or 1e-3");
  return {};
}

void Parser::CheckInputs() {
  for (const NetlistBlock& block : blocks_) {
    for (const NetlistBlock::Input& input : block.inputs) {
      if (defined_.contains(input.block)) {
        continue;
      }
      // Beyond the errors that are kept a hint is wasted work.
      const bool is_shown =
          diagnostics_.error_count() < Diagnostics::kMaxErrors;
      diagnostics_.Error(input.span,
                         "there is no block " + std::to_string(input.block) +
                             " to feed block " + std::to_string(block.number),
                         is_shown ? SuggestInput(input.block) : "");
    }
  }
}

std::string Parser::SuggestInput(std::uint64_t wanted) {
  if (known_.empty()) {
    std::vector<std::uint64_t> numbers;
    for (const auto& [number, span] : defined_) {
      numbers.push_back(number);
    }
    std::ranges::sort(numbers);
    for (const std::uint64_t number : numbers) {
      known_.push_back(std::to_string(number));
    }
  }
  return Suggest(std::to_string(wanted), known_);
}

}  // namespace

std::vector<NetlistBlock> ParseNetlist(
    const std::shared_ptr<const SourceFile>& source, Diagnostics& diagnostics) {
  return Parser(source, diagnostics).Run();
}

}  // namespace orrery::cbd::internal
