// SPDX-License-Identifier: GPL-3.0-or-later
// Recognition: any name with any content has a family, owners that can be shown, and words. Parts of the input are parted by NUL:
// the name, then what it holds; the first byte says as what.
#include "core/act/scriptcall.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/companionkeys.h"
#include "core/family/ownerfacts.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "core/monitor/diff.h"
#include "core/words/actionpreview.h"
#include "tests/fuzz/target.h"
#include "tests/support/familyliteral.h"

using namespace lockscope;

namespace {

KeyContent contentFrom(char kind, const QByteArrayList &parts)
{
    const bool complete = (kind & 0x40) == 0;
    switch (static_cast<uchar>(kind) % 5) {
    case 0: {
        HashContent hash{{}, complete};
        for (qsizetype i = 0; i + 1 < parts.size(); i += 2)
            hash.fields.append({parts[i], parts[i + 1]});
        return hash;
    }
    case 1:
        return StringContent{parts.value(0), complete};
    case 2: {
        SortedSetContent set{{}, complete};
        for (qsizetype i = 0; i + 1 < parts.size(); i += 2)
            set.members.append({parts[i], parts[i + 1].toDouble()});
        return set;
    }
    case 3:
        return SetContent{parts, complete};
    default:
        return OtherContent{};
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const QByteArrayView bytes = bytesOf(data, size);
    QByteArrayList parts = bytes.sliced(1).toByteArray().split('\0');
    const LockKey key(parts.takeFirst());
    const KeyContent content = contentFrom(bytes[0], parts);
    const CompactOptional<milliseconds> ttl = (bytes[0] & 0x20) != 0
                                                  ? CompactOptional<milliseconds>(milliseconds(30'000))
                                                  : CompactOptional<milliseconds>();
    const Recognition found = recognize(key, content, ttl, 1'790'000'000'000);
    insist(allFamilies().contains(found.family));
    const Recognition again = recognize(key, content, ttl, 1'790'000'000'000);
    insist(again.family == found.family && again.owners == found.owners && again.problems == found.problems);

    Lock lock;
    lock.address.key = key;
    takeRecognition(lock, found);
    nameByEvidence(lock, 1'790'000'000'000);
    const Family named = lock.family;
    nameByEvidence(lock, 1'790'000'000'000);
    insist(lock.family == named);
    std::ignore = certaintyOf(lock);
    std::ignore = isHidden(lock);
    for (const Family candidate : candidatesOf(lock))
        insist(!familyName(candidate).isEmpty());
    insist(familyFromName(familyName(found.family)) == found.family);
    for (const LockOwner &holder : found.owners) {
        std::ignore = ownerFacts(found.family, key, holder.owner);
        std::ignore = storedField(holder, found.family);
        insist(isValidUtf8(lossless(holder.owner.bytes).toUtf8()));
        insist(printable(holder.owner.bytes, 50).size() <= 50 * 10);
    }
    for (const Action action : {Action::Acquire, Action::Release, Action::Extend, Action::ForceExpire,
                                Action::RemoveWaiter, Action::Wake}) {
        ActionRequest request;
        request.action = action;
        request.family = found.family;
        request.key = key;
        request.owner = found.owners.isEmpty() ? OwnerId("me") : found.owners[0].owner;
        request.lease = Lease::fromMilliseconds(milliseconds(1000));
        request.expected = found.owners;
        request.seen = lock;
        if (!validationError(request))
            insist(!scriptCall(request, {}).keys.isEmpty());
    }
    std::ignore = diffEvents(std::nullopt, lock, true, TimePoint());
    std::ignore = diffEvents(lock, std::nullopt, true, TimePoint());
    return 0;
}
