// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/locktext.h"

#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/ownerfacts.h"
#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/state/lockstate.h"
#include "core/state/severity.h"
#include "core/words/messages.h"
#include "core/words/quorummessages.h"
#include "core/words/texts.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>
#include <limits>

namespace lockscope {

namespace {

struct StateLook
{
    const char *word;
    Glyph glyph;
    StatusColor color;
};

constexpr std::array<StateLook, lockStates> looks{{
    {QT_TRANSLATE_NOOP("phrases", "Deadlock"), Glyph::Circle, StatusColor::Danger},
    {QT_TRANSLATE_NOOP("phrases", "Corrupt"), Glyph::Octagon, StatusColor::Danger},
    {QT_TRANSLATE_NOOP("phrases", "Orphaned"), Glyph::Unlinked, StatusColor::Endless},
    {QT_TRANSLATE_NOOP("phrases", "No quorum"), Glyph::Minority, StatusColor::Danger},
    {QT_TRANSLATE_NOOP("phrases", "No expiry"), Glyph::Infinity, StatusColor::Endless},
    {QT_TRANSLATE_NOOP("phrases", "Stalled"), Glyph::Hourglass, StatusColor::Warning},
    {QT_TRANSLATE_NOOP("phrases", "Expiring"), Glyph::ClockFace, StatusColor::Warning},
    {QT_TRANSLATE_NOOP("phrases", "Renewed"), Glyph::Pulse, StatusColor::Held},
    {QT_TRANSLATE_NOOP("phrases", "Held"), Glyph::Square, StatusColor::Held},
    {QT_TRANSLATE_NOOP("phrases", "Ended"), Glyph::Dash, StatusColor::Muted},
    {QT_TRANSLATE_NOOP("phrases", "No permission"), Glyph::Padlock, StatusColor::Warning},
    {QT_TRANSLATE_NOOP("phrases", "Unknown"), Glyph::Ring, StatusColor::Muted},
    {QT_TRANSLATE_NOOP("phrases", "Possible"), Glyph::Search, StatusColor::Muted},
}};

struct ProblemWord
{
    Problem problem;
    const char *word;
};

/// The most harmful problem first.
constexpr std::array problemWords{
    ProblemWord{Problem::Deadlock, QT_TRANSLATE_NOOP("phrases", "deadlock")},
    ProblemWord{Problem::SeveralOwners, QT_TRANSLATE_NOOP("phrases", "several owners")},
    ProblemWord{Problem::BadCount, QT_TRANSLATE_NOOP("phrases", "invalid hold count")},
    ProblemWord{Problem::WrongType, QT_TRANSLATE_NOOP("phrases", "wrong type")},
    ProblemWord{Problem::NoQuorum, QT_TRANSLATE_NOOP("phrases", "no quorum")},
    ProblemWord{Problem::OwnersDiffer, QT_TRANSLATE_NOOP("phrases", "owners differ")},
    ProblemWord{Problem::HolderDead, QT_TRANSLATE_NOOP("phrases", "holder likely dead")},
    ProblemWord{Problem::DeadWaiter, QT_TRANSLATE_NOOP("phrases", "dead waiter")},
    ProblemWord{Problem::RewrittenByOwner, QT_TRANSLATE_NOOP("phrases", "rewritten")},
    ProblemWord{Problem::Orphaned, QT_TRANSLATE_NOOP("phrases", "orphaned queue")},
    ProblemWord{Problem::NoExpiry, QT_TRANSLATE_NOOP("phrases", "no expiry")},
    ProblemWord{Problem::TooBig, QT_TRANSLATE_NOOP("phrases", "too big to read")},
    ProblemWord{Problem::Unreadable, QT_TRANSLATE_NOOP("phrases", "unreadable")},
};

QString unusualWord()
{
    return Texts::tr("held unusually long");
}

QString capitalised(QString word)
{
    word[0] = word[0].toUpper();
    return word;
}

/// Returns the most harmful problem; `problems` must not be empty.
const ProblemWord &worstOf(Problems problems)
{
    return *std::ranges::find_if(
        problemWords, [problems](const ProblemWord &row) { return problems.testFlag(row.problem); });
}

QString worstWord(Problems problems)
{
    return capitalised(Texts::tr(worstOf(problems).word));
}

} // namespace

QString stateWord(LockState state)
{
    return Texts::tr(looks.at(static_cast<size_t>(state)).word);
}

Glyph stateGlyph(LockState state)
{
    return looks.at(static_cast<size_t>(state)).glyph;
}

StatusColor stateColor(LockState state)
{
    return looks.at(static_cast<size_t>(state)).color;
}

QString countdown(milliseconds left)
{
    // Tenths only where they count: what changes ten times a second can't be read.
    if (left >= std::chrono::seconds(10))
        return describe(
            std::chrono::duration_cast<milliseconds>(std::chrono::floor<std::chrono::seconds>(left)));
    const auto tenths = static_cast<double>(left / std::chrono::milliseconds(100)); // rounded down
    return secondsText(tenths / 10, 1, QLocale());
}

milliseconds countedPart(milliseconds left)
{
    constexpr std::chrono::milliseconds tenth(100);
    return left >= std::chrono::seconds(10) ? describedPart(left) : left / tenth * tenth;
}

QString ttlText(const Lock &lock, TimePoint now)
{
    if (lock.problems.testFlag(Problem::Orphaned)) // there is no lock that could end
        return {};
    if (!lock.deadline && lock.leaseOf == LeaseOf::Unknown)
        return Texts::tr("unknown");
    if (!lock.deadline)
        return lock.problems.testFlag(Problem::WrongType) && !lock.problems.testFlag(Problem::NoExpiry)
                   ? QString()
                   : Texts::tr("no expiry");
    const milliseconds left = lock.deadline->remaining(now);
    if (lock.ttl.value_or(left) > Deadline::horizon)
        return QStringLiteral("≥ ") + countdown(left);
    return left > milliseconds::zero() ? countdown(left) : Texts::tr("expired");
}

QString ttlText(const WatchedLock &lock, TimePoint now)
{
    if (lock.problems().testFlag(Problem::Unreadable)) // it may have been renewed, or ended
        return Texts::tr("unknown");
    return ttlText(lock.lock, now);
}

QString heldText(const WatchedLock &lock, TimePoint now)
{
    if (lock.lock.problems.testFlag(Problem::Orphaned)) // nobody holds it
        return {};
    const HeldTime held = heldTime(lock, now);
    if (held.atLeast && held.atMost)
        return countdown(*held.atLeast);
    return held.atLeast  ? QStringLiteral("≥ ") + countdown(*held.atLeast)
           : held.atMost ? QStringLiteral("≤ ") + countdown(*held.atMost)
                         : Texts::tr("unknown");
}

milliseconds ttlPart(const WatchedLock &lock, TimePoint now)
{
    if (!lock.lock.deadline)
        return milliseconds::zero();
    const milliseconds left = lock.lock.deadline->remaining(now);
    return left > milliseconds::zero() ? countedPart(left) : milliseconds(-1); // which is "expired"
}

milliseconds heldPart(const WatchedLock &lock, TimePoint now)
{
    const HeldTime held = heldTime(lock, now);
    return countedPart(held.atLeast.value_or(held.atMost.value_or(milliseconds::zero())));
}

QString holdsText(const Lock &lock)
{
    if (knownOwners(lock).isEmpty())
        return {};
    if (lock.owners.size() == 1 && !lock.owners.first().holdCount)
        return printable(lock.owners.first().rawHoldCount, 12);
    qint64 holds = 0;
    bool isAtLeast = mayCountInClient(lock);
    for (const LockOwner &holder : lock.owners) {
        holds += holder.holdCount.value_or(1);
        isAtLeast |= !holder.holdCount;
    }
    return (isAtLeast ? QStringLiteral("≥ ") : QString()) + QLocale().toString(holds);
}

QString ownerText(const Lock &lock, const OwnerNames &names)
{
    if (knownOwners(lock).isEmpty())
        return {};
    const QString first = names.text(lock.family, lock.key(), lock.owners.first().owner);
    return lock.owners.size() == 1 ? first
                                   : first + QStringLiteral(" +") + QString::number(lock.owners.size() - 1);
}

QString ownerToolTip(const Lock &lock, const OwnerNames &names)
{
    if (knownOwners(lock).isEmpty())
        return {};
    const OwnerId &owner = lock.owners.first().owner;
    const QString id = ownerIdText(owner.bytes);
    const QString named = names.text(lock.family, lock.key(), owner);
    return named == id ? id : named + u'\n' + id;
}

static int deadWaiters(const Waiters &waiters)
{
    return static_cast<int>(std::ranges::count_if(waiters.queue, &Waiter::isDead));
}

QString waiterCountText(const WatchedLock &lock)
{
    const Waiters &waiters = lock.lock.companions->waiters;
    const QString count = QLocale().toString(waiters.count);
    switch (waiters.certainty) {
    case WaiterCertainty::Exact:
        return count;
    case WaiterCertainty::AtLeast: // "at least none" says nothing
        return waiters.count > 0 ? QStringLiteral("≥ ") + count : QString();
    case WaiterCertainty::Unknown:
        break;
    }
    return {};
}

QString waitersText(const WatchedLock &lock)
{
    const QString count = waiterCountText(lock);
    const int dead = deadWaiters(lock.lock.companions->waiters);
    if (count.isEmpty() || dead == 0)
        return count;
    return Texts::tr("%1 (%n dead)", nullptr, dead).arg(count);
}

QString waitersSentence(const Lock &lock)
{
    const Waiters &waiters = lock.companions->waiters;
    const int count = static_cast<int>(std::min<qint64>(waiters.count, std::numeric_limits<int>::max()));
    const int dead = deadWaiters(waiters);
    switch (waiters.certainty) {
    case WaiterCertainty::Exact: {
        if (count == 0)
            return Texts::tr("The wait queue is empty.");
        const QString all = Texts::tr("%n waiter(s) in the queue.", nullptr, count);
        if (dead == 0)
            return all;
        if (dead == count)
            return Texts::tr("%n waiter(s) in the queue, all dead.", nullptr, count);
        return all + u' ' + Texts::tr("%n dead waiter(s), delaying any waiters behind.", nullptr, dead);
    }
    case WaiterCertainty::AtLeast:
        if (!waiters.queue.isEmpty())
            return Texts::tr("At least %n waiter(s). Polling clients cannot be counted.", nullptr, count);
        if (specOf(lock.family).wake == WaitMechanism::QueueHeadChannel)
            return Texts::tr("No waiters are known at the moment.");
        return count > 0
                   ? Texts::tr("At least %n process(es) subscribed; threads are not counted.", nullptr, count)
                   : Texts::tr("No subscribed waiters. Polling clients cannot be counted.");
    case WaiterCertainty::Unknown:
        break;
    }
    if (specOf(lock.family).acquire == AcquireSupport::IsJob)
        return Texts::tr("No client waits for the lock of a job.");
    if (lock.family == plainToken())
        return Texts::tr("Unknown: the library is unknown, and polling leaves no trace.");
    if (specOf(lock.family).wake == WaitMechanism::Polling && !lock.family.isUnknown())
        return Texts::tr("Unknown: clients of such a lock only poll.");
    return {};
}

QString problemSentences(Problems problems)
{
    QStringList sentences;
    for (const Problem problem : problemList(problems))
        sentences.append(describe(problem));
    return sentences.join(u'\n');
}

QString problemSentences(const WatchedLock &lock, TimePoint now)
{
    const QString sentences = problemSentences(lock.problems());
    if (!isUnusuallyLong(lock, now))
        return sentences;
    const QString unusual = Texts::tr("Held far longer than usual for this key.");
    return sentences.isEmpty() ? unusual : unusual + u'\n' + sentences;
}

QString problemsText(Problems problems)
{
    QStringList words;
    for (const Problem problem : problemList(problems))
        words.append(Texts::tr(worstOf(problem).word));
    return words.join(QStringLiteral(", "));
}

QString problemsText(const WatchedLock &lock, TimePoint now)
{
    QStringList words;
    if (stateOf(lock, now) == LockState::Stalled)
        words << Texts::tr("stalled");
    if (isUnusuallyLong(lock, now))
        words << unusualWord();
    if (lock.problems())
        words << problemsText(lock.problems());
    return words.join(QStringLiteral(", "));
}

QString stateInWords(const WatchedLock &lock, TimePoint now)
{
    const LockState state = stateOf(lock, now);
    QStringList words{stateWord(state)};
    if (isUnusuallyLong(lock, now))
        words << unusualWord();
    const Problems problems = state == LockState::Corrupt ? lock.problems() : unsaidProblems(lock, state);
    if (problems)
        words << problemsText(problems);
    return words.join(QStringLiteral(", "));
}

StateAppearance appearanceOf(const WatchedLock &lock, LockState state)
{
    const Problems unsaid = unsaidProblems(lock, state);
    const bool isCorrupt = state == LockState::Corrupt;
    const auto count = static_cast<int>(problemList(isCorrupt ? lock.problems() : unsaid).size());
    if (isCorrupt)
        return {worstWord(lock.problems() & ~unsaid), stateGlyph(state), stateColor(state), count - 1};
    if (isProblem(state) || count == 0)
        return {stateWord(state), stateGlyph(state), stateColor(state), count};
    return {worstWord(unsaid), Glyph::Triangle, StatusColor::Warning, count - 1};
}

StateAppearance goneAppearance()
{
    return {Texts::tr("Gone"), stateGlyph(LockState::Ended), StatusColor::Muted, 0};
}

StateAppearance appearanceOf(const WatchedLock &lock, TimePoint now)
{
    StateAppearance appearance = appearanceOf(lock, stateOf(lock, now));
    appearance.more += isUnusuallyLong(lock, now) ? 1 : 0;
    return appearance;
}

QString helpTopicOf(const WatchedLock &lock, TimePoint now)
{
    const LockState state = stateOf(lock, now);
    const Problems unsaid = unsaidProblems(lock, state);
    if (isProblem(state) || (!unsaid && !isUnusuallyLong(lock, now)))
        return QString::fromLatin1(stateName(state));
    return unsaid ? QString::fromLatin1(problemName(worstOf(unsaid).problem)) : QStringLiteral("unusual");
}

QString nodeText(const Lock &lock, const ClusterStatus &cluster)
{
    if (lock.quorum)
        return quorumText(*lock.quorum);
    const NodeStatus *node = cluster.nodeOf(lock.key());
    return node ? node->label : QString();
}

QString nodeToolTip(const Lock &lock, const ClusterStatus &cluster)
{
    if (lock.quorum)
        return describe(*lock.quorum);
    const NodeStatus *node = cluster.nodeOf(lock.key());
    return node ? node->name : QString();
}

} // namespace lockscope
