// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

namespace lockscope::csv {

/// The start of a file: spreadsheets detect UTF-8 only by it.
inline constexpr char byteOrderMark[] = "\xef\xbb\xbf";

/// A record by RFC 4180, with CRLF. Cells that begin with = + - @, their full-width forms, a tab or a
/// carriage return get an apostrophe in front, numbers excepted: spreadsheets take them for formulas.
QByteArray record(const QStringList &cells);

} // namespace lockscope::csv
