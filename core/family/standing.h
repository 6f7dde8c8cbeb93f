// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/shapes.h"
#include "core/model/lock.h"

namespace lockscope {

/// What is to be made of something under a lock's name, of which no library is known to keep its locks so.
enum class Standing : quint8 {
    NoLock,   ///< a document, a flag, a counter, …
    Possible, ///< the same under a lock's name: nothing in it tells of a holder, and nothing of another use
    Token,    ///< as some library or a home-made lock writes it for its holder
};

/// What has a lock's name and no form that is known. Pure.
Standing standingByName(QByteArrayView key);
/// Of a string. Pure.
Standing standingOf(QByteArrayView key, QByteArrayView value, TokenFormat shape,
                    CompactOptional<milliseconds> ttl);

/// A file that a package manager keeps, named so in a cache of files: "package-lock.json".
bool namesALockFile(QByteArrayView key);

/// Whether a field of a record says who holds, where, since or until when: "owner", "locked_by", "hostname", "pid".
enum class RecordField : quint8 { Nothing, Owner, Host, Process, Thread, Time };
RecordField recordField(QByteArrayView name);
/// More than a day ago: epoch seconds, epoch ms or an ISO time. Pure.
bool isLongPast(QByteArrayView time, qint64 nowMs);
/// A JSON object with a field that is a time, and long past. Pure.
bool isOldRecord(QByteArrayView value, qint64 nowMs);
/// Whether a field counts something else than holds: "index", "version", "fence".
bool namesANumber(QByteArrayView field);

/// An id as programs build one for a holder: "worker-a", or as a library does;
bool namesAHolder(QByteArrayView text);
/// or anything that joins a name and a number: "client:12". A mere word, a UUID by itself or a date is none.
bool looksLikeHolder(QByteArrayView text);

} // namespace lockscope
