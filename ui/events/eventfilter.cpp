// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/events/eventfilter.h"

#include "core/base/foldedsearch.h"
#include "core/family/ownerfacts.h"
#include "ui/events/eventtext.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype longestSearched = 4096; // of a key: a filter is applied to every event at once

} // namespace

EventFilter::Kinds EventFilter::usualKinds()
{
    Kinds kinds = Kinds().set();
    kinds.reset(static_cast<size_t>(LoggedKind(EventKind::Found).index()));
    kinds.reset(static_cast<size_t>(LoggedKind(EventKind::Renewed).index()));
    return kinds;
}

void EventFilter::setWords(const QString &words, const OwnerNames &names)
{
    m_words.clear();
    for (const QString &text : words.split(u' ', Qt::SkipEmptyParts)) {
        Word word;
        word.text = text;
        word.needle = text.toUtf8();
        std::ranges::transform(word.needle, word.needle.begin(), lowerAscii);
        word.clients = names.clientsCalled(
            [&text](const QString &name) { return name.contains(text, Qt::CaseInsensitive); });
        for (int kind = 0; kind < LoggedKind::count; ++kind)
            word.kinds.set(static_cast<size_t>(kind),
                           eventWord(LoggedKind::at(kind)).contains(text, Qt::CaseInsensitive));
        m_words.append(word);
    }
}

bool EventFilter::accepts(const EventLog &log, qint64 number) const
{
    const LoggedKind kind = log.kindOf(number);
    if (m_time && (log.wallMsOf(number) < m_time->fromMs || log.wallMsOf(number) > m_time->toMs))
        return false;
    return accepts({kind, log.keyOf(number), log.familyOf(number), log.ownersOf(number),
                    kind.isMoment() && !m_words.isEmpty() ? log.textOf(number) : QString()});
}

bool EventFilter::accepts(const LockEvent &event) const
{
    return accepts({event.kind, event.address.key, event.family, event.owners, QString()});
}

bool EventFilter::accepts(MonitorEventKind kind, const LockKey &key) const
{
    const QList<LockOwner> nobody;
    return accepts({kind, key, {}, nobody, std::nullopt});
}

bool EventFilter::accepts(const Entry &entry) const
{
    if (!m_kinds.test(static_cast<size_t>(entry.kind.index())))
        return false;
    if (m_only && entry.key != *m_only)
        return false;
    return std::ranges::all_of(m_words, [&](const Word &word) { return word.isIn(entry); });
}

bool EventFilter::Word::isIn(const Entry &entry) const
{
    if (kinds.test(static_cast<size_t>(entry.kind.index())))
        return true;
    const QByteArray &key = entry.key.bytes;
    if (containsFolded(QByteArrayView(key).first(std::min(key.size(), longestSearched)), needle))
        return true;
    if (entry.kind.isMoment())
        return !entry.text || entry.text->contains(text, Qt::CaseInsensitive);
    const auto isInOwners = [&](const QByteArray &part) {
        return ownersContain(entry.family, entry.owners, part);
    };
    return isInOwners(needle) || std::ranges::any_of(clients, isInOwners);
}

} // namespace lockscope
