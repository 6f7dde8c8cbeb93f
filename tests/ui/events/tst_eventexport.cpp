// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/events/eventexport.h"

#include "tests/support/familyliteral.h"
#include "ui/events/eventspanel.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QtTest>

using namespace lockscope;
using namespace Qt::StringLiterals;

namespace {

LoggedEvent eventOf(const QByteArray &key, const QByteArray &owner = "web-1:7")
{
    LoggedEvent logged;
    logged.kind = EventKind::Acquired;
    logged.event.kind = EventKind::Acquired;
    logged.event.address.key = LockKey(key);
    logged.event.family = "reentrant"_family;
    logged.event.owners = {{OwnerId(owner), "1", 1}};
    logged.event.ttl = milliseconds(30'000);
    logged.event.wallMs = 1'760'000'000'000;
    return logged;
}

LoggedEvent moment(const QString &text)
{
    LoggedEvent logged;
    logged.kind = MonitorEventKind::Disconnected;
    logged.event.wallMs = 1'760'000'000'000;
    logged.text = text;
    return logged;
}

QByteArray written(const EventExport &data, ExportFormat format)
{
    QByteArray all;
    writeExport(data, format, [&all](const QByteArray &piece) {
        all += piece;
        return true;
    });
    return all;
}

} // namespace

class EventExportTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin)"))); }

    void jsonIsWhatWatchSays()
    {
        EventExport data;
        data.server = u"shop"_s;
        data.filter = u"order"_s;
        data.only = LockKey("lock:\xff");
        data.hiddenKinds = {"found", "renewed"};
        data.kept = 12;
        data.dropped = 3;
        data.wallMs = 1'760'000'000'500;
        data.rows = {eventOf("lock:\xff"), moment(u"connection refused"_s)};
        const QJsonObject document = QJsonDocument::fromJson(written(data, ExportFormat::Json)).object();
        QCOMPARE(document["server_label"_L1].toString(), u"shop"_s);
        QCOMPARE(document["exported_at"_L1].toInteger(), data.wallMs);
        QCOMPARE(document["filter"_L1].toString(), u"order"_s);
        QCOMPARE(document["only_key"_L1].toString(), u"lock:\\xff"_s);
        QCOMPARE(document["hidden_kinds"_L1].toArray(), (QJsonArray{u"found"_s, u"renewed"_s}));
        QCOMPARE(document["kept"_L1].toInt(), 12);
        QCOMPARE(document["dropped"_L1].toInt(), 3);
        QCOMPARE(document["count"_L1].toInt(), 2);
        const QJsonArray events = document["events"_L1].toArray();
        QCOMPARE(events.size(), 2);
        const QJsonObject first = events[0].toObject();
        QCOMPARE(first["event"_L1].toString(), u"acquired"_s);
        QCOMPARE(QByteArray::fromBase64(first["key_base64"_L1].toString().toLatin1()),
                 QByteArray("lock:\xff"));
        QCOMPARE(first["ttl_ms"_L1].toInt(), 30'000);
        QCOMPARE(first["time"_L1].toString(), u"2025-10-09T08:53:20.000Z"_s);
        QVERIFY(!first.contains("text"_L1));
        QCOMPARE(events[1].toObject()["text"_L1].toString(), u"connection refused"_s);
        QVERIFY(!events[1].toObject().contains("key"_L1));
    }

    void csvIsSafe()
    {
        EventExport data;
        data.rows = {eventOf("=HYPERLINK(\"http://x\")", "@SUM(A1)"), eventOf("two,\nlines \xe2\x80\xae"),
                     moment(u"+refused"_s)};
        const QByteArray text = written(data, ExportFormat::Csv);
        QVERIFY(text.startsWith("\xef\xbb\xbftime,event,key,key_base64,"));
        const QList<QByteArray> lines = text.split('\n');
        QCOMPARE(lines.size(), 5);
        QVERIFY2(lines[1].contains(",acquired,\"'=HYPERLINK(\"\"http://x\"\")\","), lines[1].constData());
        QVERIFY2(lines[1].contains(",'@SUM(A1),"), lines[1].constData());
        QVERIFY2(!lines[2].contains("\xe2\x80\xae"), lines[2].constData());
        QVERIFY2(lines[3].endsWith(",'+refused\r"), lines[3].constData());
        for (int line = 0; line < 4; line += 3)
            QCOMPARE(lines[line].count(','), std::ssize(eventFields()) - 1);
        data.server = u"recording incident"_s;
        data.shownMs = 1'760'000'000'000;
        const QList<QByteArray> recorded = written(data, ExportFormat::Csv).split('\n');
        QVERIFY2(recorded[0].endsWith(",server_label,recorded_at\r"), recorded[0].constData());
        QVERIFY2(recorded[3].endsWith(",recording incident,1760000000000\r"), recorded[3].constData());
    }

    void nothingIsAFileToo()
    {
        const QJsonObject document =
            QJsonDocument::fromJson(written(EventExport(), ExportFormat::Json)).object();
        QVERIFY(document["events"_L1].isArray() && document["events"_L1].toArray().isEmpty());
        QCOMPARE(written(EventExport(), ExportFormat::Csv).count('\n'), 1);
    }

    /// As it is filtered; also where the panel is not in sight and so does not follow the log.
    void whatThePanelShows()
    {
        EventLog log(1000);
        const OwnerNames names;
        EventsPanel panel(log, names);
        log.append({eventOf("orders:1").event, eventOf("mail").event, eventOf("orders:2").event});
        panel.findChild<QLineEdit *>()->setText(u" orders "_s);
        log.append({eventOf("orders:3").event, eventOf("other").event});
        const EventExport data = panel.exported(u"shop & co"_s);
        QCOMPARE(data.filter, u"orders"_s);
        QCOMPARE(data.hiddenKinds, (QByteArrayList{"found", "renewed"}));
        QCOMPARE(data.kept, 5);
        QStringList keys;
        for (const LoggedEvent &row : data.rows)
            keys << QString::fromLatin1(row.event.address.key.bytes);
        QCOMPARE(keys, (QStringList{u"orders:3"_s, u"orders:2"_s, u"orders:1"_s}));
        const FileExport file = fileExport(data);
        QVERIFY2(file.name.startsWith(u"events-shop-co-"_s), qPrintable(file.name));
        QVERIFY(file.written.contains(u"3 event(s) written to %1"_s));
    }

    void theFileIsWhole()
    {
        const QTemporaryDir directory;
        const QString path = directory.filePath(u"events.json"_s);
        EventExport data;
        for (int i = 0; i < 5'000; ++i)
            data.rows.append(eventOf("lock:" + QByteArray::number(i)));
        QCOMPARE(saveExport(fileExport(data), ExportFormat::Json, path), QString());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QJsonDocument::fromJson(file.readAll())["events"_L1].toArray().size(), 5'000);
        const QString nowhere = saveExport(fileExport(data), ExportFormat::Csv, path + u"/x.csv"_s);
        QVERIFY2(nowhere.contains(u"x.csv was not written: "_s) &&
                     nowhere.endsWith(u"Choose another place."_s),
                 qPrintable(nowhere));
        // Root could put a file in its place.
        const QString device = saveExport(fileExport(data), ExportFormat::Csv, u"/dev/null"_s);
        QVERIFY2(device.contains(u"it is not a regular file"_s), qPrintable(device));
    }
};

QTEST_MAIN(EventExportTest)
#include "tst_eventexport.moc"
