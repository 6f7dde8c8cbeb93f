// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/propertygrid.h"

#include "ui/widgets/measure.h"
#include "ui/widgets/wrappedlabel.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPointer>

namespace lockscope {

QLabel *plainLabel(QWidget *parent, const QString &text)
{
    auto *label = new WrappedLabel(parent);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    label->setSizePolicy(policy);
    label->setText(text);
    return label;
}

namespace {

constexpr const char *textProperty = "textStatusColor";
constexpr const char *bannerProperty = "bannerStatusColor";

// Explicit roles: without them a widget takes those that go with its parent's background. Colors are computed from the
// parent's palette: when the theme changes, that is there first, and it is the parent who tints. Each step tells of a new
// palette, also of one that is as it was.

void takePalette(QWidget *widget, const QPalette &palette)
{
    if (palette != widget->palette())
        widget->setPalette(palette);
    if (widget->foregroundRole() != QPalette::WindowText)
        widget->setForegroundRole(QPalette::WindowText);
}

QPalette groundOf(const QWidget *widget)
{
    return widget->parentWidget() ? widget->parentWidget()->palette() : widget->palette();
}

void paintText(QWidget *widget, StatusColor statusColor)
{
    QPalette palette = widget->palette();
    palette.setColor(QPalette::WindowText, textColor(statusColor, groundOf(widget)));
    takePalette(widget, palette);
}

void paintBanner(QWidget *widget, StatusColor statusColor)
{
    QPalette palette = widget->palette();
    palette.setColor(QPalette::Window, tintColor(statusColor, groundOf(widget)));
    palette.setColor(QPalette::WindowText, textColor(statusColor, groundOf(widget)));
    takePalette(widget, palette);
}

class Recolorer : public QObject
{
public:
    using QObject::QObject;

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::PaletteChange) {
            auto *widget = static_cast<QWidget *>(watched);
            if (const QVariant banner = widget->property(bannerProperty); banner.isValid())
                paintBanner(widget, static_cast<StatusColor>(banner.toInt()));
            else if (const QVariant text = widget->property(textProperty); text.isValid())
                paintText(widget, static_cast<StatusColor>(text.toInt()));
        }
        return QObject::eventFilter(watched, event);
    }
};

void keepColored(QWidget *widget, const char *property, StatusColor statusColor)
{
    static const QPointer<Recolorer> recolorer = new Recolorer(QCoreApplication::instance());
    if (!widget->property(property).isValid() && recolorer)
        widget->installEventFilter(recolorer);
    widget->setProperty(property, static_cast<int>(statusColor));
}

} // namespace

void applyTextColor(QWidget *widget, StatusColor statusColor)
{
    keepColored(widget, textProperty, statusColor);
    paintText(widget, statusColor);
}

void clearTextColor(QWidget *widget)
{
    widget->setProperty(textProperty, QVariant());
    widget->setPalette({});
}

void applyBannerStyle(QWidget *widget, StatusColor statusColor)
{
    keepColored(widget, bannerProperty, statusColor);
    widget->setAutoFillBackground(true);
    if (widget->backgroundRole() != QPalette::Window)
        widget->setBackgroundRole(QPalette::Window);
    widget->setContentsMargins(10, 8, 10, 8);
    paintBanner(widget, statusColor);
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
    applyTextColor(label, StatusColor::Muted);
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

} // namespace lockscope
