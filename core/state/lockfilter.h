// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/model/lock.h"
#include "core/state/filterword.h"
#include "core/state/lockstate.h"
#include "core/watch/clusterstatus.h"

#include <QList>
#include <QSet>
#include <QString>

#include <functional>
#include <memory>

#include <tl/expected.hpp>

namespace lockscope {

/// Returns the clients, in lower case and sorted, whose user-given names match.
using ClientsCalled =
    std::function<QList<QByteArray>(const std::function<bool(const QString &name)> &isSought)>;

/// A filter for locks, as typed: words that must all match.
///
///     order            key or owner contains "order" (bytes; letters of ASCII in either case)
///     "two words"      as one word; also for a word that looks like a token
///     owner:x key:x    only there
///     owner:x*         all of it, with any bytes for each "*"; likewise key:*x, node:*:7001
///     owner=x key=x    exactly this owner or key; \xNN is a byte, \u{NNNN} a character, \\ a backslash
///     family:token     state:held     problem:no-expiry     problem:any
///     node:7001        on a node of the cluster whose address contains it; node=10.0.0.1:7001 is all of it
///     waiters>=2       compares the known waiters; never matches if none can be known; also waiters=2
///     ttl<10s held>=5m compares time left and time held; ms s m h d, s where none is given;
///                      a lock without expiry has more left than any time
///     -word            not
class LockFilter
{
public:
    LockFilter() = default;

    /// Why a word is invalid, if one is. Owner searches include the present names of `called` clients;
    /// absent: no names.
    static tl::expected<LockFilter, Phrase> parse(const QString &text, const ClientsCalled &called = {},
                                                  const ClusterStatus &cluster = {});
    static tl::expected<LockFilter, Phrase> parse(const FilterWord &word, const ClientsCalled &called,
                                                  const ClusterStatus &cluster);
    static LockFilter ofKeys(const QSet<LockKey> &keys);
    LockFilter &operator&=(const LockFilter &other);

    bool matches(const WatchedLock &lock, TimePoint now) const;

    bool isEmpty() const { return m_terms.isEmpty(); }
    /// True if it is empty or only of keys: it then applies to locks that are gone, too.
    bool isOfKeysAlone() const;
    bool admits(const LockKey &key) const; ///< requires isOfKeysAlone()
    bool dependsOnTime() const;
    /// True if `wider` matches all that this matches, as far as can be told cheaply.
    bool narrows(const LockFilter &wider) const;

    friend bool operator==(const LockFilter &, const LockFilter &) = default;

private:
    enum class Field : quint8 {
        Any,
        Key,
        Owner,
        Family,
        State,
        Problem,
        AnyProblem,
        Unusual,
        NoExpiry,
        Ttl,
        Held,
        Waiters,
        Node,
        Keys
    };
    enum class Match : quint8 { Part, Glob, Exact };

    struct Term
    {
        Field field = Field::Any;
        bool negated = false;
        Match match = Match::Part; ///< for a key, owner or node
        QByteArray needle;         ///< lower case unless exact
        QList<QByteArray> clients; ///< lower case: clients whose names the needle matches
        std::shared_ptr<const SlotSet> slotSet;
        std::shared_ptr<const QSet<LockKey>> keys;
        int value = 0;                                                 ///< in the field's enumeration
        bool takesLess = false, takesEqual = false, takesMore = false; ///< than the bound
        milliseconds bound{0};                                         ///< for waiters: their number

        bool matchesOwner(const Lock &lock) const;
        bool matchesKey(const Lock &lock) const;
        bool isAllOf(const QByteArray &bytes) const;
        bool isCalled(const QString &name) const;
        bool matches(const WatchedLock &watched, TimePoint now) const;
        bool implies(const Term &other) const;
        bool operator==(const Term &other) const;
    };

    static tl::expected<Term, Phrase> parseTerm(const FilterWord &typed);
    static tl::expected<Term, Phrase> parseText(Term term, const QByteArray &head, const QByteArray &value);
    static tl::expected<Term, Phrase> parseComparison(Term term, const QByteArray &word,
                                                      QByteArrayView comparison);
    static tl::expected<Term, Phrase> parseNamed(Term term, const QByteArray &name, const QByteArray &value);

    QList<Term> m_terms;
};

} // namespace lockscope
