// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QJsonObject>
#include <QString>

namespace lockscope {

/// "12,345".
QString grouped(qint64 number);
/// For the choice between one and several; no language needs more of a large number than its end.
inline int plural(qint64 number)
{
    return static_cast<int>(number <= 1'000'000'000 ? number : 1'000'000'000 + number % 1'000'000'000);
}

/// A server's bytes as printable text: valid UTF-8 as it is, other bytes and control, bidi and zero-width
/// characters as \xNN or \u{NNNN}, a backslash doubled; cut at `most` code points with "…".
QString printable(QByteArrayView bytes, qsizetype most = 256);
/// The same of an owner's id: random bytes, as the published recipe of a lock stores them, in hex, as applications log them.
QString ownerIdText(const QByteArray &id, qsizetype most = 256);
/// For JSON and scripts: valid UTF-8 as it is, bad bytes as \xNN, never cut.
QString lossless(QByteArrayView bytes);
QByteArray losslessUtf8(const QByteArray &bytes); ///< the same text
bool isValidUtf8(QByteArrayView bytes);
/// A JSON text with those characters as \uNNNN that change how others are shown: it means the same, and no terminal obeys
/// it.
QByteArray escapedJson(const QByteArray &json);
/// Sets `name` to the lossless text, and NAME_base64 to the exact bytes where they are no UTF-8.
void insertBytes(QJsonObject &object, const QString &name, const QByteArray &bytes);

} // namespace lockscope
