// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Classes of ASCII characters in any locale. The C library's functions must not get negative chars.
namespace lockscope {

constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
constexpr bool isLowerLetter(char c)
{
    return c >= 'a' && c <= 'z';
}
constexpr bool isUpperLetter(char c)
{
    return c >= 'A' && c <= 'Z';
}
constexpr bool isLetter(char c)
{
    return isLowerLetter(c) || isUpperLetter(c);
}
constexpr bool isAlphanumeric(char c)
{
    return isLetter(c) || isDigit(c);
}

} // namespace lockscope
