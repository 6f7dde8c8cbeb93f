// SPDX-License-Identifier: GPL-3.0-or-later
// FILE: prints that Markdown document with tables in the place of its lines "<!-- families -->" (of what is built in),
// "<!-- types -->", "<!-- parts -->" and "<!-- keys -->" (of the grammar of family files). --schema: prints the JSON Schema of them.
#include "core/family/certainty.h"
#include "core/family/familykeys.h"
#include "core/family/registry.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>

using namespace lockscope;

namespace {

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
    case WaitMechanism::MessageToAll:
        return "message on the lock's channel, to all";
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
    case OwnerImpact::Unknown:
        return "not known";
    case OwnerImpact::Unaware:
        return "does not notice";
    case OwnerImpact::FailsRelease:
        return "its release fails";
    case OwnerImpact::JobReassigned:
        return "its job goes to another worker";
    case OwnerImpact::FailsRenewal:
        return "its next renewal fails";
    case OwnerImpact::Notified:
        return "is told at once";
    case OwnerImpact::RewritesLock:
        return "its renewal can write the lock again";
    case OwnerImpact::DeletesNextLock:
        return "its release deletes the next owner's lock";
    case OwnerImpact::Exits:
        return "its process exits";
    case OwnerImpact::ExitsDeleting:
        return "its process exits and deletes the next owner's lock";
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

QByteArray rowOf(const FamilySpec &spec)
{
    const QByteArrayList cells{
        '`' + QByteArray(spec.name) + '`', spec.stored,          evidenceWords(spec.proof.certain),
        evidenceWords(spec.proof.likely),  wakeWords(spec.wake), impactWords(spec.ownerImpact),
        acquireWords(spec.acquire)};
    return "| " + cells.join(" | ") + " |\n";
}

QByteArray table()
{
    QByteArray text =
        "| family | stored as | certain with | likely with | waiters wake by | holder after force-expire | "
        "acquire |\n|---|---|---|---|---|---|---|\n";
    for (const Family family : allFamilies())
        text += rowOf(specOf(family));
    return text;
}

const char *kindInWords(KeyKind kind)
{
    switch (kind) {
    case KeyKind::Flag:
        return "true or false";
    case KeyKind::Whole:
        return "a whole number";
    case KeyKind::Texts:
        return "a list of texts";
    case KeyKind::Duration:
        return "a duration: `\"30s\"`";
    case KeyKind::Shape:
        return "a template";
    case KeyKind::Shapes:
        return "a table of templates";
    case KeyKind::Proof:
        return "a name, or sets of evidence";
    case KeyKind::Table:
        return "a table";
    case KeyKind::Tables:
        return "a list of tables";
    case KeyKind::Members:
        return "a table";
    case KeyKind::Text:
    case KeyKind::OneOf:
        break;
    }
    return "a text";
}

struct PartMeaning
{
    const char *name;
    const char *meaning;
};
constexpr std::array partTypes{
    PartMeaning{
        "uuid",
        "8-4-4-4-12 hex digits in lower case, of any version but 1; `uuid1`, `uuid4`: of that version"},
    PartMeaning{"hex-uuid1", "the same version without hyphens; likewise `hex-uuid4`"},
    PartMeaning{"hex", "hex digits in lower case; `upper-hex`: in upper case"},
    PartMeaning{"digits", ""},
    PartMeaning{"letters", "of either case"},
    PartMeaning{"alnum", "letters and digits"},
    PartMeaning{"random", "letters and digits that look drawn"},
    PartMeaning{"base64", "letters of base64, without padding; `base64url`: of base64url"},
    PartMeaning{"base64-of(16)",
                "base64 of so many random bytes, padded; `base64url-of(16)`: base64url, unpadded"},
    PartMeaning{"bytes", "any; `random-bytes`: that are no text"},
    PartMeaning{"iso-time", "2026-11-27T20:13:35Z, with a fraction or not"},
    PartMeaning{"epoch-s", "seconds since 1970, with a fraction or not; `epoch-ms`: milliseconds"},
    PartMeaning{"word", "no blank, quote, bracket, comma or semicolon"},
    PartMeaning{"rest", "any bytes: whatever the parts before and behind leave"},
};
constexpr std::array partRoles{
    PartMeaning{"owner", "of a record: the field that is the owner's id"},
    PartMeaning{"host", "where it runs; likewise `process`, `thread`, `job`, `worker`, `client`, `node`"},
    PartMeaning{
        "since",
        "when it was acquired: a part of a type that tells a time; `tried`: when its owner began to try"},
    PartMeaning{"ends", "when it ends"},
    PartMeaning{"holds", "how often its owner holds it"},
    PartMeaning{"readers", "how many hold it for reading; `permits`: how many are held"},
    PartMeaning{"metadata", "what its owner adds"},
};

/// A key as it is written, and of which kind; those of tables under their own names.
QByteArray rowsOf(std::span<const FamilyKey> keys, const QByteArray &before = {})
{
    QByteArray text;
    for (const FamilyKey &key : keys) {
        const QByteArray name = before + key.name;
        QByteArray meaning = key.meaning;
        if (key.choices)
            meaning += " (`" + key.choices().join("`, `") + "`)";
        text += "| `" + name + "` | " + kindInWords(key.kind) + " | " + meaning + " |\n";
        text += rowsOf(key.keys, name + '.');
    }
    return text;
}

QByteArray rowsOf(std::span<const PartMeaning> parts)
{
    QByteArray text = "| | |\n|---|---|\n";
    for (const PartMeaning &part : parts)
        text += QByteArray("| `") + part.name + "` | " + part.meaning + " |\n";
    return text;
}

QJsonObject schemaOf(std::span<const FamilyKey> keys);

QJsonObject schemaOf(const FamilyKey &key)
{
    const auto type = [](const char *name) {
        return QJsonObject{{QStringLiteral("type"), QLatin1String(name)}};
    };
    QJsonObject schema = type("string");
    switch (key.kind) {
    case KeyKind::Flag:
        schema = type("boolean");
        break;
    case KeyKind::Whole:
        schema = type("integer");
        break;
    case KeyKind::Texts:
        schema = type("array");
        schema[QStringLiteral("items")] = type("string");
        break;
    case KeyKind::Shapes:
        schema = type("object");
        schema[QStringLiteral("additionalProperties")] = type("string");
        break;
    case KeyKind::Members:
        schema = type("object");
        break;
    case KeyKind::Table:
        schema = schemaOf(key.keys);
        break;
    case KeyKind::Tables:
        schema = type("array");
        schema[QStringLiteral("items")] = schemaOf(key.keys);
        break;
    case KeyKind::Proof: // a name, or sets of evidence
        schema = {};
        break;
    default:
        break;
    }
    if (key.choices && key.kind == KeyKind::OneOf) {
        QJsonArray choices;
        for (const QByteArray &choice : key.choices())
            choices.append(QString::fromLatin1(choice));
        schema[QStringLiteral("enum")] = choices;
    }
    schema[QStringLiteral("description")] = QString::fromUtf8(key.meaning);
    return schema;
}

QJsonObject schemaOf(std::span<const FamilyKey> keys)
{
    QJsonObject properties;
    for (const FamilyKey &key : keys)
        properties[QLatin1String(key.name)] = schemaOf(key);
    return {{QStringLiteral("type"), QStringLiteral("object")},
            {QStringLiteral("additionalProperties"), false},
            {QStringLiteral("properties"), properties}};
}

QByteArray schema()
{
    QJsonObject root = schemaOf(familyKeys);
    root[QStringLiteral("$schema")] = QStringLiteral("http://json-schema.org/draft-07/schema#");
    root[QStringLiteral("title")] = QStringLiteral("A family of locks, for Lockscope");
    root[QStringLiteral("required")] = QJsonArray{QStringLiteral("name"), QStringLiteral("form")};
    return QJsonDocument(root).toJson();
}

QByteArray document(const char *path)
{
    QFile file(QString::fromLocal8Bit(path));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QByteArray text = file.readAll();
    text.replace("<!-- families -->\n", table());
    text.replace("<!-- types -->\n", rowsOf(partTypes));
    text.replace("<!-- parts -->\n", rowsOf(partRoles));
    text.replace("<!-- keys -->\n", "| key | | |\n|---|---|---|\n" + rowsOf(familyKeys));
    return text;
}

} // namespace

int main(int argc, char *argv[])
{
    const QByteArray text = argc != 2                           ? QByteArray()
                            : qstrcmp(argv[1], "--schema") == 0 ? schema()
                                                                : document(argv[1]);
    if (text.isEmpty()) {
        std::fprintf(stderr, "usage: familytable FILE | --schema: a document to read\n");
        return 1;
    }
    return std::fwrite(text.constData(), 1, static_cast<size_t>(text.size()), stdout) ==
                   static_cast<size_t>(text.size())
               ? 0
               : 1;
}
