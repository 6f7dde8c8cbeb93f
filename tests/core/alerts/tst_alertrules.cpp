// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alerts/alertrules.h"

#include <QSet>
#include <QtTest>

using namespace lockscope;

class AlertRulesTest : public QObject
{
    Q_OBJECT

private slots:
    void everyKindHasOneWholeRow()
    {
        QSet<int> kinds;
        QSet<QByteArray> names, options;
        for (const AlertRule &rule : alertRuleTable()) {
            kinds.insert(static_cast<int>(rule.kind));
            names.insert(rule.name);
            QCOMPARE(&ruleOf(rule.kind), &rule);
            QCOMPARE(ruleNamed(rule.name), &rule);
            QVERIFY2(qstrlen(rule.label) > 0, rule.name);
            QVERIFY2(rule.evidence || rule.kind == AlertKind::Reset, rule.name);
            const bool hasLimit = rule.limit != AlertLimit::None;
            QVERIFY2(!rule.option == !rule.optionHelp, rule.name);
            QVERIFY2(!rule.isOfHold || rule.brokenFrom, rule.name);
            QVERIFY2(rule.defaultLimit >= rule.minLimit && rule.defaultLimit <= rule.maxLimit, rule.name);
            if (!rule.option)
                continue;
            QVERIFY2(hasLimit && !options.contains(rule.option), rule.name);
            options.insert(rule.option);
        }
        QCOMPARE(kinds.size(), alertKinds);
        QCOMPARE(names.size(), alertKinds);
        QVERIFY(!ruleNamed("no-such-rule") && !ruleNamed({}));
    }

    void defaultsAreThoseOfTheRows()
    {
        const AlertRules rules;
        QCOMPARE(rules[AlertKind::NoExpiry], std::optional<qint64>(0));
        QCOMPARE(rules[AlertKind::ManyWaiters], std::optional<qint64>(20));
        QCOMPARE(rules[AlertKind::HeldUnusuallyLong], std::optional<qint64>(10));
        QVERIFY(!rules[AlertKind::HeldTooLong]);
    }
};

QTEST_APPLESS_MAIN(AlertRulesTest)
#include "tst_alertrules.moc"
