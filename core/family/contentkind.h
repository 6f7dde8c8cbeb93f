// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/shapes.h"
#include "core/model/lock.h"

namespace lockscope {

/// Whether a key with a lock's name but no known form may be a lock.
enum class ContentKind : quint8 {
    NoLock,   ///< a document, a flag, a counter, …
    Possible, ///< a lock's name; the content shows neither a holder nor another use
    Token,    ///< content like that of a library or a home-made lock
};

/// The standing of a key with a lock's name and no known form. Pure.
ContentKind contentKindByName(QByteArrayView key);
ContentKind contentKindOf(QByteArrayView key, QByteArrayView value, TokenFormat shape,
                          CompactOptional<milliseconds> ttl);

/// True for a package manager's file in a cache of files: "package-lock.json".
bool namesALockFile(QByteArrayView key);

/// The role of a record's field by its name, such as "owner", "locked_by", "hostname", "pid".
enum class RecordField : quint8 { Nothing, Owner, Host, Process, Thread, Time };
RecordField recordField(QByteArrayView name);
/// True for a time more than a day ago: epoch seconds, epoch ms or ISO. Pure.
bool isLongPast(QByteArrayView time, qint64 nowMs);
/// True for a JSON object with a time in a field that is more than a day ago. Pure.
bool isOldRecord(QByteArrayView value, qint64 nowMs);
/// True for a field that counts something other than holds: "index", "version", "fence".
bool namesANumber(QByteArrayView field);

/// True for a value with the word for a lock, or a word for one that is held. Pure.
bool saysHeld(QByteArrayView value);
/// True for a small JSON object with an owner, a process or a thread, and one more such field. Pure.
bool isHoldersRecord(QByteArrayView value);
/// True for the ID of a process, as a host with a number: "web-1:4242", "4242@web-1". Pure.
bool namesAProcess(QByteArrayView text);
/// True for an ID as programs or libraries build one for a holder: "worker-a".
bool namesAHolder(QByteArrayView text);
/// True also for any joined name and number, such as "client:12"; false for a mere word, UUID or date.
bool looksLikeHolder(QByteArrayView text);

} // namespace lockscope
