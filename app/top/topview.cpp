// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/top/topview.h"

#include "app/words.h"
#include "core/base/printable.h"
#include "core/words/phrases.h"
#include "core/words/textlayout.h"
#include "core/words/texts.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace lockscope {

namespace {

QString bannerText(const BannerChoice &banner)
{
    if (banner.text.isEmpty() || banner.detail.isEmpty())
        return banner.text + banner.detail;
    const bool isEnded = QStringLiteral(".)…。）").contains(banner.text.back());
    return banner.text + (isEnded ? QStringLiteral(" ") : QStringLiteral(". ")) + banner.detail;
}

} // namespace

TopView::TopView(LockTableModel &model, const DisplayClock &clock, TopSource source)
    : m_model(model), m_clock(clock), m_source(std::move(source)), m_table(model, clock)
{
    m_model.sort(static_cast<int>(LockColumn::State), Qt::AscendingOrder);
}

void TopView::say(const QString &text, StatusColor color)
{
    m_said = text;
    m_saidColor = color;
    emit changed();
}

void TopView::setFilter(const QString &text)
{
    m_filter = EditedLine(text);
    readFilter(std::nullopt);
}

void TopView::readFilter(std::optional<qsizetype> cursor)
{
    m_reading = FilterReading(
        m_filter.text(), cursor, std::bind_front(&OwnerNames::clientsCalled, &m_model.names()),
        m_clock.cluster(), [this](const LockFilter &filter) { return m_model.matchesAny(filter); });
    if (!m_reading.isWrong())
        m_model.setFilter(m_reading.filter());
    m_table.follow();
}

void TopView::press(const Key &key)
{
    m_said.clear();
    switch (m_mode) {
    case Mode::Table:
        if (!pressInTable(key))
            m_table.press(key);
        break;
    case Mode::Filter:
        pressInFilter(key);
        break;
    case Mode::Prompt:
        if (!m_prompt->press(key))
            closePrompt();
        break;
    default:
        pressInPage(key);
    }
}

bool TopView::pressInTable(const Key &key)
{
    const bool isPage = key.kind == Key::PageUp || key.kind == Key::PageDown;
    const bool isAcross = key.kind == Key::Left || key.kind == Key::Right;
    if (m_source.isRecording && (isPage || isAcross)) {
        emit stepRequested(isPage ? Step::Page : Step::Change,
                           key.kind == Key::Right || key.kind == Key::PageDown);
    } else if (key.is(u'q')) {
        emit quitRequested();
    } else if (key.kind == Key::Escape) {
        m_table.clearTags();
        emit dismissed();
    } else if (key.kind == Key::Refresh) {
        emit refreshRequested();
    } else if (key.kind == Key::Enter) {
        if (const WatchedLock *lock = m_table.chosen())
            inspect(lock->key());
    } else if (key.is(u' ')) {
        if (!m_source.isRecording)
            emit pauseRequested();
    } else if (key.is(u'/')) {
        m_filterBefore = m_filter.text();
        m_filter = EditedLine(m_filterBefore);
        m_mode = Mode::Filter;
    } else if (key.is(u'w') || key.is(u'?')) {
        m_page = {};
        m_mode = key.is(u'w') ? Mode::Waits : Mode::Help;
    } else if (key.is(u'x')) {
        askForceExpire();
    } else {
        return false;
    }
    return true;
}

void TopView::pressInFilter(const Key &key)
{
    if (key.kind == Key::Escape) {
        m_filter = EditedLine(m_filterBefore);
        m_mode = Mode::Table;
        readFilter(std::nullopt);
    } else if (key.kind == Key::Enter) {
        readFilter(std::nullopt);
        if (!m_reading.isWrong())
            m_mode = Mode::Table;
    } else if (m_filter.press(key)) {
        readFilter(m_filter.cursor());
    } else {
        m_table.press(key);
    }
}

void TopView::pressInPage(const Key &key)
{
    if (m_mode == Mode::Waits && key.kind == Key::Enter) {
        if (const LockKey chosen = m_page.chosen(); !chosen.isEmpty()) {
            inspect(chosen);
            m_isFromWaits = true;
        }
    } else if (key.kind == Key::Escape || key.kind == Key::Enter || key.is(u'q') || key.kind == Key::Left) {
        m_mode = std::exchange(m_isFromWaits, false) ? Mode::Waits : Mode::Table;
        m_page = {};
    } else if (key.is(u'x') && m_mode == Mode::Inspector) {
        askForceExpire();
    } else {
        m_page.press(key);
    }
}

void TopView::inspect(const LockKey &key)
{
    m_inspected = key;
    m_lastSeen.clear();
    m_page = {};
    m_mode = Mode::Inspector;
}

/// Asks about the inspected lock, the tagged ones, or the one at the cursor, as they are now.
void TopView::askForceExpire()
{
    if (!m_source.run)
        return say(m_source.whyNoActions);
    QList<WatchedLock> locks;
    if (m_mode == Mode::Table)
        locks = m_table.toActOn();
    else if (const WatchedLock *lock = m_model.find(m_inspected))
        locks.append(*lock);
    if (m_mode == Mode::Table && locks.isEmpty()) {
        return say(m_table.areTagsGone() ? Words::tr("The tagged lock is gone")
                   : m_table.chosen()    ? Texts::tr("The lock is gone")
                                         : Words::tr("No lock is chosen."));
    }
    if (locks.isEmpty())
        return say(Texts::tr("The lock is gone"));
    const auto isLong = [](const WatchedLock &lock) {
        return ActionGuard::nameOf(lock.key()).size() > EditedLine::maxTyped;
    };
    if (std::ranges::any_of(locks, isLong))
        return say(Words::tr("The key is too long to be shown and typed. Use force-expire with --confirm."));
    m_prompt =
        std::make_unique<ForceExpirePrompt>(locks, m_source.guard, m_source.run, m_source.serverName, m_clock,
                                            [this](const LockKey &key) { return m_model.find(key); });
    connect(m_prompt.get(), &ForceExpirePrompt::changed, this, &TopView::changed);
    connect(m_prompt.get(), &ForceExpirePrompt::begun, this, &TopView::actionsBegun);
    connect(m_prompt.get(), &ForceExpirePrompt::finished, this, [this] {
        m_table.clearTags();
        emit actionsFinished();
        emit changed();
    });
    m_model.setHeld(true);
    m_mode = Mode::Prompt;
}

void TopView::closePrompt()
{
    m_prompt.reset();
    m_model.setHeld(false);
    m_table.follow();
    m_isFromWaits = false;
    m_mode = Mode::Table;
}

void TopView::paint(Screen &screen)
{
    const int foot = screen.rows() - 1;
    if (foot < 3)
        return;
    if (m_mode == Mode::Prompt) {
        m_prompt->paint(screen, 0, screen.rows());
        return paintNews(screen);
    }
    const int top = paintHead(screen);
    paintFoot(screen, foot);
    if (m_mode == Mode::Table || m_mode == Mode::Filter) {
        m_table.paint(screen, top, foot - top);
        if (m_model.rowCount() == 0)
            paintEmpty(screen, top + 2);
        return;
    }
    if (m_mode == Mode::Inspector)
        m_page.setLines(inspectorLines());
    else
        m_page.setLines(m_mode == Mode::Waits ? waitLines() : helpLines());
    m_page.paint(screen, top, foot - top);
}

/// Returns its columns.
int TopView::paintAge(Screen &screen, const TopFacts &facts) const
{
    const QString age = fitted(facts.age, screen.columns() / 2);
    screen.write(1, screen.columns() - cellsOf(age), age,
                 facts.isPaused ? Style{.color = StatusColor::Warning, .isBold = true, .isReversed = true}
                                : Style{});
    return cellsOf(age);
}

/// The banner and the age in one row, upon a question.
void TopView::paintNews(Screen &screen) const
{
    const TopFacts facts = m_source.facts();
    const int room = screen.columns() - paintAge(screen, facts) - 1;
    if (facts.banner)
        screen.write(1, 0, fitted(bannerText(*facts.banner), room, true),
                     {.color = facts.banner->color, .isBold = true, .isReversed = true});
}

/// Returns the first row below.
int TopView::paintHead(Screen &screen) const
{
    TopFacts facts = m_source.facts();
    const int width = screen.columns();
    const QString gap = QStringLiteral(" · ");
    const QString load = fitted(facts.load, width / 3);
    const int serverRoom = width - cellsOf(load) - 2;
    while (facts.server.size() > 2 && cellsOf(facts.server.join(gap)) > serverRoom)
        facts.server.removeLast();
    screen.write(0, 0, fitted(facts.server.join(gap), serverRoom), {.isBold = true});
    screen.write(0, width - cellsOf(load), load);

    const int ageWidth = paintAge(screen, facts);
    int x = 0;
    const auto add = [&](const QString &text, Style style = {}) {
        const QString shown = fitted(x > 0 ? gap + text : text, width - x - ageWidth - 1, true);
        screen.write(1, x, shown, style);
        x += cellsOf(shown);
    };
    const LockTableModel::Counts counts = m_model.counts();
    const bool isFiltered = !m_model.filter().isEmpty();
    // A filter looks at possible locks, too, which are none.
    add(Words::tr("locks: %1").arg(grouped(m_model.total() - (isFiltered ? counts.possible : 0))));
    if (isFiltered)
        add(Words::tr("shown: %1").arg(grouped(m_model.shown())));
    if (isFiltered && m_mode != Mode::Filter)
        add(Words::tr("filter: %1").arg(printable(m_filter.text().toUtf8(), 60)), {.isBold = true});
    add(Words::tr("problems: %1").arg(grouped(counts.problems)),
        counts.problems > 0 ? Style{.color = StatusColor::Warning, .isBold = true} : Style{});
    if (m_table.tagged() > 0)
        add(Words::tr("tagged: %1").arg(grouped(m_table.tagged())), {.isBold = true});
    add(Words::tr("with waiters: %1").arg(grouped(counts.waitedOn)));
    if (!facts.banner)
        return 2;
    constexpr qsizetype maxBannerRows = 2;
    const QStringList lines = wrapped(bannerText(*facts.banner), width, 0);
    const qsizetype count = std::min(lines.size(), maxBannerRows);
    for (qsizetype i = 0; i < count; ++i)
        screen.write(static_cast<int>(2 + i), 0,
                     filled(i + 1 < count ? lines[i] : lines.sliced(i).join(u' '), width),
                     {.color = facts.banner->color, .isBold = true, .isReversed = true});
    return static_cast<int>(2 + count);
}

void TopView::paintFoot(Screen &screen, int row) const
{
    const int width = screen.columns();
    if (m_mode == Mode::Filter) {
        const QString message = inWords(m_reading.message());
        m_filter.paint(screen, row, QStringLiteral("/"));
        const int room = width - cellsOf(m_filter.text()) - 4;
        if (message.isEmpty() || room < 10)
            return;
        const QString shown = fitted(message, room, true);
        screen.write(row, width - cellsOf(shown), shown,
                     {.color = m_reading.isWrong() ? StatusColor::Danger : StatusColor::Muted});
        return;
    }
    if (!m_said.isEmpty())
        return screen.write(row, 0, fitted(m_said, width, true), {.color = m_saidColor, .isBold = true});
    int x = 0;
    for (const KeyRow &hint : keyRows()) {
        const QString meaning = hint.hint ? Words::tr(hint.hint) : QString();
        const QString keys = QString::fromUtf8(hint.keys);
        const int end = x + cellsOf(keys) + 1 + cellsOf(meaning);
        if (!isInForce(hint) || meaning.isEmpty() || end > width)
            continue;
        screen.write(row, x, keys, {.isBold = true});
        screen.write(row, x + cellsOf(keys) + 1, meaning, {.color = StatusColor::Muted});
        x = end + 2;
    }
}

void TopView::paintEmpty(Screen &screen, int row) const
{
    if (m_reading.isWrong()) // the last row says why
        return;
    const QString text = m_model.total() > 0 && !m_model.filter().isEmpty()
                             ? Words::tr("No lock matches the filter. Press / to change it.")
                             : Words::tr("No locks.");
    screen.write(row, 2, fitted(text, screen.columns() - 2, true), {.color = StatusColor::Muted});
}

} // namespace lockscope
