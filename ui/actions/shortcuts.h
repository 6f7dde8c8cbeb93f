// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>

class QAction;

namespace lockscope {

/// The shortcuts of commands: defaults, or the user's choice stored in the settings by action name. Changes
/// apply to all windows at once.
class Shortcuts : public QObject
{
    Q_OBJECT

public:
    /// The actions have their default shortcuts and must outlive this. Unnamed ones keep them.
    Shortcuts(const QList<QAction *> &actions, QObject *parent);
    ~Shortcuts() override;

    const QList<QAction *> &actions() const { return m_actions; }
    bool isChanged(const QAction *action) const;
    /// An empty sequence removes the shortcuts.
    void set(const QAction *action, const QKeySequence &keys);
    void reset(const QAction *action);
    void resetAll();
    /// Returns another command whose keys equal, begin or continue these; nullptr: none.
    const QAction *userOf(const QKeySequence &keys, const QAction *except) const;

signals:
    void changed();

private:
    void restore();
    static void restoreAll();

    QList<QAction *> m_actions;
    QHash<const QAction *, QList<QKeySequence>> m_usual;
};

} // namespace lockscope
