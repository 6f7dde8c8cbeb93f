// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/familycheck.h"

#include "core/family/certainty.h"
#include "core/family/familykeys.h"

#include <QDateTime>

namespace lockscope {

namespace {

/// The family's reading of an example that is held.
struct Seen
{
    EvidenceSet evidence;
    LockOwner owner;
};

std::optional<Seen> seenIn(const FamilySpec &spec, const FamilyExample &example, const StringContent &content)
{
    const StringValue string{example.key, content.value, shapeOf(content.value), example.ttl, example.nowMs};
    const std::optional<StringMatch> match =
        content.value.isEmpty() ? matchEmpty(spec, string) : matchForms(spec, string);
    if (!match || match->isFree)
        return std::nullopt;
    return Seen{match->evidence, {OwnerId(content.value), {}, match->holds, match->mode}};
}

template <typename Content>
std::optional<Seen> seenIn(const FamilySpec &spec, const FamilyExample &example, const Content &content)
{
    const std::optional<OwnersMatch> found =
        matchForms(spec, NamedContent<Content>{example.key, content, example.ttl, example.nowMs});
    if (!found || found->owners.isEmpty())
        return std::nullopt;
    return Seen{found->evidence, found->owners.front()};
}

std::optional<Seen> seenIn(const FamilySpec &, const FamilyExample &, const OtherContent &)
{
    return std::nullopt;
}

QByteArray isoText(CompactOptional<qint64> ms)
{
    return ms ? QDateTime::fromMSecsSinceEpoch(*ms, Qt::UTC).toString(Qt::ISODateWithMs).toLatin1()
              : QByteArray();
}

/// The value of a fact in the notation of examples.
QByteArray factIn(const OwnerFacts &facts, const LockOwner &owner, const QByteArray &name)
{
    if (name == "host")
        return facts.host;
    if (name == "process")
        return facts.process;
    if (name == "thread")
        return facts.thread;
    if (name == "job")
        return facts.job;
    if (name == "class")
        return facts.jobClass;
    if (name == "queue")
        return facts.queue;
    if (name == "client")
        return facts.client;
    if (name == "since")
        return isoText(facts.sinceMs);
    if (name == "holds")
        return owner.holdCount ? QByteArray::number(*owner.holdCount) : QByteArray();
    if (name == "mode")
        return formModeName(owner.mode);
    return owner.owner.bytes;
}

std::optional<Seen> seenIn(const FamilySpec &spec, const FamilyExample &example)
{
    return std::visit([&](const auto &content) { return seenIn(spec, example, content); }, example.content);
}

QByteArray certaintyOf(const FamilySpec &spec, const std::optional<Seen> &seen)
{
    return seen ? certaintyName(certaintyOf(spec.proof, seen->evidence)) : QByteArray("none");
}

} // namespace

QByteArray certaintyIn(const FamilySpec &spec, const FamilyExample &stored)
{
    return certaintyOf(spec, seenIn(spec, stored));
}

QList<FileFault> checkExamples(const FamilyFile &file)
{
    const FamilySpec &spec = file.spec();
    QList<FileFault> faults;
    for (const FamilyExample &example : file.examples()) {
        const auto expect = [&](const QByteArray &what, QByteArray expected, const QByteArray &found) {
            if (const CompactOptional<qint64> at = isoTime(expected); what == "since" && at)
                expected = isoText(at);
            if (expected != found)
                faults.append({example.line, 0,
                               Phrase(QT_TRANSLATE_NOOP("phrases", "expected %1: “%2”, found “%3”"), what,
                                      expected, found)});
        };
        const std::optional<Seen> seen = seenIn(spec, example);
        expect("is", example.is, certaintyOf(spec, seen));
        if (!seen)
            continue;
        OwnerFacts facts = factsOf(spec, LockKey(example.key), seen->owner.owner);
        addFacts(facts, *seen->owner.recorded);
        for (const auto &[name, text] : example.facts)
            expect(name, text, factIn(facts, seen->owner, name));
    }
    return faults;
}

} // namespace lockscope
