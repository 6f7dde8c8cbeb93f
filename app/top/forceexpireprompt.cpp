// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/top/forceexpireprompt.h"

#include "app/words.h"
#include "core/table/lockstatustext.h"
#include "core/table/locktext.h"
#include "core/words/actionpreview.h"
#include "core/words/messages.h"
#include "core/words/quorummessages.h"
#include "core/words/texts.h"

#include <algorithm>
#include <utility>

namespace lockscope {

ForceExpirePrompt::ForceExpirePrompt(QList<WatchedLock> seen, ActionGuard guard, ActionSeries::Run run,
                                     QString serverName, const DisplayClock &clock, Find find)
    : m_seen(std::move(seen)),
      m_guard(std::move(guard)),
      m_run(std::move(run)),
      m_serverName(std::move(serverName)),
      m_clock(clock),
      m_find(std::move(find))
{
}

QString ForceExpirePrompt::wordToType() const
{
    return m_guard.asks(Action::ForceExpire) == Consent::Named
               ? m_guard.nameToType(m_seen.first().key(), isSeveral())
               : QStringLiteral("yes");
}

/// What the script will refuse, if the lock is still as it is now; empty: nothing.
QString ForceExpirePrompt::changeSince(const WatchedLock &seen) const
{
    const WatchedLock *now = m_find(seen.key());
    if (!now)
        return Texts::tr("The lock is gone");
    return now->lock.owners == seen.lock.owners ? QString()
                                                : Words::tr("The owner or hold count has changed");
}

bool ForceExpirePrompt::press(const Key &key)
{
    if (m_series && m_series->isRunning()) {
        if (key.kind == Key::Escape)
            m_series->stop();
        else
            m_page.press(key);
        return true;
    }
    if (m_series) {
        m_page.press(key);
        return key.kind != Key::Escape && key.kind != Key::Enter && !key.is(u'q');
    }
    if (key.kind == Key::Escape)
        return false;
    if (key.kind == Key::Enter) {
        m_isWrong = !ActionGuard::isName(m_typed.text(), wordToType());
        if (!m_isWrong)
            begin();
        return true;
    }
    const bool isScrolling =
        key.kind == Key::Up || key.kind == Key::Down || key.kind == Key::PageUp || key.kind == Key::PageDown;
    if (isScrolling) {
        m_page.press(key);
    } else {
        m_typed.press(key);
        m_isWrong = false;
    }
    return true;
}

void ForceExpirePrompt::begin()
{
    Consent consent{Consent::Confirmed, {}, isSeveral()};
    if (m_guard.asks(Action::ForceExpire) == Consent::Named)
        consent = {Consent::Named, m_typed.text(), isSeveral()};
    QList<ActionRequest> requests;
    for (const WatchedLock &seen : m_seen) {
        ActionRequest request = ActionRequest::on(seen.lock, Action::ForceExpire);
        request.expected = seen.lock.owners;
        request.consent = consent;
        requests.append(request);
    }
    m_series = std::make_unique<ActionSeries>(requests, m_run);
    connect(m_series.get(), &ActionSeries::ended, this, &ForceExpirePrompt::changed);
    connect(m_series.get(), &ActionSeries::finished, this, &ForceExpirePrompt::finished);
    emit begun();
    m_series->start();
}

PageLine ForceExpirePrompt::lineOf(qsizetype index) const
{
    const WatchedLock &seen = m_seen[index];
    const QString key = ActionGuard::nameOf(seen.key());
    if (!m_series) {
        const QString owner = ownerText(seen.lock, OwnerNames::none());
        const QString change = changeSince(seen);
        const QString holds =
            seen.lock.owners.size() == 1 && seen.lock.owners.first().holdCount.value_or(1) == 1
                ? QString()
                : u' ' + Texts::tr("%1: %2").arg(Texts::tr("Holds"), holdsText(seen.lock));
        if (!change.isEmpty())
            return {Texts::tr("%1: %2").arg(key, change), {.color = StatusColor::Danger}};
        return {owner.isEmpty() ? key : Words::tr("%1, owner %2", "a lock").arg(key, owner) + holds,
                {.isBold = true}};
    }
    if (index >= m_series->results().size())
        return {Texts::tr("%1: %2").arg(key,
                                        m_series->isRunning() ? Words::tr("waiting") : Words::tr("not sent")),
                {.color = StatusColor::Muted}};
    const Result<ActionResult> &result = m_series->results()[index];
    const bool isDone = result && succeeded(result->outcome);
    return {Texts::tr("%1: %2").arg(key, result ? describe(*result) : describe(result.error(), m_serverName)),
            {.color = isDone ? StatusColor::Good : StatusColor::Danger, .isBold = true}};
}

QList<PageLine> ForceExpirePrompt::lines() const
{
    QList<PageLine> lines;
    for (qsizetype i = 0; i < m_seen.size(); ++i) {
        lines.append(lineOf(i));
        if (m_series && i < m_series->results().size() && m_series->results()[i]) {
            for (const ServerResult &server : m_series->results()[i]->servers)
                lines.append({QStringLiteral("  ") + describe(server)});
        }
    }
    if (m_series)
        return lines;
    lines.append(PageLine());
    const bool hasChanged =
        std::ranges::any_of(m_seen, [this](const WatchedLock &seen) { return !changeSince(seen).isEmpty(); });
    if (hasChanged)
        lines.append(
            {Words::tr("A lock that has changed is not force-expired. Press Esc and check it again."),
             {.color = StatusColor::Danger}});
    if (isSeveral()) {
        lines.append({forceExpireEffect(m_seen.first().lock)});
        return lines;
    }
    if (hasChanged)
        return lines;
    const WatchedLock &now = *m_find(m_seen.first().key()); // may have been renewed since it was seen
    Lock lock = now.lock;
    lock.problems = now.problems();
    const DisplayTime time = m_clock.of(now.key());
    const StatusMessage alive = time.isStopped() ? lastKnown(now, time) : liveness(now, time.now());
    lines.append({alive.text, {.color = alive.statusColor}});
    lines.append({Texts::tr("Effects of force-expire:")});
    for (const QString &effect : previewForceExpire(lock))
        lines.append({QStringLiteral("  - ") + effect});
    return lines;
}

void ForceExpirePrompt::paint(Screen &screen, int top, int rows)
{
    const QString title = isSeveral()
                              ? Words::tr("Force-expire %n lock(s)", nullptr, static_cast<int>(m_seen.size()))
                              : Words::tr("Force-expire a lock");
    screen.write(top, 0, filled(u' ' + title, screen.columns()), {.isBold = true, .isReversed = true});
    m_page.setLines(lines());
    m_page.paint(screen, top + 2, rows - 5);
    const int last = top + rows - 1;
    const bool isProduction = m_guard.environment() == Environment::Production;
    const Style urgent{.color = StatusColor::Danger, .isBold = true};
    if (m_series) {
        const QString state = m_series->isRunning() ? Words::tr("%1 of %2 done. Esc: send no more", "locks")
                                                          .arg(m_series->results().size())
                                                          .arg(m_seen.size())
                                                    : Words::tr("Done. Esc: back");
        screen.write(last, 0, fitted(state, screen.columns(), true), {.isBold = true});
        return;
    }
    const QString question = Words::tr("Type %1 and press Enter; Esc cancels").arg(wordToType());
    const QString asked =
        isProduction ? Texts::tr("%1: %2").arg(describe(m_guard.environment()), question) : question;
    screen.write(last - 1, 0, fitted(asked, screen.columns()), urgent);
    m_typed.paint(screen, last,
                  m_isWrong ? Words::tr("Not %1", "a typed word is another").arg(wordToType()) +
                                  QStringLiteral("> ")
                            : QStringLiteral("> "),
                  urgent);
}

} // namespace lockscope
