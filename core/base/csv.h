// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

namespace lockscope::csv {

/// What a file begins with: spreadsheets take UTF-8 for UTF-8 only behind it.
inline constexpr char byteOrderMark[] = "\xef\xbb\xbf";

/// One record of RFC 4180, with its CRLF. A spreadsheet takes a cell for a formula that begins with = + - @, their full-width
/// forms, a tab or a carriage return: such a cell gets an apostrophe in front, numbers excepted.
QByteArray record(const QStringList &cells);

} // namespace lockscope::csv
