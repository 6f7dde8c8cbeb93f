// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/overview.h"

#include "core/base/printable.h"
#include "core/family/registry.h"
#include "core/state/severity.h"
#include "core/table/locktext.h"
#include "core/table/waittext.h"
#include "core/watch/keynamefilter.h"
#include "core/words/texts.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/propertygrid.h"

#include <QLabel>
#include <QLocale>
#include <QScrollArea>

#include <algorithm>

namespace lockscope {

namespace {

constexpr int overviewMargin = 14;
constexpr int indent = 6; ///< of statements, as in a line
constexpr std::chrono::milliseconds interval{1000};
constexpr int restFactor = 500; ///< time between passes over all locks, as a multiple of what one takes
constexpr qsizetype maxProblems = 5;
constexpr qsizetype maxLocks = 3;
constexpr qsizetype maxFamilies = 6;
constexpr qsizetype samplesOfFamily = 8;
constexpr qsizetype patternCharacters = 40;
constexpr qsizetype keyCharacters = 60;
constexpr qsizetype ownerCharacters = 18;

/// The locks of the lowest ranks, lowest first.
class Lowest
{
public:
    explicit Lowest(qsizetype most) : m_most(most) {}

    bool takes(quint64 rank) const { return m_locks.size() < m_most || rank < m_locks.last().first; }
    void offer(quint64 rank, const WatchedLock &lock)
    {
        if (!takes(rank))
            return;
        const auto at =
            std::ranges::upper_bound(std::as_const(m_locks), rank, {}, &std::pair<quint64, LockKey>::first);
        m_locks.insert(at, {rank, lock.key()});
        if (m_locks.size() > m_most)
            m_locks.removeLast();
    }
    qsizetype size() const { return m_locks.size(); }
    /// Leaves out locks that are gone.
    template <typename Entry>
    QList<OverviewEntry> entries(const LockTableModel &model, Entry entry) const
    {
        QList<OverviewEntry> entries;
        for (const auto &[rank, key] : m_locks) {
            if (const WatchedLock *lock = model.find(key))
                entries.append(entry(*lock));
        }
        return entries;
    }

private:
    qsizetype m_most;
    QList<std::pair<quint64, LockKey>> m_locks;
};

/// Ranks moments, earlier ones first.
quint64 rankOf(TimePoint moment)
{
    return static_cast<quint64>(moment.time_since_epoch().count()) ^ (quint64(1) << 63);
}

void setNote(QLabel &note, const QString &text)
{
    note.setText(text);
    note.setHidden(text.isEmpty());
}

QString keyText(const WatchedLock &lock)
{
    return printable(lock.key().bytes, keyCharacters);
}

/// Fills lines in place. Lines that were needed once keep their room, so that nothing below them moves. `none`:
/// the statement without entries.
void fill(const QList<OverviewLine *> &lines, QList<OverviewEntry> entries, const QString &none = {})
{
    if (entries.isEmpty() && !none.isEmpty())
        entries.append({none});
    // The user may be about to click a line: it keeps its lock.
    for (qsizetype i = 0; i < std::min(lines.size(), entries.size()); ++i) {
        const auto same = std::ranges::find(entries, lines[i]->key(), &OverviewEntry::key);
        if (lines[i]->isHeldInPlace() && !lines[i]->key().isEmpty() && same != entries.end())
            entries.move(same - entries.begin(), i);
    }
    for (qsizetype i = 0; i < lines.size(); ++i) {
        lines[i]->setEntry(entries.value(i));
        lines[i]->setHidden(lines[i]->isHidden() && i >= entries.size());
    }
}

} // namespace

/// What a pass over all locks has found. Some of them may be gone since.
struct Overview::Found
{
    Lowest problems{maxProblems};
    Lowest waitedFor{maxLocks};
    Lowest held{maxLocks};
    qint64 problemCount = 0;
    qint64 waitedForCount = 0;
    struct OfFamily
    {
        Family family;
        qint64 count = 0;
        QList<LockKey> samples;
    };
    std::vector<OfFamily> families; ///< with locks; most locks first
};

Overview::Overview(const LockTableModel &model, const DisplayClock &clock, const OwnerNames &names,
                   std::function<OverviewFacts()> facts, QWidget *parent)
    : QWidget(parent), m_model(model), m_clock(clock), m_names(names), m_facts(std::move(facts))
{
    setAccessibleName(Texts::tr("Overview"));
    auto *inner = new QWidget(this);
    auto *column =
        columnOf({}, 0, {overviewMargin - indent, overviewMargin, overviewMargin - indent, overviewMargin});
    inner->setLayout(column);
    m_why = addNote(*column);
    m_attention = addSection(*column, tr("Needs attention"), maxProblems + 1, true);
    m_waited = addSection(*column, tr("Most waited for"), maxLocks + 1);
    m_held = addSection(*column, tr("Held longest"), maxLocks);
    m_families = addSection(*column, tr("Families"), maxFamilies + 1);
    m_outside = addSection(*column, tr("Not watched"), maxLocks + 1);
    m_gaps = addNote(*column);
    addSection(*column, Texts::tr("Server"), 0);
    m_server = addNote(*column);
    column->addStretch();
    auto *scroll = new QScrollArea(this);
    scroll->setWidget(inner);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(Texts::tr("Overview"));
    for (QWidget *widget : {inner, scroll->viewport()})
        widget->setBackgroundRole(QPalette::Base);
    setLayout(columnOf({{scroll, 1}}, 0, {}));
    m_timer.setInterval(interval);
    connect(&m_timer, &QTimer::timeout, this, &Overview::refresh);
}

/// `lines`: the maximum; the last one of several tall ones is for the rest, and low.
Overview::Section Overview::addSection(QVBoxLayout &column, const QString &title, qsizetype lines,
                                       bool areTall)
{
    auto *heading = new QLabel(title, this);
    heading->setFont(strong(font()));
    heading->setContentsMargins(indent, column.count() > 1 ? 12 : 0, indent, 2);
    column.addWidget(heading);
    Section section;
    for (qsizetype i = 0; i < lines; ++i) {
        section.append(new OverviewLine(areTall && i + 1 < lines, this));
        section.last()->hide();
        column.addWidget(section.last());
    }
    return section;
}

QLabel *Overview::addNote(QVBoxLayout &column)
{
    QLabel *note = plainLabel(this);
    note->setContentsMargins(indent, 2, indent, 2);
    applyTextColor(note, StatusColor::Muted);
    column.addWidget(note);
    return note;
}

Overview::Found Overview::findLocks() const
{
    Found found;
    std::vector<Found::OfFamily> byFamily;
    const TimePoint shared = m_clock.now();
    const bool areAlike = !m_clock.hasStoppedNodes();
    m_model.visit([&](const WatchedLock &lock) {
        if (isNoLock(lock.lock))
            return true;
        const TimePoint now = areAlike ? shared : m_clock.of(lock.key()).now();
        if (severityOf(lock, now) != Severity::None) {
            ++found.problemCount;
            found.problems.offer(severityRank(lock, now), lock);
        }
        if (const Waiters &waiters = lock.lock.companions->waiters; waiters.count > 0) {
            ++found.waitedForCount;
            found.waitedFor.offer(~static_cast<quint64>(waiters.count), lock);
        }
        if (const quint64 since = rankOf(lock.heldSince);
            found.held.takes(since) && !lock.lock.owners.isEmpty() && heldTime(lock, now).atLeast)
            found.held.offer(since, lock);
        const auto index = static_cast<size_t>(lock.lock.family.index());
        if (index >= byFamily.size())
            byFamily.resize(index + 1);
        Found::OfFamily &family = byFamily[index];
        ++family.count;
        if (family.samples.size() < samplesOfFamily) {
            family.family = lock.lock.family;
            family.samples.append(lock.key());
        }
        return true;
    });
    std::erase_if(byFamily, [](const Found::OfFamily &each) { return each.count == 0; });
    std::ranges::stable_sort(byFamily, std::ranges::greater(), &Found::OfFamily::count);
    found.families = std::move(byFamily);
    return found;
}

OverviewEntry Overview::entryOf(const WatchedLock &lock, const QString &value)
{
    const auto choose = [this, key = lock.key()] { emit lockChosen(key); };
    return {.text = keyText(lock), .value = value, .key = lock.key(), .act = choose};
}

/// Adds a line for the rest of what is shown.
void Overview::addRest(QList<OverviewEntry> &entries, qint64 rest, std::function<void()> act)
{
    if (rest > 0)
        entries.append({.text = Texts::tr("and %1 more", nullptr, plural(rest)).arg(grouped(rest)),
                        .act = std::move(act)});
}

OverviewEntry Overview::problemOf(const WatchedLock &lock)
{
    const TimePoint now = m_clock.of(lock.key()).now();
    const StateAppearance look =
        isUnusuallyLong(lock, now)
            ? StateAppearance{tr("Held unusually long"), Glyph::Triangle, StatusColor::Warning}
            : appearanceOf(lock, stateOf(lock, now));
    OverviewEntry entry = entryOf(lock);
    entry.text = tr("%1: %2", "a problem, a key").arg(look.word, entry.text);
    entry.glyph = look.glyph;
    entry.color = look.color;
    const QString held = heldText(lock, now);
    const QString owner = shortened(ownerText(lock.lock, m_names), ownerCharacters);
    QStringList parts;
    if (!held.isEmpty())
        parts << (owner.isEmpty() ? tr("held %1", "a time").arg(held)
                                  : tr("held %1 by %2", "a time, an owner").arg(held, owner));
    if (lock.lock.companions->waiters.count > 0)
        parts << tr("%1 waiting").arg(waitersText(lock));
    entry.detail = parts.join(QStringLiteral(", "));
    return entry;
}

OverviewEntry Overview::waitedForOf(const WatchedLock &lock)
{
    const DisplayTime time = m_clock.of(lock.key());
    const auto waited = m_model.waits().blockedBy(lock.lock).waitedUntil(time.now(), time.wallMs());
    const QString count = waiterCountText(lock);
    return entryOf(
        lock, waited
                  ? tr("%1 waiting %2", "a number, the longest time").arg(count, waitedText(waited->longest))
                  : tr("%1 waiting").arg(count));
}

void Overview::refresh()
{
    if (const TimePoint begun = Clock::now(); !m_found || begun >= m_nextPassAt) {
        m_found = std::make_shared<Found>(findLocks());
        m_nextPassAt = begun + std::max<Clock::duration>(interval / 2, (Clock::now() - begun) * restFactor);
    }
    const Found &found = *m_found;
    const OverviewFacts facts = m_facts();
    const auto filterBy = [this](const char *term) {
        return [this, term = QString::fromLatin1(term)] { emit filterChosen(term); };
    };
    setNote(*m_why, facts.whyNothing);
    auto problems =
        found.problems.entries(m_model, [this](const WatchedLock &lock) { return problemOf(lock); });
    problems.removeIf([this](const OverviewEntry &entry) { // since the last pass
        return severityOf(*m_model.find(entry.key), m_clock.of(entry.key).now()) == Severity::None;
    });
    addRest(problems, found.problemCount - found.problems.size(), filterBy("problem:any"));
    fill(m_attention, problems, facts.isWhole ? tr("No lock has a problem") : tr("None known so far"));
    auto waitedFor =
        found.waitedFor.entries(m_model, [this](const WatchedLock &lock) { return waitedForOf(lock); });
    addRest(waitedFor, found.waitedForCount - found.waitedFor.size(), filterBy("waiters>=1"));
    fill(m_waited, waitedFor, tr("No waiters are known"));
    const auto held = [this](const WatchedLock &lock) {
        return entryOf(lock, heldText(lock, m_clock.of(lock.key()).now()));
    };
    fill(m_held, found.held.entries(m_model, held), tr("No lock is known to be held"));
    showFamilies(found, facts.patterns);
    showOutside(facts);
    setNote(*m_server, facts.server.join(u'\n'));
}

void Overview::showFamilies(const Found &found, const QList<QByteArray> &patterns)
{
    const KeyNameFilter names(patterns);
    QList<OverviewEntry> entries;
    for (const Found::OfFamily &each : found.families) {
        if (entries.size() == maxFamilies)
            break;
        QStringList places;
        for (const LockKey &key : each.samples) {
            const QByteArray pattern = names.globsOf(key.bytes).value(0, patternLike(key.bytes));
            places << printable(pattern, patternCharacters);
        }
        places.removeDuplicates();
        const QString name = QString::fromLatin1(familyName(each.family));
        entries.append({.text = name,
                        .detail = places.join(QStringLiteral(", ")),
                        .value = tr("%1 lock(s)", nullptr, plural(each.count)).arg(grouped(each.count)),
                        .act = [this, name] { emit filterChosen(QStringLiteral("family:") + name); }});
    }
    addRest(entries, static_cast<qint64>(found.families.size()) - entries.size(),
            [this] { emit familiesWanted(); });
    fill(m_families, entries, tr("No lock is known"));
}

void Overview::showOutside(const OverviewFacts &facts)
{
    QList<OverviewEntry> entries;
    if (facts.outside) // not every scan looks for them
        m_outsideNames = facts.outside;
    const UnlistedNames outside = m_outsideNames.value_or(UnlistedNames());
    qint64 rest = outside.names;
    for (const UnlistedPattern &each : outside.patterns.first(std::min(maxLocks, outside.patterns.size()))) {
        const QString pattern = printable(each.pattern, patternCharacters);
        const auto watch = [this, pattern = each.pattern] { emit patternChosen(pattern); };
        entries.append({.text = facts.canWatch ? tr("Watch %1", "a pattern").arg(pattern) : pattern,
                        .value = Texts::tr("%1 key(s)", nullptr, plural(each.names)).arg(grouped(each.names)),
                        .act = facts.canWatch ? watch : std::function<void()>()});
        rest -= each.names;
    }
    if (rest > 0)
        entries.append({.text = tr("and %1 other key(s)", nullptr, plural(rest)).arg(grouped(rest)),
                        .act = [this] { emit patternsWanted(); }});
    fill(m_outside, entries,
         m_outsideNames ? tr("No other key looks like a lock") : tr("Other keys: unknown"));
    setNote(*m_gaps, facts.gaps.join(u'\n'));
}

void Overview::focusContents()
{
    for (OverviewLine *line : m_attention) {
        if (line->isEnabled() && !line->isHidden())
            return line->setFocus(Qt::ShortcutFocusReason);
    }
}

void Overview::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
    m_timer.start();
}

void Overview::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_timer.stop();
    m_found.reset();
    for (const Section *section : {&m_attention, &m_waited, &m_held, &m_families, &m_outside}) {
        for (OverviewLine *line : *section)
            line->hide();
    }
}

} // namespace lockscope
