// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/model/lock.h"
#include "core/redis/serveraddress.h"

#include <QByteArray>
#include <QHash>

#include <tl/expected.hpp>

namespace lockscope {

/// Since when locks have been seen with the same owner, by checks that each read all locks once. What happens between two
/// checks is not seen: an owner that releases a lock and acquires it again with the same ID looks as if it had kept it.
/// Moments are epoch ms by this machine's clock. Keys and owners are kept as digests, since a token is a secret. Pure;
/// HeldMemoryFile keeps it between runs.
class HeldMemory
{
public:
    /// What is known of one owner of one lock.
    struct Hold
    {
        qint64 sinceMs = 0; ///< the first check that saw it
        qint64 checks = 0;  ///< that saw it, without one in between that read the lock and did not

        friend bool operator==(const Hold &, const Hold &) = default;
    };

    static constexpr qsizetype mostHolds = 500'000; ///< beyond it new ones are not remembered

    /// Of which locks: the server, user, database and patterns, without passwords.
    static QByteArray subject(const ServerAddress &server, const QList<QByteArray> &patterns);

    explicit HeldMemory(QByteArray subject) : m_subject(std::move(subject)) {}
    /// Reads toJson(). A Phrase where the text is of a later version of the program, or of another subject: it must not be
    /// overwritten. nullopt: it is damaged.
    static tl::expected<std::optional<HeldMemory>, Phrase> parse(const QByteArray &json,
                                                                 const QByteArray &subject);
    QByteArray toJson() const;

    /// No check was recorded yet.
    bool isEmpty() const { return m_lastCheckMs == 0; }

    /// A check has read these locks. `isWhole`: all that there are, so that others are forgotten. Where the clock was set back
    /// since the last check, no time has passed between them.
    void record(const QList<Lock> &locks, qint64 nowMs, bool isWhole);

    /// The owner that has been seen longest.
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
