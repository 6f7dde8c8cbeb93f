// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/events/eventspanel.h"

#include "core/base/printable.h"
#include "core/words/texts.h"
#include "ui/events/eventexport.h"
#include "ui/events/eventtable.h"
#include "ui/events/eventtext.h"
#include "ui/widgets/kindsmenu.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/rowkeys.h"
#include "ui/widgets/savedwidgetstate.h"

#include <QDateTime>
#include <QEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

using Column = EventModel::Column;
constexpr qsizetype choiceCodePoints = 40;

} // namespace

EventsPanel::EventsPanel(const EventLog &log, const OwnerNames &names, QWidget *parent)
    : PagePanel(Texts::tr("Events"), 13, parent),
      m_log(log),
      m_names(names),
      m_model(log, names, {Column::Time, Column::Event, Column::Key, Column::Owner, Column::Detail}),
      m_newest(new QToolButton(this)),
      m_onlyChosen(new QToolButton(this)),
      m_kinds(new QToolButton(this)),
      m_kindsMenu(new KindsMenu(this)),
      m_words(new QLineEdit(this)),
      m_table(new EventTable(this))
{
    buildTable();
    buildKinds();
    buildHead();
    column().addWidget(placeOf(m_table), 1);
    m_kindsMenu->setKinds(EventFilter::usualKinds());

    connect(&names, &OwnerNames::changed, this, [this] {
        if (!m_words->text().isEmpty())
            refilter();
    });
    connect(&m_model, &EventModel::updated, this, &EventsPanel::showState);
    SavedWidgetState::keep(QStringLiteral("eventColumns"), m_table->horizontalHeader());
    new SavedWidgetState(
        QStringLiteral("eventKinds"), this,
        [this] {
            const QByteArrayList hidden = m_kindsMenu->hiddenKinds();
            return hidden.isEmpty() ? QByteArray("none") : hidden.join(',');
        },
        [this](const QByteArray &saved) { m_kindsMenu->setHiddenKinds(saved.split(',')); });
}

void EventsPanel::buildHead()
{
    m_newest->setToolTip(tr("Go to the newest event"));
    m_newest->setFocusPolicy(Qt::TabFocus);
    m_newest->hide();
    connect(m_newest, &QToolButton::clicked, m_table, &QTableView::scrollToTop);
    connect(m_table, &EventTable::newerRowsChanged, this, [this] {
        m_newest->setVisible(m_table->newerRows() > 0);
        m_newest->setText(tr("%n newer", nullptr, m_table->newerRows()));
    });
    m_onlyChosen->setText(tr("Only selected lock"));
    m_onlyChosen->setCheckable(true);
    m_onlyChosen->setFocusPolicy(Qt::TabFocus);
    m_onlyChosen->setToolTip(tr("Show only events of the selected lock"));
    connect(m_onlyChosen, &QToolButton::toggled, this, &EventsPanel::refilter);
    setUpFilter(*m_words, tr("Filter of the events"), tr("Words match key, owner, event or details."));
    connect(m_words, &QLineEdit::textChanged, this, &EventsPanel::refilter);
    addHead(10, {{summary(), 1}, m_newest, m_onlyChosen, m_kinds, m_words});
}

void EventsPanel::buildTable()
{
    m_table->setModel(&m_model);
    m_table->setAccessibleName(Texts::tr("Events"));
    m_table->setTextElideMode(Qt::ElideMiddle); // an id is known by its ends
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    QHeaderView *header = m_table->horizontalHeader();
    header->setStretchLastSection(true);
    m_table->setColumnWidth(m_model.columnOf(Column::Time),
                            fontMetrics().horizontalAdvance(clockTimeText(0)) + latinWidth(fontMetrics(), 3));
    for (const auto &[column, characters] : {std::pair(Column::Key, 26), std::pair(Column::Owner, 22)})
        m_table->setColumnWidth(m_model.columnOf(column), latinWidth(fontMetrics(), characters));
    // Each word is read whole: what differs may stand at its end.
    int widest = 0;
    for (int index = 0; index < LoggedKind::count; ++index)
        widest = std::max(widest, fontMetrics().horizontalAdvance(eventWord(LoggedKind::at(index))));
    m_table->setColumnWidth(m_model.columnOf(Column::Event), widest + latinWidth(fontMetrics(), 2));
    fitRows();
    new RowKeys(m_table, [this] { choose(m_table->currentIndex()); });
    connect(m_table, &QTableView::clicked, this, &EventsPanel::choose);
    connect(m_table, &QWidget::customContextMenuRequested, this, &EventsPanel::showMenu);
}

void EventsPanel::fitRows()
{
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
}

void EventsPanel::buildKinds()
{
    m_kinds->setText(tr("Kinds"));
    m_kinds->setToolTip(tr("Choose which kinds of events to show"));
    m_kinds->setPopupMode(QToolButton::InstantPopup);
    m_kinds->setFocusPolicy(Qt::TabFocus);
    m_kinds->setMenu(m_kindsMenu);
    connect(m_kindsMenu->addAction(tr("Show all kinds")), &QAction::triggered, this,
            [this] { m_kindsMenu->setKinds(EventFilter::Kinds().set()); });
    connect(m_kindsMenu->addAction(tr("Show the usual kinds")), &QAction::triggered, this,
            [this] { m_kindsMenu->setKinds(EventFilter::usualKinds()); });
    m_kindsMenu->addSeparator();
    m_kindsMenu->setToolTipsVisible(true);
    for (int index = 0; index < LoggedKind::count; ++index) {
        if (index == eventKinds)
            m_kindsMenu->addSeparator();
        const LoggedKind kind = LoggedKind::at(index);
        // A moment has the same name, and each is hidden for itself.
        const QByteArray name = kind == EventKind::Flushed ? "lock-flushed" : nameOf(kind);
        m_kindsMenu->addKind(name, eventWord(kind), eventMeaning(kind));
    }
    connect(m_kindsMenu, &KindsMenu::changed, this, &EventsPanel::refilter);
}

void EventsPanel::refilter()
{
    m_filter.setKinds(m_kindsMenu->kinds<EventFilter::Kinds>());
    m_filter.setWords(m_words->text(), m_names);
    // Nothing is chosen: nothing to restrict to.
    m_filter.setOnly(m_onlyChosen->isChecked() ? m_chosen : std::nullopt);
    m_model.setFilter(m_filter);
    showState();
}

void EventsPanel::showChosen(const std::optional<LockKey> &key)
{
    // No lock, because that one is gone: its events are still those that were asked for.
    if (std::exchange(m_told, key) == key || !key || key == m_chosen)
        return;
    m_chosen = key;
    if (m_onlyChosen->isChecked())
        refilter();
}

void EventsPanel::showTime(const std::optional<TimeRange> &time)
{
    if (time == m_filter.time())
        return;
    m_filter.setTime(time);
    refilter();
}

/// Returns "14:03:07.250 – 14:03:09.500"; empty without a limit.
QString EventsPanel::timeWords() const
{
    const auto &time = m_filter.time();
    return time ? Texts::tr("%1 – %2").arg(clockTimeText(time->fromMs), clockTimeText(time->toMs))
                : QString();
}

void EventsPanel::showState()
{
    const QLocale locale;
    const int shown = m_model.rowCount();
    const qint64 kept = m_log.end() - m_log.first();
    QStringList parts;
    if (m_filter.only())
        parts << tr("%1 of %2 events, of %3", "of a lock")
                     .arg(locale.toString(shown), locale.toString(kept),
                          printable(m_filter.only()->bytes, choiceCodePoints));
    else
        parts << (shown < kept ? tr("%1 of %2 events").arg(locale.toString(shown), locale.toString(kept))
                               : tr("events: %1").arg(locale.toString(kept)));
    if (m_filter.time())
        parts << timeWords();
    if (m_log.dropped() > 0)
        parts << tr("older ones dropped: %1").arg(locale.toString(m_log.dropped()));
    showSummary(parts);
    showListOr(shown > 0 ? QString() : kept == 0 ? tr("No events yet.") : tr("No event matches."));
}

void EventsPanel::choose(const QModelIndex &index)
{
    const auto logged = index.isValid() ? m_model.at(index.row()) : std::nullopt;
    if (logged && !logged->event.address.key.isEmpty())
        emit chosen(logged->event.address.key);
}

void EventsPanel::showMenu(const QPoint &position)
{
    const QModelIndex index = m_table->indexAt(position);
    const auto logged = index.isValid() ? m_model.at(index.row()) : std::nullopt;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(Texts::tr("Copy")), &QAction::triggered, this, [this] { copyRows(*m_table); });
    QAction *only = menu->addAction(tr("Only events of this lock"));
    only->setEnabled(logged && !logged->event.address.key.isEmpty());
    connect(only, &QAction::triggered, this, [this, key = logged ? logged->event.address.key : LockKey()] {
        m_chosen = key;
        m_onlyChosen->setChecked(true);
        refilter();
        emit chosen(key);
    });
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

EventExport EventsPanel::exported(const QString &server)
{
    m_model.update();
    EventExport picture;
    picture.server = server;
    picture.filter = m_words->text().simplified();
    if (m_filter.time())
        picture.filter = QStringLiteral("%1 [%2]").arg(picture.filter, timeWords()).trimmed();
    picture.only = m_filter.only();
    picture.hiddenKinds = m_kindsMenu->hiddenKinds();
    picture.kept = m_log.end() - m_log.first();
    picture.dropped = m_log.dropped();
    picture.wallMs = QDateTime::currentMSecsSinceEpoch();
    picture.rows.reserve(m_model.rowCount());
    for (int row = 0; row < m_model.rowCount(); ++row) {
        if (auto logged = m_model.at(row))
            picture.rows.append(std::move(*logged));
    }
    return picture;
}

void EventsPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_model.setLive(true);
    showState();
}

void EventsPanel::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_model.setLive(false);
}

void EventsPanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitRows();
}

} // namespace lockscope
