// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/reliability/endstage.h"

#include <array>
#include <functional>

namespace lockscope {

/// How a library writes its lock. In a line stands %K for the key, %O and %P for two owners, %L for the lease in ms.
struct EndForm
{
    QByteArray name;
    QByteArray prefix; ///< of keys
    QByteArrayList writes;
    QByteArray owner;
    QByteArray other; ///< of a lock for several the second one; else who comes next
    bool hasLease = true;
    bool isShared = false;
};
QList<EndForm> endForms();

/// One lock that is to end.
struct EndCase
{
    EndForm form;
    QByteArray key;
    qsizetype cause = 0; ///< of those at work
};

/// The lines with everything filled in. `isNext`: for the owner who comes next.
QByteArrayList filledIn(const QByteArrayList &lines, const EndCase &lock, int leaseMs, bool isNext = false);

/// A way to end, and the word that is right for it.
struct EndCause
{
    enum Where : quint8 { OnOne = 1, OnGroup = 2, OnCluster = 4, NoCluster = OnOne | OnGroup, Anywhere = 7 };
    enum class Wants : quint8 { All, Lease, Shared, String };
    enum class Kind : quint8 {
        Gone,
        Expires,   ///< by its lease, which is short
        Handed,    ///< to another at the same moment
        OneLeaves, ///< of several
    };

    const char *name;
    const char *truth;
    QByteArrayList lines{}; ///< for each key
    /// Else for all of them.
    std::function<void(EndStage &, const QList<EndCase> &)> deed{};
    Kind kind = Kind::Gone;
    Wants wants = Wants::All;
    quint8 where = Anywhere;
    bool isLast = false; ///< little is left of the deployment

    bool fits(const EndForm &form) const
    {
        const bool isWanted = wants == Wants::All || (wants == Wants::Lease && form.hasLease) ||
                              (wants == Wants::Shared && form.isShared) ||
                              (wants == Wants::String && form.writes[0].startsWith("SET "));
        return isWanted && (kind != Kind::Expires || form.hasLease);
    }
    bool isOn(EndStage::Layout layout) const { return where & (1 << int(layout)); }
};
QList<EndCause> endCauses();

constexpr std::array layoutNames{"standalone", "sentinel", "cluster"};
constexpr std::array rungNames{"tracking", "notifications", "polling"};

/// How verdicts came out.
struct EndTally
{
    int cases = 0;
    int open = 0; ///< not known, as was said
    int wrong = 0;

    void operator+=(const EndTally &other)
    {
        cases += other.cases;
        open += other.open;
        wrong += other.wrong;
    }
    QByteArray inWords() const
    {
        return QByteArray::number(cases) + '/' + QByteArray::number(open) + '/' + QByteArray::number(wrong);
    }
};

} // namespace lockscope
