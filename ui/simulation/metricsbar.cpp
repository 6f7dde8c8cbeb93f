// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/metricsbar.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/propertygrid.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>

namespace lockscope {

namespace {

using Kind = Metric::Kind;

constexpr std::array shown{Kind::Throughput, Kind::Acquired, Kind::Attempts, Kind::Refused,
                           Kind::Commands,   Kind::Fairness, Kind::Overlaps};

} // namespace

MetricsBar::MetricsBar(QWidget *parent) : QWidget(parent)
{
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(0);
    for (int column = 0; column < int(shown.size()); ++column) {
        const Kind kind = shown[size_t(column)];
        auto *value = new QLabel(QStringLiteral("–"), this);
        // There is no room for more, and the figure says of what it is.
        auto *name = new QLabel(kind == Kind::Commands ? tr("Commands") : nameOf(kind), this);
        value->setFont(strong(value->font(), 1.7));
        for (QLabel *label : {value, name}) {
            label->setTextFormat(Qt::PlainText);
            label->setToolTip(meaningOf(kind));
        }
        name->setBuddy(value);
        grid->addWidget(value, 0, column);
        grid->addWidget(name, 1, column);
        grid->setColumnStretch(column, 1);
        m_values.insert(kind, value);
        m_names.append(name);
    }
    recolor();
}

void MetricsBar::show(const Report &soFar, std::optional<double> perSecond)
{
    for (const Kind kind : shown)
        showValue(kind,
                  textOf(kind == Kind::Throughput ? Metric{kind, Metric::Unit::PerSecond, perSecond, false}
                                                  : measureOf(kind, soFar)));
    if (const bool isBad = soFar.findings.overlaps > 0; isBad != m_isBad) {
        m_isBad = isBad;
        recolor();
    }
}

void MetricsBar::clear()
{
    for (const Kind kind : shown)
        showValue(kind, QStringLiteral("–"));
    m_isBad = false;
    recolor();
}

QString MetricsBar::text(Kind kind) const
{
    return m_values.value(kind)->text();
}

void MetricsBar::showValue(Kind kind, const QString &text)
{
    QLabel *label = m_values.value(kind);
    if (label->text() != text)
        label->setText(text);
}

void MetricsBar::recolor()
{
    for (QLabel *name : m_names)
        applyTextColor(name, StatusColor::Muted);
    QLabel *overlaps = m_values.value(Kind::Overlaps);
    if (m_isBad)
        applyTextColor(overlaps, StatusColor::Danger);
    else
        clearTextColor(overlaps);
}

} // namespace lockscope
