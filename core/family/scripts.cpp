// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/scripts.h"

#include "core/family/registry.h"
#include "core/model/actionrequest.h"

namespace lockscope {

const ScriptFile &scriptFile(const Scripts &scripts, Action action)
{
    switch (action) {
    case Action::Acquire:
        return scripts.acquire;
    case Action::Release:
        return scripts.release;
    case Action::Extend:
        return scripts.extend;
    case Action::ForceExpire:
        return scripts.forceExpire;
    case Action::RemoveWaiter:
        return scripts.removeWaiter;
    case Action::Wake:
        break;
    }
    return scripts.wake;
}

QByteArrayList leaseOfTheRest(const ActionRequest &request)
{
    return {request.lease ? request.lease->inSeconds() : QByteArray()};
}

QByteArrayList leaseAndLevels(const ActionRequest &request)
{
    return leaseOfTheRest(request) << (request.allLevels ? "all" : "one");
}

Phrase namedOtherwise(Family family)
{
    return Phrase(
        QT_TRANSLATE_NOOP("phrases", "Keys of the family %1 have other names. Choose another family."),
        familyName(family));
}

Phrase ownerAlone(Family family)
{
    return Phrase(QT_TRANSLATE_NOOP("phrases", "Locks of the family %1 can only be force-expired here."),
                  familyName(family));
}

} // namespace lockscope
