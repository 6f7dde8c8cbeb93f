// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/hiddenline.h"

#include "ui/widgets/boxes.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/propertygrid.h"

#include <QLabel>
#include <QLocale>
#include <QToolButton>

namespace lockscope {

HiddenLine::HiddenLine(QWidget *parent)
    : QWidget(parent), m_text(new QLabel(this)), m_toggle(new QToolButton(this))
{
    m_text->setTextFormat(Qt::PlainText);
    m_text->setToolTip(tr("Documents, flags, counters and binary values under a lock's name.\nA value that "
                          "is renewed or acquired again is listed as a lock."));
    applyTextColor(m_text, StatusColor::Muted);
    m_toggle->setCheckable(true);
    m_toggle->setAutoRaise(true);
    m_toggle->setToolButtonStyle(Qt::ToolButtonTextOnly);
    setLayout(lineOf({m_text, m_toggle, Stretch{}}, usualSpacing, {14, 2, 10, 2}));
    connect(m_toggle, &QToolButton::toggled, this, [this](bool on) {
        refresh();
        emit toggled(on);
    });
    refresh();
}

void HiddenLine::setCount(int count)
{
    if (count == m_count)
        return;
    m_count = count;
    refresh();
}

bool HiddenLine::isOn() const
{
    return m_toggle->isChecked();
}

QString HiddenLine::text() const
{
    return m_text->text();
}

void HiddenLine::refresh()
{
    const QString count = QLocale().toString(m_count);
    m_text->setText(isOn() ? tr("%1 key(s) that are probably no locks are shown", nullptr, m_count).arg(count)
                           : tr("%1 hidden key(s) that are probably no locks", nullptr, m_count).arg(count));
    m_toggle->setText(isOn() ? tr("Hide") : tr("Show"));
    setVisible(m_count > 0);
}

} // namespace lockscope
