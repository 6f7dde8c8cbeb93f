// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/statisticsmodel.h"

#include "core/base/foldedsearch.h"
#include "core/base/printable.h"
#include "core/words/durations.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/spokenrole.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace lockscope {

namespace {

using StatisticsColumn = StatisticsModel::Column;

constexpr qsizetype statisticsKeyCodePoints = 160;
constexpr double unknownValue = -1;

QString atLeast(const QString &text)
{
    return QStringLiteral("≥ ") + text;
}

/// Rounds down to three digits: a lower bound.
QString rateText(double rate)
{
    constexpr int digits = 3;
    if (rate <= 0)
        return QLocale().toString(rate, 'g', digits);
    const double step = std::pow(10, std::floor(std::log10(rate)) - (digits - 1));
    return atLeast(QLocale().toString(std::floor(rate / step) * step, 'g', digits));
}

QString shareText(qint64 part, qint64 all)
{
    const qint64 tenths = part * 1000 / all;
    return tenths < 10 ? QLocale().toString(double(tenths) / 10, 'f', 1) : QLocale().toString(tenths / 10);
}

bool isOfHolds(StatisticsColumn column)
{
    return column >= StatisticsColumn::HoldP50 && column <= StatisticsColumn::HoldMax;
}

bool isOfWaits(StatisticsColumn column)
{
    return column == StatisticsColumn::Waited ||
           (column >= StatisticsColumn::WaitP50 && column <= StatisticsColumn::WaitMax);
}

QVariant alignmentOf(StatisticsColumn column)
{
    return QVariant::fromValue((column == StatisticsColumn::Key ? Qt::AlignLeft : Qt::AlignRight) |
                               Qt::AlignVCenter);
}

double valueOf(const LengthFigures &lengths, milliseconds figure)
{
    return lengths.count > 0 ? double(figure.count()) : unknownValue;
}

double longestOf(const LengthFigures &lengths)
{
    const milliseconds longest = std::max(lengths.longest, lengths.longestSeen);
    return lengths.count > 0 || lengths.longestSeen > milliseconds(0) ? double(longest.count())
                                                                      : unknownValue;
}

} // namespace

void StatisticsModel::setStatistics(std::vector<LockStatistics> statistics)
{
    m_withFigures.reset();
    const auto isMeasured = [this](const LockStatistics &lock) {
        std::bitset<columns> figures;
        for (int column = 1; column < columns; ++column)
            figures.set(size_t(column), hasFigure(lock, Column(column)));
        m_withFigures |= figures;
        return figures.any();
    };
    const auto others = std::stable_partition(statistics.begin(), statistics.end(), isMeasured);
    const auto measured = size_t(others - statistics.begin());
    relayout([&] {
        m_all = std::move(statistics);
        m_allMeasured = measured;
    });
}

void StatisticsModel::setFolded(bool isFolded)
{
    relayout([&] { m_isFolded = isFolded; });
}

bool StatisticsModel::tellsWaiters() const
{
    return std::ranges::any_of(m_all, &LockStatistics::tellsWaiters);
}

void StatisticsModel::setFilter(const QString &text)
{
    relayout([&] { m_needle = text.trimmed().toUtf8().toLower(); });
}

void StatisticsModel::sort(int column, Qt::SortOrder order)
{
    relayout([&] {
        m_column = Column(column);
        m_order = order;
    });
}

void StatisticsModel::relayout(const std::function<void()> &change)
{
    emit layoutAboutToBeChanged();
    const QModelIndexList kept = persistentIndexList();
    std::vector<LockKey> keys;
    for (const QModelIndex &index : kept)
        keys.push_back(at(index.row()).key);
    change();
    arrange();
    QModelIndexList moved;
    for (qsizetype i = 0; i < kept.size(); ++i)
        moved << indexOf(keys[size_t(i)]).siblingAtColumn(kept[i].column());
    changePersistentIndexList(kept, moved);
    emit layoutChanged();
}

/// Sorts by numbers, so that comparing visits few locks.
void StatisticsModel::arrange()
{
    struct Entry
    {
        double value;
        size_t at;
    };
    std::vector<Entry> entries;
    entries.reserve(m_all.size());
    for (size_t i = 0; i < m_all.size(); ++i) {
        if (m_needle.isEmpty() || containsFolded(m_all[i].key.bytes, m_needle))
            entries.push_back({value(m_all[i], m_column), i});
    }
    m_matching = std::ssize(entries);
    const bool isDescending = m_order == Qt::DescendingOrder;
    const auto before = [&](const Entry &a, const Entry &b) {
        if (const bool isMeasured = a.at < m_allMeasured; isMeasured != (b.at < m_allMeasured))
            return isMeasured;
        if (a.value != b.value) // what is unknown comes last
            return isDescending || a.value < 0 || b.value < 0 ? a.value > b.value : a.value < b.value;
        const bool isByKey = m_column == Column::Key;
        return isByKey && isDescending ? m_all[b.at].key.bytes < m_all[a.at].key.bytes
                                       : m_all[a.at].key.bytes < m_all[b.at].key.bytes;
    };
    const auto end = entries.begin() + std::min<qsizetype>(maxRows, std::ssize(entries));
    std::partial_sort(entries.begin(), end, entries.end(), before);
    m_rows.clear();
    for (auto entry = entries.begin(); entry != end; ++entry)
        m_rows.push_back(entry->at);
    m_measured = std::ranges::count_if(m_rows, [this](size_t at) { return at < m_allMeasured; });
}

std::vector<LockStatistics> StatisticsModel::listed() const
{
    std::vector<LockStatistics> list;
    list.reserve(m_rows.size());
    for (const size_t at : m_rows)
        list.push_back(m_all[at]);
    return list;
}

QModelIndex StatisticsModel::indexOf(const LockKey &key) const
{
    const auto row = std::ranges::find_if(m_rows, [&](size_t at) { return m_all[at].key == key; });
    return row == m_rows.end() ? QModelIndex() : index(int(row - m_rows.begin()), 0);
}

int StatisticsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_isFolded ? m_measured : std::ssize(m_rows));
}

int StatisticsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

double StatisticsModel::value(const LockStatistics &lock, Column column)
{
    switch (column) {
    case Column::Key:
        break;
    case Column::PerSecond:
        return lock.perSecond().value_or(unknownValue);
    case Column::Contended:
        return lock.contendedShare().value_or(unknownValue);
    case Column::Reentries:
        return double(lock.reentries);
    case Column::HoldP50:
        return valueOf(lock.holds, lock.holds.p50);
    case Column::HoldP95:
        return valueOf(lock.holds, lock.holds.p95);
    case Column::HoldMax:
        return longestOf(lock.holds);
    case Column::WaitP50:
        return valueOf(lock.waits, lock.waits.p50);
    case Column::WaitP95:
        return valueOf(lock.waits, lock.waits.p95);
    case Column::WaitMax:
        return longestOf(lock.waits);
    case Column::Waited:
        return lock.tellsWaiters ? double(lock.waited.count()) : unknownValue;
    }
    return 0;
}

/// A zero is one of a length only; elsewhere it says that there was none.
bool StatisticsModel::hasFigure(const LockStatistics &lock, Column column)
{
    const double figure = value(lock, column);
    return figure > 0 || (figure == 0 && column >= Column::HoldP50 && column <= Column::WaitMax);
}

QString StatisticsModel::text(const LockStatistics &lock, Column column) const
{
    if (column == Column::Key)
        return printable(lock.key.bytes, statisticsKeyCodePoints);
    const double figure = value(lock, column);
    if (figure < 0) { // none, or none that is known
        const bool isNone = column == Column::Contended ? lock.tellsWaiters
                            : isOfWaits(column)         ? lock.tellsWaiters && lock.waits.unsure == 0
                                                : column != Column::PerSecond && lock.holds.unsure == 0;
        return isNone ? QString() : QStringLiteral("–");
    }
    const QString time = describe(milliseconds(qint64(figure)));
    switch (column) {
    case Column::PerSecond:
        return rateText(figure);
    case Column::Contended: {
        const QString share = tr("%1%", "percent").arg(shareText(lock.contended, lock.acquisitions));
        return lock.contended == 0                   ? QString()
               : lock.contended == lock.acquisitions ? share
                                                     : atLeast(share); // some wait too shortly to be seen
    }
    case Column::Reentries:
        return lock.reentries > 0 ? QLocale().toString(lock.reentries) : QString();
    case Column::HoldMax:
        return lock.holds.longestSeen > lock.holds.longest ? atLeast(time) : time;
    case Column::WaitMax:
        return atLeast(time);
    case Column::Waited:
        return lock.waited > milliseconds(0) ? atLeast(time) : QString();
    case Column::HoldP50:
    case Column::HoldP95:
    case Column::WaitP50: // of those that were seen: a quantile of some is no bound for that of all
    case Column::WaitP95:
    case Column::Key:
        break;
    }
    return time;
}

QString StatisticsModel::toolTip(const LockStatistics &lock, Column column) const
{
    QStringList lines{printable(lock.key.bytes)};
    const auto lengths = [&](const LengthFigures &figures, const QString &whole, const QString &unsure) {
        lines << whole.arg(grouped(figures.count));
        if (figures.unsure > 0)
            lines << unsure.arg(grouped(figures.unsure));
    };
    if (isOfHolds(column))
        lengths(lock.holds, tr("Holds seen from beginning to end: %1"),
                tr("Further holds of unknown length: %1"));
    else if (isOfWaits(column) && lock.tellsWaiters)
        lengths(lock.waits, tr("Waits seen from beginning to end: %1"),
                tr("Further waits, whose length is a lower bound: %1"));
    else if (isOfWaits(column) || (column == Column::Contended && !lock.tellsWaiters))
        lines << tr("Waiters unknown: no trace, or no permission.");
    else if (column == Column::PerSecond || column == Column::Contended)
        lines << tr("Acquisitions: at least %1").arg(grouped(lock.acquisitions));
    if (column == Column::Contended && lock.tellsWaiters)
        lines << tr("Behind a waiter that was seen: %1").arg(grouped(lock.contended));
    lines << tr("Observed for %1, not for %2").arg(describe(lock.observed), describe(lock.unseen));
    return lines.join(u'\n');
}

QVariant StatisticsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const auto column = Column(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(at(index.row()), column);
    case Qt::AccessibleTextRole:
        return column == Column::Key ? QVariant() : spokenFigure(index);
    case Qt::ToolTipRole:
        return plainToolTip(toolTip(at(index.row()), column));
    case Qt::TextAlignmentRole:
        return alignmentOf(column);
    default:
        return {};
    }
}

QVariant StatisticsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns)
        return {};
    const auto column = StatisticsColumn(section);
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(column);
    const bool isTip = role == Qt::ToolTipRole;
    if (role != Qt::DisplayRole && !isTip)
        return {};
    static constexpr const char *ofHolds =
        QT_TR_NOOP("Holds that ended in this time, seen from beginning to end");
    static constexpr const char *ofWaits = QT_TR_NOOP(
        "Waits that ended in this time, since first seen in the queue; short ones are often missed");
    // Each with its tool tip.
    static constexpr std::pair<const char *, const char *> titles[] = {
        {QT_TR_NOOP("Key"), QT_TR_NOOP("Locks held or waited for in this time")},
        {QT_TR_NOOP("Total wait"), QT_TR_NOOP("Waiting time of all waiters together")},
        {QT_TR_NOOP("Acquired/s"), QT_TR_NOOP("Acquisitions per second of counted time, without re-entries")},
        {QT_TR_NOOP("Contended"), QT_TR_NOOP("Share of acquisitions with a waiter before")},
        {QT_TR_NOOP("Hold p50"), ofHolds},
        {QT_TR_NOOP("Hold p95"), ofHolds},
        {QT_TR_NOOP("Hold max"), QT_TR_NOOP("Longest hold; ≥ where its beginning or end was not seen")},
        {QT_TR_NOOP("Wait p50"), ofWaits},
        {QT_TR_NOOP("Wait p95"), ofWaits},
        {QT_TR_NOOP("Wait max"), ofWaits},
        {QT_TR_NOOP("Re-entries"), QT_TR_NOOP("Acquisitions by an owner that held the lock already")},
    };
    static_assert(std::size(titles) == columns);
    const auto &[title, tip] = titles[section];
    return tr(isTip ? tip : title);
}

} // namespace lockscope
