// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"

#include <QJsonArray>
#include <QJsonObject>

namespace lockscope {

// What the audit log, the terminal's JSON and the window's export have in common. Names of the contract: never translated.

/// As insertBytes() of each; NAME_base64 has all of them.
void insertBytes(QJsonObject &object, const QString &name, const QByteArrayList &list);
/// An object with `idName`, "holds" if the count is a number, and "mode" if the lock is shared.
QJsonObject ownerJson(const LockOwner &owner, const QString &idName);
/// "state", "looks_like_lock", "attached_to"; without the lock itself.
QJsonObject foundJson(const Found &found);
/// ownerJson() of each, with "id" for its bytes, and "holds_at_least" if clients of the family may count for themselves.
QJsonArray ownerIdsJson(const QList<LockOwner> &owners, Family family);

/// LOCK of the contract. Bytes that are no UTF-8 come with their base64. `now` and `wallMs` are the same moment: state and times
/// are told as of it. What is not known is absent. The text is one line without its end, escaped as escapedJson() does. `servers`: of a Redlock group, in its order. `node`: of a cluster.
QByteArray lockJsonText(const WatchedLock &watched, TimePoint now, qint64 wallMs,
                        const QStringList &servers = {}, const QString &node = {});
QJsonObject lockJson(const WatchedLock &watched, TimePoint now, qint64 wallMs,
                     const QStringList &servers = {}, const QString &node = {});
/// Time left at `now`, never negative; absent: no expiry.
std::optional<milliseconds> ttlAt(const Lock &lock, TimePoint now);

} // namespace lockscope
