// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockspage.h"

#include "core/table/locktext.h"
#include "core/words/texts.h"
#include "ui/locks/hiddenline.h"
#include "ui/locks/lockdelegate.h"
#include "ui/locks/lockfilterbar.h"
#include "ui/locks/lockheader.h"
#include "ui/locks/lockselection.h"
#include "ui/locks/orderhold.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/plaintext.h"
#include "ui/widgets/propertygrid.h"

#include <QAction>
#include <QDateTime>
#include <QEvent>
#include <QMenu>
#include <QStackedWidget>
#include <QStyle>
#include <QTableView>

#include <algorithm>

namespace lockscope {

namespace {

using Column = LockTableModel::Column;
constexpr int leastCharacters = 66; // with the inspector beside it, in a window of 800 pixels
constexpr std::chrono::milliseconds tickInterval{100};
constexpr std::chrono::milliseconds countInterval{400};

} // namespace

LocksPage::LocksPage(const OwnerNames &names, QWidget *parent)
    : QWidget(parent),
      m_model(m_clock, names),
      m_delegate(new LockDelegate(m_model, m_clock, this)),
      m_table(new QTableView(this)),
      m_timedCells(*m_table, m_model, m_clock),
      m_header(new LockHeader(m_table)),
      m_filterBar(new LockFilterBar(m_model, m_clock, this)),
      m_stack(new QStackedWidget(this)),
      m_hidden(new HiddenLine(this)),
      m_empty(new EmptyState(this)),
      m_noMatch(new EmptyState(this))
{
    buildTable();
    auto *clearFilter = new QAction(tr("Clear filter"), this);
    connect(clearFilter, &QAction::triggered, m_filterBar, &LockFilterBar::clear);
    m_noMatch->setMessage(Glyph::Search, tr("No lock matches the filter"), {}, {clearFilter});
    // What is not shown must not keep the window from being small.
    for (EmptyState *page : {m_empty, m_noMatch})
        page->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
    for (QWidget *page : {static_cast<QWidget *>(m_table), static_cast<QWidget *>(m_empty),
                          static_cast<QWidget *>(m_noMatch)})
        m_stack->addWidget(page);

    setLayout(columnOf({m_filterBar, {m_stack, 1}, lineOf({m_hidden, {m_hold, 1}}, 0, {})}, 0, {}));
    connect(m_hidden, &HiddenLine::toggled, this, [this](bool on) {
        m_model.setShowsHidden(on);
        m_selection->hold();
        refreshEmptiness();
        emit counted();
    });

    m_timer.setInterval(tickInterval);
    connect(&m_timer, &QTimer::timeout, this, &LocksPage::tick);
    connect(m_filterBar, &LockFilterBar::filterChanged, this, &LocksPage::takeFilter);
    connect(m_filterBar, &LockFilterBar::timeRemoved, this, &LocksPage::timeFilterRemoved);
    connect(m_filterBar, &LockFilterBar::left, this, &LocksPage::goToFirstRow);
    // In other rows than those that have changed.
    connect(&m_model, &LockTableModel::waitsChanged, this, [this] {
        if (std::ranges::any_of(lockColumns(), [this](const LockColumnSpec &column) {
                return column.changes.testFlag(CellChange::Waits) &&
                       !m_header->isSectionHidden(static_cast<int>(column.id));
            }))
            m_table->viewport()->update();
    });
    connect(&names, &OwnerNames::changed, this, [this] {
        m_filterBar->readAgain();
        m_table->viewport()->update();
    });
    setMinimumWidth(latinWidth(fontMetrics(), leastCharacters));
    refreshCounts();
}

LocksPage::~LocksPage()
{
    // The view outlives the members: what it says while the model goes is no longer heard.
    m_table->selectionModel()->disconnect(m_selection);
    m_model.disconnect(this);
    m_table->setModel(nullptr);
}

void LocksPage::buildTable()
{
    m_delegate->setFont(font());
    m_table->setModel(&m_model);
    m_table->setItemDelegate(m_delegate);
    m_table->setAccessibleName(Texts::tr("Locks"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->installEventFilter(this);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);

    QHeaderView *rows = m_table->verticalHeader();
    rows->hide();
    rows->setSectionResizeMode(QHeaderView::Fixed);
    rows->setMinimumSectionSize(1);
    fitRows();

    m_table->setHorizontalHeader(m_header);
    // Until the user sets the columns, they fit: no bar that flickers with the vertical one.
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_header, &LockHeader::setByUser, m_table,
            [this] { m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded); });
    connect(m_header, &LockHeader::resetByUser, this, [this] {
        m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        fitColumns();
    });
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(static_cast<int>(Column::State), Qt::AscendingOrder);

    m_selection = new LockSelection(*m_table, m_model, this);
    connect(m_selection, &LockSelection::changed, this, &LocksPage::chosenChanged);
    connect(m_selection, &LockSelection::selectionChanged, this, &LocksPage::selectionChanged);
    connect(m_selection, &LockSelection::limited, this, &LocksPage::selectionLimited);
    connect(m_table, &QTableView::activated, this, &LocksPage::activated);
    connect(m_table, &QTableView::customContextMenuRequested, this, [this](const QPoint &position) {
        // What is done from there is done to the chosen lock: nowhere else a menu.
        if (const QModelIndex row = m_table->indexAt(position);
            row.isValid() && m_model.at(row.row()).key() == chosen())
            emit contextMenuWanted(m_table->viewport()->mapToGlobal(position));
    });
    m_hold = new OrderHold(*m_table, m_model, this);
}

void LocksPage::apply(const LockDiff &diff)
{
    m_hold->update();
    m_model.apply(diff);
    m_selection->hold();
    refreshEmptiness();
    if (Clock::now() - m_countedAt >= countInterval)
        refreshCounts();
}

void LocksPage::addNotice(QWidget *notice)
{
    auto *parts = static_cast<QBoxLayout *>(layout());
    parts->insertWidget(parts->count() - 1, notice);
}

void LocksPage::setStale(std::optional<TimePoint> at)
{
    at ? m_clock.stopAt(*at) : m_clock.run();
    m_table->viewport()->update();
}

void LocksPage::holdAt(TimePoint at)
{
    m_clock.holdAt(at);
    m_table->viewport()->update();
}

void LocksPage::setCluster(const ClusterStatus &cluster)
{
    const bool hadSeveral = m_clock.cluster().hasSeveral();
    const bool areOthers = m_clock.cluster().keepers != cluster.keepers;
    m_clock.setCluster(cluster);
    if (areOthers || hadSeveral != cluster.hasSeveral()) {
        constexpr qsizetype quorumCharacters = 9; // "2–3 of 5"
        qsizetype longest = cluster.isGroup ? quorumCharacters : 0;
        for (const NodeStatus &node : cluster.nodes)
            longest = std::max(longest, cluster.isCluster() ? node.label.size() : 0);
        m_header->setNodeCharacters(static_cast<int>(longest));
        m_header->fit(m_table->viewport()->width());
        m_model.followCluster();
        m_filterBar->readAgain(); // it may name nodes
    }
    m_table->viewport()->update();
}

const std::optional<LockKey> &LocksPage::chosen() const
{
    return m_selection->chosen();
}

const std::optional<LockKey> &LocksPage::hiddenChoice() const
{
    return m_selection->hiddenChoice();
}

const WatchedLock *LocksPage::chosenLock() const
{
    return chosen() ? m_model.find(*chosen()) : nullptr;
}

QList<LockKey> LocksPage::selected() const
{
    return m_selection->selected();
}

qsizetype LocksPage::selectedCount() const
{
    return m_selection->size();
}

QString LocksPage::rowsText() const
{
    QModelIndexList rows = m_table->selectionModel()->selectedRows(); // also those that have gone
    std::sort(rows.begin(), rows.end());
    QStringList lines;
    for (const QModelIndex &row : std::as_const(rows)) {
        QStringList cells;
        for (int column = 0; column < m_model.columnCount(); ++column)
            cells.append(row.siblingAtColumn(column).data().toString());
        lines.append(cells.join(u'\t'));
    }
    return lines.join(u'\n');
}

LockExport LocksPage::exported(const QString &server, bool isSelection, std::optional<milliseconds> age) const
{
    LockExport picture;
    picture.server = server;
    picture.filter = m_filterBar->textInForce();
    picture.isSelection = isSelection;
    picture.wallMs = QDateTime::currentMSecsSinceEpoch();
    picture.madeAt = Clock::now();
    picture.age = age;
    picture.cluster = m_clock.cluster();
    const auto add = [&](const WatchedLock &lock) {
        picture.rows.append({lock, m_clock.of(lock.key()).now()});
    };
    if (isSelection) {
        for (const LockKey &key : selected())
            add(*m_model.find(key)); // none of them is gone
        return picture;
    }
    picture.rows.reserve(m_model.shown());
    for (int row = 0; row < m_model.rowCount(); ++row) {
        if (!m_model.isGone(row))
            add(m_model.at(row));
    }
    return picture;
}

void LocksPage::fillFilterMenu(QMenu &menu)
{
    const WatchedLock *lock = chosenLock();
    if (!lock)
        return;
    QList<CellTerm> terms = cellTerms(m_model.cellOf(*lock, m_clock.of(lock->key()).now()));
    const auto current = static_cast<Column>(m_table->currentIndex().column());
    std::ranges::stable_partition(terms, [current](const CellTerm &each) { return each.column == current; });
    constexpr qsizetype shownCharacters = 60;
    for (const bool isNegated : {false, true}) {
        QMenu *choices = menu.addMenu(isNegated ? tr("Filter o&ut") : tr("Fil&ter to"));
        for (const CellTerm &each : terms) {
            const QString text = isNegated ? u'-' + each.term : each.term;
            connect(choices->addAction(plainMenuText(shortened(text, shownCharacters))), &QAction::triggered,
                    this, [this, isNegated, term = each.term] { m_filterBar->addTerm(term, isNegated); });
        }
    }
}

void LocksPage::keepFilters()
{
    m_filterBar->keepFilters();
}

void LocksPage::openFilterMenu()
{
    m_filterBar->openMenu();
}

void LocksPage::filterBy(const QString &term)
{
    m_filterBar->addTerm(term, false);
}

void LocksPage::setTimeFilter(const QString &time, const QSet<LockKey> &locks)
{
    m_filterBar->setTime(time, LockFilter::ofKeys(locks));
}

void LocksPage::addTableAction(QAction *action)
{
    m_table->addAction(action);
}

void LocksPage::focusTable()
{
    // The stack hands the focus on when the table takes the empty state's place.
    m_stack->currentWidget()->setFocus();
}

void LocksPage::focusFilter()
{
    m_filterBar->focusField();
}

void LocksPage::clear()
{
    const bool isFiltered = !m_filterBar->isEmpty();
    m_filterBar->clear();
    m_table->setFocus();
    if (!isFiltered)
        m_selection->clear();
}

void LocksPage::takeFilter()
{
    m_model.setFilter(m_filterBar->filter());
    m_selection->hold();
    refreshEmptiness();
    refreshCounts();
}

void LocksPage::choose(const LockKey &key)
{
    const WatchedLock *lock = m_model.find(key);
    if (lock && !m_model.indexOf(key).isValid())
        m_filterBar->clear();
    if (lock && isPossible(lock->lock) && !m_model.indexOf(key).isValid())
        m_hidden->turnOn();
    m_selection->choose(key);
}

void LocksPage::chooseNothing()
{
    m_selection->clear();
}

void LocksPage::goToFirstRow()
{
    if (m_model.rowCount() == 0)
        return;
    m_table->setFocus();
    m_selection->chooseRow(0);
}

/// Called by a key press, when the row may be out of sight.
void LocksPage::showMenuOfChosen()
{
    const QModelIndex row = m_model.pinned();
    if (!row.isValid())
        return;
    m_table->scrollTo(row);
    emit contextMenuWanted(m_table->viewport()->mapToGlobal(m_table->visualRect(row).center()));
}

bool LocksPage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table && event->type() == QEvent::ContextMenu &&
        static_cast<QContextMenuEvent *>(event)->reason() == QContextMenuEvent::Keyboard)
        showMenuOfChosen();
    else
        return QWidget::eventFilter(watched, event);
    return true;
}

void LocksPage::setNothingFound(bool nothing)
{
    m_nothingFound = nothing;
    refreshEmptiness();
}

void LocksPage::refreshEmptiness()
{
    QWidget *page = m_table;
    if (m_model.total() == 0 && m_nothingFound)
        page = m_empty;
    else if (m_model.total() > 0 && m_model.rowCount() == 0)
        page = m_noMatch;
    if (m_stack->currentWidget() != page)
        m_stack->setCurrentWidget(page);
}

void LocksPage::refreshCounts()
{
    const LockTableModel::Counts counts = m_model.counts();
    m_filterBar->setCounts(counts);
    m_hidden->setCounts(m_model.filter().isEmpty() ? counts.possible : 0, counts.hidden);
    m_hold->refresh();
    m_countedAt = Clock::now();
    emit counted();
}

void LocksPage::tick()
{
    m_hold->update();
    if (const QRegion region = m_timedCells.changed(); !region.isEmpty())
        m_table->viewport()->update(region);
    if (Clock::now() - m_countedAt >= countInterval) {
        m_model.followTime();
        m_model.followWaits();
        m_model.refilter();
        m_model.followOrder();
        m_selection->hold();
        refreshCounts();
        refreshEmptiness();
        m_header->follow();
        if (m_delegate->followOwners(m_inSight))
            m_table->viewport()->update();
    }
    tellSight(keysInSight());
    emit ticked();
}

QList<LockKey> LocksPage::keysInSight() const
{
    QList<LockKey> keys;
    if (chosenLock())
        keys.append(*chosen());
    const int first = m_table->isVisible() ? m_table->rowAt(0) : -1;
    if (first < 0)
        return keys;
    const int last = m_table->rowAt(m_table->viewport()->height() - 1);
    for (int row = first; row <= (last < 0 ? m_model.rowCount() - 1 : last); ++row) {
        if (const LockKey &key = m_model.at(row).key(); key != chosen())
            keys.append(key);
    }
    return keys;
}

void LocksPage::tellSight(const QList<LockKey> &keys)
{
    if (keys == m_inSight)
        return;
    m_inSight = keys;
    emit sightChanged(keys);
}

void LocksPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_timer.start();
}

void LocksPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_timer.stop();
    tellSight({});
}

void LocksPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

void LocksPage::fitColumns()
{
    m_header->fit(width() - style()->pixelMetric(QStyle::PM_ScrollBarExtent));
}

void LocksPage::fitRows()
{
    m_table->verticalHeader()->setDefaultSectionSize(m_delegate->rowHeight());
}

void LocksPage::setCompact(bool compact)
{
    m_delegate->setCompact(compact);
    fitRows();
}

void LocksPage::chooseColumns()
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    m_header->fillMenu(*menu);
    menu->popup(m_header->mapToGlobal(m_header->rect().bottomLeft()));
}

void LocksPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        m_delegate->setFont(font());
        fitRows();
    }
}

} // namespace lockscope
