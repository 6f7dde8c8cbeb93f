// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a real server: its table is written to files, and filtered by its cells.

#include "tests/system/ui/testwindow.h"

#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QProcess>
#include <QSettings>
#include <QtTest>

using namespace lockscope;

class WindowExportTest : public QObject, private ShownWindow
{
    Q_OBJECT

private slots:
    void init()
    {
        failOnWarning();
        QSettings().clear();
        m_server = std::make_unique<RedisServer>();
        m_server->cli({"HSET", "lock:a", "web-1:7", "2"});
        m_server->cli({"SET", "lock:pay", "f47ac10b-58cc", "PX", "600000"});
        m_server->cli({"SET", "lock:=1+1", "0e02b2c3-d479", "PX", "600000"});
        WindowOptions options;
        options.server = m_server->tcpAddress();
        options.serverName = QStringLiteral("shop");
        open(options, {1200, 700});
        QTRY_COMPARE(rows(), 3);
    }
    void cleanup()
    {
        m_window.reset();
        m_server.reset();
    }

    /// What the window writes is what the terminal prints, but for what time moves.
    void asTheTerminalListsThem()
    {
        exportTo(QStringLiteral("all.json"));
        QTRY_VERIFY_WITH_TIMEOUT(shownText(*m_window).contains(QStringLiteral("3 lock(s) written to")),
                                 20'000);
        const QJsonObject document = read(QStringLiteral("all.json"));
        QCOMPARE(document[QLatin1String("server_label")].toString(), QStringLiteral("shop"));
        QVERIFY(document[QLatin1String("data_age_ms")].isDouble());

        QProcess cli;
        cli.start(QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope-cli"),
                  {QStringLiteral("-p"), QString::number(m_server->port()), QStringLiteral("--json"),
                   QStringLiteral("list")});
        QVERIFY(cli.waitForFinished(60'000));
        const QJsonObject listed = QJsonDocument::fromJson(cli.readAllStandardOutput()).object();
        QCOMPARE(listed[QLatin1String("locks")].toArray().size(), 3);
        for (const auto &each : listed[QLatin1String("locks")].toArray()) {
            QJsonObject lock = each.toObject();
            const QString key = lock[QLatin1String("key")].toString();
            QJsonObject same = withKey(document, key);
            for (const QString &moved : {QStringLiteral("ttl_ms"), QStringLiteral("deadline_ms")}) {
                QCOMPARE(same[moved].isNull(), lock[moved].isNull());
                same.remove(moved);
                lock.remove(moved);
            }
            lock.remove(QStringLiteral("verdict")); // whoever watches knows more
            for (auto member = lock.begin(); member != lock.end(); ++member)
                QVERIFY2(same[member.key()] == member.value(), qPrintable(key + u' ' + member.key()));
        }
    }

    void onlyWhatIsShown()
    {
        page()->findChild<QLineEdit *>()->setText(QStringLiteral("family:token"));
        QTRY_COMPARE(rows(), 2);
        exportTo(QStringLiteral("some.csv"));
        QTRY_VERIFY(QFile::exists(m_files.filePath(QStringLiteral("some.csv"))));
        QFile file(m_files.filePath(QStringLiteral("some.csv")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QCOMPARE(text.count('\n'), 3);
        QVERIFY(text.contains("\nlock:=1+1,"));
    }

    void whatIsSelected()
    {
        page()->choose(LockKey("lock:pay"));
        commands().exportSelected->trigger();
        accept(QStringLiteral("one.json"));
        QTRY_VERIFY(QFile::exists(m_files.filePath(QStringLiteral("one.json"))));
        const QJsonObject document = read(QStringLiteral("one.json"));
        QCOMPARE(document[QLatin1String("locks")].toArray().size(), 1);
        QVERIFY(!withKey(document, QStringLiteral("lock:pay")).isEmpty());
        QVERIFY(document[QLatin1String("selection")].toBool());
    }

    /// Also where the panel is closed.
    void events()
    {
        m_server->cli({"SET", "lock:=2+2", "0e02b2c3-d480", "PX", "600000"});
        QTRY_COMPARE(rows(), 4);
        commands().exportEvents->trigger();
        accept(QStringLiteral("events.csv"));
        QTRY_VERIFY(QFile::exists(m_files.filePath(QStringLiteral("events.csv"))));
        QFile file(m_files.filePath(QStringLiteral("events.csv")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY2(text.contains(",acquired,lock:=2+2,"), text.constData());
        QTRY_VERIFY(shownText(*m_window).contains(QStringLiteral("event(s) written to")));
    }

    void whatWentWrongIsSaid()
    {
        commands().exportLocks->trigger();
        auto *dialog = m_window->findChild<QFileDialog *>();
        QVERIFY(dialog);
        emit dialog->fileSelected(m_files.filePath(QStringLiteral("none/x.csv")));
        dialog->close();
        QMessageBox *box = nullptr;
        QTRY_VERIFY((box = m_window->findChild<QMessageBox *>()));
        QVERIFY2(box->text().contains(QStringLiteral("none/x.csv was not written")), qPrintable(box->text()));
        box->close();
    }

    /// By the menu key, without a mouse.
    void theMenuFilters()
    {
        page()->choose(LockKey("lock:a"));
        auto *table = page()->findChild<QTableView *>();
        table->setFocus();
        QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(), QPoint());
        QCoreApplication::sendEvent(table, &event);
        QAction *out = nullptr;
        for (const QMenu *menu : m_window->findChildren<QMenu *>()) {
            for (QAction *action : menu->actions()) {
                if (action->text() == QStringLiteral("-family:reentrant"))
                    out = action;
            }
        }
        QVERIFY(out);
        out->trigger();
        QTRY_COMPARE(rows(), 2);
    }

private:
    void exportTo(const QString &name)
    {
        commands().exportLocks->trigger();
        accept(name);
    }
    void accept(const QString &name)
    {
        auto *dialog = m_window->findChild<QFileDialog *>();
        QVERIFY(dialog);
        dialog->setDirectory(m_files.path());
        dialog->findChild<QLineEdit *>()->setText(name);
        QMetaObject::invokeMethod(dialog, "accept");
    }
    QJsonObject read(const QString &name) const
    {
        QFile file(m_files.filePath(name));
        if (!file.open(QIODevice::ReadOnly))
            return {};
        return QJsonDocument::fromJson(file.readAll()).object();
    }
    static QJsonObject withKey(const QJsonObject &document, const QString &key)
    {
        for (const auto &lock : document[QLatin1String("locks")].toArray()) {
            if (lock[QLatin1String("key")].toString() == key)
                return lock.toObject();
        }
        return {};
    }

    std::unique_ptr<RedisServer> m_server;
};

QTEST_MAIN(WindowExportTest)
#include "tst_windowexport.moc"
