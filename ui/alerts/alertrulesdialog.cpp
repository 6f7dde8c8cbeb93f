// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/alerts/alertrulesdialog.h"

#include "core/words/alertmessages.h"
#include "ui/alerts/desktopnotifications.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/propertygrid.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

/// Offered where the rule is off.
constexpr std::chrono::seconds proposedMaxHeld{600};
constexpr std::chrono::hours longestOffered{24 * 30};
constexpr int mostOffered = 1'000'000;

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
    auto *help = plainLabel(this);
    help->setText(
        areKept ? tr("Lockscope raises an alert when a lock of this server breaks a rule. The rules are "
                     "stored with this server.")
                : tr("Lockscope raises an alert when a lock of this server breaks a rule. This server is "
                     "private: the rules are not stored."));
    auto *buttons = new QDialogButtonBox(
        QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults, this);
    for (QAbstractButton *button : buttons->buttons())
        button->setIcon({});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(18, 16, 18, 14);
    layout->setSpacing(12);
    layout->addWidget(help);
    layout->addLayout(table());
    layout->addWidget(m_notifies);
    layout->addWidget(m_service);
    layout->addWidget(m_message);
    layout->addStretch();
    layout->addWidget(buttons);
    applyTextColor(m_service, StatusColor::Muted);
    applyTextColor(m_message, StatusColor::Warning);
    connect(buttons, &QDialogButtonBox::accepted, this, &AlertRulesDialog::submit);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
            [this] { fill(AlertSettings()); });
    connect(m_notifies, &QCheckBox::toggled, this, &AlertRulesDialog::showState);
    connect(&m_desktop, &DesktopNotifications::availabilityChanged, this, &AlertRulesDialog::showState);
    fill(settings);
    m_desktop.ask();
    rule(AlertKind::NoExpiry).isOn->setFocus();
    setMinimumWidth(latinWidth(fontMetrics(), 76));
}

QSpinBox *AlertRulesDialog::numberBox(const QString &name, int least, int most)
{
    auto *box = new QSpinBox(this);
    box->setRange(least, most);
    box->setGroupSeparatorShown(true);
    box->setAccessibleName(name);
    return box;
}

QLayout *AlertRulesDialog::table()
{
    m_maxHeld = numberBox(tr("Longest hold"), int(shortestMaxHeld / 1s), int(longestOffered / 1s));
    m_maxHeld->setSuffix(tr(" s", "seconds, after a number"));
    m_timesUsual = numberBox(tr("Multiple of the usual hold"), fewestTimesUsual, mostOffered);
    m_timesUsual->setSuffix(tr(" × usual", "after a number"));
    m_maxWaiters = numberBox(tr("Most waiters"), 0, mostOffered);

    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(18);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(0, 1);
    auto *heading = new QLabel(tr("Notify"), this);
    applyTextColor(heading, StatusColor::Muted);
    grid->addWidget(heading, 0, 2, Qt::AlignCenter);
    const auto add = [&](AlertKind kind, const QString &text, const QString &meaning, QWidget *limit) {
        const int row = grid->rowCount();
        Rule &added = rule(kind);
        added.isOn = new QCheckBox(text, this);
        added.isOn->setToolTip(meaning);
        added.notifies = new QCheckBox(this);
        added.notifies->setAccessibleName(tr("Notify: %1").arg(describe(kind)));
        grid->addWidget(added.isOn, row, 0);
        if (limit)
            grid->addWidget(limit, row, 1);
        grid->addWidget(added.notifies, row, 2, Qt::AlignCenter);
        connect(added.isOn, &QCheckBox::toggled, this, &AlertRulesDialog::showState);
    };
    add(AlertKind::Deadlock, tr("&Deadlock"), tr("Owners wait for each other. Confirmed by two readings."),
        nullptr);
    add(AlertKind::ConnectionLost, tr("&Connection lost"),
        tr("The server, or one of several, cannot be reached: nothing is known of its locks."), nullptr);
    add(AlertKind::Reset, tr("Locks &gone at once"), tr("The server was flushed, restarted or replaced."),
        nullptr);
    add(AlertKind::StalledHolder, tr("&Stalled holder with waiters"),
        tr("The owner's renewal is overdue while others wait: its process has probably crashed."), nullptr);
    add(AlertKind::NoExpiry, tr("No e&xpiry"),
        tr("A lock has no expiry, and its library gives its locks one."), nullptr);
    add(AlertKind::HeldTooLong, tr("&Held longer than"),
        tr("One owner has held a lock for longer, at least."), m_maxHeld);
    add(AlertKind::HeldUnusuallyLong, tr("Held &longer than usual"),
        tr("Longer than any of the last holds of the key, and so many times their median."), m_timesUsual);
    add(AlertKind::ManyWaiters, tr("More &waiters than"), tr("As far as waiters can be counted."),
        m_maxWaiters);
    return grid;
}

bool AlertRulesDialog::isOn(AlertKind kind) const
{
    return m_rules.at(static_cast<size_t>(kind)).isOn->isChecked();
}

void AlertRulesDialog::fill(const AlertSettings &settings)
{
    const AlertRules &rules = settings.rules;
    for (const auto &[kind, on] :
         {std::pair(AlertKind::NoExpiry, rules.noExpiry), std::pair(AlertKind::Deadlock, rules.deadlock),
          std::pair(AlertKind::StalledHolder, rules.stalledHolder),
          std::pair(AlertKind::ConnectionLost, rules.connectionLost),
          std::pair(AlertKind::Reset, rules.reset),
          std::pair(AlertKind::HeldTooLong, rules.maxHeld.has_value()),
          std::pair(AlertKind::HeldUnusuallyLong, rules.timesUsual.has_value()),
          std::pair(AlertKind::ManyWaiters, rules.maxWaiters.has_value())})
        rule(kind).isOn->setChecked(on);
    const AlertRules usual;
    m_maxHeld->setValue(static_cast<int>(rules.maxHeld.value_or(proposedMaxHeld) / 1s));
    m_timesUsual->setValue(rules.timesUsual.value_or(*usual.timesUsual));
    m_maxWaiters->setValue(
        static_cast<int>(std::min<qint64>(rules.maxWaiters.value_or(*usual.maxWaiters), mostOffered)));
    for (int kind = 0; kind < alertKinds; ++kind)
        m_rules.at(static_cast<size_t>(kind))
            .notifies->setChecked(!settings.silent.test(static_cast<size_t>(kind)));
    m_notifies->setChecked(settings.notifies);
    showState();
}

AlertSettings AlertRulesDialog::settings() const
{
    AlertSettings settings;
    AlertRules &rules = settings.rules;
    rules.noExpiry = isOn(AlertKind::NoExpiry);
    rules.deadlock = isOn(AlertKind::Deadlock);
    rules.stalledHolder = isOn(AlertKind::StalledHolder);
    rules.connectionLost = isOn(AlertKind::ConnectionLost);
    rules.reset = isOn(AlertKind::Reset);
    const auto limit = [this](AlertKind kind, auto value) {
        return isOn(kind) ? std::optional(value) : std::nullopt;
    };
    rules.maxHeld = limit(AlertKind::HeldTooLong, milliseconds(std::chrono::seconds(m_maxHeld->value())));
    rules.timesUsual = limit(AlertKind::HeldUnusuallyLong, m_timesUsual->value());
    rules.maxWaiters = limit(AlertKind::ManyWaiters, qint64(m_maxWaiters->value()));
    settings.notifies = m_notifies->isChecked();
    for (int kind = 0; kind < alertKinds; ++kind)
        settings.silent.set(static_cast<size_t>(kind),
                            !m_rules.at(static_cast<size_t>(kind)).notifies->isChecked());
    return settings;
}

void AlertRulesDialog::showState()
{
    m_maxHeld->setEnabled(isOn(AlertKind::HeldTooLong));
    m_timesUsual->setEnabled(isOn(AlertKind::HeldUnusuallyLong));
    m_maxWaiters->setEnabled(isOn(AlertKind::ManyWaiters));
    bool isAny = false;
    for (const Rule &each : m_rules) {
        each.notifies->setEnabled(each.isOn->isChecked() && m_notifies->isChecked());
        isAny = isAny || each.isOn->isChecked();
    }
    m_message->setText(isAny ? QString()
                             : tr("No rule is on. Lockscope will raise no alert for this server."));
    m_message->setVisible(!isAny);
    const auto available = m_desktop.isAvailable();
    m_service->setText(
        available && !*available
            ? tr("No notification service answers. Alerts are shown in the list only.")
            : tr("At most a few notifications are shown per minute; further alerts are counted."));
}

void AlertRulesDialog::submit()
{
    emit chosen(settings());
    accept();
}

} // namespace lockscope
