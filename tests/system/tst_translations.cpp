// SPDX-License-Identifier: GPL-3.0-or-later
// Every text for people is translated, the translations fit their texts, and the programs find them.
#include "tests/system/cliprogram.h"

#include <QDirIterator>
#include <QLibraryInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTcpServer>
#include <QXmlStreamReader>

using namespace lockscope;

namespace {

const QString root = QStringLiteral(LOCKSCOPE_SOURCE_DIR);
const QStringList rooms{root + QStringLiteral("/core"), root + QStringLiteral("/ui"),
                        root + QStringLiteral("/app"), QStringLiteral(LOCKSCOPE_BUILD_DIR "/core/texts")};

struct Message
{
    QString context;
    QString source;
    QString comment;
    QStringList forms; ///< one, or one for each plural form
    bool finished = true;

    QString name() const { return context + QStringLiteral(": ") + source + u'|' + comment; }
};

Message readMessage(QXmlStreamReader &xml, const QString &context)
{
    Message message;
    message.context = context;
    while (xml.readNextStartElement()) {
        if (xml.name() == QLatin1StringView("source")) {
            message.source = xml.readElementText();
        } else if (xml.name() == QLatin1StringView("comment")) {
            message.comment = xml.readElementText();
        } else if (xml.name() == QLatin1StringView("translation")) {
            message.finished = !xml.attributes().hasAttribute(QStringLiteral("type"));
            QString text;
            while (!xml.readNext() || !xml.isEndElement()) {
                if (xml.isStartElement())
                    message.forms.append(xml.readElementText());
                else
                    text += xml.text();
            }
            if (message.forms.isEmpty())
                message.forms.append(text);
        } else {
            xml.skipCurrentElement();
        }
    }
    return message;
}

QList<Message> messagesIn(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s can't be read", qPrintable(path));
    QXmlStreamReader xml(&file);
    QList<Message> messages;
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QLatin1StringView("name"))
            context = xml.readElementText();
        else if (xml.name() == QLatin1StringView("message"))
            messages.append(readMessage(xml, context));
    }
    if (xml.hasError())
        qFatal("%s: %s", qPrintable(path), qPrintable(xml.errorString()));
    return messages;
}

QString pathOf(const QString &language)
{
    return root + QStringLiteral("/resources/translations/lockscope_%1.ts").arg(language);
}

QStringList namesOf(const QList<Message> &messages)
{
    QStringList names;
    for (const Message &message : messages)
        names.append(message.name());
    names.sort();
    return names;
}

QStringList allMatches(const QString &pattern, const QString &text)
{
    QStringList found;
    for (const auto &match : QRegularExpression(pattern).globalMatch(text))
        found.append(match.captured(0).toUpper());
    found.sort();
    found.removeDuplicates();
    return found;
}

/// What is wrong with a translation, whatever it means; empty: nothing.
QString fault(const QString &source, const QString &translation)
{
    if (translation.trimmed().isEmpty())
        return QStringLiteral("is empty");
    if (allMatches(QStringLiteral("%(L?\\d+|L?n)"), source) !=
        allMatches(QStringLiteral("%(L?\\d+|L?n)"), translation))
        return QStringLiteral("has other placeholders");
    if (allMatches(QStringLiteral("&[^&\\s]"), source) != allMatches(QStringLiteral("&[^&\\s]"), translation))
        return QStringLiteral("has another accelerator");
    if (source.startsWith(QLatin1StringView("Ctrl+")) && source != translation)
        return QStringLiteral("changes a shortcut");
    static const QRegularExpression chineseApart(
        QStringLiteral("[\\x{4e00}-\\x{9fff}] +[\\x{4e00}-\\x{9fff}]"));
    if (translation.contains(chineseApart))
        return QStringLiteral("has a space between Chinese characters");
    if (source.count(u'\n') != translation.count(u'\n'))
        return QStringLiteral("has other lines");
    return {};
}

QString unescaped(QString literal)
{
    return literal.replace(QStringLiteral("\\n"), QStringLiteral("\n"))
        .replace(QStringLiteral("\\\""), QStringLiteral("\""))
        .replace(QStringLiteral("\\\\"), QStringLiteral("\\"));
}

/// Each source file of the programs, with its path.
QList<std::pair<QString, QString>> sourceFiles()
{
    QList<std::pair<QString, QString>> files;
    for (const QString &room : rooms) {
        QDirIterator entries(room, {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                             QDirIterator::Subdirectories);
        while (entries.hasNext()) {
            QFile file(entries.next());
            if (file.open(QIODevice::ReadOnly))
                files.append({file.fileName(), QString::fromUtf8(file.readAll())});
        }
    }
    return files;
}

const QStringList chinese{QStringLiteral("LC_ALL=zh_CN.UTF-8"), QStringLiteral("LANG=zh_CN.UTF-8"),
                          QStringLiteral("LANGUAGE=zh_CN")};

Ran listOn(const RedisServer &server, const QStringList &environment, const QList<QByteArray> &more = {})
{
    return CliProgram::run(QList<QByteArray>{"-s", QFile::encodeName(server.socketPath()), "list"} + more,
                           environment);
}

} // namespace

class TestTranslations : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void nothingIsMissing_data();
    void nothingIsMissing();
    void translationsFit_data();
    void translationsFit();
    void misfitsAreFound_data();
    void misfitsAreFound();
    void everyMarkedTextIsFound();
    void noSentenceIsLeftOut();
    void theTerminalSpeaksChinese();
    void jsonIsTheSame();
    void aRefusalIsTold();
    void englishKnowsItsPlurals_data();
    void englishKnowsItsPlurals();
    void theWindowsHelpNeedsNoDisplay();

private:
    CliProgram m_program;
};

void TestTranslations::nothingIsMissing_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QStringList>("options");
    QTest::newRow("zh_CN") << QStringLiteral("zh_CN") << QStringList();
    QTest::newRow("en, plurals") << QStringLiteral("en") << QStringList(QStringLiteral("-pluralonly"));
}

void TestTranslations::nothingIsMissing()
{
    QFETCH(const QString, language);
    QFETCH(const QStringList, options);
    const QTemporaryDir directory;
    const QString copy = directory.filePath(QStringLiteral("lockscope_%1.ts").arg(language));
    QVERIFY(QFile::copy(pathOf(language), copy));
    QVERIFY(QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner));
    QProcess lupdate;
    lupdate.start(QLibraryInfo::path(QLibraryInfo::BinariesPath) + QStringLiteral("/lupdate"),
                  QStringList{QStringLiteral("-no-obsolete"), QStringLiteral("-locations"),
                              QStringLiteral("none"), QStringLiteral("-I"), root} +
                      rooms + options + QStringList{QStringLiteral("-ts"), copy});
    QVERIFY2(lupdate.waitForFinished(60'000), qPrintable(lupdate.errorString()));
    QCOMPARE(lupdate.exitCode(), 0);

    const QList<Message> messages = messagesIn(copy);
    QStringList unfinished;
    for (const Message &message : messages) {
        if (!message.finished)
            unfinished.append(message.name());
    }
    // Each is mended by: cmake --build --preset dev --target update-translations, then a translation.
    QVERIFY2(unfinished.isEmpty(), qPrintable(unfinished.join(u'\n')));
    QVERIFY(!messages.isEmpty());
    QCOMPARE(namesOf(messagesIn(pathOf(language))), namesOf(messages)); // nor is one of them out of use
}

void TestTranslations::translationsFit_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<int>("pluralForms");
    QTest::newRow("zh_CN") << QStringLiteral("zh_CN") << 1;
    QTest::newRow("en") << QStringLiteral("en") << 2;
}

void TestTranslations::translationsFit()
{
    QFETCH(const QString, language);
    QFETCH(const int, pluralForms);
    QStringList faults;
    for (const Message &message : messagesIn(pathOf(language))) {
        if (message.forms.size() != 1 && message.forms.size() != pluralForms)
            faults.append(message.name() + QStringLiteral(" lacks a plural form"));
        for (const QString &form : message.forms) {
            if (const QString wrong = fault(message.source, form); !wrong.isEmpty())
                faults.append(message.name() + u' ' + wrong + QStringLiteral(": ") + form);
        }
    }
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

void TestTranslations::misfitsAreFound_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("translation");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *source, const char *translation, const char *expected) {
        const QByteArray tag = QByteArray(source) + " as " + translation;
        QTest::newRow(tag.simplified().constData())
            << QString::fromUtf8(source) << QString::fromUtf8(translation) << QString::fromUtf8(expected);
    };
    row("%1 of %2", "%2 %1", "");
    row("%1 of %2", "%1", "has other placeholders");
    row("%n lock(s)", "%1", "has other placeholders");
    row("&Key", "K(&K)", "");
    row("&Key", "K", "has another accelerator");
    row("&Key", "K(&E)", "has another accelerator");
    row("Fish && chips", "F && C", "");
    row("Ctrl+L", "Ctrl+L", "");
    row("Ctrl+L", "Ctrl+M", "changes a shortcut");
    row("a\nb", "a b", "has other lines");
    row("a", " ", "is empty");
}

void TestTranslations::misfitsAreFound()
{
    QFETCH(const QString, source);
    QFETCH(const QString, translation);
    QFETCH(const QString, expected);
    QCOMPARE(fault(source, translation), expected);
}

// lupdate passes over a call that it can't parse, without a word.
void TestTranslations::everyMarkedTextIsFound()
{
    const QRegularExpression call(QStringLiteral(
        R"re(\b(?:tr\(|(?:translate|QT_TRANSLATE_NOOP)\(\s*"[^"]*",)\s*"((?:[^"\\]|\\.)*)")re"));
    QStringList known;
    for (const Message &message : messagesIn(pathOf(QStringLiteral("zh_CN"))))
        known.append(message.source);
    QStringList lost;
    int calls = 0;
    for (const auto &[path, text] : sourceFiles()) {
        for (const auto &match : call.globalMatch(text)) {
            ++calls;
            const QString start = unescaped(match.captured(1));
            if (std::ranges::none_of(known, [&](const QString &source) { return source.startsWith(start); }))
                lost.append(path + QStringLiteral(": ") + start);
        }
    }
    QVERIFY(calls >= known.size() / 2);
    QVERIFY2(lost.isEmpty(), qPrintable(lost.join(u'\n')));
}

// Two words and a blank in a literal that is text, but not through tr(): a sentence that somebody forgot.
void TestTranslations::noSentenceIsLeftOut()
{
    const QRegularExpression sentence(QStringLiteral(
        R"re(\b(?:QStringLiteral|QLatin1String|QLatin1StringView)\(\s*"(?:[^"\\]|\\.)*[A-Za-z]{2,} [a-z]{2,}(?:[^"\\]|\\.)*")re"));
    const auto isFound = [&](const char *code) {
        return sentence.match(QString::fromLatin1(code)).hasMatch();
    };
    QVERIFY(isFound("label->setText(QStringLiteral(\"No lock chosen\"));"));
    QVERIFY(!isFound("object[QStringLiteral(\"ttl_ms\")] = tr(\"No lock chosen\");"));
    QStringList left;
    for (const auto &[path, text] : sourceFiles()) {
        if (path.contains(QLatin1StringView("/core/simulation/")))
            continue; // names of threads, scripts for a shell
        for (const auto &match : sentence.globalMatch(text))
            left.append(path + QStringLiteral(": ") + match.captured(0));
    }
    QVERIFY2(left.isEmpty(), qPrintable(left.join(u'\n')));
}

void TestTranslations::theTerminalSpeaksChinese()
{
    const RedisServer server;
    server.cli({"HSET", "lock:订单", "worker:1", "x"});
    const Ran ran = listOn(server, chinese);
    VERIFY_EXIT(ran, 0);
    const QStringList lines = QString::fromUtf8(ran.out).split(u'\n');
    // A Chinese character is two columns wide, in the heading and in the keys.
    QCOMPARE(lines.value(0),
             QStringLiteral("状态    锁类型     键         持有者    重入次数  剩余时间  问题"));
    QCOMPARE(lines.value(1),
             QStringLiteral("有问题  reentrant  lock:订单  worker:1  x         无        bad-count"));
    QVERIFY2(
        QString::fromUtf8(ran.err).contains(QStringLiteral("1 个锁（1 个有问题）。扫描了 1 个键，用时 ")),
        ran.err.constData());
}

void TestTranslations::jsonIsTheSame()
{
    const RedisServer server;
    server.cli({"HSET", "lock:a", "worker:1", "1"});
    const QJsonObject english = jsonIn(listOn(server, {QStringLiteral("LANGUAGE=en")}, {"--json"}).out);
    const QJsonObject translated = jsonIn(listOn(server, chinese, {"--json"}).out);
    QCOMPARE(translated.keys(), english.keys());
    QCOMPARE(translated[QLatin1StringView("locks")], english[QLatin1StringView("locks")]);
    QCOMPARE(english[QLatin1StringView("locks")].toArray().size(), 1);
}

void TestTranslations::aRefusalIsTold()
{
    QTcpServer listener;
    QVERIFY(listener.listen(QHostAddress::LocalHost));
    const QByteArray port = QByteArray::number(listener.serverPort());
    listener.close();
    const Ran ran = CliProgram::run({"-h", "127.0.0.1", "-p", port, "list"}, chinese);
    VERIFY_EXIT(ran, 3);
    QVERIFY2(ran.err.contains("lockscope-cli: 127.0.0.1:" + port + " 拒绝连接。"), ran.err.constData());
    const Ran usage = CliProgram::run({"--lease=x", "acquire", "lock:a"}, chinese);
    VERIFY_EXIT(usage, 2);
    QVERIFY2(usage.err.contains("--lease 接受秒数"), usage.err.constData());
}

void TestTranslations::englishKnowsItsPlurals_data()
{
    QTest::addColumn<QString>("language");
    QTest::newRow("English") << QStringLiteral("LANGUAGE=en_GB");
    QTest::newRow("none") << QStringLiteral("LANGUAGE=");
    QTest::newRow("one that we don't have") << QStringLiteral("LANGUAGE=de");
}

void TestTranslations::englishKnowsItsPlurals()
{
    QFETCH(const QString, language);
    const RedisServer server;
    server.cli({"HSET", "lock:a", "worker:1", "x"});
    const Ran one = listOn(server, {language});
    QVERIFY2(one.err.contains("1 lock (1 with problems). Scanned 1 key in "), one.err.constData());
    server.cli({"HSET", "lock:b", "worker:1", "x"});
    const Ran two = listOn(server, {language});
    QVERIFY2(two.err.contains("2 locks (2 with problems). Scanned 2 keys in "), two.err.constData());
}

void TestTranslations::theWindowsHelpNeedsNoDisplay()
{
    const Ran ran = runProgram(QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope"), {"--help"}, {},
                               chinese + QStringList{QStringLiteral("QT_QPA_PLATFORM=none-of-them")});
    VERIFY_EXIT(ran, 0);
    QVERIFY2(ran.out.startsWith("用法：lockscope"), ran.out.constData());
}

QTEST_GUILESS_MAIN(TestTranslations)
#include "tst_translations.moc"
