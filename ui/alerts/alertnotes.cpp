// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/alerts/alertnotes.h"

#include "core/base/enumnames.h"
#include "core/base/settings.h"
#include "ui/connect/serverprofile.h"

#include <algorithm>

namespace lockscope {

namespace {

using SnoozeOf = AlertSnooze::Of;
constexpr std::array snoozeNames{Named<SnoozeOf>{SnoozeOf::Alert, "alert"},
                                 Named<SnoozeOf>{SnoozeOf::Rule, "rule"},
                                 Named<SnoozeOf>{SnoozeOf::Lock, "lock"}};

QString rulesGroup(const QString &uri)
{
    return notesGroup(uri) + QStringLiteral("/alertRules");
}

QString nameOfRule(AlertKind kind)
{
    return QString::fromLatin1(alertName(kind));
}

/// Of the rules that are on or off.
template <typename Take>
void visitSwitches(AlertRules &rules, const Take &take)
{
    take(AlertKind::NoExpiry, rules.noExpiry);
    take(AlertKind::Deadlock, rules.deadlock);
    take(AlertKind::StalledHolder, rules.stalledHolder);
    take(AlertKind::ConnectionLost, rules.connectionLost);
    take(AlertKind::Reset, rules.reset);
}

/// "off", or a number from `least` to `most`; what is neither leaves `limit` as it is.
template <typename Number>
void readLimit(const QSettings &settings, AlertKind kind, std::optional<Number> &limit, qint64 least,
               qint64 most)
{
    const QString stored = settings.value(nameOfRule(kind)).toString();
    bool isNumber = false;
    const qint64 number = stored.toLongLong(&isNumber);
    if (stored == QStringLiteral("off"))
        limit.reset();
    else if (isNumber && number >= least && number <= most)
        limit = static_cast<Number>(number);
}

QString limitText(std::optional<qint64> limit)
{
    return limit ? QString::number(*limit) : QStringLiteral("off");
}

} // namespace

AlertSettings alertSettingsOf(const QString &uri)
{
    AlertSettings kept;
    if (uri.isEmpty())
        return kept;
    Settings settings;
    settings.beginGroup(rulesGroup(uri));
    AlertRules &rules = kept.rules;
    visitSwitches(rules, [&settings](AlertKind kind, bool &isOn) {
        isOn = settings.value(nameOfRule(kind), isOn).toBool();
    });
    std::optional<qint64> heldMs;
    if (rules.maxHeld)
        heldMs = rules.maxHeld->count();
    readLimit(settings, AlertKind::HeldTooLong, heldMs, shortestMaxHeld.count(), longestMaxHeld.count());
    rules.maxHeld = heldMs ? std::optional(milliseconds(*heldMs)) : std::nullopt;
    readLimit(settings, AlertKind::HeldUnusuallyLong, rules.timesUsual, fewestTimesUsual, mostTimesUsual);
    readLimit(settings, AlertKind::ManyWaiters, rules.maxWaiters, 0, mostMaxWaiters);
    kept.notifies = settings.value(QStringLiteral("notifies"), kept.notifies).toBool();
    for (const QString &name : settings.value(QStringLiteral("silent")).toStringList()) {
        if (const auto kind = alertFromName(name.toLatin1()))
            kept.silent.set(static_cast<size_t>(*kind));
    }
    return kept;
}

void keepAlertSettings(const QString &uri, const AlertSettings &kept)
{
    if (uri.isEmpty())
        return;
    Settings settings;
    settings.beginGroup(rulesGroup(uri));
    settings.remove(QString());
    if (kept == AlertSettings())
        return;
    AlertRules rules = kept.rules;
    visitSwitches(rules,
                  [&settings](AlertKind kind, bool &isOn) { settings.setValue(nameOfRule(kind), isOn); });
    settings.setValue(
        nameOfRule(AlertKind::HeldTooLong),
        limitText(rules.maxHeld ? std::optional<qint64>(rules.maxHeld->count()) : std::nullopt));
    settings.setValue(nameOfRule(AlertKind::HeldUnusuallyLong), limitText(rules.timesUsual));
    settings.setValue(nameOfRule(AlertKind::ManyWaiters), limitText(rules.maxWaiters));
    settings.setValue(QStringLiteral("notifies"), kept.notifies);
    QStringList silent;
    for (int kind = 0; kind < alertKinds; ++kind) {
        if (kept.silent.test(static_cast<size_t>(kind)))
            silent << nameOfRule(static_cast<AlertKind>(kind));
    }
    if (!silent.isEmpty())
        settings.setValue(QStringLiteral("silent"), silent);
}

QList<AlertSnooze> snoozesOf(const QString &uri)
{
    QList<AlertSnooze> snoozes;
    if (uri.isEmpty())
        return snoozes;
    Settings settings;
    settings.beginGroup(notesGroup(uri));
    const auto count = std::min(settings.beginReadArray(QStringLiteral("snoozes")),
                                static_cast<int>(AlertList::mostSnoozes));
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        const auto of = valueIn(snoozeNames, settings.value(QStringLiteral("of")).toByteArray());
        const auto kind = alertFromName(settings.value(QStringLiteral("rule")).toByteArray());
        if (!of || !kind)
            continue;
        snoozes.append({*of, *kind, LockKey(settings.value(QStringLiteral("key")).toByteArray()),
                        settings.value(QStringLiteral("subject")).toByteArray(),
                        std::max(0LL, settings.value(QStringLiteral("until")).toLongLong()),
                        settings.value(QStringLiteral("made")).toLongLong()});
    }
    return snoozes;
}

void keepSnoozes(const QString &uri, const QList<AlertSnooze> &snoozes)
{
    if (uri.isEmpty())
        return;
    Settings settings;
    settings.beginGroup(notesGroup(uri));
    settings.remove(QStringLiteral("snoozes"));
    if (snoozes.isEmpty())
        return;
    settings.beginWriteArray(QStringLiteral("snoozes"));
    for (int i = 0; i < static_cast<int>(snoozes.size()); ++i) {
        const AlertSnooze &snooze = snoozes.at(i);
        settings.setArrayIndex(i);
        settings.setValue(QStringLiteral("of"), nameIn(snoozeNames, snooze.of));
        settings.setValue(QStringLiteral("rule"), alertName(snooze.kind));
        settings.setValue(QStringLiteral("key"), snooze.key.bytes);
        settings.setValue(QStringLiteral("subject"), snooze.subject);
        settings.setValue(QStringLiteral("until"), snooze.untilMs);
        settings.setValue(QStringLiteral("made"), snooze.madeMs);
    }
    settings.endArray();
}

} // namespace lockscope
