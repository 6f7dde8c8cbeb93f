// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/keyspacescan.h"

#include "core/base/glob.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr qint64 sizedEvery = 64; // pages: often enough to tell a growing keyspace from one without end

/// The progress of a pass, from 0 to 1: the cursor with its bits in reverse order.
double progressOf(const QByteArray &cursor)
{
    quint64 left = cursor.toULongLong();
    double progress = 0;
    for (double weight = 0.5; left != 0; weight /= 2, left >>= 1)
        progress += (left & 1) ? weight : 0;
    return progress;
}

} // namespace

KeyspaceScan::KeyspaceScan(KeyNameFilter &names, TimePoint startedAt, bool asksSize, bool samplesAnyName)
    : m_names(names),
      m_inUse(names.inUse()),
      m_startedAt(startedAt),
      m_glob(scanGlob(m_inUse, false)),
      m_outside(samplesAnyName),
      m_asksSize(asksSize),
      m_isSized(asksSize)
{
}

void KeyspaceScan::readAll()
{
    m_readsAll = true;
    m_glob = m_names.discovers() ? ScanGlob{{}, true} : scanGlob(m_names.patterns(), true);
}

bool KeyspaceScan::meets(QByteArrayView name) const
{
    return m_readsAll || globMatchesAny(m_inUse, name);
}

void KeyspaceScan::leaveOut(const QList<QByteArray> &globs)
{
    for (const QByteArray &glob : globs)
        m_outside.add(glob, KeyNameFilter::maxOthers);
    if (stats.outside) // after the last page
        stats.outside = m_outside.outside();
}

bool KeyspaceScan::isSizeDue() const
{
    return m_asksSize && (m_first || (m_keyspaceKnown && m_guard.calls() % sizedEvery == 0));
}

void KeyspaceScan::appendNextPage(CommandBatch &batch, int keysPerCall)
{
    m_isSized = isSizeDue();
    if (m_isSized)
        batch.add({"DBSIZE"});
    stats.count = keysPerCall;
    const QByteArray count = QByteArray::number(keysPerCall);
    if (m_glob.match.isEmpty())
        batch.add({"SCAN", m_cursor, "COUNT", count});
    else
        batch.add({"SCAN", m_cursor, "MATCH", m_glob.match, "COUNT", count});
}

Result<std::span<const Reply>> KeyspaceScan::takePage(std::span<const Reply> replies)
{
    m_keyspaceNow.reset();
    if (std::exchange(m_isSized, false)) {
        // A user without the right to ask for DBSIZE has a scan without a percentage.
        m_keyspaceKnown = replies[0].isInteger() && replies[0].integer >= 0;
        m_isSizeForbidden =
            replies[0].isError() && serverError(replies[0].text).kind == ErrorKind::NoPermission;
        if (m_keyspaceKnown) {
            m_keyspaceNow = replies[0].integer;
            m_guard.setKeyspace(*m_keyspaceNow);
            if (m_first)
                stats.keyspace = *m_keyspaceNow;
        }
        replies = replies.subspan(1);
    }
    m_first = false;
    const Reply &page = replies[0];
    if (page.isError())
        return tl::unexpected(serverError(page.text));
    if (!page.isArray() || page.elements.size() != 2 || !page.elements[0].isText() ||
        !page.elements[1].isArray())
        return failedWith(ErrorKind::UnexpectedReply, QT_TRANSLATE_NOOP("phrases", "unexpected reply to %1"),
                          QByteArray("SCAN"));
    const auto cursor =
        m_guard.take(page.elements[0].text, static_cast<qint64>(page.elements[1].elements.size()));
    if (!cursor)
        return tl::unexpected(cursor.error());
    m_cursor = QByteArray::number(*cursor);
    noteProgress();
    return std::span(page.elements[1].elements);
}

QList<LockKey> KeyspaceScan::matching(std::span<const Reply> names)
{
    QList<LockKey> keys;
    for (const Reply &name : names) {
        if (m_names.contains(name.text))
            keys.append(LockKey(name.text));
        else if (m_glob.meetsOutside)
            m_outside.note(name.text, m_names.hintOf(name.text));
    }
    if (m_glob.meetsOutside && scanned())
        stats.outside = m_outside.outside();
    return keys;
}

QList<inspector::Target> KeyspaceScan::samples()
{
    if (scanned())
        m_samples = m_outside.samples();
    return nextSamples(1);
}

QList<inspector::Target> KeyspaceScan::nextSamples(qsizetype most)
{
    QList<inspector::Target> targets;
    while (!m_samples.isEmpty() && targets.size() < most)
        targets.append({m_samples.takeLast()});
    return targets;
}

QList<inspector::Target> KeyspaceScan::judge(const inspector::Target &sample, const Reading &reading)
{
    if (!reading.inspection)
        return {{sample.key, reading.readAs}};
    QList<inspector::Target> targets;
    if (const auto proven = m_outside.judge(sample.key, reading.inspection->lock);
        proven && m_names.adopt(proven->pattern)) {
        m_outside.forget(proven->pattern);
        m_samples.removeIf([this](const LockKey &key) { return m_names.contains(key.bytes); });
        for (const LockKey &key : proven->names)
            targets.append({key});
    }
    stats.outside = m_outside.outside();
    return targets + nextSamples(2);
}

/// The number of keys walked over follows from the cursor: COUNT is only a request.
void KeyspaceScan::noteProgress()
{
    const double done = scanned() ? 1 : progressOf(m_cursor);
    stats.progress = std::max(stats.progress, done);
    if (m_keyspaceKnown)
        stats.keysScanned = qRound64(stats.progress * static_cast<double>(stats.keyspace));
    else
        stats.keysScanned += stats.count;
}

} // namespace lockscope
