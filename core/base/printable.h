// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QJsonObject>
#include <QString>

namespace lockscope {

/// "12,345".
QString grouped(qint64 number);
/// A number for the plural forms of Qt; large ones by their last digits.
inline int plural(qint64 number)
{
    return static_cast<int>(number <= 1'000'000'000 ? number : 1'000'000'000 + number % 1'000'000'000);
}

/// A server's bytes as printable text: valid UTF-8 unchanged; other bytes and control, bidi and zero-width
/// characters as \xNN or \u{NNNN}; backslashes doubled; cut at `most` code points with "…".
QString printable(QByteArrayView bytes, qsizetype most = 256);
/// An owner ID as printable text: random bytes (as in the published recipe) in hex, as applications log them.
QString ownerIdText(const QByteArray &id, qsizetype most = 256);
/// For JSON and scripts: valid UTF-8 unchanged, other bytes as \xNN, never cut.
QString lossless(QByteArrayView bytes);
QByteArray losslessUtf8(const QByteArray &bytes); ///< the same text
bool isValidUtf8(QByteArrayView bytes);
/// JSON text with characters that affect display as \uNNNN: same meaning, and safe for terminals.
QByteArray escapedJson(const QByteArray &json);
/// Sets `name` to the lossless text and, if not UTF-8, NAME_base64 to the exact bytes.
void insertBytes(QJsonObject &object, const QString &name, const QByteArray &bytes);

} // namespace lockscope
