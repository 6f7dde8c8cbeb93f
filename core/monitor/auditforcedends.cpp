// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/auditforcedends.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr int checkMs = 20;
constexpr std::chrono::seconds recordPatience{1};

/// True if it may be an action of another program, not of the server or another command of its own.
bool mayBeForced(const LockEvent &event)
{
    return event.kind == EventKind::Released || event.kind == EventKind::Expired ||
           (event.kind == EventKind::Vanished && event.possible.has(EventKind::Released));
}

} // namespace

AuditForcedEnds::AuditForcedEnds(const QString &auditPath, RunIdOf runIdOf, QObject *parent)
    : QObject(parent), m_runIdOf(std::move(runIdOf)), m_audit(auditPath), m_check(this)
{
    m_check.setSingleShot(true);
    m_check.setInterval(checkMs);
    connect(&m_check, &QTimer::timeout, this, [this] {
        if (const QList<LockEvent> events = takeSettled(); !events.isEmpty())
            emit settled(events);
    });
}

QList<LockEvent> AuditForcedEnds::settle(const QList<LockEvent> &events)
{
    m_waiting += events;
    return m_check.isActive() ? QList<LockEvent>() : takeSettled();
}

void AuditForcedEnds::settleNow()
{
    m_check.stop();
    if (!m_waiting.isEmpty())
        emit settled(std::exchange(m_waiting, {}));
}

QList<LockEvent> AuditForcedEnds::takeSettled()
{
    const bool isToBeRead = std::ranges::any_of(m_waiting, [](const LockEvent &event) {
        return mayBeForced(event) || event.kind == EventKind::Forced;
    });
    if (isToBeRead)
        m_audit.read();
    const auto waits =
        std::ranges::find_if_not(m_waiting, [this](LockEvent &event) { return isSettled(event); });
    if (waits == m_waiting.end())
        return std::exchange(m_waiting, {});
    m_check.start();
    const QList<LockEvent> settled(m_waiting.begin(), waits);
    m_waiting.erase(m_waiting.begin(), waits);
    return settled;
}

/// False while it is unknown whether it was forced.
bool AuditForcedEnds::isSettled(LockEvent &event)
{
    if (m_audit.isEmpty())
        return true;
    if (event.kind == EventKind::Forced) {
        m_audit.dismiss(event.address, event.owners); // by this program, which has recorded it too
        return true;
    }
    if (!mayBeForced(event)) {
        m_audit.noteHeld(event.address, event.wallMs);
        return true;
    }
    switch (m_audit.wasForced(m_runIdOf(event.address.key), event.address, event.owners)) {
    case AuditTail::Answer::Yes:
        event.kind = EventKind::Forced;
        event.possible = {};
        event.byOtherProgram = true;
        return true;
    case AuditTail::Answer::NotYet:
        return Clock::now() - event.at >= recordPatience;
    case AuditTail::Answer::No:
        break;
    }
    return true;
}

} // namespace lockscope
