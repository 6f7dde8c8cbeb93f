// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/alerts/alertrulesdialog.h"

#include "core/words/alertmessages.h"
#include "core/words/phrases.h"
#include "ui/alerts/desktopnotifications.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/propertygrid.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

namespace lockscope {

namespace {

/// Returns the unit of a limit's field: 1 s for durations, in ms.
qint64 unitOf(const AlertRule &rule)
{
    return rule.limit == AlertLimit::Duration ? milliseconds(std::chrono::seconds(1)).count() : 1;
}

int shownOf(const AlertRule &rule, qint64 limit)
{
    return static_cast<int>(limit / unitOf(rule));
}

} // namespace

AlertRulesDialog::AlertRulesDialog(const AlertSettings &settings, bool areKept, DesktopNotifications &desktop,
                                   QWidget *parent)
    : QDialog(parent),
      m_desktop(desktop),
      m_notifies(new QCheckBox(tr("Show desktop &notifications"), this)),
      m_service(plainLabel(this)),
      m_message(plainLabel(this))
{
    setWindowTitle(tr("Alert rules"));
    auto *help = plainLabel(this, areKept ? tr("Rules are stored with this server.")
                                          : tr("Rules of a private server are not stored."));
    auto *buttons =
        buttonsOf(this, QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults);
    setLayout(
        columnOf({help, table(), m_notifies, m_service, m_message, Stretch{}, buttons}, 12, dialogMargins));
    applyTextColor(m_service, StatusColor::Muted);
    applyTextColor(m_message, StatusColor::Warning);
    connect(buttons, &QDialogButtonBox::accepted, this, &AlertRulesDialog::submit);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
            [this] { fill(AlertSettings()); });
    connect(m_notifies, &QCheckBox::toggled, this, &AlertRulesDialog::showState);
    connect(&m_desktop, &DesktopNotifications::availabilityChanged, this, &AlertRulesDialog::showState);
    fill(settings);
    m_desktop.ask();
    setMinimumWidth(latinWidth(fontMetrics(), 76));
}

QLayout *AlertRulesDialog::table()
{
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(18);
    grid->setVerticalSpacing(1); // all rules fit on a screen of 768 pixels
    grid->setColumnStretch(0, 1);
    auto *heading = new QLabel(tr("Notify"), this);
    applyTextColor(heading, StatusColor::Muted);
    grid->addWidget(heading, 0, 2, Qt::AlignCenter);
    for (const AlertLimit limit :
         {AlertLimit::None, AlertLimit::Duration, AlertLimit::Times, AlertLimit::Count}) {
        for (const AlertRule &rule : alertRuleTable()) {
            if (rule.limit == limit)
                addRule(rule, *grid);
        }
    }
    return grid;
}

void AlertRulesDialog::addRule(const AlertRule &rule, QGridLayout &grid)
{
    const int row = grid.rowCount();
    Fields fields{&rule, new QCheckBox(inWords(Phrase(rule.label)), this), nullptr, new QCheckBox(this)};
    fields.isOn->setToolTip(inWords(Phrase(rule.meaning)));
    grid.addWidget(fields.isOn, row, 0);
    if (rule.limit != AlertLimit::None) {
        fields.limit = new QSpinBox(this);
        fields.limit->setRange(shownOf(rule, rule.minLimit), shownOf(rule, rule.maxLimit));
        fields.limit->setGroupSeparatorShown(true);
        fields.limit->setAccessibleName(plainLabelOf(rule));
        if (rule.limit == AlertLimit::Duration)
            fields.limit->setSuffix(tr(" s", "seconds, after a number"));
        if (rule.limit == AlertLimit::Times)
            fields.limit->setSuffix(tr(" × usual", "after a number"));
        grid.addWidget(fields.limit, row, 1);
    }
    fields.notifies->setAccessibleName(tr("Notify: %1").arg(describe(rule.kind)));
    grid.addWidget(fields.notifies, row, 2, Qt::AlignCenter);
    connect(fields.isOn, &QCheckBox::toggled, this, &AlertRulesDialog::showState);
    if (rule.kind == AlertKind::NoExpiry)
        fields.isOn->setFocus();
    m_fields.push_back(fields);
}

void AlertRulesDialog::fill(const AlertSettings &settings)
{
    m_filled = settings;
    for (const Fields &fields : m_fields) {
        const AlertRule &rule = *fields.rule;
        const auto &limit = settings.rules[rule.kind];
        fields.isOn->setChecked(limit.has_value());
        if (fields.limit)
            fields.limit->setValue(shownOf(rule, limit.value_or(rule.defaultLimit)));
        fields.notifies->setChecked(!settings.silent.test(static_cast<size_t>(rule.kind)));
    }
    m_notifies->setChecked(settings.notifies);
    showState();
}

/// Fields that the user did not change keep their exact values, even if not shown in full.
AlertSettings AlertRulesDialog::settings() const
{
    AlertSettings settings = m_filled;
    for (const Fields &fields : m_fields) {
        const AlertRule &rule = *fields.rule;
        auto &limit = settings.rules[rule.kind];
        const int shown = fields.limit ? fields.limit->value() : 0;
        if (!fields.isOn->isChecked())
            limit.reset();
        else if (!limit || shownOf(rule, *limit) != shown)
            limit = shown * unitOf(rule);
        settings.silent.set(static_cast<size_t>(rule.kind), !fields.notifies->isChecked());
    }
    settings.notifies = m_notifies->isChecked();
    return settings;
}

void AlertRulesDialog::showState()
{
    bool isAny = false;
    for (const Fields &each : m_fields) {
        if (each.limit)
            each.limit->setEnabled(each.isOn->isChecked());
        each.notifies->setEnabled(each.isOn->isChecked() && m_notifies->isChecked());
        isAny = isAny || each.isOn->isChecked();
    }
    m_message->setText(isAny ? QString() : tr("No rule is on: no alerts."));
    m_message->setVisible(!isAny);
    const auto available = m_desktop.isAvailable();
    m_service->setText(available && !*available
                           ? tr("No notification service: alerts appear only in the list.")
                           : tr("A few notifications per minute; the rest are counted."));
}

void AlertRulesDialog::submit()
{
    emit chosen(settings());
    accept();
}

} // namespace lockscope
