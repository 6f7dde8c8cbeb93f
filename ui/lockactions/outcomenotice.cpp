// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lockactions/outcomenotice.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype mostShown = 4;

} // namespace

OutcomeNotice::OutcomeNotice(QWidget *parent) : Banner(parent)
{
    setObjectName(QStringLiteral("outcomeNotice"));
    connect(this, &Banner::stepChosen, this, &OutcomeNotice::clear);
}

void OutcomeNotice::add(StatusColor statusColor, const QString &outcome)
{
    const QString at = QLocale().toString(QDateTime::currentDateTime(), QLocale::ShortFormat);
    m_entries.prepend({statusColor, tr("%1, %2", "a date and time, what happened then").arg(at, outcome)});
    if (m_entries.size() > mostShown) {
        m_entries.removeLast();
        ++m_more;
    }
    showAll();
}

void OutcomeNotice::clear()
{
    m_entries.clear();
    m_more = 0;
    hide();
}

/// In the tone of the worst of them.
void OutcomeNotice::showAll()
{
    QStringList before;
    for (const Entry &entry : m_entries.sliced(1))
        before << entry.text;
    if (m_more > 0)
        before << tr("The audit log has the outcomes of earlier actions.");
    StatusColor statusColor = m_entries.first().statusColor;
    for (const Entry &entry : m_entries) {
        if (entry.statusColor == StatusColor::Danger || statusColor == StatusColor::Good)
            statusColor = entry.statusColor;
    }
    setMessage(statusColor, m_entries.first().text, before.join(u'\n'), tr("Dismiss"));
}

} // namespace lockscope
