// SPDX-License-Identifier: GPL-3.0-or-later
// Templates: what each type takes, in which order parts are read, and what is wrong with a text that is none.
#include "core/family/template.h"

#include <QtTest>

using namespace lockscope;

namespace {

const QByteArray uuid1 = "15190820-e620-11f1-9bac-099c7d56650c";
const QByteArray uuid4 = "2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10";

QByteArray withoutHyphens(QByteArray uuid)
{
    return uuid.replace("-", "");
}

/// A template with the texts that its parts point to.
class Read
{
public:
    explicit Read(const QByteArray &text) : m_written(readTemplate(text, m_fault))
    {
        if (!m_written)
            return;
        for (const WrittenTemplate::Part &part : m_written->parts) {
            m_parts.push_back(part.part);
            m_parts.back().text = part.text.constData();
            m_parts.back().textSize = static_cast<quint16>(part.text.size());
        }
    }

    bool isValid() const { return m_written.has_value(); }
    const TemplateFault &fault() const { return m_fault; }
    Template shape() const { return m_parts; }

private:
    TemplateFault m_fault{};
    std::optional<WrittenTemplate> m_written;
    std::vector<TemplatePart> m_parts;
};

/// "web-1|12|" of what the typed parts took; "no" where it does not match.
QByteArray captured(const QByteArray &shape, const QByteArray &text)
{
    const Read read(shape);
    if (!read.isValid())
        return "fault";
    Captures captures;
    if (!matches(read.shape(), text, captures))
        return "no";
    QByteArray all;
    for (size_t i = 0; i < read.shape().size(); ++i) {
        if (read.shape()[i].type != PartType::Literal)
            all += captures.at(static_cast<qsizetype>(i)).toByteArray() + '|';
    }
    return all;
}

bool fits(const QByteArray &shape, const QByteArray &text)
{
    return captured(shape, text) != "no";
}

} // namespace

class TemplateTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("."))); }

    void eachTypeTakesItsBytes_data()
    {
        QTest::addColumn<QByteArray>("shape");
        QTest::addColumn<QByteArray>("taken");
        QTest::addColumn<QByteArray>("refused");
        const auto row = [](const QByteArray &shape, const QByteArray &taken, const QByteArray &refused) {
            QTest::addRow("%s", shape.constData()) << shape << taken << refused;
        };
        row("{:uuid}", uuid4, uuid1);
        row("{:uuid1}", uuid1, uuid4);
        row("{:uuid4}", uuid4, uuid4.toUpper());
        row("{:hex-uuid1}", withoutHyphens(uuid1), withoutHyphens(uuid4));
        row("{:hex-uuid4}", withoutHyphens(uuid4), withoutHyphens(uuid1));
        row("{:hex(4)}", "0af9", "0AF9");
        row("{:upper-hex(4)}", "0AF9", "0af9");
        row("{:digits}", "0123", "-12");
        row("{:letters}", "aZ", "a1");
        row("{:alnum(2-3)}", "a1b", "a1bc");
        row("{:random(16)}", "yj7MiGl2Ucw7Y5cC", "abcdefghijklmnop");
        row("{:base64(4)}", "a+/9", "a+/=");
        row("{:base64url(4)}", "a-_9", "a+/9");
        row("{:base64-of(16)}", "rL0Y20zC+Fzt72VPzMSk2A==", "rL0Y20zC+Fzt72VPzMSk2B==");
        row("{:base64url-of(16)}", "rL0Y20zC-Fzt72VPzMSk2A", "rL0Y20zC-Fzt72VPzMSk2A==");
        row("{:bytes(3)}", QByteArray("\0\xff ", 3), "ab");
        row("{:random-bytes(3)}", QByteArray("\0\xff ", 3), "a\nb");
        row("{:random-bytes(4)}", "\x80xyz", "\xc3\xa4yz");
        row("{:iso-time}", "2026-11-27T00:00:00.123Z", "2026-11-27 00:00:00.123Z");
        row("{:epoch-ms}", "1795737600000", "1795737600");
        row("{:epoch-s}", "1795737600.25", "17957376000");
        row("{:word}", "web-1.example.org:80", "web 1");
        row("{:rest}", "what { ever", "");
        row("{:rest(0-2)}", "", "abc");
        row("{}", "anything", "");
    }
    void eachTypeTakesItsBytes()
    {
        QFETCH(const QByteArray, shape);
        QFETCH(const QByteArray, taken);
        QFETCH(const QByteArray, refused);
        QCOMPARE(captured(shape, taken), taken + '|');
        QVERIFY(!fits(shape, refused));
    }

    /// As long as its bytes, or not there.
    void aPartThatMayLackIsWhole()
    {
        for (const char *shape : {"[{:hex(40)}]", "[{:hex-uuid1}]", "[{:base64-of(16)}]", "[{:digits(3)}]"}) {
            QVERIFY2(fits(shape, ""), shape);
            QVERIFY2(!fits(shape, "12"), shape);
        }
    }

    void aTextOfAFormatMayMatch()
    {
        const auto mayBeUuid = [](const QByteArray &shape) {
            return mayMatch(Read(shape).shape(), PartType::Uuid, uuidLength);
        };
        QVERIFY(mayBeUuid("{:uuid4}") && mayBeUuid("[{:digits(10)}]{:uuid4}") && mayBeUuid("{:hex(8)}{}"));
        QVERIFY(!mayBeUuid("{:epoch-ms}-{:rest}") && !mayBeUuid("{:rest}:{:digits}"));
        QVERIFY(!mayMatch(Template(), PartType::Uuid, uuidLength));
    }

    void timesAreOfThisCentury()
    {
        QVERIFY(!fits("{:epoch-ms}", "0000000000001"));
        QVERIFY(!fits("{:epoch-ms}", "9999999999999"));
        QVERIFY(!fits("{:epoch-s}", "1795737600.x"));
        QCOMPARE(momentOf(PartType::EpochS, "1795737600.25"), 1'795'737'600'250);
        QCOMPARE(momentOf(PartType::IsoTime, "2026-11-27T00:00:00Z"), 1'795'737'600'000);
        QCOMPARE(momentOf(PartType::Uuid1, uuid1), momentOf(PartType::HexUuid1, withoutHyphens(uuid1)));
        QVERIFY(!momentOf(PartType::Digits, "1795737600"));
    }

    void literalsStandAsTheyAre()
    {
        QVERIFY(fits("a.*", "a.*"));
        QVERIFY(!fits("a.*", "abc"));
        QVERIFY(!fits("a", "ab"));
        QVERIFY(!fits("ab", "a"));
        QVERIFY(fits("\\{a\\}\\[b\\]\\\\", "{a}[b]\\"));
        QCOMPARE(captured("\\{{job:digits}\\}", "{12}"), QByteArray("12|"));
    }

    void aPartEndsWhereTheNextLiteralBegins()
    {
        QCOMPARE(captured("{host:word}:{process:digits}", "web:12"), QByteArray("web|12|"));
        // The first colon from the front: nothing is tried twice.
        QVERIFY(!fits("{host:word}:{process:digits}", "web:a:12"));
        QCOMPARE(captured("{host}:{process:digits}", "web:a:12"), QByteArray("web:a|12|"));
    }

    void whatFollowsTheRestIsReadFromTheBack()
    {
        QCOMPARE(captured("{a:digits}-{b}-{c:digits}", "1-x-y-2"), QByteArray("1|x-y|2|"));
        QCOMPARE(captured("{b}/{c:word}/{d:hex(2)}", "a/b/c/0f"), QByteArray("a/b|c|0f|"));
        QVERIFY(!fits("{a:digits}-{b}-{c:digits}", "1--2"));
        QVERIFY(fits("{a:digits}-{b:rest(0-9)}-{c:digits}", "1--2"));
        QVERIFY(!fits("{b}:end", ":end"));
    }

    void aGroupIsThereAsAWholeOrNotAtAll()
    {
        const QByteArray shape = "{since:iso-time}@{host}[:{:uuid}]";
        QCOMPARE(captured(shape, "2026-11-27T00:00:00Z@web:" + uuid4),
                 "2026-11-27T00:00:00Z|web|" + uuid4 + '|');
        QCOMPARE(captured(shape, "2026-11-27T00:00:00Z@web"), QByteArray("2026-11-27T00:00:00Z|web||"));
        QCOMPARE(captured("[{a:digits}-]{b:letters}", "12-ab"), QByteArray("12|ab|"));
        QCOMPARE(captured("[{a:digits}-]{b:letters}", "ab"), QByteArray("|ab|"));
        QVERIFY(!fits("[{a:digits}-]{b:letters}", "12ab"));
        QCOMPARE(captured("a[b][{c:digits}]", "a1"), QByteArray("1|"));
    }

    void rolesAreFound()
    {
        const Read read("{host:word}:{process:digits}[:{since:epoch-ms}]");
        Captures captures;
        QVERIFY(matches(read.shape(), "web:12", captures));
        QCOMPARE(partOf(read.shape(), captures, PartRole::Host), QByteArrayView("web"));
        QCOMPARE(partOf(read.shape(), captures, PartRole::Process), QByteArrayView("12"));
        QVERIFY(partOf(read.shape(), captures, PartRole::Since).isEmpty());
        QVERIFY(partOf(read.shape(), captures, PartRole::Job).isEmpty());
    }

    void whatIsWrittenIsReadAgain_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text :
             {"a", "{:uuid}", "{host:word}:{process:digits(1-7)}", "\\{{name:rest}\\}[:{:hex(32)}]",
              "[a][b{:digits}]c\\[\\]\\\\", "{:base64-of(16)}", "{:rest(0-512)}", "{:bytes(21-1048576)}"})
            QTest::addRow("%s", text) << QByteArray(text);
    }
    void whatIsWrittenIsReadAgain()
    {
        QFETCH(const QByteArray, text);
        const Read read(text);
        QVERIFY(read.isValid());
        QCOMPARE(writtenTemplate(read.shape()), text);
    }

    void faultsHaveAnOffset_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qsizetype>("offset");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const QByteArray &text, qsizetype offset, const QByteArray &expected) {
            QTest::addRow("%s", text.left(30).constData()) << text << offset << expected;
        };
        row("ab{:uuid", 8, "“}”");
        row("{a:nothing}", 3, "a type: ");
        row("{a:hex(4}", 8, "“)”");
        row("{a:hex(x)}", 9, "a length from 0 to 512");
        row("{a:hex(4-2)}", 11, "a length from 0 to 512");
        row("{a:hex(1-513)}", 13, "a length from 0 to 512");
        row("{a:bytes(1-1048577)}", 19, "a length from 0 to 1");
        row("{a:uuid(3)}", 10, "a length from 0 to 512");
        row("{a:base64-of}", 12, "a length, as in");
        row("{since:digits}", 7, "a time: ");
        row("[a[b]]", 2, "“]”");
        row("a]", 1, "“[” before “]”");
        row("[a", 2, "“]”");
        row("[{a}]", 1, "another type than “rest”");
        row("a\\", 2, "a character after “\\”");
        row("{a}-{b}", 7, "one “rest” at most");
        row(QByteArray(513, 'a'), 512, "512 bytes at most");
        row(QByteArray("{:uuid}").repeated(25), 174, "24 parts at most");
    }
    void faultsHaveAnOffset()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const qsizetype, offset);
        QFETCH(const QByteArray, expected);
        const Read read(text);
        QVERIFY(!read.isValid());
        const QByteArray said = read.fault().expected.inEnglish().toUtf8();
        QVERIFY2(said.startsWith(expected), said.constData());
        QCOMPARE(read.fault().offset, offset);
    }
};

QTEST_GUILESS_MAIN(TemplateTest)
#include "tst_template.moc"
