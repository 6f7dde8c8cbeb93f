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

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr std::chrono::milliseconds frameInterval{250};
constexpr std::ptrdiff_t maxEvents = 20'000;
constexpr size_t maxEventsOfFrame = 5'000;
constexpr qsizetype eventsShown = 12;

QString eventText(const LockEvent &event, bool hasKey)
{
    QStringList parts{timeText(event.wallMs, Dates::No), QString::fromLatin1(eventName(event.kind))};
    if (hasKey)
        parts << printable(event.address.key.bytes, 60);
    if (!event.owners.isEmpty())
        parts << ownerIdText(event.owners.first().owner.bytes, 60);
    return parts.join(QStringLiteral("  "));
}

} // namespace

TopDesk::TopDesk(const MonitorSource &source)
    : m_source(source), m_model(m_clock), m_pending(maxEventsOfFrame)
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
    m_events.clear();
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
    const LockDiff diff = m_pending.take();
    m_events.insert(m_events.end(), diff.events.begin(), diff.events.end());
    m_events.erase(m_events.begin(),
                   m_events.begin() + std::max<std::ptrdiff_t>(std::ssize(m_events) - maxEvents, 0));
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
    return m_events.empty() ? QString() : eventText(m_events.back(), true);
}

QStringList TopDesk::eventsOf(const LockKey &key) const
{
    QStringList lines;
    for (auto event = m_events.rbegin(); event != m_events.rend() && lines.size() < eventsShown; ++event) {
        if (event->address.key == key)
            lines << eventText(*event, false);
    }
    return lines;
}

} // namespace lockscope
