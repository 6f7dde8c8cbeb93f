// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/rawvaluedialog.h"

#include "core/redis/readyfuture.h"
#include "tests/ui/samplelocks.h"

#include <QtTest>
#include <QtWidgets>

using namespace lockscope;
using namespace lockscope::sample;

namespace {

using Type = StoredKey::Type;

StoredKey keyOf(const QByteArray &name, Type type)
{
    StoredKey key;
    key.key = name;
    key.type = type;
    key.isTtlKnown = true;
    return key;
}

} // namespace

class RawValueDialogTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<RawValueDialog> dialogWith(const Result<LockContents> &contents)
    {
        m_next = contents;
        m_reads = 0;
        auto dialog = std::make_unique<RawValueDialog>(
            reentrant("lock:a").lock, QStringLiteral("orders"),
            [this](const Lock &) {
                ++m_reads;
                return readyFuture(m_next);
            },
            nullptr);
        dialog->show();
        return dialog;
    }
    template <typename T>
    T *named(const RawValueDialog &dialog, const char *name)
    {
        return dialog.findChild<T *>(QLatin1String(name));
    }
    QString notice(const RawValueDialog &dialog)
    {
        auto *label = named<QLabel>(dialog, "notice");
        return label->isHidden() ? QString() : label->text();
    }
    void choose(const RawValueDialog &dialog, int row)
    {
        auto *list = dialog.findChild<QTreeWidget *>();
        list->setCurrentItem(list->topLevelItem(row));
    }
    QString shown(const RawValueDialog &dialog, const char *tab)
    {
        return named<QPlainTextEdit>(dialog, tab)->toPlainText();
    }

    Result<LockContents> m_next;
    int m_reads = 0;

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin)"))); }

    void showsWhatIsStored()
    {
        LockContents contents;
        contents.readAtMs = QDateTime(QDate(2024, 5, 6), QTime(7, 8, 9)).toMSecsSinceEpoch();
        StoredKey hash = keyOf("lock:\xff", Type::Hash);
        hash.elements = {{"web-1:7", "2"}};
        hash.ttl = milliseconds(20s);
        StoredKey json = keyOf("lock:a:json", Type::String);
        json.text = "{\"a\":1}";
        contents.keys = {hash, json, keyOf("gone", Type::Absent)};
        contents.channels = {{"channel:a", 2}, {"channel:b", {}}};
        const auto dialog = dialogWith(contents);
        QCOMPARE(m_reads, 1);
        QCOMPARE(named<QLabel>(*dialog, "state")->text(),
                 QStringLiteral("Read at 2024-05-06 07:08:09. Later changes are not shown."));
        auto *list = dialog->findChild<QTreeWidget *>();
        QStringList rows;
        for (int row = 0; row < list->topLevelItemCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < list->columnCount(); ++column)
                cells.append(list->topLevelItem(row)->text(column));
            rows.append(cells.join(u'|'));
        }
        QCOMPARE(rows, (QStringList{QStringLiteral("lock:\\xff|hash|1 element(s)|20 s"),
                                    QStringLiteral("lock:a:json|string|7 byte(s)|no expiry"),
                                    QStringLiteral("gone|not there||"),
                                    QStringLiteral("channel:a|channel|2 subscriber(s)|"),
                                    QStringLiteral("channel:b|channel|unknown|")}));
        QCOMPARE(shown(*dialog, "text"), QStringLiteral("web-1:7: 2"));
        QVERIFY(shown(*dialog, "json").contains(QStringLiteral("\"web-1:7\": \"2\"")));
        QCOMPARE(notice(*dialog), QString());

        auto *copyValue = named<QPushButton>(*dialog, "copyValue");
        auto *tabs = dialog->findChild<QTabWidget *>();
        choose(*dialog, 1);
        tabs->setCurrentIndex(1);
        copyValue->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("{\n    \"a\": 1\n}"));
        tabs->setCurrentIndex(2);
        QVERIFY(shown(*dialog, "hex").startsWith(QStringLiteral("00000000  7b 22 61 22 3a 31 7d ")));
        choose(*dialog, 2);
        QVERIFY(notice(*dialog).contains(QStringLiteral("The key was empty")));
        QVERIFY(!copyValue->isEnabled());
        choose(*dialog, 3);
        named<QPushButton>(*dialog, "copyName")->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("channel:a"));
        QCOMPARE(shown(*dialog, "text"), QString());
    }

    void whatIsCutOrRefusedIsSaid()
    {
        LockContents contents;
        StoredKey text = keyOf("a", Type::String);
        text.text = QByteArray(LockContentsReading::maxBytes, '{');
        text.hasMore = true;
        StoredKey list = keyOf("b", Type::List);
        list.elements = {{QByteArray("x"), {}}};
        list.hasMore = list.areElementsCut = true;
        StoredKey refused = keyOf("c", Type::Unknown);
        refused.error = Error(ErrorKind::NoPermission, "NOPERM <b>no</b>");
        StoredKey stream = keyOf("d", Type::Other);
        stream.typeName = "stream\x1b";
        contents.keys = {text, list, refused, stream};
        const auto dialog = dialogWith(contents);
        QCOMPARE(notice(*dialog), QStringLiteral("Cut: only the first 4,096 bytes were read."));
        QVERIFY(shown(*dialog, "json").isEmpty());
        auto *rows = dialog->findChild<QTreeWidget *>();
        QCOMPARE(rows->topLevelItem(0)->text(2), QStringLiteral("more than 4096 byte(s)"));
        choose(*dialog, 1);
        QCOMPARE(
            notice(*dialog),
            QStringLiteral("Cut: only 1 elements were read. Longer elements are cut after 4,096 bytes."));
        choose(*dialog, 2);
        QVERIFY(notice(*dialog).contains(QStringLiteral("<b>no</b>"))); // as it is, in plain text
        QCOMPARE(named<QLabel>(*dialog, "notice")->textFormat(), Qt::PlainText);
        choose(*dialog, 3);
        QVERIFY(notice(*dialog).contains(QStringLiteral("are not read")));
        QCOMPARE(rows->topLevelItem(3)->text(1), QStringLiteral("stream\\x1b"));
    }

    /// A failure leaves what was read before, and can be tried again.
    void readsAgain()
    {
        const auto dialog = dialogWith(tl::unexpected(Error(ErrorKind::ConnectTimeout)));
        auto *again = named<QPushButton>(*dialog, "again");
        QVERIFY(again->isEnabled());
        QVERIFY(named<QLabel>(*dialog, "state")->text().contains(QStringLiteral("orders")));
        QCOMPARE(dialog->findChild<QTreeWidget *>()->topLevelItemCount(), 0);
        QVERIFY(!named<QPushButton>(*dialog, "copyName")->isEnabled());
        LockContents contents;
        contents.keys = {keyOf("a", Type::Set), keyOf("b", Type::SortedSet)};
        m_next = contents;
        again->click();
        QCOMPARE(m_reads, 2);
        choose(*dialog, 1);
        contents.keys[1].elements = {{"m", "1"}};
        m_next = contents;
        again->click();
        QCOMPARE(shown(*dialog, "text"), QStringLiteral("m: 1")); // the same one stays chosen
        m_next = tl::unexpected(Error(ErrorKind::ConnectTimeout));
        again->click();
        QCOMPARE(shown(*dialog, "text"), QStringLiteral("m: 1"));
    }
};

QTEST_MAIN(RawValueDialogTest)
#include "tst_rawvaluedialog.moc"
