// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QObject>

namespace lockscope {

/// The key patterns of a page: the user's, and those of a simulation while it has locks on the server.
class WatchedPatterns : public QObject
{
    Q_OBJECT

public:
    /// `areKept`: the user's are stored with the server.
    WatchedPatterns(QList<QByteArray> own, bool areKept, QObject *parent);

    const QList<QByteArray> &own() const { return m_own; }
    QList<QByteArray> all() const;
    bool haveSimulation() const { return m_haveSimulation; }

    bool areKept() const { return m_areKept; }
    void choose(const QList<QByteArray> &own);
    void add(const QList<QByteArray> &patterns);
    void setSimulation(bool isWatched);
    void edit(QWidget *window);

signals:
    void chosen();  ///< own() was changed by the user
    void changed(); ///< all() has changed

private:
    QList<QByteArray> m_own;
    const bool m_areKept;
    bool m_haveSimulation = false;
};

} // namespace lockscope
