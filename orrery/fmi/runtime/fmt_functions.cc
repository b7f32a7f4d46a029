// The functions of fmt that are not in its headers. Debian has them in a shared
// library alone, on which an exported FMU is not to depend. Without locales,
// for which it would hold a tenth more of code.
#define FMT_STATIC_THOUSANDS_SEPARATOR ','  // NOLINT: fmt's name.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE

namespace detail {

template FMT_API auto dragonbox::to_decimal(float x) noexcept
    -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double x) noexcept
    -> dragonbox::decimal_fp<double>;
template FMT_API auto thousands_sep_impl(locale_ref)
    -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
template FMT_API void buffer<char>::append(const char*, const char*);
template FMT_API void vformat_to(buffer<char>&,
                                 string_view,
                                 basic_format_args<FMT_BUFFER_CONTEXT(char)>,
                                 locale_ref);

}  // namespace detail

FMT_END_NAMESPACE
