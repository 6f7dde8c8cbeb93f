// SPDX-License-Identifier: GPL-3.0-or-later
// Spring Integration's registry: a string with the registry's UUID, under registry:name.
#include "core/family/familytable.h"
#include "core/family/uuidowner.h"

namespace lockscope {

namespace {

std::optional<StringMatch> matchString(const StringValue &string)
{
    return matchIf(string.key.contains(':'));
}

constexpr Scripts scripts{.acquire = {"token/acquire", true},
                          .release = {"spring-integration/release"},
                          .extend = {"token/extend", true},
                          .forceExpire = {"spring-integration/force-expire"},
                          .channels = "*-channel:*"};

} // namespace

constinit const FamilySpec families::spring_integration{
    .name = "spring-integration",
    .noun = QT_TRANSLATE_NOOP("phrases", "Spring Integration lock"),
    .stored = "string: UUID",
    .proof = provenByRule,
    .prevalence = 86,
    .wake = WaitMechanism::KeyMessage,
    .clientMayCount = true,
    .strings = {TokenFormat::Uuid},
    .matchString = matchString,
    .ownerFacts = uuidClient,
    .scripts = &scripts,
    .wakeEffect = QT_TRANSLATE_NOOP(
        "phrases", "A message that names the key wakes subscribed registries; polling ones find the lock "
                   "free. After a grace period no message is sent, and waiters may need up to a minute."),
    .sleepsOn = true,
};

} // namespace lockscope
