#include "orrery/base/files/mat_file.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "orrery/base/error.h"

namespace orrery {
namespace {

template <typename T>
double Load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

std::size_t SizeOf(MatElement element) {
  switch (element) {
    case MatElement::kInt8:
    case MatElement::kUint8:
      return 1;
    case MatElement::kInt16:
    case MatElement::kUint16:
      return 2;
    case MatElement::kFloat:
    case MatElement::kInt32:
    case MatElement::kUint32:
      return 4;
    default:
      return 8;
  }
}

[[noreturn]] void FailDamaged() {
  throw Error(ErrorCode::kIo, "it is no MATLAB file, or it ends too early");
}

std::uint32_t Word(std::string_view bytes, std::size_t at) {
  if (at + sizeof(std::uint32_t) > bytes.size()) {
    FailDamaged();
  }
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

// By the digit P of level 4.
constexpr std::array kOfLevel4 = {MatElement::kDouble,
                                  MatElement::kFloat,
                                  MatElement::kInt32,
                                  MatElement::kInt16,
                                  MatElement::kUint16,
                                  MatElement::kUint8};

// The types of data elements in level 5.
constexpr std::uint32_t kMatrix = 14;
constexpr std::uint32_t kCompressed = 15;

std::optional<MatElement> OfLevel5(std::uint32_t type) {
  switch (type) {
    case 1:
      return MatElement::kInt8;
    case 2:
    case 16:  // Characters of UTF-8.
      return MatElement::kUint8;
    case 3:
      return MatElement::kInt16;
    case 4:
    case 17:
      return MatElement::kUint16;
    case 5:
      return MatElement::kInt32;
    case 6:
    case 18:
      return MatElement::kUint32;
    case 7:
      return MatElement::kFloat;
    case 9:
      return MatElement::kDouble;
    case 12:
      return MatElement::kInt64;
    case 13:
      return MatElement::kUint64;
    default:
      return std::nullopt;
  }
}

// A data element of level 5.
struct DataElement {
  std::uint32_t type = 0;
  std::string_view bytes;
};

// Takes the first element; within matrices elements begin at multiples of 8.
DataElement TakeElement(std::string_view& bytes) {
  constexpr std::size_t kTag = 8;
  constexpr std::uint32_t kSmall = 16;  // Bits of a type next to its size.
  const std::uint32_t first = Word(bytes, 0);
  DataElement element{.type = first, .bytes = {}};
  std::size_t end = kTag;
  if (first >> kSmall != 0) {
    element.type = first & 0xffffU;
    const std::size_t size = first >> kSmall;
    if (size > kTag / 2 || bytes.size() < kTag) {
      FailDamaged();
    }
    element.bytes = bytes.substr(kTag / 2, size);
  } else {
    const std::size_t size = Word(bytes, kTag / 2);
    if (size > bytes.size() - kTag) {
      FailDamaged();
    }
    element.bytes = bytes.substr(kTag, size);
    end += element.type == kCompressed ? size : (size + kTag - 1) / kTag * kTag;
  }
  bytes.remove_prefix(std::min(end, bytes.size()));
  return element;
}

std::string Unpacked(std::string_view packed) {
  std::string result;
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) {
    FailDamaged();
  }
  // zlib does not write to its input.
  stream.next_in =
      reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // NOLINT
  stream.avail_in = static_cast<uInt>(packed.size());
  int outcome = Z_OK;
  std::array<char, 1U << 16U> piece{};
  while (outcome == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    outcome = inflate(&stream, Z_NO_FLUSH);
    result.append(piece.data(), piece.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (outcome != Z_STREAM_END) {
    FailDamaged();
  }
  return result;
}

// Checks that all elements exist.
MatMatrix Sized(std::string name,
                std::uint32_t rows,
                std::uint32_t columns,
                MatElement element,
                std::string_view bytes) {
  // There is no overflow: both factors are below 2^32.
  const std::uint64_t count = std::uint64_t{rows} * columns;
  if (count > bytes.size() / SizeOf(element)) {
    FailDamaged();
  }
  return {.name = std::move(name),
          .rows = rows,
          .columns = columns,
          .element = element,
          .bytes = bytes.substr(0, count * SizeOf(element))};
}

}  // namespace

double MatMatrix::At(std::size_t row, std::size_t column) const {
  const char* const at = bytes.data() + (column * rows + row) * SizeOf(element);
  switch (element) {
    case MatElement::kDouble:
      return Load<double>(at);
    case MatElement::kFloat:
      return Load<float>(at);
    case MatElement::kInt8:
      return Load<std::int8_t>(at);
    case MatElement::kUint8:
      return Load<std::uint8_t>(at);
    case MatElement::kInt16:
      return Load<std::int16_t>(at);
    case MatElement::kUint16:
      return Load<std::uint16_t>(at);
    case MatElement::kInt32:
      return Load<std::int32_t>(at);
    case MatElement::kUint32:
      return Load<std::uint32_t>(at);
    case MatElement::kInt64:
      return Load<std::int64_t>(at);
    case MatElement::kUint64:
      break;
  }
  return Load<std::uint64_t>(at);
}

MatFile::MatFile(std::string_view bytes) {
  if (bytes.starts_with("MATLAB 7.3")) {
    throw Error(ErrorCode::kIo,
                "it is a MATLAB file of '-v7.3': save it with '-v7'");
  }
  if (bytes.starts_with("MATLAB 5.0")) {
    ReadLevel5(bytes);
  } else {
    ReadLevel4(bytes);
  }
}

const MatMatrix* MatFile::Find(std::string_view name) const {
  const auto found = std::find_if(
      matrices_.rbegin(), matrices_.rend(), [name](const MatMatrix& one) {
        return one.name == name;
      });
  return found == matrices_.rend() ? nullptr : &*found;
}

void MatFile::ReadLevel4(std::string_view bytes) {
  constexpr std::size_t kHeader = 20;
  while (!bytes.empty()) {
    if (bytes.size() < kHeader) {
      FailDamaged();
    }
    const std::uint32_t type = Word(bytes, 0);
    const std::uint32_t rows = Word(bytes, 4);
    const std::uint32_t columns = Word(bytes, 8);
    const std::uint32_t imaginary = Word(bytes, 12);
    const std::uint32_t length = Word(bytes, 16);
    bytes.remove_prefix(kHeader);
    if (type / 10 >= kOfLevel4.size() || type % 10 > 2 || imaginary > 1 ||
        length == 0 || length > bytes.size()) {
      FailDamaged();
    }
    std::string name(bytes.substr(0, length - 1));
    bytes.remove_prefix(length);
    const MatMatrix real =
        Sized(std::move(name), rows, columns, kOfLevel4.at(type / 10), bytes);
    const std::size_t size = real.bytes.size() * (1 + imaginary);
    if (size > bytes.size()) {
      FailDamaged();
    }
    bytes.remove_prefix(size);
    const bool is_sparse = type % 10 == 2;
    if (imaginary == 0 && !is_sparse) {
      matrices_.push_back(real);
    }
  }
}

void MatFile::ReadLevel5(std::string_view bytes) {
  constexpr std::size_t kHeader = 128;
  if (bytes.size() < kHeader) {
    FailDamaged();
  }
  if (bytes.substr(kHeader - 2, 2) != "IM") {
    throw Error(ErrorCode::kIo,
                "it is a MATLAB file of a machine with another byte order");
  }
  bytes.remove_prefix(kHeader);
  while (!bytes.empty()) {
    DataElement element = TakeElement(bytes);
    if (element.type == kCompressed) {
      unpacked_.push_back(Unpacked(element.bytes));
      std::string_view unpacked = unpacked_.back();
      element = TakeElement(unpacked);
    }
    if (element.type == kMatrix) {
      ReadMatrix(element.bytes, "");
    }
  }
}

// Reads flags, sizes, a name, and numbers or fields.
// @param path of the field that the matrix is; empty for none.
void MatFile::ReadMatrix(std::string_view bytes, const std::string& path) {
  constexpr std::uint32_t kClass = 0xff;
  constexpr std::uint32_t kComplex = 0x800;
  constexpr std::uint32_t kStructure = 2;
  constexpr std::uint32_t kCharacters = 4;
  constexpr std::uint32_t kFirstNumbers = 6;  // double
  constexpr std::uint32_t kLastNumbers = 15;  // uint64
  if (bytes.empty()) {
    return;  // A field that was never set.
  }
  const DataElement flags = TakeElement(bytes);
  const std::uint32_t flag = Word(flags.bytes, 0);
  const std::uint32_t kind = flag & kClass;
  const bool holds_numbers =
      kind == kCharacters || (kind >= kFirstNumbers && kind <= kLastNumbers);
  const DataElement sizes = TakeElement(bytes);
  if ((!holds_numbers && kind != kStructure) || (flag & kComplex) != 0 ||
      sizes.bytes.size() != 8) {
    return;
  }
  const std::uint32_t rows = Word(sizes.bytes, 0);
  const std::uint32_t columns = Word(sizes.bytes, 4);
  const DataElement own = TakeElement(bytes);
  const std::string name = path.empty() ? std::string(own.bytes) : path;
  if (kind == kStructure) {
    if (rows == 1 && columns == 1) {
      ReadFields(bytes, name);
    }
    return;
  }
  const DataElement numbers = TakeElement(bytes);
  const auto element = OfLevel5(numbers.type);
  if (!element) {
    FailDamaged();
  }
  matrices_.push_back(Sized(name, rows, columns, *element, numbers.bytes));
}

// Reads the length of a name, the names, and a matrix for each.
void MatFile::ReadFields(std::string_view bytes, const std::string& path) {
  constexpr std::size_t kLongestPath = 1000;  // Limits nesting.
  if (path.size() > kLongestPath) {
    FailDamaged();
  }
  const std::size_t length = Word(TakeElement(bytes).bytes, 0);
  std::string_view names = TakeElement(bytes).bytes;
  while (length > 0 && names.size() >= length) {
    const std::string_view name = names.substr(0, length);
    names.remove_prefix(length);
    const DataElement field = TakeElement(bytes);
    if (field.type != kMatrix) {
      FailDamaged();
    }
    ReadMatrix(field.bytes,
               path + "." + std::string(name.substr(0, name.find('\0'))));
  }
}

}  // namespace orrery
