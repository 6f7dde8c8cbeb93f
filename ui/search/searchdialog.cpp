// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/searchdialog.h"

#include "core/base/glob.h"
#include "core/base/printable.h"
#include "core/words/durations.h"
#include "core/words/familymessages.h"
#include "core/words/messages.h"
#include "core/words/permissionmessages.h"
#include "ui/connect/patternsdialog.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/propertygrid.h"

#include <QHeaderView>
#include <QProgressBar>
#include <QPushButton>
#include <QTreeWidget>

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope {

namespace {

constexpr int steps = 1000;     // of the progress bar
constexpr int locksShown = 200; // of each pattern
constexpr int patternsShown = 500;
constexpr int patternRole = Qt::UserRole;
constexpr auto listEvery = std::chrono::milliseconds(250);

/// True if one of the patterns matches the key, which is then listed with it.
bool isAddedTo(QList<PatternAdvice> &advice, const LockKey &key)
{
    const auto match = std::ranges::find_if(
        advice, [&](const PatternAdvice &each) { return globMatches(each.pattern, key.bytes); });
    if (match == advice.end())
        return false;
    match->keys.append(key);
    return true;
}

} // namespace

SearchDialog::SearchDialog(QList<QByteArray> patterns, bool areKept, qint64 keyspace, QString serverName,
                           QWidget *parent)
    : QDialog(parent),
      m_watched(std::move(patterns)),
      m_serverName(std::move(serverName)),
      m_areKept(areKept),
      m_state(plainLabel(this)),
      m_progress(new QProgressBar(this)),
      m_list(new QTreeWidget(this))
{
    setWindowTitle(tr("Find locks by content"));
    auto *help = plainLabel(
        this, tr("Reads every key once, with at most 5% of one server core. Plain tokens are not found."));

    m_progress->setRange(0, steps);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress"));
    m_state->setObjectName(QStringLiteral("state"));
    m_state->setText(tr("Keys to read: %1").arg(keyspace > 0 ? grouped(keyspace) : tr("unknown")));

    m_list->setColumnCount(2);
    m_list->setHeaderLabels({tr("Pattern to watch, and its locks"), tr("Family")});
    m_list->setAccessibleName(tr("Locks found"));
    m_list->setUniformRowHeights(true);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::Interactive);
    m_list->setColumnWidth(1, latinWidth(fontMetrics(), 26));
    connect(m_list, &QTreeWidget::itemChanged, this, &SearchDialog::updateWatch);

    auto *buttons = buttonsOf(this, QDialogButtonBox::Close);
    m_search = buttons->addButton(tr("&Search"), QDialogButtonBox::ActionRole);
    m_watch = buttons->addButton(tr("&Watch the chosen patterns"), QDialogButtonBox::ActionRole);
    m_search->setObjectName(QStringLiteral("search"));
    m_watch->setObjectName(QStringLiteral("watch"));
    connect(m_search, &QPushButton::clicked, this, &SearchDialog::toggleSearch);
    connect(m_watch, &QPushButton::clicked, this, &SearchDialog::watch);
    setLayout(columnOf({help, m_progress, m_state, {m_list, 1}, buttons}, 10, dialogMargins));
    m_listing.setSingleShot(true);
    m_listing.setInterval(listEvery);
    connect(&m_listing, &QTimer::timeout, this, &SearchDialog::listFound);
    updateWatch();
    resize(latinWidth(fontMetrics(), 96), fontMetrics().height() * 28);
}

void SearchDialog::toggleSearch()
{
    if (m_isSearching) {
        emit cancelWanted();
        return;
    }
    m_isSearching = true;
    m_begun.start();
    m_found.clear();
    m_list->clear();
    m_progress->setValue(0);
    applyTextColor(m_state, StatusColor::Muted);
    m_state->setText(tr("Waiting for the server…"));
    m_search->setText(tr("&Stop"));
    emit startWanted();
}

void SearchDialog::take(const QList<Lock> &locks)
{
    for (const Lock &lock : locks)
        m_found.insert(lock.key(), lock);
    if (!m_listing.isActive())
        m_listing.start();
}

void SearchDialog::showProgress(const SearchProgress &progress)
{
    m_progress->setValue(static_cast<int>(progress.done * steps));
    m_state->setText(tr("%1 of %2 keys read, locks found: %3")
                         .arg(grouped(progress.scanned),
                              progress.keyspace > 0 ? grouped(progress.keyspace) : tr("an unknown number of"),
                              grouped(progress.found)));
}

void SearchDialog::showEnd(const SearchResult &end)
{
    m_isSearching = false;
    m_search->setText(tr("&Search again"));
    if (end.error) {
        applyTextColor(m_state, StatusColor::Danger);
        m_state->setText(describe(*end.error, m_serverName));
    } else {
        showProgress(end.progress);
        const QString took = describe(milliseconds(m_begun.isValid() ? m_begun.elapsed() : 0));
        m_state->setText(end.isComplete
                             ? tr("All %1 keys read in %2, locks found: %3.")
                                   .arg(grouped(end.progress.scanned), took, grouped(end.progress.found))
                             : tr("Stopped after %1: %2").arg(took, m_state->text()));
        if (end.progress.unreadable > 0) {
            applyTextColor(m_state, StatusColor::Warning);
            m_state->setText(tr("%1 %2 Their content is unknown.")
                                 .arg(m_state->text(), unreadableInWords(end.progress.unreadable)));
        }
        if (end.unreadCompanions > 0) {
            applyTextColor(m_state, StatusColor::Warning);
            m_state->setText(m_state->text() + u' ' + unreadCompanionsText(end.unreadCompanions));
        }
    }
    m_listing.stop();
    listFound();
    if (focusWidget() == m_search && m_watch->isEnabled())
        m_watch->setFocus();
}

void SearchDialog::listFound()
{
    const QSignalBlocker quiet(m_list);
    PatternStates before;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        const QTreeWidgetItem *item = m_list->topLevelItem(i);
        before.insert(item->data(0, patternRole).toByteArray(),
                      {item->checkState(0) != Qt::Unchecked, item->isExpanded()});
    }
    m_list->clear();
    std::array<QList<LockKey>, 3> found;
    for (const Lock &lock : std::as_const(m_found))
        found.at(static_cast<size_t>(certaintyOfFind(lock))).append(lock.key());
    std::array<QList<PatternAdvice>, 3> advice;
    for (size_t i = 0; i < found.size(); ++i) {
        found.at(i).removeIf([&](const LockKey &key) {
            return std::ranges::any_of(advice, [&](auto &surer) { return isAddedTo(surer, key); });
        });
        advice.at(i) = suggestPatterns(found.at(i));
    }
    const std::array headings{QString(), tr("Likely locks; other data can look the same"),
                              tr("Ambiguous; only the content says who may hold them")};
    for (size_t i = 0; i < advice.size(); ++i) {
        if (i > 0 && !advice.at(i).isEmpty()) {
            auto *heading =
                new QTreeWidgetItem(m_list); // NOLINT(cppcoreguidelines-owning-memory): the list's
            heading->setText(0, headings.at(i));
            heading->setFlags(Qt::ItemIsEnabled);
            heading->setFirstColumnSpanned(true);
        }
        listPatterns(advice.at(i), i < size_t(Certainty::Ambiguous), before);
    }
    updateWatch();
}

void SearchDialog::listPatterns(const QList<PatternAdvice> &advice, bool areChosen,
                                const PatternStates &before)
{
    for (const PatternAdvice &each : advice.first(std::min<qsizetype>(patternsShown, advice.size()))) {
        auto *item = new QTreeWidgetItem(m_list); // NOLINT(cppcoreguidelines-owning-memory): the list's
        const bool isWatched = std::ranges::all_of(
            each.keys, [this](const LockKey &key) { return globMatchesAny(m_watched, key.bytes); });
        item->setText(0, printable(each.pattern));
        item->setText(1, isWatched ? tr("watched already")
                                   : tr("%n lock(s)", nullptr, static_cast<int>(each.keys.size())));
        item->setData(0, patternRole, each.pattern);
        const auto [chosen, opened] = before.value(each.pattern, {areChosen, false});
        if (!isWatched)
            item->setCheckState(0, chosen ? Qt::Checked : Qt::Unchecked);
        for (const LockKey &key : each.keys.first(std::min<qsizetype>(locksShown, each.keys.size()))) {
            auto *lock = new QTreeWidgetItem(item); // NOLINT(cppcoreguidelines-owning-memory)
            lock->setText(0, printable(key.bytes));
            const Lock found = m_found.value(key);
            lock->setText(1, found.problems.testFlag(Problem::Orphaned) ? tr("orphaned queue")
                                                                        : describe(found.family));
        }
        if (each.keys.size() > locksShown) {
            auto *more = new QTreeWidgetItem(item); // NOLINT(cppcoreguidelines-owning-memory)
            const int left = static_cast<int>(each.keys.size() - locksShown);
            more->setText(0, tr("and %n more", nullptr, left));
        }
        item->setExpanded(opened);
    }
}

QList<QByteArray> SearchDialog::checked() const
{
    QList<QByteArray> patterns;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        const QTreeWidgetItem *item = m_list->topLevelItem(i);
        if (item->data(0, Qt::CheckStateRole).isValid() && item->checkState(0) == Qt::Checked)
            patterns.append(item->data(0, patternRole).toByteArray());
    }
    return patterns;
}

void SearchDialog::updateWatch()
{
    m_watch->setEnabled(!m_isSearching && !checked().isEmpty());
    (m_watch->isEnabled() ? m_watch : m_search)->setDefault(true);
    m_watch->setToolTip(m_watch->isEnabled() ? QString() : tr("Tick a pattern first"));
}

void SearchDialog::watch()
{
    const QList<QByteArray> chosen = checked();
    m_watched += chosen;
    emit patternsChosen(chosen);
    listFound();
    if (m_areKept)
        m_state->setText(PatternsDialog::keptText());
}

void SearchDialog::reject()
{
    if (m_isSearching)
        emit cancelWanted();
    QDialog::reject();
}

} // namespace lockscope
