#include "orrery/sdk/write_blocks/class_writer.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "orrery/base/error.h"
#include "orrery/base/text/parse.h"

namespace orrery::sdk::internal {
namespace {

using modelica::LibraryField;

constexpr std::array<std::string_view, 20> kReserved = {
    "and",     "auto",   "bool",   "case",  "char",   "class",   "const",
    "default", "delete", "double", "float", "int",    "long",    "new",
    "not",     "or",     "signed", "xor",   "switch", "operator"};

// "Gain [1]".
std::string MeaningOf(const LibraryField& field) {
  std::string text = field.meaning;
  if (!field.unit.empty()) {
    text += (text.empty() ? "[" : " [") + field.unit + "]";
  }
  return OneLine(text);
}

// "Gain [1]; otherwise 2".
std::string MeaningWithDefaultOf(const LibraryField& field) {
  std::string text = MeaningOf(field);
  const std::string separator = text.empty() ? "" : "; ";
  if (!field.value.empty()) {
    text += separator + "otherwise " + field.value;
  } else if (!field.guess.empty()) {
    text += separator + "to be given, such as " + field.guess;
  }
  return OneLine(text);
}

std::string NameOf(const LibraryField& field) {
  return field.name.substr(0, field.name.find('['));
}

// Returns the C++ type of the argument for a parameter.
std::string TypeOf(const LibraryField& field) {
  const std::map<std::string, std::string> scalars = {
      {"Real", "double"},
      {"Integer", "std::int64_t"},
      {"Boolean", "bool"},
      {"String", "std::string"}};
  const auto scalar = scalars.find(field.value_type);
  if (IsEnumeration(field) && field.num_dimensions == 0) {
    return "Given<blocks::" + NameIn(field.value_type) + ">";
  }
  if (scalar == scalars.end() || field.num_dimensions > 2 ||
      (field.num_dimensions == 2 && field.value_type != "Real") ||
      (field.num_dimensions > 0 && field.value_type == "String")) {
    FailToWrite("no type for the parameter " + field.name + " of type " +
                (field.value_type.empty() ? field.type : field.value_type));
  }
  switch (field.num_dimensions) {
    case 0:
      return "Given<" + scalar->second + ">";
    case 1:
      return "std::vector<" + scalar->second + ">";
    default:
      return "std::vector<std::vector<" + scalar->second + ">>";
  }
}

}  // namespace

void FailToWrite(const std::string& message) {
  throw Error(ErrorCode::kInvalidArgument, "cannot write blocks: " + message);
}

std::string NameIn(const std::string& name) {
  return std::string(LastPart(name));
}

std::string OneLine(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  while (text.ends_with('\\') || text.ends_with(' ')) {
    text.pop_back();
  }
  return text;
}

bool IsEnumeration(const LibraryField& field) {
  return field.value_type.find('.') != std::string::npos;
}

ClassWriter::ClassWriter(const modelica::LibraryDescription& block)
    : block_(block), name_(NameIn(block.name)) {}

std::string ClassWriter::Member(const std::string& name) const {
  const bool is_taken =
      name == name_ || std::ranges::find(kReserved, name) != kReserved.end();
  return is_taken ? name + "_" : name;
}

void ClassWriter::WriteArguments(std::string& header) const {
  header += "  /// Arguments given where the block is made.\n";
  header += "  struct Arguments {\n";
  for (const LibraryField& field : block_.parameters) {
    const std::string meaning = MeaningWithDefaultOf(field);
    if (!meaning.empty()) {
      header += "    /// " + meaning + "\n";
    }
    header += "    " + TypeOf(field) + " " + Member(NameOf(field)) + "{};\n";
  }
  header += "  };\n\n";
}

void ClassWriter::AddMember(const std::string& name,
                            const std::string& kind,
                            const std::string& meaning) {
  if (!meaning.empty()) {
    members_ += "  /// " + meaning + "\n";
  }
  members_ += "  " + kind + " " + Member(name) + ";\n";
  initializers_ += ",\n      " + Member(name) + "((*this)[\"" + name + "\"])";
}

void ClassWriter::AddPort(const LibraryField& field, const char* kind) {
  const std::string name = NameOf(field);
  if (field.condition.empty()) {
    AddMember(name, kind, MeaningOf(field));
    return;
  }
  methods_ += "  /// " + MeaningOf(field) + "\n";
  methods_ += "  /// @throws Error kInvalidArgument unless " +
              OneLine(field.condition) + ".\n";
  methods_ +=
      "  [[nodiscard]] " + std::string(kind) + " " + Member(name) + "();\n\n";
  definitions_ += "Block::" + std::string(kind) + " " + name_ +
                  "::" + Member(name) + "() {\n  return " + kind +
                  "(sdk::internal::ConditionalPort(*this, \"" + name +
                  "\", \"" + OneLine(field.condition) + "\"));\n}\n\n";
}

void ClassWriter::Write(std::string& header, std::string& source) {
  for (const LibraryField& field : block_.inputs) {
    AddPort(field, "Input");
  }
  for (const LibraryField& field : block_.outputs) {
    AddPort(field, "Output");
  }
  std::string arguments;
  for (const LibraryField& field : block_.parameters) {
    const std::string name = NameOf(field);
    arguments += "\n              .Add(\"" + name + "\", arguments." +
                 Member(name) + ")";
    if (field.num_dimensions == 0 && field.value_type != "String" &&
        field.condition.empty()) {
      AddMember(name, "Parameter", MeaningOf(field));
    }
  }
  header += "/// " + OneLine(block_.meaning) + "\n///\n/// " + block_.name +
            "\nclass " + name_ + " : public ModelicaBlock {\n public:\n";
  WriteArguments(header);
  header += "  " + name_ + "();\n";
  header += "  explicit " + name_ + "(const Arguments& arguments);\n\n";
  header += methods_ + members_ + "};\n\n";
  source += name_ + "::" + name_ + "() : " + name_ + "(Arguments{}) {}\n\n";
  source += name_ + "::" + name_ + "(" +
            (block_.parameters.empty() ? "const Arguments& /*arguments*/"
                                       : "const Arguments& arguments") +
            ")\n    : ModelicaBlock(\n          \"" + block_.name +
            "\",\n          sdk::internal::BlockArguments()" + arguments +
            ".Take())" + initializers_ + " {}\n\n" + definitions_;
}

}  // namespace orrery::sdk::internal
