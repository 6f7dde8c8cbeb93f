// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/model/lock.h"
#include "core/redis/serveraddress.h"

#include <QByteArray>
#include <QHash>

#include <tl/expected.hpp>

namespace lockscope {

/// Since when locks have been seen with the same owner, by checks that each read all locks once. Changes
/// between two checks are missed: an owner that releases and reacquires a lock seems to have kept it. Moments
/// are epoch ms by this machine's clock. Keys and owners are digests, since a token is a secret. Pure;
/// HoldLogFile keeps it between runs.
class HoldLog
{
public:
    struct Hold
    {
        qint64 sinceMs = 0; ///< the first check that saw it
        qint64 checks = 0;  ///< checks that saw it, without one between that read the lock and did not

        friend bool operator==(const Hold &, const Hold &) = default;
    };

    static constexpr qsizetype maxHolds = 500'000; ///< beyond it new ones are not remembered

    /// The identity of the checked locks: server, user, database and patterns, without passwords.
    static QByteArray subject(const ServerAddress &server, const QList<QByteArray> &patterns);

    explicit HoldLog(QByteArray subject) : m_subject(std::move(subject)) {}
    /// Reads toJson(). A Phrase for text of a later version or another subject, which must not be
    /// overwritten. Absent: damaged.
    static tl::expected<std::optional<HoldLog>, Phrase> parse(const QByteArray &json,
                                                              const QByteArray &subject);
    QByteArray toJson() const;

    /// True before the first check.
    bool isEmpty() const { return m_lastCheckMs == 0; }

    /// Records a check of these locks. `isWhole`: these are all, and others are forgotten. If the clock was
    /// set back since the last check, no time has passed.
    void record(const QList<Lock> &locks, qint64 nowMs, bool isWhole);

    /// The owner seen longest.
    struct Longest
    {
        LockOwner owner;
        Hold hold;
    };
    std::optional<Longest> longestOf(const Lock &lock) const;

private:
    static QByteArray idOf(const Lock &lock, const LockOwner &owner);

    QByteArray m_subject;
    qint64 m_lastCheckMs = 0;
    QHash<QByteArray, Hold> m_holds;
};

} // namespace lockscope
