#include "orrery/modelica/text_edits/sized_connectors.h"

#include <algorithm>
#include <iterator>

#include "orrery/base/error.h"
#include "orrery/modelica/text_edits/modifier_edits.h"
#include "orrery/syntax/annotations.h"
#include "orrery/syntax/lexer.h"

namespace orrery::modelica::internal {
namespace {

std::optional<std::int64_t> LiteralSize(const ast::Expression* expression) {
  const auto* const literal =
      expression == nullptr
          ? nullptr
          : std::get_if<ast::IntegerLiteral>(&expression->node);
  return literal == nullptr ? std::nullopt : std::optional(literal->value);
}

// The tokens of "sum.u[3]": 4 of "sum.u" with the end of the text, 7 with an
// index. None of any other end.
std::vector<Token> TokensOfEnd(const std::string& written) {
  constexpr TokenKind kWanted[] = {TokenKind::kIdentifier,
                                   TokenKind::kDot,
                                   TokenKind::kIdentifier,
                                   TokenKind::kLeftBracket,
                                   TokenKind::kInteger,
                                   TokenKind::kRightBracket};
  std::vector<Token> tokens = Tokenize(written).tokens;
  const bool is_sized = tokens.size() == 4 || tokens.size() == 7;
  for (std::size_t i = 0; is_sized && i + 1 < tokens.size(); ++i) {
    if (tokens[i].kind != kWanted[i]) {
      return {};
    }
  }
  return is_sized ? tokens : std::vector<Token>();
}

std::string TokenText(const std::string& written, const Token& token) {
  return written.substr(token.begin, token.end - token.begin);
}

}  // namespace

std::optional<SizedConnectors::End> SizedConnectors::EndIn(
    const std::string& written) const {
  const std::vector<Token> tokens = TokensOfEnd(written);
  if (tokens.empty() || sizing_ == nullptr) {
    return std::nullopt;
  }
  End end = {.component = TokenText(written, tokens[0]),
             .connector = TokenText(written, tokens[2])};
  const auto found = text_.TryFind(end.component);
  const bool is_one = found && found->clause->subscripts.empty() &&
                      found->declaration->subscripts.empty();
  if (!is_one) {
    return std::nullopt;
  }
  const auto parameter =
      sizing_->ParameterOf(found->clause->type, end.connector);
  if (!parameter) {
    return std::nullopt;
  }
  end.parameter = parameter->name;
  end.default_size = parameter->value;
  end.size = end.default_size;
  const ast::Modification* const its = found->declaration->modification;
  if (its != nullptr && ArgumentIn(its->arguments, end.parameter) != nullptr) {
    const auto size = LiteralSize(ValueIn(its->arguments, end.parameter));
    if (!size) {
      return std::nullopt;  // Its user counts by a formula.
    }
    end.size = *size;
  }
  if (tokens.size() == 7) {
    end.index_span = {.begin = tokens[4].begin, .end = tokens[4].end};
    constexpr std::size_t kMostDigits = 9;
    const std::string digits = TokenText(written, tokens[4]);
    if (digits.size() > kMostDigits) {
      return std::nullopt;
    }
    end.index = std::stoll(digits);
  }
  return end;
}

// True for an end that is written without the indices of its array.
bool SizedConnectors::IsArray(const std::string& written) const {
  if (written.find('[') != std::string::npos || sizing_ == nullptr) {
    return false;
  }
  const std::vector<Token> tokens = Tokenize(written).tokens;
  const std::string first =
      tokens.empty() ? std::string() : TokenText(written, tokens[0]);
  const auto found = text_.TryFind(first);
  const bool is_array = found ? !found->clause->subscripts.empty() ||
                                    !found->declaration->subscripts.empty()
                              : sizing_->IsArray(nullptr, first);
  return is_array || (found && tokens.size() == 4 &&
                      sizing_->IsArray(&found->clause->type,
                                       TokenText(written, tokens[2])));
}

void SizedConnectors::SetSize(const End& end, std::int64_t size) {
  const ClassText::Component found = text_.Find(end.component);
  const bool is_default = size == end.default_size;
  std::vector<TextEdit> edits;
  SetModifier(found.declaration->modification,
              text_.NameEnd(*found.declaration),
              {end.parameter},
              is_default ? std::nullopt : std::optional(std::to_string(size)),
              edits);
  text_.Apply(edits);
}

void SizedConnectors::Grow(std::string& from, std::string& to) {
  // Arrays that are connected as a whole have a size already.
  const bool is_whole =
      (IsArray(from) && !EndIn(from)) || (IsArray(to) && !EndIn(to));
  for (std::string* const written : {&from, &to}) {
    const auto end = EndIn(*written);
    if (!end || (!end->index && is_whole)) {
      continue;
    }
    const std::int64_t next = end->size + 1;
    const std::int64_t wanted = end->index.value_or(0);
    if (wanted > next) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot connect " + *written + ": " + end->component + "." +
                      end->connector + " has " + std::to_string(end->size) +
                      " elements; the next one is " + std::to_string(next));
    }
    if (wanted == 0 || wanted == next) {
      *written = end->component + "." + end->connector + "[" +
                 std::to_string(next) + "]";
      SetSize(*end, next);
    }
  }
}

// Calls `take(end, reference)` for both ends of a connection; the end is none
// for others than elements of such arrays.
template <typename Take>
void SizedConnectors::ForEnds(ClassText::Connection connection,
                              const Take& take) const {
  const auto& ends = std::get<ast::Connect>(connection->node);
  for (const ast::ComponentReference* const reference :
       {&ends.from, &ends.to}) {
    auto end = EndIn(std::string(text_.document().TextOf(reference->span)));
    if (end && !end->index) {
      end.reset();
    }
    take(end, *reference);
  }
}

std::map<SizedConnectors::Array, SizedConnectors::Gone>
SizedConnectors::GoneWith(
    const std::vector<ClassText::Connection>& connections) const {
  std::map<Array, Gone> arrays;
  for (const ClassText::Connection connection : connections) {
    ForEnds(connection, [&](const auto& end, const auto& /*reference*/) {
      if (end && *end->index >= 1 && *end->index <= end->size) {
        Gone& gone = arrays[{end->component, end->connector}];
        gone.end = *end;
        gone.indices.insert(*end->index);
      }
    });
  }
  for (const ClassText::Connection connection : text_.Connections()) {
    if (std::ranges::find(connections, connection) != connections.end()) {
      continue;
    }
    ForEnds(connection, [&](const auto& end, const auto& reference) {
      if (reference.parts.size() < 2) {
        return;
      }
      const auto found =
          arrays.find({std::string(reference.parts[0].name.text),
                       std::string(reference.parts[1].name.text)});
      if (found == arrays.end()) {
        return;
      }
      if (end) {
        found->second.indices.erase(*end->index);
      } else {
        found->second.indices.clear();  // It may mean any element.
      }
    });
  }
  return arrays;
}

void SizedConnectors::Remove(
    const std::vector<ClassText::Connection>& connections,
    std::vector<TextEdit> edits) {
  const std::map<Array, Gone> arrays = GoneWith(connections);
  for (const ClassText::Connection connection : text_.Connections()) {
    if (std::ranges::find(connections, connection) != connections.end()) {
      edits.push_back(
          {.span = text_.WithLines(WholeOf(*connection)), .text = ""});
      continue;
    }
    ForEnds(connection, [&](const auto& end, const auto& reference) {
      const auto found =
          end ? arrays.find({end->component, end->connector}) : arrays.end();
      if (found == arrays.end()) {
        return;
      }
      const auto& indices = found->second.indices;
      const auto below =
          std::distance(indices.begin(), indices.lower_bound(*end->index));
      if (below > 0) {
        const std::uint32_t begin = reference.span.begin;
        edits.push_back({.span = {.begin = begin + end->index_span.begin,
                                  .end = begin + end->index_span.end},
                         .text = std::to_string(*end->index - below)});
      }
    });
  }
  text_.Apply(edits);
  for (const auto& [array, gone] : arrays) {
    const auto count = static_cast<std::int64_t>(gone.indices.size());
    if (count > 0 && text_.TryFind(gone.end.component)) {
      SetSize(gone.end, gone.end.size - count);
    }
  }
}

}  // namespace orrery::modelica::internal
