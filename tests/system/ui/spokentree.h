// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessible>
#include <QMetaEnum>
#include <QScrollArea>
#include <QStringList>
#include <QWidget>

#include <algorithm>

namespace lockscope {

/// The accessible tree of a window as seen in this process, and what is missing in it.
class SpokenTree
{
public:
    explicit SpokenTree(QObject *top) { walk(QAccessible::queryAccessibleInterface(top), {}); }

    /// Returns "path: what is missing", without duplicates.
    const QStringList &problems() const { return m_problems; }
    /// Returns "Role name, description" of all visible objects.
    const QStringList &spoken() const { return m_spoken; }
    qsizetype focusable() const { return m_focusable; }

private:
    static QString roleName(QAccessible::Role role)
    {
        return QString::fromLatin1(QMetaEnum::fromType<QAccessible::Role>().valueToKey(role));
    }

    void walk(QAccessibleInterface *each, const QString &above)
    {
        constexpr int maxRows = 8;
        if (!each || !each->isValid() || each->state().invisible)
            return;
        const QAccessible::Role role = each->role();
        const QString name = each->text(QAccessible::Name);
        const QString path =
            above + u'/' + roleName(role) + u'(' + classOf(*each) + u' ' + name.left(40) + u')';
        m_spoken.append(roleName(role) + u' ' + name + QStringLiteral(", ") +
                        each->text(QAccessible::Description));
        check(*each, path);
        if (each->text(QAccessible::Description).contains(QStringLiteral("<span")) ||
            name.contains(QStringLiteral("<span")))
            say(path, QStringLiteral("markup: ") + each->text(QAccessible::Description));
        if (QAccessibleTableInterface *table = each->tableInterface()) {
            for (int column = 0; column < table->columnCount(); ++column) {
                if (table->columnDescription(column).isEmpty() && role == QAccessible::Table)
                    say(path, QStringLiteral("column %1 has no name").arg(column));
            }
            for (int row = 0; row < std::min(maxRows, table->rowCount()); ++row) {
                for (int column = 0; column < table->columnCount(); ++column) {
                    if (QAccessibleInterface *cell = table->cellAt(row, column))
                        m_spoken.append(roleName(cell->role()) + u' ' + cell->text(QAccessible::Name));
                }
            }
            return;
        }
        for (int child = 0; child < each->childCount(); ++child)
            walk(each->child(child), path);
    }

    void check(QAccessibleInterface &each, const QString &path)
    {
        using Accessible = QAccessible;
        static const QList<Accessible::Role> named{
            Accessible::Button,   Accessible::ButtonMenu,  Accessible::ButtonDropDown,
            Accessible::CheckBox, Accessible::RadioButton, Accessible::EditableText,
            Accessible::ComboBox, Accessible::SpinBox,     Accessible::Slider,
            Accessible::Table,    Accessible::Tree,        Accessible::List,
            Accessible::Graphic,  Accessible::PageTab,     Accessible::ProgressBar,
            Accessible::Dialog,   Accessible::ToolBar,     Accessible::Chart,
            Accessible::MenuItem};
        static const QList<Accessible::Role> unfit{Accessible::NoRole, Accessible::Client, Accessible::Pane,
                                                   Accessible::Whitespace};
        const QAccessible::State state = each.state();
        const auto *widget = qobject_cast<const QWidget *>(each.object());
        const bool takesFocus = widget && (widget->focusPolicy() & Qt::TabFocus) && !widget->focusProxy();
        const bool isNamed = !each.text(QAccessible::Name).trimmed().isEmpty();
        if (takesFocus)
            ++m_focusable;
        if (!isNamed && (takesFocus || named.contains(each.role())))
            say(path, QStringLiteral("has no name"));
        // One that has a name is a region, which the keys scroll.
        const bool isRegion = isNamed && qobject_cast<const QScrollArea *>(widget);
        if (takesFocus && !isRegion && unfit.contains(each.role()))
            say(path, QStringLiteral("takes the focus, and its role says nothing"));
        if (state.passwordEdit && !each.text(QAccessible::Value).isEmpty() &&
            each.text(QAccessible::Value).contains(QStringLiteral("secret")))
            say(path, QStringLiteral("tells a password"));
    }

    void say(const QString &path, const QString &what)
    {
        const QString line = path + QStringLiteral(": ") + what;
        if (!m_problems.contains(line))
            m_problems.append(line);
    }
    static QString classOf(const QAccessibleInterface &each)
    {
        return each.object() ? QString::fromLatin1(each.object()->metaObject()->className()) : QString();
    }

    QStringList m_problems;
    QStringList m_spoken;
    qsizetype m_focusable = 0;
};

} // namespace lockscope
