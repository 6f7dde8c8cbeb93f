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
    m_text->setProperty("helpTopic", QStringLiteral("possible"));
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

void HiddenLine::setCounts(int possible, int hidden)
{
    if (possible == m_possible && hidden == m_hidden)
        return;
    m_possible = possible;
    m_hidden = hidden;
    refresh();
}

bool HiddenLine::isOn() const
{
    return m_toggle->isChecked();
}

void HiddenLine::turnOn()
{
    m_toggle->setChecked(true);
}

QString HiddenLine::text() const
{
    return m_text->text();
}

void HiddenLine::refresh()
{
    const QString possible =
        tr("%1 possible lock(s)", nullptr, m_possible).arg(QLocale().toString(m_possible));
    const QString count = QLocale().toString(m_hidden);
    const QString hidden = isOn() ? tr("%1 probable non-lock(s) shown", nullptr, m_hidden).arg(count)
                                  : tr("%1 probable non-lock(s) hidden", nullptr, m_hidden).arg(count);
    QStringList parts;
    if (m_possible > 0)
        parts << possible;
    if (m_hidden > 0)
        parts << hidden;
    m_text->setText(parts.join(QStringLiteral(" · ")));
    m_toggle->setText(isOn() ? tr("Hide") : tr("Show"));
    m_toggle->setAccessibleName(m_toggle->text() + u' ' + m_text->text());
    setVisible(!parts.isEmpty());
}

} // namespace lockscope
