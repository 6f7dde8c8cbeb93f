// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/propertygrid.h"

#include "ui/widgets/measure.h"

#include <QEvent>

namespace lockscope {

QLabel *plainLabel(QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    label->setSizePolicy(policy);
    return label;
}

// Explicit roles: without them a label takes those that go with its parent's background.
void applyTextColor(QWidget *widget, StatusColor statusColor)
{
    QPalette palette = widget->palette();
    // After its parent's: when the theme changes, that has the new palette first, and it is the parent who tints.
    const QColor color =
        textColor(statusColor, widget->parentWidget() ? widget->parentWidget()->palette() : palette);
    if (widget->foregroundRole() == QPalette::WindowText && palette.color(QPalette::WindowText) == color)
        return;
    palette.setColor(QPalette::WindowText, color);
    widget->setForegroundRole(QPalette::WindowText);
    widget->setPalette(palette);
}

void applyBannerStyle(QWidget *widget, StatusColor statusColor)
{
    QPalette palette = widget->palette();
    palette.setColor(QPalette::Window, tintColor(statusColor, widget->parentWidget()->palette()));
    palette.setColor(QPalette::WindowText, textColor(statusColor, widget->parentWidget()->palette()));
    widget->setAutoFillBackground(true);
    widget->setBackgroundRole(QPalette::Window);
    widget->setForegroundRole(QPalette::WindowText);
    widget->setContentsMargins(10, 8, 10, 8);
    widget->setPalette(palette);
}

PropertyGrid::PropertyGrid(QWidget *parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(14);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 1);
    m_grid->setColumnMinimumWidth(0, latinWidth(fontMetrics(), 15));
}

QLabel *PropertyGrid::add(const QString &name)
{
    const int row = m_grid->rowCount();
    QLabel *value = pair(name);
    m_grid->addWidget(m_names.last(), row, 0);
    m_grid->addWidget(value, row, 1);
    return value;
}

QLabel *PropertyGrid::addBelow(const QString &name)
{
    const int row = m_grid->rowCount();
    QLabel *value = pair(name);
    m_grid->addWidget(m_names.last(), row, 0, 1, 2);
    m_grid->addWidget(value, row + 1, 0, 1, 2);
    return value;
}

QLabel *PropertyGrid::pair(const QString &name)
{
    auto *label = new QLabel(name, this);
    label->setTextFormat(Qt::PlainText);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    QLabel *value = plainLabel(this);
    label->setBuddy(value);
    m_names.append(label);
    m_values.append(value);
    recolor();
    return value;
}

void PropertyGrid::set(QLabel *value, const QString &text)
{
    value->setText(text);
    const qsizetype row = m_values.indexOf(value);
    if (value->isHidden() != text.isEmpty()) {
        value->setHidden(text.isEmpty());
        m_names.at(row)->setHidden(text.isEmpty());
    }
}

QList<std::pair<QString, QString>> PropertyGrid::rows() const
{
    QList<std::pair<QString, QString>> rows;
    for (qsizetype row = 0; row < m_values.size(); ++row) {
        if (!m_values[row]->text().isEmpty())
            rows.append({m_names[row]->text(), m_values[row]->text()});
    }
    return rows;
}

void PropertyGrid::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        recolor();
}

void PropertyGrid::recolor()
{
    for (QLabel *name : m_names)
        applyTextColor(name, StatusColor::Muted);
}

} // namespace lockscope
