// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QObject>

namespace lockscope {

/// Which keys a page watches: those of the user's patterns, and while a simulation has locks on the server, these.
class WatchedPatterns : public QObject
{
    Q_OBJECT

public:
    WatchedPatterns(QList<QByteArray> own, QObject *parent);

    const QList<QByteArray> &own() const { return m_own; }
    QList<QByteArray> all() const;
    bool haveSimulation() const { return m_haveSimulation; }

    void choose(const QList<QByteArray> &own);
    void setSimulation(bool isWatched);
    /// Asks for others.
    void edit(QWidget *window);

signals:
    void chosen();  ///< own(), by the user
    void changed(); ///< all()

private:
    QList<QByteArray> m_own;
    bool m_haveSimulation = false;
};

} // namespace lockscope
