// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayList>
#include <QMenu>
#include <QSignalBlocker>

#include <bitset>
#include <vector>

namespace lockscope {

/// A menu of checkable kinds that a panel shows. Stays open while kinds are toggled.
class KindsMenu : public QMenu
{
    Q_OBJECT

public:
    using QMenu::QMenu;

    /// Adds a kind, shown by default. `name` is saved; `meaning` is the tool tip.
    void addKind(const QByteArray &name, const QString &text, const QString &meaning = {});

    template <size_t Count>
    void setKinds(const std::bitset<Count> &shown)
    {
        set([&](size_t kind) { return shown.test(kind); });
    }
    template <typename Kinds>
    Kinds kinds() const
    {
        Kinds shown;
        for (size_t kind = 0; kind < m_kinds.size(); ++kind)
            shown.set(kind, m_kinds[kind].action->isChecked());
        return shown;
    }
    /// Returns the names of hidden kinds; kinds of later versions are shown by default.
    QByteArrayList hiddenKinds() const;
    void setHiddenKinds(const QByteArrayList &names);

signals:
    void changed();

protected:
    void mouseReleaseEvent(QMouseEvent *event) override;

private:
    struct Kind
    {
        QByteArray name;
        QAction *action;
    };
    template <typename IsShown>
    void set(IsShown isShown)
    {
        for (size_t kind = 0; kind < m_kinds.size(); ++kind) {
            const QSignalBlocker quiet(m_kinds[kind].action);
            m_kinds[kind].action->setChecked(isShown(kind));
        }
        emit changed();
    }

    std::vector<Kind> m_kinds;
};

} // namespace lockscope
