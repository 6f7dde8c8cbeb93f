// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/findings.h"

namespace lockscope {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace {

Phrase worker(int number)
{
    return number >= 0 ? Phrase("W%1", number + 1) : Phrase(QT_TRANSLATE_NOOP("phrases", "another worker"));
}

Phrase moment(microseconds at)
{
    return Phrase(QT_TRANSLATE_NOOP("phrases", "%1 s"),
                  QString::number(static_cast<double>(at.count()) / 1e6, 'f', 3));
}

Phrase span(microseconds time)
{
    return time < 10ms ? Phrase(QT_TRANSLATE_NOOP("phrases", "%1 ms"),
                                QString::number(static_cast<double>(time.count()) / 1e3, 'f', 1))
                       : Phrase("%1", std::chrono::duration_cast<milliseconds>(time));
}

Phrase overlapStory(const Violation &violation, const QByteArray &key)
{
    const Phrase story = Phrase(QT_TRANSLATE_NOOP("phrases", "%1 held %2 since %3; %4 entered at %5."),
                                worker(violation.holder), key, moment(violation.holderEntered),
                                worker(violation.intruder), moment(violation.at));
    switch (violation.explanation) {
    case OverlapCause::LeaseEnded:
        return Phrase("%1 %2", story,
                      Phrase(QT_TRANSLATE_NOOP("phrases", "The first lease had expired %1 earlier."),
                             span(violation.since)));
    case OverlapCause::CameLate:
        return Phrase("%1 %2", story,
                      Phrase(QT_TRANSLATE_NOOP("phrases", "The second lease had expired %1 earlier."),
                             span(violation.since)));
    case OverlapCause::ServerLostData:
        return Phrase("%1 %2", story, Phrase(QT_TRANSLATE_NOOP("phrases", "The server had lost its data.")));
    case OverlapCause::None:
        return Phrase("%1 %2", story,
                      Phrase(QT_TRANSLATE_NOOP("phrases", "The first lease had not expired.")));
    }
    return story;
}

} // namespace

qint64 Findings::violations() const
{
    qint64 sum = 0;
    for (const auto count : violationCounts)
        sum += this->*count;
    return sum;
}

Phrase storyOf(const Violation &violation, const QList<QByteArray> &keys)
{
    const QByteArray key = keys.value(violation.lock);
    const Phrase intruder = worker(violation.intruder);
    const Phrase at = moment(violation.at);
    switch (violation.kind) {
    case ViolationKind::Overlap:
        return overlapStory(violation, key);
    case ViolationKind::ForeignRelease:
        return Phrase(
            QT_TRANSLATE_NOOP("phrases", "%1 released %2 at %3 and deleted the lock of %4, entered at %5."),
            intruder, key, at, worker(violation.holder), moment(violation.holderEntered));
    case ViolationKind::Orphan:
        return Phrase(
            QT_TRANSLATE_NOOP("phrases", "%1 had no expiry at %2 and no worker to release the lock."), key,
            at);
    case ViolationKind::LostWakeUp:
        return Phrase(
            QT_TRANSLATE_NOOP("phrases", "%1 was not woken: it retried at %2, when %3 had been free for %4."),
            intruder, at, key, span(violation.since));
    case ViolationKind::FenceRepeated:
        return Phrase(QT_TRANSLATE_NOOP(
                          "phrases", "%1 entered %2 at %3 with fencing token %4, not above the previous %5."),
                      intruder, key, at, violation.fence, violation.fenceBefore);
    case ViolationKind::StaleWrite:
        return Phrase(
            QT_TRANSLATE_NOOP(
                "phrases",
                "%1, in %2 since %3, wrote at %4 after another worker had entered. The write was accepted."),
            intruder, key, moment(violation.holderEntered), at);
    case ViolationKind::Leak:
        return Phrase(
            QT_TRANSLATE_NOOP("phrases", "%1 counted %3 as released at %2, but still owned the lock."),
            intruder, at, key);
    }
    return {};
}

} // namespace lockscope
