// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/outcomenotice.h"

#include "core/words/texts.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr qsizetype maxShown = 4;

} // namespace

OutcomeNotice::OutcomeNotice(QWidget *parent) : Banner(parent)
{
    setObjectName(QStringLiteral("outcomeNotice"));
    m_passing.setSingleShot(true);
    m_passing.setInterval(passingTime);
    connect(this, &Banner::stepChosen, this, &OutcomeNotice::clear);
    connect(this, &Banner::otherStepChosen, this, [this] {
        const auto undo = std::exchange(m_undo, {});
        clear();
        if (undo)
            undo();
    });
    connect(&m_passing, &QTimer::timeout, this, [this] {
        m_entries.removeIf([](const Entry &entry) { return entry.isPassing; });
        m_undo = {};
        if (m_entries.isEmpty())
            return clear();
        showAll();
    });
}

void OutcomeNotice::add(StatusColor statusColor, const QString &outcome)
{
    const QString at = QLocale().toString(QDateTime::currentDateTime(), QLocale::ShortFormat);
    m_entries.prepend({statusColor, tr("%1, %2", "a date and time, what happened then").arg(at, outcome)});
    m_undo = {};
    if (m_entries.size() > maxShown) {
        // What nobody needs to have read goes first.
        const auto passing = std::find_if(m_entries.rbegin(), std::prev(m_entries.rend()),
                                          [](const Entry &entry) { return entry.isPassing; });
        const bool isUnread = passing == std::prev(m_entries.rend());
        m_entries.erase(isUnread ? std::prev(m_entries.end()) : std::prev(passing.base()));
        m_more += isUnread ? 1 : 0;
    }
    showAll();
}

void OutcomeNotice::addPassing(StatusColor statusColor, const QString &outcome,
                               const std::function<void()> &undo)
{
    add(statusColor, outcome);
    m_entries.first().isPassing = statusColor == StatusColor::Good;
    m_undo = undo;
    setOtherStep(undo ? tr("Undo") : QString());
    m_passing.start();
}

void OutcomeNotice::clear()
{
    m_entries.clear();
    m_more = 0;
    m_undo = {};
    m_passing.stop();
    hide();
}

void OutcomeNotice::showAll()
{
    QStringList before;
    for (const Entry &entry : m_entries.sliced(1))
        before << entry.text;
    if (m_more > 0)
        before << tr("Earlier outcomes are in the audit log.");
    StatusColor statusColor = m_entries.first().statusColor;
    for (const Entry &entry : m_entries) {
        if (entry.statusColor == StatusColor::Danger || statusColor == StatusColor::Good)
            statusColor = entry.statusColor;
    }
    setMessage(statusColor, m_entries.first().text, before.join(u'\n'), Texts::tr("Dismiss"));
    setOtherStep(m_undo ? tr("Undo") : QString());
}

} // namespace lockscope
