// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/familymessages.h"

#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/recognize.h"
#include "core/words/actionpreview.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "core/words/texts.h"

#include <QDateTime>

namespace lockscope {

namespace {

/// "2026-11-21 21:13:35.123 UTC+01:00": the owner's time in the local time zone.
QString localTime(qint64 ms)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(ms);
    return time.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz ")) +
           time.toOffsetFromUtc(time.offsetFromUtc()).timeZoneAbbreviation();
}

/// "02:42:ac:12:00:02". Random numbers have the bit of a group address set, unlike real addresses.
QString nodeInWords(const QByteArray &node)
{
    const QString address = QString::fromLatin1(QByteArray::fromHex(node).toHex(':'));
    const bool isDrawn = QByteArray::fromHex(node.left(2)).front() & 1;
    return isDrawn ? Texts::tr("node %1 (random per process)").arg(address)
                   : Texts::tr("network address %1").arg(address);
}

/// "content, name or rule": the sufficient evidence.
QString proofInWords(const EvidenceSets &sets)
{
    QStringList ways;
    for (const EvidenceSet set : sets) {
        if (!set.isEmpty())
            ways.append(evidenceInWords(set));
    }
    return ways.isEmpty() ? Texts::tr("nothing", "evidence") : ways.join(QStringLiteral("; "));
}

QString discoveryInWords(Discovery discovery)
{
    switch (discovery) {
    case Discovery::Always:
        return Texts::tr("Searched by default.");
    case Discovery::Hint:
        return Texts::tr("Only counted by default; shown with --pattern.");
    case Discovery::Never:
        break;
    }
    return Texts::tr("Not searched; the names help identify the family.");
}

} // namespace

QString describe(Family family)
{
    return inWords(Phrase(specOf(family).noun));
}

QString certaintyInWords(const Lock &lock)
{
    if (lock.family.isUnknown())
        return Texts::tr("no family fits");
    switch (certaintyOf(lock)) {
    case Certainty::Certain:
        return Texts::tr("certain: nothing else looks like this");
    case Certainty::Likely:
        return Texts::tr("likely: other content rarely looks like this");
    case Certainty::Ambiguous:
        return Texts::tr("ambiguous: the content fits several families");
    }
    return {};
}

QStringList describe(const OwnerFacts &facts)
{
    QStringList lines;
    if (facts.sinceMs) {
        const QString time = localTime(*facts.sinceMs);
        lines += facts.sinceIsTry ? Texts::tr("first tried at %1 (its clock)").arg(time)
                                  : Texts::tr("acquired at %1 (its clock)").arg(time);
    }
    const auto add = [&lines](const QByteArray &bytes, const QString &text) {
        if (!bytes.isEmpty())
            lines += text.arg(printable(bytes));
    };
    add(facts.host, Texts::tr("host %1"));
    add(facts.process, Texts::tr("process %1"));
    if (!facts.node.isEmpty())
        lines += nodeInWords(facts.node);
    add(facts.client, Texts::tr("client %1"));
    add(facts.thread, Texts::tr("thread %1"));
    add(facts.permit, Texts::tr("permit %1"));
    add(facts.transaction, Texts::tr("transaction %1"));
    add(facts.job, Texts::tr("job %1"));
    add(facts.jobClass, Texts::tr("class %1"));
    add(facts.queue, Texts::tr("queue %1"));
    add(facts.worker, Texts::tr("token number %1"));
    add(facts.part, Texts::tr("value with hash %1"));
    add(facts.metadata, Texts::tr("metadata: %1"));
    return lines;
}

QString clientUseInWords(const ClientSighting &sighting)
{
    if (sighting.use == ClientUse::Held)
        return Texts::tr("held it", "seen to");
    if (sighting.use == ClientUse::Tried)
        return Texts::tr("tried to acquire", "seen to");
    return Texts::tr("used the key (%1)").arg(printable(sighting.commands.join(", "), 60));
}

QString clientNameInWords(const ClientSighting &sighting)
{
    constexpr qsizetype longest = 40;
    const QString name = printable(sighting.name, longest);
    return sighting.library.isEmpty() ? name
                                      : Texts::tr("%1 (%2)", "client, library")
                                            .arg(name, printable(sighting.library, longest))
                                            .trimmed();
}

QString candidatesByClientsInWords(const QList<Family> &families)
{
    return families.isEmpty()
               ? QString()
               : Texts::tr("Candidates by client library: %1.").arg(candidatesInWords(families));
}

QString holdsInWords(const Lock &lock, const LockOwner &holder)
{
    if (!holder.holdCount)
        return printable(holder.rawHoldCount, 40);
    const QString count = QString::number(*holder.holdCount);
    return mayCountInClient(lock) ? Texts::tr("at least %1").arg(count) : count;
}

bool isUnattributed(Family family)
{
    return specOf(family).hasGenericContent;
}

QString describe(WeakToken weak)
{
    switch (weak) {
    case WeakToken::No:
        break;
    case WeakToken::Constant:
        return Texts::tr("Weak token: all holders write the same text.");
    case WeakToken::Number:
        return Texts::tr("Weak token: another holder may have the same number.");
    case WeakToken::Time:
        return Texts::tr("Weak token: a time identifies no holder.");
    }
    return {};
}

namespace {

QString alternatives(const QStringList &names)
{
    QString text;
    for (qsizetype i = 0; i < names.size(); ++i) {
        if (i == 0)
            text = names[i];
        else if (i + 1 < names.size())
            text = Texts::tr("%1, %2", "kinds of lock, one after the other").arg(text, names[i]);
        else
            text = Texts::tr("%1 or %2", "kinds of lock, the last two").arg(text, names[i]);
    }
    return text;
}

QString describe(Evidence evidence)
{
    switch (evidence) {
    case Evidence::Content:
        return Texts::tr("content", "evidence");
    case Evidence::Name:
        return Texts::tr("name", "evidence");
    case Evidence::Companions:
        return Texts::tr("companion keys", "evidence");
    case Evidence::Lease:
        return Texts::tr("lease", "evidence");
    case Evidence::Renewals:
        return Texts::tr("renewals seen", "evidence");
    case Evidence::Listeners:
        return Texts::tr("subscribers", "evidence");
    case Evidence::Rule:
        return Texts::tr("your rule", "evidence");
    }
    return {};
}

} // namespace

QString candidatesInWords(const QList<Family> &candidates)
{
    QStringList names;
    for (const Family family : candidates)
        names.append(describe(family));
    return alternatives(names);
}

QString candidatesOfLockInWords(const Lock &lock)
{
    return candidatesInWords(candidatesOf(lock));
}

QString evidenceInWords(EvidenceSet evidence)
{
    QStringList names;
    for (const Evidence one : evidenceList(evidence))
        names.append(describe(one));
    return names.join(QStringLiteral(", "));
}

QStringList usualNames(const FamilySpec &spec)
{
    QStringList names;
    for (const char *glob : spec.usualNames)
        names.append(printable(glob));
    return names;
}

QString originOf(const FamilySpec &spec)
{
    return spec.file ? printable(spec.file) : Texts::tr("built in", "family");
}

QStringList helpOf(Family family)
{
    const FamilySpec &spec = specOf(family);
    QStringList lines;
    if (spec.runbook)
        lines << Texts::tr("Runbook: %1").arg(printable(spec.runbook));
    if (spec.contact)
        lines << Texts::tr("Contact: %1").arg(printable(spec.contact));
    return lines;
}

QStringList detailsOf(Family family)
{
    const FamilySpec &spec = specOf(family);
    QStringList lines{Texts::tr("%1 (%2)").arg(describe(family), QLatin1String(spec.name)),
                      Texts::tr("Stored as: %1").arg(QString::fromUtf8(spec.stored))};
    if (!spec.usualNames.isEmpty())
        lines << Texts::tr("Usual names: %1").arg(usualNames(spec).join(u' '))
              << discoveryInWords(spec.discovery);
    lines << Texts::tr("Certain with: %1").arg(proofInWords(spec.proof.certain))
          << Texts::tr("Likely with: %1").arg(proofInWords(spec.proof.likely));
    if (spec.renews)
        lines << Texts::tr("The holder renews the lease.");
    if (spec.mayRenew)
        lines << Texts::tr("Some holders renew the lease.");
    if (spec.canLackExpiry)
        lines << Texts::tr("No expiry by default.");
    Lock lock;
    lock.family = family;
    lines << Texts::tr("Effects of force-expire:");
    for (const QString &sentence : previewForceExpire(lock))
        lines << QStringLiteral("  ") + sentence;
    lines << helpOf(family) << Texts::tr("From: %1").arg(originOf(spec));
    return lines;
}

} // namespace lockscope
