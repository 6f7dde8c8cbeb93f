// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/lockfields.h"

#include <array>

namespace lockscope::lockfields {

namespace {

bool isSameQuorum(const QuorumPtr &a, const QuorumPtr &b)
{
    if (a == b || !a || !b)
        return a == b;
    return a->members == b->members && a->agreeing == b->agreeing && a->unknown == b->unknown &&
           a->shownMember == b->shownMember && a->isHeld == b->isHeld &&
           a->areOwnersDifferent == b->areOwnersDifferent;
}

} // namespace

QByteArray decimalText(qint64 number)
{
    static const std::array<QByteArray, 16> small = [] {
        std::array<QByteArray, 16> texts;
        for (size_t i = 0; i < texts.size(); ++i)
            texts.at(i) = QByteArray::number(static_cast<qulonglong>(i));
        return texts;
    }();
    return number >= 0 && number < qint64(small.size()) ? small.at(size_t(number))
                                                        : QByteArray::number(number);
}

quint32 differences(const WatchedLock &before, const WatchedLock &after)
{
    const Lock &a = before.lock;
    const Lock &b = after.lock;
    const auto part = [](bool isSame, Part which) { return isSame ? 0U : quint32(which); };
    return part(a.readAt == b.readAt, ReadAt) | part(a.deadline == b.deadline, End) |
           part(a.owners == b.owners, Owners) | part(a.ttl == b.ttl, Ttl) |
           part(before.heldSince == after.heldSince, Since) |
           part(before.lastRenewal == after.lastRenewal && before.renewals == after.renewals &&
                    before.minRenewalShare == after.minRenewalShare,
                Renewal) |
           part(before.maxObservedTtl == after.maxObservedTtl, Longest) |
           part(a.problems == b.problems && before.watchedProblems == after.watchedProblems, Problem) |
           part(a.type == b.type && a.family == b.family && a.evidence == b.evidence &&
                    a.leaseOf == b.leaseOf,
                Kind) |
           part(before.hasSeenAcquisition == after.hasSeenAcquisition, Seen) |
           part(bool(a.companions) == bool(b.companions) && a.companions == b.companions, Companions) |
           part(isSameQuorum(a.quorum, b.quorum), Group);
}

} // namespace lockscope::lockfields

namespace lockscope {

bool isRecordedAlike(const WatchedLock &a, const WatchedLock &b)
{
    return lockfields::differences(a, b) == 0;
}

} // namespace lockscope
