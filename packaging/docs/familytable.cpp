// SPDX-License-Identifier: GPL-3.0-or-later
// FILE: prints that Markdown document with the table of families in the place of its line "<!-- families -->".
#include "core/family/certainty.h"
#include "core/family/registry.h"

#include <QFile>

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

} // namespace

int main(int argc, char *argv[])
{
    QFile file(QString::fromLocal8Bit(argc == 2 ? argv[1] : ""));
    if (!file.open(QIODevice::ReadOnly)) {
        std::fprintf(stderr, "usage: familytable FILE: a document to read\n");
        return 1;
    }
    QByteArray text = file.readAll();
    text.replace("<!-- families -->\n", table());
    return std::fwrite(text.constData(), 1, static_cast<size_t>(text.size()), stdout) ==
                   static_cast<size_t>(text.size())
               ? 0
               : 1;
}
