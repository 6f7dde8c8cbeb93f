// SPDX-License-Identifier: GPL-3.0-or-later
// The documents against the program and the tree: the table of families, the links, the lengths.
#include "core/family/certainty.h"
#include "core/family/family.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QtTest>

#include <algorithm>
#include <array>
#include <bit>
#include <map>

using namespace lockscope;

namespace {

QString inTree(const QString &path)
{
    return QStringLiteral(LOCKSCOPE_SOURCE_DIR "/") + path;
}

QByteArrayList linesOf(const QString &path)
{
    QFile file(inTree(path));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("can't read %s", qPrintable(path));
    return file.readAll().trimmed().split('\n');
}

/// "content + name, rule": the smallest sets of evidence that are enough.
template <typename Sets>
QByteArray evidenceWords(const Sets &sets)
{
    static constexpr std::array all{Evidence::Content, Evidence::Name,     Evidence::Companions,
                                    Evidence::Lease,   Evidence::Renewals, Evidence::Listeners,
                                    Evidence::Rule};
    const auto setOf = [](unsigned bits) {
        EvidenceSet set;
        for (size_t i = 0; i < all.size(); ++i)
            set.set(all[i], bits & (1U << i));
        return set;
    };
    QList<EvidenceSet> smallest;
    QByteArrayList words;
    for (int size = 1; size <= static_cast<int>(all.size()); ++size) {
        for (unsigned bits = 1; bits < (1U << all.size()); ++bits) {
            const EvidenceSet set = setOf(bits);
            const bool isLarger = std::ranges::any_of(smallest, [&](EvidenceSet s) { return set.hasAll(s); });
            if (std::popcount(bits) != size || isLarger || !sets.areMetBy(set))
                continue;
            smallest.append(set);
            QByteArrayList names;
            for (const Evidence one : evidenceList(set))
                names.append(evidenceName(one));
            words.append(names.join(" + "));
        }
    }
    return words.isEmpty() ? QByteArray("none") : words.join(", ");
}

QByteArray wakeWords(WaitMechanism wake)
{
    switch (wake) {
    case WaitMechanism::Polling:
        return "poll";
    case WaitMechanism::Message:
        return "message on the lock's channel";
    case WaitMechanism::QueueHeadChannel:
        return "message to the queue head";
    case WaitMechanism::Handoff:
        return "handoff to the queue head";
    case WaitMechanism::ListPush:
        return "list element";
    case WaitMechanism::KeyMessage:
        return "message named like the key";
    }
    return {};
}

QByteArray impactWords(OwnerImpact impact)
{
    switch (impact) {
    case OwnerImpact::Unaware:
        return "does not notice";
    case OwnerImpact::FailsRelease:
        return "its release fails";
    case OwnerImpact::JobReassigned:
        return "its job goes to another worker";
    case OwnerImpact::FailsRenewal:
        return "its next renewal fails";
    case OwnerImpact::RewritesLock:
        return "its renewal can write the lock again";
    case OwnerImpact::DeletesNextLock:
        return "its release deletes the next owner's lock";
    }
    return {};
}

QByteArray acquireWords(AcquireSupport support)
{
    switch (support) {
    case AcquireSupport::Supported:
        return "yes";
    case AcquireSupport::BypassesQueue:
        return "no: would bypass the queue";
    case AcquireSupport::IsJob:
        return "no: belongs to a job";
    case AcquireSupport::NoOwners:
        return "no: has no owners";
    case AcquireSupport::NoScript:
        return "no: no script";
    }
    return {};
}

/// What the program knows of a family, as columns of the table.
QByteArray columnsOf(const FamilyFacts &facts)
{
    const QByteArrayList columns{evidenceWords(facts.proof.certain), evidenceWords(facts.proof.likely),
                                 wakeWords(facts.wake), impactWords(facts.oldOwner),
                                 acquireWords(facts.taking)};
    return columns.join(" | ");
}

/// "| `name` | form | columns |": the table's rows, by name.
std::map<QByteArray, QByteArray> documentedFamilies()
{
    std::map<QByteArray, QByteArray> rows;
    for (const QByteArray &line : linesOf(QStringLiteral("packaging/docs/families.md"))) {
        const QByteArrayList cells = line.split('|');
        if (!line.startsWith("| `") || cells.size() != 9)
            continue;
        QByteArrayList columns = cells.sliced(3, 5);
        for (QByteArray &column : columns)
            column = column.trimmed();
        const QByteArray name = cells[1].trimmed().replace('`', "");
        if (!cells[2].trimmed().isEmpty())
            rows[name] = columns.join(" | ");
    }
    return rows;
}

} // namespace

class TestDocuments : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void theTableHasEveryFamily_data();
    void theTableHasEveryFamily();
    void theTableHasNoOtherFamily();
    void linksLeadSomewhere();
    void documentsStayShort();
};

void TestDocuments::theTableHasEveryFamily_data()
{
    QTest::addColumn<Family>("family");
    for (int i = 0; i < families; ++i) {
        const auto family = static_cast<Family>(i);
        QTest::newRow(factsOf(family).name) << family;
    }
}

void TestDocuments::theTableHasEveryFamily()
{
    QFETCH(const Family, family);
    const QByteArray documented = documentedFamilies()[familyName(family)];
    QCOMPARE(documented, columnsOf(factsOf(family)));
}

void TestDocuments::theTableHasNoOtherFamily()
{
    for (const auto &[name, columns] : documentedFamilies())
        QVERIFY2(familyFromName(name), name.constData());
}

void TestDocuments::linksLeadSomewhere()
{
    static const QRegularExpression link(QStringLiteral("\\]\\(([^)#:]+)\\)"));
    int number = 0;
    for (const char *document :
         {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "packaging/docs/families.md",
          "packaging/docs/permissions.md", "packaging/docs/figures.md"}) {
        const QString path = QString::fromLatin1(document);
        const QString folder = QFileInfo(inTree(path)).path();
        const QString text = QString::fromUtf8(linesOf(path).join('\n'));
        for (auto links = link.globalMatch(text); links.hasNext(); ++number) {
            const QString target = links.next().captured(1);
            QVERIFY2(QFileInfo::exists(folder + QLatin1Char('/') + target),
                     qPrintable(path + QStringLiteral(": ") + target));
        }
    }
    QVERIFY(number > 10);
}

void TestDocuments::documentsStayShort()
{
    QVERIFY(linesOf(QStringLiteral("README.md")).size() <= 180);
    QVERIFY(linesOf(QStringLiteral("ARCHITECTURE.md")).size() <= 200);
}

QTEST_GUILESS_MAIN(TestDocuments)
#include "tst_documents.moc"
