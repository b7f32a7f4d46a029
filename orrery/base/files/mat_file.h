#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// The storage of a number in a MATLAB file.
enum class MatElement : std::uint8_t {
  kDouble,
  kFloat,
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64
};

/// A matrix of numbers, or of characters by their codes, as stored in the file:
/// column by column.
struct MatMatrix {
  std::string name;
  std::size_t rows = 0;
  std::size_t columns = 0;
  MatElement element = MatElement::kDouble;
  std::string_view bytes;

  /// @param row, column count from 0.
  [[nodiscard]] double At(std::size_t row, std::size_t column) const;
};

/// The real matrices of a MATLAB file: of level 4, or of level 5 as written by
/// `save -v6` and `-v7`. The field b of a structure a has the name `a.b`. Other
/// contents (cells, arrays of structures, sparse and complex matrices, arrays
/// of more dimensions) are skipped.
///
/// Source: MathWorks, MAT-File Format (R2023b).
class MatFile {
 public:
  /// @param bytes of the file, which must outlive this.
  /// @throws Error kIo with the reason: damaged, of another byte order, or of
  ///     `save -v7.3`.
  explicit MatFile(std::string_view bytes);

  MatFile(const MatFile&) = delete;
  MatFile& operator=(const MatFile&) = delete;
  ~MatFile() = default;

  /// In the order of the file.
  [[nodiscard]] const std::vector<MatMatrix>& matrices() const noexcept {
    return matrices_;
  }

  /// The last one of that name; null if there is none.
  [[nodiscard]] const MatMatrix* Find(std::string_view name) const;

 private:
  void ReadLevel4(std::string_view bytes);
  void ReadLevel5(std::string_view bytes);
  void ReadMatrix(std::string_view bytes, const std::string& path);
  void ReadFields(std::string_view bytes, const std::string& path);

  std::vector<MatMatrix> matrices_;
  std::deque<std::string> unpacked_;  ///< Decompressed data.
};

}  // namespace orrery
