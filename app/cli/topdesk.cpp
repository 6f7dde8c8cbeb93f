// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/topdesk.h"

#include "app/cli/console.h"
#include "app/cli/eventlines.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/model/names.h"
#include "core/redis/sshtunnel.h"
#include "core/table/locktext.h"

#include <unistd.h>

namespace lockscope {

namespace {

constexpr std::chrono::milliseconds frameInterval{250};
constexpr qsizetype maxEvents = 20'000;
constexpr size_t maxEventsOfFrame = 5'000;
constexpr qsizetype eventsShown = 12;

QString eventText(const LoggedEvent &logged, bool hasKey)
{
    QStringList parts{timeText(logged.event.wallMs, Dates::No),
                      QString::fromLatin1(eventName(logged.kind.event()))};
    if (hasKey)
        parts << printable(logged.event.address.key.bytes, 60);
    if (!logged.event.owners.isEmpty())
        parts << ownerIdText(logged.event.owners.first().owner.bytes, 60);
    return parts.join(QStringLiteral("  "));
}

} // namespace

TopDesk::TopDesk(const MonitorSource &source)
    : m_source(source), m_model(m_clock), m_log(maxEvents), m_pending(maxEventsOfFrame)
{
    m_model.setHoldTimes(source.watched().holdTimes());
    m_frames.setInterval(frameInterval);
    connect(&m_frames, &QTimer::timeout, this, &TopDesk::showNow);
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &TopDesk::paint);
}

void TopDesk::open(TopSource source, const QString &filter)
{
    SshTunnel::setPrompts(SshTunnel::Prompts::None);
    source.events = [this](const LockKey &key) { return eventsOf(key); };
    m_view = std::make_unique<TopView>(m_model, m_clock, std::move(source));
    connect(m_view.get(), &TopView::changed, &m_soon, qOverload<>(&QTimer::start));
    m_screen = std::make_unique<CursesScreen>();
    emit beforeFrame();
    applyChanges();
    m_view->setFilter(filter);
    m_input = std::make_unique<QSocketNotifier>(STDIN_FILENO, QSocketNotifier::Read);
    connect(m_input.get(), &QSocketNotifier::activated, this, &TopDesk::takeKeys);
    m_frames.start();
    paint();
}

void TopDesk::close()
{
    m_input.reset();
    m_screen.reset();
}

void TopDesk::add(const LockDiff &diff)
{
    m_pending.add(diff, [this](const LockKey &key) { return m_model.find(key) != nullptr; });
}

void TopDesk::addEvents(const QList<LockEvent> &events)
{
    m_pending.add({.changed = {}, .removed = {}, .events = events}, {});
}

void TopDesk::clear()
{
    m_pending = PausedChanges(maxEventsOfFrame);
    m_log.clear();
}

void TopDesk::setPaused(bool on)
{
    m_pausedAt = on ? std::optional(m_source.watched().staleSince().value_or(Clock::now())) : std::nullopt;
    showNow();
}

QString TopDesk::pauseText() const
{
    if (!m_pausedAt)
        return {};
    const auto age = std::chrono::duration_cast<milliseconds>(Clock::now() - *m_pausedAt);
    return Words::tr("PAUSED %1, changed: %2", "a time, a number of locks")
        .arg(countdown(std::chrono::floor<std::chrono::seconds>(age)), grouped(m_pending.size()));
}

/// A key is followed by its frame; a new size of the terminal is one, too.
void TopDesk::takeKeys()
{
    bool hasKey = false;
    while (isOpen()) {
        const std::optional<Key> key = m_screen->nextKey();
        if (!key)
            break;
        hasKey = true;
        m_view->press(*key);
    }
    if (!isOpen())
        return;
    if (hasKey) {
        paint();
    } else if (CursesScreen::hasInputEnded()) {
        m_input->setEnabled(false);
        emit ended();
    }
}

void TopDesk::showNow()
{
    if (!isOpen())
        return;
    emit beforeFrame();
    applyChanges();
    m_model.refilter();
    m_model.followTime();
    m_model.followWaits();
    m_model.followOrder();
    m_view->follow();
    paint();
}

void TopDesk::applyChanges()
{
    if (m_pausedAt)
        return m_clock.holdAt(*m_pausedAt);
    m_log.addLost(m_pending.takeLost());
    const LockDiff diff = m_pending.take();
    m_log.append(diff.events);
    if (!diff.isEmpty())
        m_model.apply(diff);
}

void TopDesk::paint()
{
    // Asked for a key, ncurses takes the terminal's new size.
    while (const std::optional<Key> key = isOpen() ? m_screen->nextKey() : std::nullopt)
        m_view->press(*key);
    if (!isOpen() || !console::canWrite())
        return;
    m_screen->beginFrame();
    m_view->paint(*m_screen);
    m_screen->endFrame();
    if (const QList<LockKey> visible = m_view->visible(); std::exchange(m_visible, visible) != visible)
        emit rowsChanged(visible);
}

QString TopDesk::latestEvent() const
{
    for (qint64 number = m_log.end(); --number >= m_log.first();) {
        if (!m_log.kindOf(number).isMoment())
            return eventText(m_log.at(number), true);
    }
    return {};
}

QStringList TopDesk::eventsOf(const LockKey &key) const
{
    QStringList lines;
    for (qint64 number = m_log.end(); --number >= m_log.first() && lines.size() < eventsShown;) {
        if (m_log.keyOf(number) == key && !m_log.kindOf(number).isMoment())
            lines << eventText(m_log.at(number), false);
    }
    return lines;
}

} // namespace lockscope
