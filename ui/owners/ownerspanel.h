// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lockactions/ownerend.h"
#include "ui/owners/aftermathtext.h"
#include "ui/owners/ownersmodel.h"
#include "ui/widgets/pagepanel.h"

#include <QElapsedTimer>
#include <QTimer>

#include <functional>
#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTreeView;

namespace lockscope {

/// The locks by owner, process or host, worst first, and what a crash of the chosen one would leave. Updates
/// at most twice a second while visible; long work is done in parts.
class OwnersPanel : public PagePanel
{
    Q_OBJECT

public:
    /// All three must outlive this.
    OwnersPanel(const LockTableModel &locks, const DisplayClock &clock, const OwnerNames &names,
                QWidget *parent = nullptr);
    ~OwnersPanel() override;

    /// Sets a function, called often, that explains why force-expire is blocked; empty: it is not.
    void setWhyBlocked(std::function<QString()> whyBlocked) { m_whyBlocked = std::move(whyBlocked); }
    const OwnersModel &model() const { return m_model; }
    QString aftermath() const;

signals:
    void chosen(const lockscope::LockKey &key);
    void filterRequested(const QString &name, const QSet<lockscope::LockKey> &locks);
    void endRequested(const lockscope::OwnerEnd &end);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void buildHead();
    QWidget *buildTree();
    QWidget *buildDetails();
    QLayout *foot();
    void restart();
    void schedule();
    void work();
    bool workOnce();
    void showGroups();
    QModelIndex selected() const;
    void choose();
    void beginReckoning();
    bool reckon();
    void tellGroup();
    std::optional<TimePoint> knownNow(const LockKey &key) const;
    OwnerSigns signsOf(const OwnerGroup &whose) const;
    void allowActions();
    void tellSummary();
    void tick();
    void copyText() const;
    void activate(const QModelIndex &index);
    void filterTable();
    void endLocks();

    const LockTableModel &m_locks;
    const DisplayClock &m_clock;
    OwnerIndex m_index;
    OwnersModel m_model;
    std::function<QString()> m_whyBlocked;
    std::optional<OwnerGroup> m_chosen;
    QString m_chosenName;
    bool m_isShown = false;      ///< work runs only then
    bool m_hasChanged = false;   ///< changed since the current work began
    quint64 m_shownRevision = 0; ///< index revision
    bool m_isIndexed = false;    ///< only the chosen group is left to compute
    bool m_isTold = false;
    bool m_isRefreshing = false; ///< current rows set meanwhile are not the user's choice

    struct Reckoning
    {
        std::vector<LockKey> locks; ///< held locks, then those it waits for
        size_t held = 0;
        size_t next = 0;
        ReportTime at;
        CrashAftermath aftermath;
        LivenessSigns signs;
        SignsOfProcesses processes; ///< only for a host
    };
    std::optional<Reckoning> m_reckoning;

    QComboBox *m_grouping;
    QLineEdit *m_filter;
    QTreeView *m_tree;
    QLabel *m_title;
    QPlainTextEdit *m_text;
    QPushButton *m_copy;
    QPushButton *m_filterTable;
    QPushButton *m_end;
    QTimer m_due; ///< after a change
    QTimer m_working;
    QTimer m_ticking;
    QElapsedTimer m_workedSince;
    std::chrono::nanoseconds m_cost{0}; ///< time of all parts since the last rest
};

} // namespace lockscope
