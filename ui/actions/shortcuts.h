// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>

class QAction;

namespace lockscope {

/// The keys of commands: the usual ones, or what the user has chosen instead, which is kept in the settings under the names of the
/// actions. A change holds in all windows at once.
class Shortcuts : public QObject
{
    Q_OBJECT

public:
    /// The actions have their usual keys now, and must outlive this. Those without a name keep them.
    Shortcuts(const QList<QAction *> &actions, QObject *parent);
    ~Shortcuts() override;

    const QList<QAction *> &actions() const { return m_actions; }
    bool isChanged(const QAction *action) const;
    /// Empty: the command has no keys.
    void set(const QAction *action, const QKeySequence &keys);
    void reset(const QAction *action);
    void resetAll();
    /// Another command with these keys, or with keys that begin or continue them; nullptr: there is none.
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
