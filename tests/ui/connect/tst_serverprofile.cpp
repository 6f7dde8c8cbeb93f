// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/certainty.h"
#include "core/family/registry.h"
#include "ui/connect/serverprofile.h"

#include "tests/support/familyliteral.h"
#include "tests/support/ownsettings.h"
#include "tests/ui/samplelocks.h"
#include "ui/connect/familyrulesdialog.h"
#include "ui/locks/processnamedialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class ServerNotesTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
    }

    void notesStayWithTheirServer()
    {
        const QString one = QStringLiteral("redis://u@db.example:6379/2"),
                      other = QStringLiteral("unix:/run/r.sock");
        ServerProfile notes{
            {{client, QStringLiteral("Aufträge = 100 %")}, {"\x01\xff,\"/", QStringLiteral("b")}},
            {{"a*\xfe", "spring-integration"_family}, {"b/c", "node-redlock"_family}},
            {},
            {"lock:*", "a,\xfe*"}};
        notes.undiscovered.insert("bullmq"_family);
        keepNotes(one, notes);
        QCOMPARE(notesOf(one), notes);
        QCOMPARE(notesOf(other), ServerProfile());
        keepNotes(other, {{}, {{"x", "pottery"_family}}, {}, {}});
        QCOMPARE(notesOf(one), notes);
        // Fewer than before: none of the old ones comes back.
        keepNotes(one, {{{otherClient, QStringLiteral("c")}}, {}, {}, {}});
        QCOMPARE(notesOf(one).names.size(), 1);
        QVERIFY(notesOf(one).rules.isEmpty() && notesOf(one).undiscovered.isEmpty() &&
                notesOf(one).patterns.isEmpty());
        keepNotes(one, {});
        QCOMPARE(notesOf(one), ServerProfile());
        keepNotes({}, notes);
        QCOMPARE(notesOf({}), ServerProfile());
    }

    void rulesAreEdited()
    {
        FamilyRulesDialog dialog({{"a:*", "pottery"_family}, {"b:*", "quartz"_family}}, "order:7", nullptr);
        dialog.show();
        QSignalSpy spy(&dialog, &FamilyRulesDialog::chosen);
        auto fields = dialog.findChildren<QLineEdit *>();
        QCOMPARE(fields.size(), 3);
        QCOMPARE(fields.last()->text(), QStringLiteral("order:7"));
        const auto choices = dialog.findChildren<QComboBox *>();
        QCOMPARE(choices.at(0)->currentData().toInt(), "pottery"_family.index());
        choices.at(2)->setCurrentIndex(choices.at(2)->findData("node-redlock"_family.index()));
        dialog.findChildren<QToolButton *>().first()->click();
        for (QPushButton *button : dialog.findChildren<QPushButton *>()) {
            if (button->text().remove(u'&') == QStringLiteral("Add a rule"))
                button->click(); // left empty: no rule
        }
        dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->click();
        QCOMPARE(spy.size(), 1);
        const QList<FamilyRule> expected{{"b:*", "quartz"_family}, {"order:7", "node-redlock"_family}};
        QCOMPARE(spy.first().first().value<QList<FamilyRule>>(), expected);
    }

    void onlyWhatATokenMayBeCanBePinned()
    {
        for (const Family family : pinnableFamilies())
            QVERIFY2(certaintyOf(family, {Evidence::Content, Evidence::Name}) != Certainty::Certain,
                     specOf(family).name);
    }

    void processesAreNamed()
    {
        OwnerNames names;
        names.setName(client, QStringLiteral("orders"));
        const WatchedLock lock = queued(redisson("x", client + ":1"), {client + ":2", otherClient + ":1"});
        QCOMPARE(clientsOf(lock.lock), QList<QByteArray>({client, otherClient}));
        ProcessNameDialog dialog(lock.lock, names, nullptr);
        connect(&dialog, &ProcessNameDialog::named, &names, &OwnerNames::setName);
        dialog.show();
        auto *name = dialog.findChild<QLineEdit *>(QStringLiteral("name"));
        QCOMPARE(name->text(), QStringLiteral("orders"));
        dialog.findChild<QComboBox *>(QStringLiteral("client"))->setCurrentIndex(1);
        QVERIFY(name->text().isEmpty());
        QTest::keyClicks(name, QStringLiteral("billing"));
        QTest::keyClick(name, Qt::Key_Return);
        QVERIFY(!dialog.isVisible());
        QCOMPARE(names.nameOf(otherClient), QStringLiteral("billing"));
        QCOMPARE(names.text("redisson"_family, LockKey("x"), OwnerId(otherClient + ":1")),
                 QStringLiteral("billing · thread 1"));
        QVERIFY(clientsOf(token("t").lock).isEmpty());
    }

    void aNameIsShortAndOneLine()
    {
        OwnerNames names;
        QSignalSpy spy(&names, &OwnerNames::changed);
        names.setName(client, QStringLiteral(" a\n\tb ") + QString(200, u'x'));
        QCOMPARE(names.nameOf(client).size(), OwnerNames::longest);
        QVERIFY(names.nameOf(client).startsWith(QStringLiteral("a b x")));
        names.setName(client, QStringLiteral("  "));
        QVERIFY(names.all().isEmpty());
        names.setName(client, {});
        QCOMPARE(spy.size(), 2);
    }

private:
    OwnSettings m_files;
};

QTEST_MAIN(ServerNotesTest)
#include "tst_serverprofile.moc"
