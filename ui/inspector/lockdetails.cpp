// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/lockdetails.h"

#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/companionkeys.h"
#include "core/family/ownerfacts.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "core/family/weaktoken.h"
#include "core/model/quorummerge.h"
#include "core/table/lockstatustext.h"
#include "core/table/locktext.h"
#include "core/watch/holdtimes.h"
#include "core/words/familymessages.h"
#include "core/words/messages.h"
#include "core/words/quorummessages.h"
#include "core/words/texts.h"
#include "ui/inspector/probeview.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/plaintext.h"

#include <QDateTime>
#include <QDesktopServices>
#include <QLocale>
#include <QToolButton>

namespace lockscope {

namespace {

constexpr qsizetype maxOwnersShown = 20;
constexpr qsizetype maxThatTell = 4;

QString modeWord(HoldMode mode)
{
    switch (mode) {
    case HoldMode::Read:
        return LockDetails::tr("reader");
    case HoldMode::Write:
        return LockDetails::tr("writer");
    case HoldMode::Exclusive:
        break;
    }
    return {};
}

QString permitsEnd(qint64 expiresAtMs, qint64 nowMs)
{
    const milliseconds left(expiresAtMs - nowMs);
    return left.count() > 0 ? Texts::tr("until %1").arg(clockTime(TimePoint() + left, TimePoint(), nowMs))
                            : Texts::tr("Permit expired; the next request can take it");
}

/// Returns "order-service-3 · thread 12  ×2  (reader)", with the full ID below a name.
QString ownerLine(const Lock &lock, const LockOwner &holder, const OwnerNames &names, qint64 nowMs)
{
    const QString id = ownerIdText(holder.owner.bytes);
    const QString named = names.text(lock.family, lock.key(), holder.owner);
    QString line = named;
    if (!holder.holdCount && !holder.rawHoldCount.isEmpty()) // a record counts nothing
        line += LockDetails::tr("  (count: %1)").arg(printable(holder.rawHoldCount, 32));
    else if (holder.holdCount && specOf(lock.family).countsHolds)
        line += QStringLiteral("  ×") + QLocale().toString(*holder.holdCount);
    if (const QString mode = modeWord(holder.mode); !mode.isEmpty())
        line += LockDetails::tr("  (%1)").arg(mode);
    if (const Permit *permit = lock.companions->permitOf(holder.owner); permit && permit->expiresAtMs)
        line += QStringLiteral("\n  ") + permitsEnd(*permit->expiresAtMs, nowMs);
    const bool isWhole = named == id || specOf(lock.family).ownersAreBytes; // a permit's bytes, in hex
    return isWhole ? line : line + u'\n' + id;
}

QString ownerLines(const Lock &lock, const OwnerNames &names, qint64 nowMs)
{
    QStringList lines;
    const QList<LockOwner> &owners = knownOwners(lock);
    for (const LockOwner &holder : owners.first(std::min(maxOwnersShown, owners.size())))
        lines << ownerLine(lock, holder, names, nowMs);
    if (owners.size() > maxOwnersShown) {
        const int more = static_cast<int>(owners.size() - maxOwnersShown);
        lines << Texts::tr("and %n more", nullptr, more);
    }
    return lines.join(u'\n');
}

QString whatOwnersTell(const Lock &lock)
{
    if (isNoLock(lock))
        return {};
    QStringList lines;
    if (const QString weak = describe(weakTokenOf(lock)); !weak.isEmpty())
        lines << weak;
    for (const LockOwner &holder : lock.owners.first(std::min(maxThatTell, lock.owners.size()))) {
        OwnerFacts facts = ownerFacts(lock, holder);
        // The id itself shows these.
        facts.client.clear();
        facts.thread.clear();
        facts.permit.clear();
        const QStringList told = describe(facts);
        if (!told.isEmpty())
            lines << told.join(lock.owners.size() == 1 ? QStringLiteral("\n") : QStringLiteral(" · "));
    }
    return lines.join(u'\n');
}

QString familyText(const Lock &lock)
{
    const QString name = describe(lock.family);
    const Certainty certainty = certaintyOf(lock);
    const QString candidates = candidatesOfLockInWords(lock);
    if (certainty == Certainty::Ambiguous && !candidates.isEmpty())
        return LockDetails::tr("%1: %2, or an application's own format. Add a family rule if you know.")
            .arg(name, candidates);
    if (lock.family.isUnknown())
        return name;
    const QString text = LockDetails::tr("%1 (%2)").arg(name, certaintyInWords(lock));
    const QString evidence = evidenceInWords(lock.evidence);
    return evidence.isEmpty() ? text : text + u'\n' + LockDetails::tr("Evidence: %1").arg(evidence);
}

QString companionLines(const Lock &lock)
{
    QStringList lines;
    for (const QByteArray &key : companionKeysOf(lock))
        lines << printable(key);
    return lines.join(u'\n');
}

/// Returns an empty string without observed holds.
QString usualText(const HoldTimeStats &usual)
{
    if (usual.holds == 0)
        return {};
    if (!usual.isKnown())
        return LockDetails::tr("not known yet (%n hold(s) seen)", nullptr, usual.holds);
    return LockDetails::tr("%1 to %2 (median %3, of %n hold(s) seen)", nullptr, usual.holds)
        .arg(describe(usual.from), describe(usual.to), describe(usual.median));
}

QString unusualText(const WatchedLock &lock, qint64 times)
{
    const QString number = QLocale().toString(times);
    return lock.hasSeenAcquisition ? LockDetails::tr("Held %1 times as long as usual").arg(number)
                                   : LockDetails::tr("Held ≥ %1 times as long as usual").arg(number);
}

QString quorumLines(const Quorum &quorum, const QStringList &servers, TimePoint now)
{
    QStringList lines{describe(quorum)};
    for (qsizetype i = 0; i < servers.size() && i < quorum.members.size(); ++i)
        lines.append(QStringLiteral("%1: %2").arg(servers[i], readingText(quorum, i, now)));
    return lines.join(u'\n');
}

/// Returns an empty URL for other schemes and for URLs whose user name may hide the host.
QUrl webAddress(const char *text)
{
    const QUrl url(QString::fromUtf8(text), QUrl::StrictMode);
    const bool isWeb = url.scheme() == QStringLiteral("https") || url.scheme() == QStringLiteral("http");
    return url.isValid() && isWeb && !url.host().isEmpty() && url.userInfo().isEmpty() ? url : QUrl();
}

} // namespace

LockDetails::LockDetails(const OwnerNames &names, QWidget *between, QWidget *parent)
    : QWidget(parent),
      m_names(names),
      m_who(new PropertyGrid(this)),
      m_what(new PropertyGrid(this)),
      m_probe(new ProbeView(this)),
      m_owners(m_who->addBelow(Texts::tr("Owner"))),
      m_told(m_who->addBelow(tr("Owner details"))),
      m_holds(m_what->add(Texts::tr("Holds"))),
      m_held(m_what->add(Texts::tr("Held for"))),
      m_usual(m_what->add(tr("Usually held"))),
      m_deadline(m_what->add(tr("Expires at"))),
      m_lease(m_what->add(tr("Longest lease"))),
      m_renewals(m_what->add(tr("Renewals seen"))),
      m_family(m_what->add(Texts::tr("Family"))),
      m_fence(m_what->add(tr("Fencing token"))),
      m_free(m_what->add(tr("Permits free"))),
      m_worker(m_what->add(tr("Worker"))),
      m_heartbeat(m_what->add(tr("Heartbeat"))),
      m_place(m_what->add(tr("Database"))),
      m_node(m_what->add(Texts::tr("Node"))),
      m_quorum(m_who->addBelow(Texts::tr("Servers"))),
      m_validity(m_what->add(tr("Valid for"))),
      m_companions(m_what->addBelow(tr("Companion keys"))),
      m_runbook(m_who->addBelow(tr("Runbook"))),
      m_contact(m_who->addBelow(tr("Contact"))),
      m_openRunbook(new QToolButton(this))
{
    m_openRunbook->setText(tr("Open runbook"));
    m_openRunbook->setObjectName(QStringLiteral("openRunbook"));
    m_openRunbook->hide();
    connect(m_openRunbook, &QToolButton::clicked, this, [this] { QDesktopServices::openUrl(m_runbookUrl); });
    for (QLabel *bytes : {m_owners, m_fence, m_companions})
        bytes->setFont(fixedLike(font()));
    setLayout(columnOf({m_who, {m_openRunbook, 0, Qt::AlignLeft}, m_probe, between, m_what}, 8, {}));
}

QList<std::pair<QString, QString>> LockDetails::rows() const
{
    return m_who->rows() + m_probe->rows() + m_what->rows();
}

void LockDetails::showLock(const WatchedLock &watched, qint64 nowMs, const QString &node,
                           const QStringList &servers)
{
    m_servers = servers;
    const Lock &lock = watched.lock;
    const QString owners = ownerLines(lock, m_names, nowMs);
    m_who->set(m_owners, !owners.isEmpty()                           ? owners
                         : lock.problems.testFlag(Problem::Orphaned) ? Texts::tr("none")
                                                                     : Texts::tr("unknown"));
    m_who->set(m_told, whatOwnersTell(lock));
    // Elsewhere the count stands beside the owner.
    m_what->set(m_holds, mayCountInClient(lock) && !lock.owners.isEmpty()
                             ? holdsInWords(lock, lock.owners.first())
                             : QString());
    m_what->set(m_family, familyText(lock));
    const FamilySpec &spec = specOf(lock.family);
    m_runbookUrl = webAddress(spec.runbook);
    m_who->set(m_runbook, printable(spec.runbook));
    m_who->set(m_contact, printable(spec.contact));
    m_openRunbook->setVisible(!m_runbookUrl.isEmpty());
    setPlainToolTip(*m_openRunbook, m_runbookUrl.toString(QUrl::FullyEncoded));
    m_what->set(m_fence, printable(lock.companions->fencingToken, 60));
    m_what->set(m_free,
                lock.companions->permits.isEmpty() ? QString() : printable(lock.companions->freePermits, 60));
    m_what->set(m_worker, printable(lock.companions->worker, 120));
    if (!lock.quorum) {
        m_who->set(m_quorum, {});
        m_what->set(m_validity, {});
    }
    m_what->set(m_companions, companionLines(lock));
    m_what->set(m_place, node.isEmpty() ? QString::number(lock.address.database) : QString());
    m_what->set(m_node, node.isEmpty()
                            ? QString()
                            : tr("%1, slot %2").arg(node, QString::number(slotOf(lock.key().bytes))));
    m_what->set(m_lease,
                watched.maxObservedTtl > milliseconds::zero() ? describe(watched.maxObservedTtl) : QString());
}

void LockDetails::showTime(const WatchedLock &lock, const DisplayTime &clock, const HoldTimeStats &usual,
                           bool gone)
{
    const TimePoint now = clock.now();
    m_probe->showLock(lock.lock, gone);
    const auto heldFor = std::chrono::duration_cast<milliseconds>(now - lock.heldSince);
    const auto times = !gone && isOneHold(lock) ? usual.timesUsual(heldFor) : std::nullopt;
    const QString before = usualText(usual);
    m_what->set(m_usual, times ? before + u'\n' + unusualText(lock, *times) : before);
    if (times)
        applyTextColor(m_usual, StatusColor::Warning);
    else
        clearTextColor(m_usual);
    if (lock.lock.quorum) {
        const Quorum &quorum = *lock.lock.quorum;
        const auto validity = gone ? std::nullopt : validityOf(quorum, lock.maxObservedTtl, now);
        m_who->set(m_quorum, gone ? QString() : quorumLines(quorum, m_servers, now));
        m_what->set(m_validity, validity ? tr("at most %1").arg(describe(*validity)) : QString());
    }
    const QString held = heldText(lock, now);
    m_what->set(m_held, gone                                    ? QString()
                        : held.startsWith(QStringLiteral("≥ ")) ? Texts::tr("at least %1").arg(held.mid(2))
                        : held.startsWith(QStringLiteral("≤ ")) ? tr("at most %1").arg(held.mid(2))
                                                                : held);
    QString end = gone || !lock.lock.deadline ? QString() : clockTime(lock.lock.deadline->latest);
    if (!end.isEmpty() && clock.isPast())
        end = tr("%1 (as read %2 ago)").arg(end, countdown(clock.pastFor()));
    m_what->set(m_deadline, end);
    QString renewals = QLocale().toString(lock.renewals);
    if (lock.lastRenewal) {
        const auto ago =
            std::chrono::duration_cast<milliseconds>(std::max(now, *lock.lastRenewal) - *lock.lastRenewal);
        renewals = mayRepeat(lock.lock)
                       ? tr("%1 or new acquisitions, the last %2 ago").arg(renewals, countdown(ago))
                       : tr("%1, the last %2 ago").arg(renewals, countdown(ago));
    }
    m_what->set(m_renewals, renewals);
    m_what->set(m_heartbeat,
                gone ? QString()
                     : describe(lock.lock.companions->heartbeat, QDateTime::currentMSecsSinceEpoch()));
}

} // namespace lockscope
