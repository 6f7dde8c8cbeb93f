// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/events/eventspanel.h"

#include "tests/support/familyliteral.h"
#include "ui/events/eventexport.h"
#include "ui/events/eventtable.h"
#include "ui/events/eventtext.h"
#include "ui/widgets/savedwidgetstate.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSettings>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include <memory>

using namespace lockscope;

namespace {

LockEvent eventOf(const QByteArray &key, EventKind kind = EventKind::Acquired,
                  const QByteArray &owner = "web-1:7")
{
    LockEvent event;
    event.kind = kind;
    event.address.key = LockKey(key);
    event.family = "reentrant"_family;
    event.owners = {{OwnerId(owner), "1", 1}};
    event.ttl = milliseconds(30'000);
    event.wallMs = QDateTime::currentMSecsSinceEpoch();
    return event;
}

} // namespace

class EventsPanelTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin)")));
        m_log = std::make_unique<EventLog>(1000);
        m_names = std::make_unique<OwnerNames>();
        m_panel = std::make_unique<EventsPanel>(*m_log, *m_names);
        m_panel->resize(900, 300);
        m_tester = std::make_unique<QAbstractItemModelTester>(
            table().model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        m_panel->show();
    }
    void cleanup()
    {
        m_tester.reset();
        m_panel.reset();
    }

    void theNewestAreFirst()
    {
        QVERIFY(words().contains(QStringLiteral("No events yet.")));
        m_log->append({eventOf("lock:a"), eventOf("lock:b", EventKind::Released)});
        QTRY_COMPARE(rows(), 2);
        QCOMPARE(cell(0, 1), QStringLiteral("Released"));
        QCOMPARE(cell(0, 2), QStringLiteral("lock:b"));
        QCOMPARE(cell(1, 1), QStringLiteral("Acquired"));
        QCOMPARE(cell(1, 3), QStringLiteral("web-1:7"));
        QCOMPARE(cell(1, 4), QStringLiteral("30 s left"));
        QVERIFY(QRegularExpression(QStringLiteral("^\\d\\d:\\d\\d:\\d\\d\\.\\d\\d\\d$"))
                    .match(cell(0, 0))
                    .hasMatch());
        m_log->append({}, {{MonitorEventKind::Disconnected, QStringLiteral("refused"), 0}});
        QTRY_COMPARE(rows(), 3);
        QCOMPARE(cell(0, 1), QStringLiteral("Disconnected"));
        QCOMPARE(cell(0, 4), QStringLiteral("refused"));
        QVERIFY(cell(0, 0).size() > 12); // with its date: that is not today
    }

    void whatIsToldLateStandsInItsTime()
    {
        LockEvent late = eventOf("lock:late"), newest = eventOf("lock:new"), old = eventOf("lock:old");
        newest.wallMs += 30;
        late.wallMs += 10;
        m_log->append({old, newest});
        QTRY_COMPARE(rows(), 2);
        m_log->append({late});
        QTRY_COMPARE(rows(), 3);
        QCOMPARE(cell(0, 2), QStringLiteral("lock:new"));
        QCOMPARE(cell(1, 2), QStringLiteral("lock:late"));
        old.wallMs -= 3'600'000; // a clock was set back: it is the newest all the same
        m_log->append({old});
        QTRY_COMPARE(rows(), 4);
        QCOMPARE(cell(0, 2), QStringLiteral("lock:old"));
    }

    /// In a font with Chinese characters, too, whose figures are wider.
    void timesAreReadWhole()
    {
        const QString time = QStringLiteral("00:00:00.000");
        QVERIFY(table().columnWidth(0) > table().fontMetrics().horizontalAdvance(time) + 6);
    }

    void noiseIsHiddenAtFirst()
    {
        m_log->append({eventOf("a", EventKind::Found), eventOf("a", EventKind::Renewed), eventOf("b")});
        QTRY_COMPARE(rows(), 1);
        QVERIFY2(words().contains(QStringLiteral("1 of 3 events")), qPrintable(words()));
        kindAction(QStringLiteral("Renewed"))->toggle();
        QCOMPARE(rows(), 2);
        kindAction(QStringLiteral("Show all kinds"))->trigger();
        QCOMPARE(rows(), 3);
        QVERIFY(kindAction(QStringLiteral("Found"))->isChecked());
        kindAction(QStringLiteral("Show the usual kinds"))->trigger();
        QCOMPARE(rows(), 1);
    }

    void itIsRememberedWhatIsHidden()
    {
        const QTemporaryDir directory;
        QSettings settings(directory.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
        kindAction(QStringLiteral("Show all kinds"))->trigger();
        SavedWidgetState::saveAll(*m_panel, settings);
        EventsPanel other(*m_log, *m_names);
        SavedWidgetState::restoreAll(other, settings);
        QVERIFY(other.model().filter().kinds().all());
        kindAction(QStringLiteral("Expired"))->toggle();
        SavedWidgetState::saveAll(*m_panel, settings);
        SavedWidgetState::restoreAll(other, settings);
        QCOMPARE(other.model().filter().kinds().count(), size_t(LoggedKind::count) - 1);
    }

    void filtersByWords_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("keys");
        QTest::newRow("key") << QStringLiteral("ORDERS")
                             << QStringList{QStringLiteral("orders:2"), QStringLiteral("orders:1")};
        QTest::newRow("owner") << QStringLiteral("worker-9") << QStringList{QStringLiteral("orders:2")};
        QTest::newRow("kind") << QStringLiteral("released") << QStringList{QStringLiteral("mail")};
        QTest::newRow("both") << QStringLiteral("orders web") << QStringList{QStringLiteral("orders:1")};
        QTest::newRow("none") << QStringLiteral("orders released") << QStringList{};
    }
    void filtersByWords()
    {
        QFETCH(QString, text);
        QFETCH(QStringList, keys);
        appendThree();
        QTRY_COMPARE(rows(), 3);
        field().setText(text);
        QStringList shown;
        for (int row = 0; row < rows(); ++row)
            shown << cell(row, 2);
        QCOMPARE(shown, keys);
        QCOMPARE(words().contains(QStringLiteral("No event matches.")), keys.isEmpty());
        m_log->append({eventOf("orders:3", EventKind::Released, "worker-9")});
        QTRY_VERIFY(words().contains(QStringLiteral("of 4 events")));
        const bool matches = !text.contains(QStringLiteral("web")); // what comes is filtered, too
        QCOMPARE(rows(), int(keys.size()) + matches);
    }

    void onlyTheChosenLock()
    {
        appendThree();
        m_panel->showChosen(LockKey("mail"));
        QTRY_COMPARE(rows(), 3);
        button(QStringLiteral("Only selected lock"))->click();
        QCOMPARE(rows(), 1);
        QVERIFY(words().contains(QStringLiteral("1 of 3 events, of mail")));
        m_panel->showChosen(LockKey("orders:1"));
        QCOMPARE(cell(0, 2), QStringLiteral("orders:1"));
        m_panel->showChosen(std::nullopt); // gone: its past is what was asked for
        QCOMPARE(rows(), 1);
        // One that is not chosen elsewhere, because it is gone: what is said of the chosen one again changes nothing.
        m_panel->showChosen(LockKey("mail"));
        button(QStringLiteral("Only selected lock"))->click();
        emit table().customContextMenuRequested(table().visualRect(table().model()->index(1, 0)).center());
        for (QMenu *menu : m_panel->findChildren<QMenu *>()) {
            for (QAction *action : menu->actions()) {
                if (action->text() == QStringLiteral("Only events of this lock"))
                    action->trigger();
            }
            menu->close();
        }
        QCOMPARE(rows(), 1);
        QCOMPARE(cell(0, 2), QStringLiteral("orders:2"));
        m_panel->showChosen(LockKey("mail"));
        QCOMPARE(cell(0, 2), QStringLiteral("orders:2"));
        button(QStringLiteral("Only selected lock"))->click();
        QCOMPARE(rows(), 3);
    }

    void aRowLeadsToItsLock()
    {
        m_log->append({eventOf("lock:\xff")}, {{MonitorEventKind::Reconnected, {}, 1}});
        QTRY_COMPARE(rows(), 2);
        QSignalSpy chosen(m_panel.get(), &EventsPanel::chosen);
        table().setCurrentIndex(table().model()->index(0, 0));
        QTest::keyClick(&table(), Qt::Key_Return);
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {},
                          table().visualRect(table().model()->index(1, 0)).center());
        // One of the two is of no lock.
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].value<LockKey>().bytes, QByteArray("lock:\xff"));
    }

    void copiesTheRowsThatAreSelected()
    {
        appendThree();
        QTRY_COMPARE(rows(), 3);
        table().selectAll();
        QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QGuiApplication::clipboard()->text().split(u'\n');
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines[0].contains(QStringLiteral("\tReleased\tmail\tweb-1:7\t")), qPrintable(lines[0]));
    }

    void hostileBytesAreText()
    {
        m_log->append(
            {eventOf("<b>\xe2\x80\xae\n" + QByteArray(1024 * 1024, 'k'), EventKind::Acquired, "\xff\a")});
        QTRY_COMPARE(rows(), 1);
        QVERIFY2(cell(0, 2).startsWith(QStringLiteral("<b>\\u{202e}\\x0a")), qPrintable(cell(0, 2).left(40)));
        QVERIFY(cell(0, 2).size() < 300);
        QCOMPARE(cell(0, 3), QStringLiteral("\\xff\\x07"));
        const QModelIndex key = table().model()->index(0, 2);
        QVERIFY(key.data(Qt::ToolTipRole).toString().contains(QStringLiteral("&lt;b&gt;")));
    }

    /// Rows that are read stay where they are; at the top the newest are seen.
    void staysWhereItIsRead()
    {
        for (int i = 0; i < 200; ++i)
            m_log->append({eventOf("lock:" + QByteArray::number(i))});
        QTRY_COMPARE(rows(), 200);
        QCOMPARE(topKey(), QStringLiteral("lock:199"));
        m_log->append({eventOf("lock:200")});
        QTRY_COMPARE(topKey(), QStringLiteral("lock:200"));
        table().verticalScrollBar()->setValue(50);
        const QString read = topKey();
        QCOMPARE(read, QStringLiteral("lock:150"));
        for (int i = 201; i < 230; ++i)
            m_log->append({eventOf("lock:" + QByteArray::number(i))});
        QTRY_COMPARE(rows(), 230);
        QCOMPARE(topKey(), read);
        QToolButton *newest = button(QStringLiteral("29 newer"));
        QVERIFY(newest && newest->isVisible());
        newest->click();
        QCOMPARE(topKey(), QStringLiteral("lock:229"));
        QVERIFY(!newest->isVisible());
    }

    void saysWhatItHasDropped()
    {
        for (int i = 0; i < 1500; ++i)
            m_log->append({eventOf("lock:" + QByteArray::number(i))});
        QTRY_VERIFY2(words().contains(QStringLiteral("events: 1,000 · older ones dropped: 500")),
                     qPrintable(words()));
        QCOMPARE(rows(), 1000);
        QCOMPARE(cell(999, 2), QStringLiteral("lock:500"));
    }

    /// What is not seen costs nothing; what happened meanwhile is there when it is.
    void restsWhileItIsHidden()
    {
        m_panel->hide();
        QSignalSpy inserted(table().model(), &QAbstractItemModel::rowsInserted);
        for (int i = 0; i < 3000; ++i)
            m_log->append({eventOf("lock:" + QByteArray::number(i))});
        QTest::qWait(2 * int(EventModel::pace.count())); // proves that nothing happens
        QCOMPARE(inserted.size(), 0);
        m_panel->show();
        QCOMPARE(rows(), 1000);
        QCOMPARE(cell(0, 2), QStringLiteral("lock:2999"));
    }

    void everyKindHasWords()
    {
        QSet<QString> said;
        QSet<QByteArray> names;
        for (int index = 0; index < LoggedKind::count; ++index) {
            said.insert(eventWord(LoggedKind::at(index)));
            names.insert(nameOf(LoggedKind::at(index)));
            QVERIFY(!eventMeaning(LoggedKind::at(index)).isEmpty());
        }
        QCOMPARE(said.size(), LoggedKind::count);
        QVERIFY(!said.contains(QString()));
        QCOMPARE(names.size(), LoggedKind::count - 1); // "flushed" is a lock's end, and its database's
    }

    void fieldsForOtherPrograms()
    {
        m_log->append({eventOf("lock:\xff", EventKind::Forced)});
        QTRY_COMPARE(rows(), 1);
        QVariantMap row;
        for (const auto &field : eventFields())
            row.insert(QString::fromLatin1(field.name), field.value(*m_panel->model().at(0)));
        QCOMPARE(row[QStringLiteral("event")], QStringLiteral("forced"));
        QCOMPARE(row[QStringLiteral("key")], QStringLiteral("lock:\\xff"));
        QCOMPARE(row[QStringLiteral("key_base64")], QStringLiteral("bG9jazr/"));
        QCOMPARE(row[QStringLiteral("family")], QStringLiteral("reentrant"));
        QCOMPARE(row[QStringLiteral("owner")], QStringLiteral("web-1:7"));
        QVERIFY(!row[QStringLiteral("owner_base64")].isValid());
        QCOMPARE(row[QStringLiteral("holds")].toInt(), 1);
        QCOMPARE(row[QStringLiteral("ttl_ms")].toInt(), 30'000);
        QCOMPARE(row[QStringLiteral("by")], QStringLiteral("this-user"));
        QVERIFY(row[QStringLiteral("time")].toString().endsWith(u'Z'));
        QCOMPARE(row.size(), std::ssize(eventFields()));
    }

private:
    void appendThree()
    {
        m_log->append({eventOf("orders:1"), eventOf("orders:2", EventKind::Expired, "worker-9"),
                       eventOf("mail", EventKind::Released)});
    }
    EventTable &table() const { return *m_panel->findChild<EventTable *>(); }
    QLineEdit &field() const { return *m_panel->findChild<QLineEdit *>(); }
    int rows() const { return table().model()->rowCount(); }
    QString cell(int row, int column) const { return table().model()->index(row, column).data().toString(); }
    QString topKey() const { return table().indexAt(QPoint(1, 1)).siblingAtColumn(2).data().toString(); }
    QString words() const
    {
        QStringList all;
        for (const QLabel *label : m_panel->findChildren<QLabel *>()) {
            if (label->isVisible())
                all << label->text();
        }
        return all.join(u'\n');
    }
    QAction *kindAction(const QString &text) const
    {
        const auto actions = m_panel->findChild<QMenu *>()->actions();
        for (QAction *action : actions) {
            if (action->text() == text)
                return action;
        }
        return nullptr;
    }
    QToolButton *button(const QString &text) const
    {
        for (QToolButton *candidate : m_panel->findChildren<QToolButton *>()) {
            if (candidate->text() == text)
                return candidate;
        }
        return nullptr;
    }

    std::unique_ptr<EventLog> m_log;
    std::unique_ptr<OwnerNames> m_names;
    std::unique_ptr<EventsPanel> m_panel;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

QTEST_MAIN(EventsPanelTest)
#include "tst_eventspanel.moc"
