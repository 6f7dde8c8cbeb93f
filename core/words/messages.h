// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"
#include "core/model/diff.h"
#include "core/monitor/serverreset.h"
#include "core/redis/error.h"

#include <QByteArrayView>
#include <QJsonObject>
#include <QString>

namespace lockscope {

// The names that programs read: JSON, command line, audit records. Never translated.
QByteArray familyName(Family family);
std::optional<Family> familyFromName(QByteArrayView name);
QByteArray outcomeName(Outcome outcome);
std::optional<Outcome> outcomeFromName(QByteArrayView name);
QByteArray actionName(Action action);
QByteArray foundName(Found::State state);
QByteArray eventName(EventKind kind);
QByteArray problemName(Problem problem);
QList<Problem> problemList(Problems problems);

// What people read. Translated.
/// What failed, why, and what to do next; ready to show as plain text (a server's bytes in it are escaped).
QString describe(const Error &error, const QString &serverName);
/// What an action's outcome means.
QString describe(const ActionResult &report);
/// What a look at the key found, where the outcome is not known.
QString describe(const Found &found);
QString describe(Problem problem);
/// What became of the locks: "The database was flushed: 49,000 locks gone."
QString describe(const ServerReset &reset);
/// "1 min 12 s", "850 ms", "3 h 5 min", "more than 1,000 years".
QString describe(milliseconds duration);

/// "12,345".
QString grouped(qint64 number);

/// A server's bytes as printable text: valid UTF-8 as it is, other bytes and control, bidi and zero-width
/// characters as \xNN or \u{NNNN}, a backslash doubled; cut at `most` code points with "…".
QString printable(QByteArrayView bytes, qsizetype most = 256);
/// For JSON and scripts: valid UTF-8 as it is, bad bytes as \xNN, never cut.
QString lossless(QByteArrayView bytes);
bool isValidUtf8(QByteArrayView bytes);
/// A JSON text with those characters as \uNNNN that change how others are shown: it means the same, and no terminal obeys
/// it.
QByteArray escapedJson(const QByteArray &json);
/// Sets `name` to the lossless text, and NAME_base64 to the exact bytes where they are no UTF-8.
void insertBytes(QJsonObject &object, const QString &name, const QByteArray &bytes);

} // namespace lockscope
