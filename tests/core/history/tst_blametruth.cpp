// SPDX-License-Identifier: GPL-3.0-or-later
// Random small histories of a few locks and threads: who made whom wait, reckoned again ms by ms from the states that
// were told. Each of these ms is 101 of the history: there, what lies closer may have happened in another order.
#include "core/history/blame.h"
#include "core/history/lockstatistics.h"
#include "tests/core/history/historysample.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

#include <random>
#include <set>

using namespace lockscope;
using historysample::owner;
using historysample::start;
using namespace std::chrono_literals;

namespace {

using Kind = Blocker::Kind;

constexpr int lockCount = 4;
constexpr int threadCount = 6;
constexpr int histories = 2'000;
constexpr int scale = 101;

qint64 onAxis(int ms)
{
    return start + ms * scale;
}

QByteArray idOf(int thread)
{
    return "3b2c1a09-8f7e-4d6c-9b5a-493827160504:" + QByteArray::number(thread);
}

QByteArray nameOf(int lock)
{
    return "lock:" + QByteArray::number(lock);
}

struct State
{
    QList<int> holders;
    QList<int> queue; ///< negative: dead
    int count = 0;    ///< 0: those in the queue are all
    bool isExact = true;
    bool isUnseen = false;

    qint64 alive() const
    {
        return std::ranges::count_if(queue, [](int waiter) { return waiter > 0; });
    }
    qint64 waiters() const
    {
        return std::max<qint64>(count > 0 ? count - (queue.size() - alive()) : 0, alive());
    }
};

/// A history, and the state of each lock at each ms of it.
class World
{
public:
    explicit World(quint32 seed) : m_random(seed)
    {
        while (now() < 160) {
            pass(chance(20) ? 0 : below(12));
            step();
        }
        pass(1);
    }

    const LockHistory &history() const { return m_history; }
    int now() const { return int(m_then[0].size()); }
    const State &at(int lock, int ms) const { return m_then[lock][ms]; }
    bool hadGap() const { return m_hadGap; }

private:
    int below(int most) { return int(m_random() % quint32(most)); }
    bool chance(int percent) { return below(100) < percent; }

    void pass(int ms)
    {
        for (int lock = 0; lock < lockCount; ++lock) {
            State state = m_now[lock];
            state.isUnseen = m_isGap;
            m_then[lock].insert(m_then[lock].size(), ms, state);
        }
    }
    void hide(int lock, int from)
    {
        for (int ms = from; ms < m_then[lock].size(); ++ms)
            m_then[lock][ms].isUnseen = true;
    }

    void step()
    {
        const int what = below(100);
        if (m_isGap && what < 50) {
            m_history.add({MonitorEventKind::Reconnected, {}, onAxis(now()), {}});
            m_isGap = m_isDisconnected = false;
        }
        if (what < 60 && !m_isGap) {
            m_history.confirm(onAxis(now()));
            m_confirmed = now();
        } else if (what < 66 && !m_isGap) {
            m_isDisconnected = chance(50);
            m_history.add({m_isDisconnected ? MonitorEventKind::Disconnected : MonitorEventKind::FeedGap,
                           {},
                           onAxis(now()),
                           {}});
            m_isGap = m_hadGap = true;
            for (int lock = 0; lock < lockCount; ++lock)
                hide(lock, m_confirmed >= 0 ? m_confirmed : now());
        }
        if (!m_isDisconnected)
            change(below(lockCount));
    }

    void tell(LockDiff &diff, int lock, EventKind kind, int who, int others, milliseconds unseen = 0ms)
    {
        LockEvent event = historysample::happened(kind, now() * scale, {owner(idOf(who))}, 30'000ms, others);
        event.address.key = LockKey(nameOf(lock));
        event.family = "redisson-fair"_family;
        event.unseenFor = unseen * scale;
        diff.events << event;
        const int sure = std::max(now() - int(unseen.count()), m_lastEvent[lock]);
        for (int ms = sure; ms < m_then[lock].size(); ++ms)
            m_then[lock][ms].holders.clear();
        if (unseen > 0ms)
            hide(lock, sure);
        m_lastEvent[lock] = now();
    }

    QList<int> newHolders(int lock)
    {
        const int what = below(10);
        if (what < 3)
            return m_now[lock].holders;
        QList<int> holders;
        if (what >= 5)
            holders << 1 + below(threadCount);
        if (what == 9 && lock == 0)
            holders << 1 + holders[0] % threadCount;
        return holders;
    }

    void change(int lock)
    {
        State &state = m_now[lock];
        LockDiff diff;
        const QList<int> before = state.holders, holders = newHolders(lock);
        const milliseconds unseen = chance(30) ? milliseconds(1 + below(15)) : 0ms;
        if (before.size() == 1 && holders.size() == 1 && before != holders && chance(60)) {
            tell(diff, lock, EventKind::OwnerChanged, holders[0], 0, unseen);
        } else if (before != holders) {
            const bool isOne = before.size() + holders.size() == 1;
            for (qsizetype i = 0; i < before.size(); ++i)
                tell(diff, lock, EventKind::Released, before[i], int(before.size() - 1 - i),
                     isOne ? unseen : 0ms);
            for (qsizetype i = 0; i < holders.size(); ++i)
                tell(diff, lock, EventKind::Acquired, holders[i], int(i), isOne ? unseen : 0ms);
        }
        state.holders = holders;
        const bool wasCounted = state.count > 0; // which has no known end if the lock is gone
        changeWaiters(state, lock);
        QByteArrayList ids;
        for (const int waiter : std::as_const(state.queue))
            ids << (waiter < 0 ? "!" : "") + idOf(std::abs(waiter));
        WatchedLock watched =
            historysample::waitedOn(ids, state.count > 0 ? state.count : state.queue.size(),
                                    state.isExact ? WaiterCertainty::Exact : WaiterCertainty::AtLeast);
        watched.lock.address.key = LockKey(nameOf(lock));
        watched.lock.family = "redisson-fair"_family;
        watched.lock.owners.clear();
        for (const int holder : holders)
            watched.lock.owners << owner(idOf(holder));
        if (holders.isEmpty() && state.count == 0 && state.queue.isEmpty() && !wasCounted && chance(50))
            diff.removed << watched.key();
        else
            diff.changed << watched;
        m_history.apply(diff, onAxis(now()));
    }

    void changeWaiters(State &state, int lock)
    {
        const State before = state;
        if (chance(60)) {
            std::set<int> elsewhere;
            for (int other = 0; other < lockCount; ++other) {
                for (const int waiter : std::as_const(m_now[other].queue)) {
                    if (other != lock)
                        elsewhere.insert(std::abs(waiter));
                }
            }
            state.queue.clear();
            QList<int> threads{1, 2, 3, 4, 5, 6};
            std::ranges::shuffle(threads, m_random);
            threads.resize(below(5));
            for (const int thread : std::as_const(threads)) {
                if (!elsewhere.contains(thread) && (!state.holders.contains(thread) || chance(20)))
                    state.queue << (chance(15) ? -thread : thread);
            }
        }
        const int what = below(100);
        state.isExact = what < 85;
        state.count = what < 70 ? 0 : what < 85 ? int(state.queue.size()) + below(5) : below(5);
        if (state.isExact && state.count == state.queue.size())
            state.count = 0;
        else if (!state.isExact && state.count == 0)
            state.count = int(state.queue.size());
        // Once the queue is read, the number that was known shortly before it is forgotten.
        if ((now() - m_countedFrom[lock]) * scale < 1'000 && before.count > 0 && !before.isExact &&
            before.queue.isEmpty() && state.count == 0 && state.isExact && !state.queue.isEmpty()) {
            for (int ms = m_countedFrom[lock]; ms < m_then[lock].size(); ++ms)
                m_then[lock][ms].count = 0;
        }
        if (state.count != before.count || state.isExact != before.isExact)
            m_countedFrom[lock] = now();
    }

    std::mt19937 m_random;
    LockHistory m_history;
    QList<State> m_now = QList<State>(lockCount);
    QList<QList<State>> m_then = QList<QList<State>>(lockCount);
    QList<int> m_lastEvent = QList<int>(lockCount);
    QList<int> m_countedFrom = QList<int>(lockCount);
    int m_confirmed = -1;
    bool m_isGap = false;
    bool m_isDisconnected = false;
    bool m_hadGap = false;
};

/// What a row of a ranking is called here: kind, blocker, and waiter or "".
using Row = std::tuple<QByteArray, Kind, QByteArray, QByteArray>;
using Rows = std::map<Row, qint64>;

struct Truth
{
    Rows byLock, byRoot, byPair;
    std::map<QByteArray, qint64> statistics;                             ///< what these say is waited
    std::set<std::tuple<QByteArray, int, int, qint64, qint64>> episodes; ///< from, to, most waiters, waited
    std::set<std::pair<QByteArray, int>> atLeast;                        ///< those that must be
};

/// Who holds the lock at that ms: one of them, or none in particular.
std::pair<Kind, int> holderAt(const World &world, int lock, int ms)
{
    const State &state = world.at(lock, ms);
    if (state.holders.size() > 1)
        return {Kind::Several, 0};
    if (state.holders.size() == 1)
        return {Kind::Owner, state.holders[0]};
    if (!state.queue.isEmpty() && state.queue[0] < 0)
        return {Kind::DeadWaiter, -state.queue[0]};
    return {Kind::Nobody, 0};
}

std::pair<Kind, int> rootAt(const World &world, int lock, int ms)
{
    std::set<std::pair<int, int>> known;
    for (;;) {
        const auto [kind, thread] = holderAt(world, lock, ms);
        if (kind != Kind::Owner)
            return {kind, thread};
        if (!known.insert({lock, thread}).second)
            return {Kind::Cycle, thread};
        int next = -1;
        for (int other = 0; other < lockCount; ++other) {
            const State &state = world.at(other, ms);
            if (other != lock && state.queue.contains(thread) && !state.isUnseen &&
                holderAt(world, other, ms) != std::pair(Kind::Owner, thread))
                next = other;
        }
        if (next < 0)
            return {kind, thread};
        lock = next;
    }
}

QByteArray idOfBlocker(const std::pair<Kind, int> &who)
{
    return who.second > 0 ? idOf(who.second) : QByteArray();
}

void reckon(Truth &truth, const World &world, int lock, int from, int to)
{
    const QByteArray name = nameOf(lock);
    int begin = from;
    qint64 most = 0, waited = 0;
    bool isAtLeast = false;
    for (int ms = from; ms <= to; ++ms) {
        const State state = ms < to ? world.at(lock, ms) : State();
        if (!state.isUnseen) // which count the dead, if they are only counted
            truth.statistics[name] += state.count > 0 ? state.count : state.alive();
        if (state.waiters() == 0) {
            if (waited > 0)
                truth.episodes.insert({name, begin, ms, most, waited});
            if (waited > 0 && isAtLeast)
                truth.atLeast.insert({name, begin});
            begin = ms + 1;
            most = waited = 0;
            isAtLeast = false;
            continue;
        }
        most = std::max(most, state.waiters());
        isAtLeast = isAtLeast || state.isUnseen || (state.count > 0 && !state.isExact);
        if (state.isUnseen)
            continue;
        const auto holder = holderAt(world, lock, ms), root = rootAt(world, lock, ms);
        const auto add = [&](const QByteArray &waiter, qint64 time) {
            if (time == 0)
                return;
            waited += time;
            truth.byLock[{name, Kind::Owner, {}, {}}] += time;
            truth.byRoot[{{}, root.first, idOfBlocker(root), {}}] += time;
            truth.byPair[{{}, holder.first, idOfBlocker(holder), waiter}] += time;
        };
        for (const int waiter : state.queue) {
            if (waiter > 0 && holder != std::pair(Kind::Owner, waiter))
                add(idOf(waiter), 1);
        }
        add({}, state.waiters() - state.alive());
    }
}

Rows rowsOf(const Blame &blame, BlameBy by)
{
    Rows rows;
    for (const BlameRow &row : blame.rankedBy(by))
        rows[{row.lock.bytes, row.kind, row.blocker.bytes, row.waiter.bytes}] += row.waited.count() / scale;
    return rows;
}

} // namespace

class BlameTruthTest : public QObject
{
    Q_OBJECT

private slots:
    void blameIsTheTruth()
    {
        int same = 0, other = 0, cycles = 0, chains = 0;
        for (quint32 seed = 0; seed < histories; ++seed) {
            const World world(seed);
            const int from = seed % 2 == 0 ? 0 : int(seed % 90), to = world.now() - int(seed % 3) * 20;
            Truth truth;
            for (int lock = 0; lock < lockCount; ++lock)
                reckon(truth, world, lock, from, to);
            const Blame blame = blameIn(world.history(), onAxis(from), onAxis(to));
            const QByteArray context = "seed " + QByteArray::number(seed);
            const auto isSame = [&](BlameBy by, const Rows &expected) {
                const Rows found = rowsOf(blame, by);
                for (const auto &[row, waited] : expected) {
                    if (!found.contains(row) || found.at(row) != waited)
                        qWarning() << context << std::get<0>(row) << int(std::get<1>(row)) << std::get<2>(row)
                                   << std::get<3>(row) << "expected" << waited << "found"
                                   << (found.contains(row) ? found.at(row) : 0);
                }
                return found == expected;
            };
            QVERIFY(isSame(BlameBy::Lock, truth.byLock));
            QVERIFY(isSame(BlameBy::Pair, truth.byPair));
            QVERIFY(isSame(BlameBy::Owner, truth.byRoot));
            decltype(truth.episodes) episodes;
            for (const WaitEpisode &each : blame.episodes) {
                const int begin = int(each.fromMs - start) / scale, end = int(each.toMs - start) / scale;
                episodes.insert({each.lock.bytes, begin, end, each.mostWaiters, each.waited.count() / scale});
                const bool isAtLeast = truth.atLeast.contains({each.lock.bytes, begin});
                QVERIFY2(each.isAtLeast == isAtLeast || (each.isAtLeast && world.hadGap()), context);
                cycles += each.root().kind == Kind::Cycle;
                chains += each.chain.size() > 1;
            }
            QVERIFY2(episodes == truth.episodes, context);

            StatisticsRun run(world.history(), onAxis(from), onAxis(to));
            while (!run.work(1s)) {
            }
            for (const LockStatistics &each : run.result()) {
                QCOMPARE(each.waited.count(), truth.statistics[each.key.bytes] * scale);
                const auto blamed = truth.byLock.find({each.key.bytes, Kind::Owner, {}, {}});
                const qint64 told = blamed == truth.byLock.end() ? 0 : blamed->second;
                ++(told * scale == each.waited.count() ? same : other);
            }
        }
        // All of that has been met.
        QVERIFY2(same > histories && other > 0 && cycles > 50 && chains > 500,
                 qPrintable(QStringLiteral("%1 %2 %3 %4").arg(same).arg(other).arg(cycles).arg(chains)));
    }
};

QTEST_GUILESS_MAIN(BlameTruthTest)
#include "tst_blametruth.moc"
