// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/clientfinderdialog.h"

#include "tests/support/familyliteral.h"

#include <QtTest>
#include <QtWidgets>

using namespace lockscope;
using namespace std::chrono_literals;

class TestWhoDialog : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
    }

    void looksOnlyWhenAsked()
    {
        Lock lock;
        lock.address.key = LockKey("order:77");
        lock.type = KeyType::String;
        lock.family = "token"_family;
        lock.owners = {{OwnerId("2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10"), {}, 1}};
        ClientFinderDialog dialog(lock, QStringLiteral("here"), nullptr);
        dialog.show();
        QSignalSpy started(&dialog, &ClientFinderDialog::startWanted);
        QSignalSpy stopped(&dialog, &ClientFinderDialog::stopWanted);
        auto *look = dialog.findChild<QPushButton *>(QStringLiteral("look"));
        QTest::keyClick(&dialog,
                        Qt::Key_Return); // closes: a key pressed without a look must cost nobody anything
        QCOMPARE(started.size(), 0);
        dialog.show();
        dialog.findChild<QSpinBox *>()->setValue(5);
        QTest::mouseClick(look, Qt::LeftButton);
        QCOMPARE(started.size(), 1);
        QCOMPARE(started.first().first().value<Lock>().key().bytes, "order:77");
        QCOMPARE(started.first().at(1).value<milliseconds>(), milliseconds(5s));
        QTest::mouseClick(look, Qt::LeftButton);
        QCOMPARE(stopped.size(), 1); // its end comes by itself

        ClientFinderResult end;
        end.sightings = {{OwnerId("u:1"), "10.0.0.7:5000", "order-service-3", 4, ClientUse::Held, {"EVAL"}},
                         {OwnerId("u:2"), "10.0.0.8:5000", {}, 1, ClientUse::Tried, {"SETNX"}}};
        end.sightings[0].library = "Lettuce 6.5";
        end.commands = 12'000;
        end.looked = 5s;
        dialog.showEnd(end);
        const auto *list = dialog.findChild<QTreeWidget *>();
        QCOMPARE(list->topLevelItemCount(), 2);
        QCOMPARE(list->topLevelItem(0)->text(1), QStringLiteral("order-service-3 (Lettuce 6.5)"));
        QCOMPARE(list->topLevelItem(0)->text(2), QStringLiteral("held it"));
        QCOMPARE(list->topLevelItem(1)->text(2), QStringLiteral("tried to acquire"));
        const auto *state = dialog.findChild<QLabel *>(QStringLiteral("state"));
        QVERIFY2(state->text().contains(QStringLiteral("12,000")), qPrintable(state->text()));
        QVERIFY2(state->text().contains(QStringLiteral("client library: Spring Integration lock.")),
                 qPrintable(state->text()));
    }

    void saysThatItIsForbidden()
    {
        ClientFinderDialog dialog({}, QStringLiteral("here"), nullptr);
        ClientFinderResult end;
        end.error = Error{ErrorKind::NoPermission, "NOPERM monitor"};
        dialog.findChild<QPushButton *>(QStringLiteral("look"))->click();
        dialog.showEnd(end);
        const auto *state = dialog.findChild<QLabel *>(QStringLiteral("state"));
        QVERIFY2(state->text().contains(QStringLiteral("NOPERM monitor")), qPrintable(state->text()));
    }
};

QTEST_MAIN(TestWhoDialog)
#include "tst_clientfinderdialog.moc"
