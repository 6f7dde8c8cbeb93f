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
constexpr milliseconds proposedMaxHeld = 10min;

// How a rule's limit stands in its field: a long time in whole seconds.

int shownOf(milliseconds limit)
{
    return static_cast<int>(limit / 1s);
}

template <typename Number>
int shownOf(Number limit)
{
    return static_cast<int>(limit);
}

template <typename Limit>
Limit limitFrom(int shown)
{
    if constexpr (std::is_same_v<Limit, milliseconds>)
        return std::chrono::seconds(shown);
    else
        return shown;
}

void showRule(bool rule, QCheckBox &box, QSpinBox *)
{
    box.setChecked(rule);
}

template <typename Limit>
void showRule(const std::optional<Limit> &rule, QCheckBox &box, QSpinBox *field)
{
    box.setChecked(rule.has_value());
    if (rule)
        field->setValue(shownOf(*rule));
}

void takeRule(bool &rule, const QCheckBox &box, const QSpinBox *)
{
    rule = box.isChecked();
}

/// What the user has not touched stays as it is, also where the field cannot show it in full.
template <typename Limit>
void takeRule(std::optional<Limit> &rule, const QCheckBox &box, const QSpinBox *field)
{
    if (!box.isChecked())
        rule.reset();
    else if (!rule || shownOf(*rule) != field->value())
        rule = limitFrom<Limit>(field->value());
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
    QSpinBox *maxHeld = numberBox(tr("Longest hold"), shownOf(shortestMaxHeld), shownOf(longestMaxHeld));
    maxHeld->setSuffix(tr(" s", "seconds, after a number"));
    QSpinBox *timesUsual = numberBox(tr("Multiple of the usual hold"), fewestTimesUsual, mostTimesUsual);
    timesUsual->setSuffix(tr(" × usual", "after a number"));
    QSpinBox *maxWaiters = numberBox(tr("Most waiters"), 0, shownOf(mostMaxWaiters));

    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(18);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(0, 1);
    auto *heading = new QLabel(tr("Notify"), this);
    applyTextColor(heading, StatusColor::Muted);
    grid->addWidget(heading, 0, 2, Qt::AlignCenter);
    const auto add = [&](AlertKind kind, const QString &text, const QString &meaning, QSpinBox *limit) {
        const int row = grid->rowCount();
        Rule &added = rule(kind);
        added.isOn = new QCheckBox(text, this);
        added.isOn->setToolTip(meaning);
        added.limit = limit;
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
        tr("One owner has held a lock for longer, at least."), maxHeld);
    add(AlertKind::HeldUnusuallyLong, tr("Held &longer than usual"),
        tr("Longer than any of the last holds of the key, and so many times their median."), timesUsual);
    add(AlertKind::ManyWaiters, tr("More &waiters than"), tr("As far as waiters can be counted."),
        maxWaiters);
    return grid;
}

void AlertRulesDialog::fill(const AlertSettings &settings)
{
    m_filled = settings;
    AlertRules proposed;
    proposed.maxHeld = proposedMaxHeld;
    for (const AlertRules *rules : {static_cast<const AlertRules *>(&proposed), &settings.rules})
        visitRules([&](AlertKind kind, auto member) {
            showRule(rules->*member, *rule(kind).isOn, rule(kind).limit);
        });
    for (int kind = 0; kind < alertKinds; ++kind)
        m_rules.at(static_cast<size_t>(kind))
            .notifies->setChecked(!settings.silent.test(static_cast<size_t>(kind)));
    m_notifies->setChecked(settings.notifies);
    showState();
}

AlertSettings AlertRulesDialog::settings() const
{
    AlertSettings settings;
    settings.rules = m_filled.rules;
    visitRules([&](AlertKind kind, auto member) {
        takeRule(settings.rules.*member, *rule(kind).isOn, rule(kind).limit);
    });
    settings.notifies = m_notifies->isChecked();
    for (int kind = 0; kind < alertKinds; ++kind)
        settings.silent.set(static_cast<size_t>(kind),
                            !m_rules.at(static_cast<size_t>(kind)).notifies->isChecked());
    return settings;
}

void AlertRulesDialog::showState()
{
    bool isAny = false;
    for (const Rule &each : m_rules) {
        if (each.limit)
            each.limit->setEnabled(each.isOn->isChecked());
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
