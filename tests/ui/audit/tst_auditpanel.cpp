// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/audit/auditpanel.h"

#include <QCheckBox>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include <memory>

using namespace lockscope;

namespace {

constexpr int patience = 30'000;
const QString here = QStringLiteral("redis.example:6379");

QJsonObject asked(const QString &key, const QString &server = here)
{
    return {{QStringLiteral("action"), QStringLiteral("force-expire")},
            {QStringLiteral("server"), server},
            {QStringLiteral("key"), key},
            {QStringLiteral("expected"),
             QJsonArray{QJsonObject{{QStringLiteral("owner"), QStringLiteral("anna")}}}}};
}

} // namespace

class TestAuditPanel : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin)")));
        m_directory = std::make_unique<QTemporaryDir>();
        m_path = m_directory->filePath(QStringLiteral("audit.jsonl"));
        m_panel = std::make_unique<AuditPanel>(m_path, here);
        m_panel->resize(900, 300);
    }
    void cleanup() { m_panel.reset(); }
    void aRequestAndItsOutcomeAreOneRow();
    void thereMayBeNoFileYet();
    void whatWasNotRecordedIsNotClaimed();
    void beforeAndAfterAreTold();
    void itIsToldWhenItWasVerified();
    void aBrokenChainIsTold();
    void whatCannotBeReadIsTold_data();
    void whatCannotBeReadIsTold();
    void theNewestAreShown();
    void hostileBytesAreText();
    void filters();
    void aRowLeadsToItsLock();
    void copies();
    void mayGoWhileItReads();

private:
    QTableView &table() const { return *m_panel->findChild<QTableView *>(); }
    int rows() const { return table().model()->rowCount(); }
    QString cell(int row, AuditModel::Column column) const
    {
        return table().model()->index(row, static_cast<int>(column)).data().toString();
    }
    /// All that labels say.
    QString words() const
    {
        QStringList all;
        for (const QLabel *label : m_panel->findChildren<QLabel *>())
            all << label->text();
        return all.join(u'\n');
    }
    void record(const QString &key, const QString &outcome, const QString &server = here)
    {
        AuditLog log(m_path);
        const auto request = log.begin(asked(key, server));
        QVERIFY(request);
        if (!outcome.isEmpty())
            QVERIFY(log.complete(*request, {{QStringLiteral("outcome"), outcome}}));
    }
    void write(const QByteArray &content)
    {
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(file.write(content), content.size());
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    QString m_path;
    std::unique_ptr<AuditPanel> m_panel;
};

void TestAuditPanel::aRequestAndItsOutcomeAreOneRow()
{
    record(QStringLiteral("lock:a"), QStringLiteral("expired"));
    record(QStringLiteral("lock:b"), QStringLiteral("owner-changed"));
    m_panel->show();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 2, patience);
    QCOMPARE(cell(0, AuditModel::Column::Key), QStringLiteral("lock:b"));
    QVERIFY(cell(0, AuditModel::Column::Outcome).contains(QStringLiteral("owner has changed")));
    QCOMPARE(cell(1, AuditModel::Column::Action), QStringLiteral("Force-expire"));
    QCOMPARE(cell(1, AuditModel::Column::Owner), QStringLiteral("anna"));
    QVERIFY(cell(1, AuditModel::Column::User).contains(u'@'));
    QVERIFY(words().contains(QStringLiteral("hash chain intact, records: 4")));
    QVERIFY(words().contains(QStringLiteral("requests: 2")));
    // It follows the file, and what is chosen stays chosen.
    table().selectRow(1);
    QTRY_VERIFY(m_panel->findChild<QPlainTextEdit *>()->toPlainText().contains(
        QStringLiteral("outcome: \"expired\"")));
    record(QStringLiteral("lock:c"), QStringLiteral("expired"));
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, patience);
    QCOMPARE(table().selectionModel()->selectedRows().value(0).row(), 2);
}

void TestAuditPanel::thereMayBeNoFileYet()
{
    m_panel->show();
    QTRY_VERIFY_WITH_TIMEOUT(words().contains(QStringLiteral("does not exist")), patience);
    record(QStringLiteral("lock:a"), QStringLiteral("expired"));
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 1, patience);
    QVERIFY(QFile::remove(m_path)); // as a rotation does
    QTRY_VERIFY_WITH_TIMEOUT(words().contains(QStringLiteral("does not exist")), patience);
    QCOMPARE(rows(), 0);
    record(QStringLiteral("lock:b"), QStringLiteral("expired"));
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 1, patience);
}

void TestAuditPanel::whatWasNotRecordedIsNotClaimed()
{
    record(QStringLiteral("lock:a"), {});
    write(R"({"action":"release","key":"lock:old","phase":"asked","request":"1","seq":1,"server":")" +
          here.toLatin1() + R"(","time":"2020-01-01T00:00:00.000Z"})" + '\n');
    m_panel->show();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 1, patience);
    QVERIFY(cell(0, AuditModel::Column::Outcome).contains(QStringLiteral("possibly carried out")));
    QVERIFY(QFile::remove(m_path));
    record(QStringLiteral("lock:a"), {});
    QTRY_COMPARE_WITH_TIMEOUT(cell(0, AuditModel::Column::Outcome), QStringLiteral("not recorded yet"),
                              patience);
}

void TestAuditPanel::beforeAndAfterAreTold()
{
    AuditLog log(m_path);
    QJsonObject request = asked(QStringLiteral("lock:a"));
    const QJsonObject owner{{QStringLiteral("owner"), QStringLiteral("anna")}, {QStringLiteral("holds"), 2}};
    request[QStringLiteral("seen")] =
        QJsonObject{{QStringLiteral("owners"), QJsonArray{owner}}, {QStringLiteral("ttl_ms"), 12'000}};
    const auto id = log.begin(request);
    QVERIFY(id);
    QVERIFY(log.complete(*id, {{QStringLiteral("outcome"), QStringLiteral("released")},
                               {QStringLiteral("holds"), 1},
                               {QStringLiteral("ttl_ms"), 11'000}}));
    record(QStringLiteral("lock:b"), {});
    m_panel->show();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 2, patience);
    const auto details = [this] { return m_panel->findChild<QPlainTextEdit *>()->toPlainText(); };
    table().selectRow(1);
    QVERIFY2(details().startsWith(
                 QStringLiteral("Before, as last seen\nowner: anna, hold count: 2\ntime left: 12 s\n\n"
                                "After, as the server answered\nThe lock was released.\nhold count: 1\ntime "
                                "left: 11 s\n\n")),
             qPrintable(details()));
    table().selectRow(0); // nothing is recorded of either
    QVERIFY2(details().startsWith(QStringLiteral("Before, as last seen\nnot recorded\n\nAfter, as the server "
                                                 "answered\nnot recorded yet\n")),
             qPrintable(details()));
}

void TestAuditPanel::itIsToldWhenItWasVerified()
{
    record(QStringLiteral("lock:a"), QStringLiteral("expired"));
    m_panel->show();
    const QRegularExpression verified(QStringLiteral("^Verified at (\\d\\d:\\d\\d:\\d\\d)\\. .*intact"),
                                      QRegularExpression::MultilineOption);
    QTRY_VERIFY2_WITH_TIMEOUT(verified.match(words()).hasMatch(), qPrintable(words()), patience);
    const QString first = verified.match(words()).captured(1);
    auto *verify = m_panel->findChild<QToolButton *>();
    QCOMPARE(verify->text(), QStringLiteral("Verify now"));
    const auto isLater = [&] {
        verify->click();
        return verified.match(words()).captured(1) > first;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isLater() || QTime::currentTime() < QTime(0, 1), patience); // midnight
}

void TestAuditPanel::aBrokenChainIsTold()
{
    for (const QString &key : {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")})
        record(key, QStringLiteral("expired"));
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray content = file.readAll();
    file.close();
    write(content.replace("\"key\":\"b\"", "\"key\":\"x\""));
    m_panel->show();
    QTRY_VERIFY_WITH_TIMEOUT(words().contains(QStringLiteral("hash chain broken at line 4")), patience);
    QCOMPARE(rows(), 3); // and all that is there is shown
}

void TestAuditPanel::whatCannotBeReadIsTold_data()
{
    QTest::addColumn<bool>("isDirectory");
    QTest::newRow("a directory") << true;
    QTest::newRow("a link to itself, which cannot be looked at either") << false;
}

void TestAuditPanel::whatCannotBeReadIsTold()
{
    QFETCH(bool, isDirectory);
    QVERIFY(isDirectory ? QDir().mkpath(m_path) : QFile::link(m_path, m_path));
    m_panel->show();
    QTRY_VERIFY_WITH_TIMEOUT(words().contains(QStringLiteral("cannot be read")), patience);
    QCOMPARE(rows(), 0);
}

void TestAuditPanel::theNewestAreShown()
{
    constexpr int requests = AuditPanel::maxRequests + 500;
    QByteArray content;
    for (int i = 0; i < requests; ++i) {
        const QByteArray number = QByteArray::number(i);
        content += R"({"phase":"asked","request":")" + number + R"(","key":"lock:)" + number +
                   R"(","server":")" + here.toLatin1() + "\"}\n";
    }
    write(content);
    m_panel->show();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), int(AuditPanel::maxRequests), patience);
    QCOMPARE(cell(0, AuditModel::Column::Key), QStringLiteral("lock:%1").arg(requests - 1));
    QVERIFY(words().contains(QStringLiteral("the newest 2,000 of 2,500 requests")));
    m_panel->findChild<QLineEdit *>()->setText(QStringLiteral("lock:2499"));
    QVERIFY(words().contains(QStringLiteral("1 of the newest 2,000 requests")));
}

void TestAuditPanel::hostileBytesAreText()
{
    const QString evil = QStringLiteral("<b>x</b>\u202e\u0007");
    record(evil, evil);
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::Append));
    file.write("\xff\xfe{[\n" + QByteArray(3'000'000, 'x') + '\n');
    file.close();
    m_panel->show();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 1, patience);
    QCOMPARE(cell(0, AuditModel::Column::Key), QStringLiteral("<b>x</b>\\u{202e}\\x07"));
    const QModelIndex key = table().model()->index(0, static_cast<int>(AuditModel::Column::Key));
    QVERIFY(key.data(Qt::ToolTipRole).toString().contains(QStringLiteral("&lt;b&gt;")));
    table().selectRow(0);
    const QString details = m_panel->findChild<QPlainTextEdit *>()->toPlainText();
    QVERIFY(!details.contains(QChar(0x202e)) && details.contains(QStringLiteral("\\u202e")));
    QVERIFY(words().contains(QStringLiteral("hash chain broken at line 3")));
}

void TestAuditPanel::filters()
{
    record(QStringLiteral("lock:orders:1"), QStringLiteral("expired"));
    record(QStringLiteral("lock:orders:2"), QStringLiteral("owner-changed"));
    record(QStringLiteral("lock:orders:1"), QStringLiteral("expired"), QStringLiteral("other:6379"));
    m_panel->show();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 2, patience);
    QVERIFY(words().contains(QStringLiteral("2 of 3 requests")));
    m_panel->findChild<QCheckBox *>()->click();
    QCOMPARE(rows(), 3);
    QVERIFY(words().contains(QStringLiteral("requests: 3")));
    auto *filter = m_panel->findChild<QLineEdit *>();
    QTest::keyClicks(filter, QStringLiteral("ORDERS expired"));
    QCOMPARE(rows(), 2);
    m_panel->findChild<QCheckBox *>()->click();
    QCOMPARE(rows(), 1);
    filter->clear();
    QCOMPARE(rows(), 2);
}

void TestAuditPanel::aRowLeadsToItsLock()
{
    AuditLog log(m_path);
    QJsonObject fields = asked(QStringLiteral("lock:\\xff"));
    fields[QStringLiteral("key_base64")] = QString::fromLatin1(QByteArray("lock:\xff").toBase64());
    QVERIFY(log.begin(fields));
    record(QStringLiteral("lock:elsewhere"), {}, QStringLiteral("other:6379"));
    QSignalSpy chosen(m_panel.get(), &AuditPanel::chosen);
    m_panel->findChild<QCheckBox *>()->click();
    m_panel->show();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 2, patience);
    table().setCurrentIndex(table().model()->index(0, 0));
    QTest::keyClick(&table(), Qt::Key_Return);
    QCOMPARE(chosen.size(), 0); // the same key on another server is another lock
    table().setCurrentIndex(table().model()->index(1, 0));
    QTest::keyClick(&table(), Qt::Key_Return);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].value<LockKey>().bytes, QByteArray("lock:\xff"));
}

void TestAuditPanel::copies()
{
    record(QStringLiteral("lock:a"), QStringLiteral("expired"));
    m_panel->show();
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 1, patience);
    table().selectRow(0);
    QTest::keySequence(&table(), QKeySequence::Copy);
    QVERIFY(QGuiApplication::clipboard()->text().contains(
        QStringLiteral("Force-expire\tlock:a\tanna\tThe lock was force-expired.")));
}

/// As when the user disconnects.
void TestAuditPanel::mayGoWhileItReads()
{
    const QByteArray line = R"({"phase":"asked","request":"1","key":"lock:a"})";
    write((line + '\n').repeated(50'000));
    m_panel->show();
    m_panel.reset();
    QVERIFY(QThreadPool::globalInstance()->waitForDone(patience));
    QCoreApplication::processEvents();
}

QTEST_MAIN(TestAuditPanel)
#include "tst_auditpanel.moc"
