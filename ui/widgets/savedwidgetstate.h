// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

class QSettings;

namespace lockscope {

/// The user's arrangement of a widget, saved under a name. Created once by the widget's owner; the window
/// saves and restores all of them. Owned by the widget.
class SavedWidgetState : public QObject
{
    Q_OBJECT

public:
    /// An empty result of `save` removes the saved state.
    SavedWidgetState(const QString &name, QObject *part, std::function<QByteArray()> save,
                     std::function<void(const QByteArray &)> restore);
    /// For widgets with saveState(), such as a splitter or a header.
    template <typename Part>
    static void keep(const QString &name, Part *part)
    {
        new SavedWidgetState(
            name, part, [part] { return part->saveState(); },
            [part](const QByteArray &state) { part->restoreState(state); });
    }

    /// Saves all states below `root` in the current group of `settings`.
    static void saveAll(const QObject &root, QSettings &settings);
    static void restoreAll(const QObject &root, const QSettings &settings);

private:
    const QString m_name;
    const std::function<QByteArray()> m_save;
    const std::function<void(const QByteArray &)> m_restore;
};

} // namespace lockscope
