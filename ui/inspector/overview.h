// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/locktablemodel.h"
#include "core/watch/scanstats.h"
#include "ui/inspector/overviewline.h"

#include <QTimer>
#include <QWidget>

#include <memory>

class QLabel;
class QVBoxLayout;

namespace lockscope {

/// What the overview shows of a server besides its locks. Texts are plain.
struct OverviewFacts
{
    QString whyNothing;                     ///< why no lock is selected; empty: the user selected none
    QStringList server;                     ///< one line each
    QList<QByteArray> patterns;             ///< the watched ones
    std::optional<UnlistedNames> outside{}; ///< absent: unknown
    QStringList gaps;                       ///< what was not read, one sentence each
    bool isWhole = false;                   ///< true if all locks of the patterns were read
    bool canWatch = false;                  ///< true if patterns can be added
};

/// The inspector's page while no lock is selected: what needs attention, and where to look next. Its lines follow
/// once a second while it is visible; a pass over all locks chooses them, for at most a five-hundredth of the time.
/// Each line selects a lock, filters the table or adds a pattern.
class Overview : public QWidget
{
    Q_OBJECT

public:
    /// All references must outlive this.
    Overview(const LockTableModel &model, const DisplayClock &clock, const OwnerNames &names,
             std::function<OverviewFacts()> facts, QWidget *parent = nullptr);

    void refresh();
    void focusContents();

signals:
    void lockChosen(const lockscope::LockKey &key);
    void filterChosen(const QString &term); ///< of the filter's language
    void patternChosen(const QByteArray &pattern);
    void patternsWanted();
    void familiesWanted();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    using Section = QList<OverviewLine *>;
    struct Found;

    Section addSection(QVBoxLayout &column, const QString &title, qsizetype lines, bool areTall = false);
    QLabel *addNote(QVBoxLayout &column);
    Found findLocks() const;
    OverviewEntry entryOf(const WatchedLock &lock, const QString &value = {});
    OverviewEntry problemOf(const WatchedLock &lock);
    OverviewEntry waitedForOf(const WatchedLock &lock);
    void addRest(QList<OverviewEntry> &entries, qint64 rest, std::function<void()> act);
    void showFamilies(const Found &found, const QList<QByteArray> &patterns);
    void showOutside(const OverviewFacts &facts);

    const LockTableModel &m_model;
    const DisplayClock &m_clock;
    const OwnerNames &m_names;
    const std::function<OverviewFacts()> m_facts;
    std::optional<UnlistedNames> m_outsideNames; ///< last known
    std::shared_ptr<const Found> m_found;        ///< by the last pass
    TimePoint m_nextPassAt;
    QTimer m_timer;
    QLabel *m_why;
    Section m_attention;
    Section m_waited;
    Section m_held;
    Section m_families;
    Section m_outside;
    QLabel *m_gaps;
    QLabel *m_server;
};

} // namespace lockscope
