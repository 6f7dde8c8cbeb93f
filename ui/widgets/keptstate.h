// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

class QSettings;

namespace lockscope {

/// What the user arranged in one widget, remembered under a name. Whoever makes the widget declares it, once; the window
/// saves and restores all that it contains. Belongs to the widget.
class KeptState : public QObject
{
    Q_OBJECT

public:
    /// Where `save` returns nothing, what was saved before is forgotten.
    KeptState(const QString &name, QObject *part, std::function<QByteArray()> save,
              std::function<void(const QByteArray &)> restore);
    /// Of what has a state: a splitter, a header.
    template <typename Part>
    static void keep(const QString &name, Part *part)
    {
        new KeptState(
            name, part, [part] { return part->saveState(); },
            [part](const QByteArray &state) { part->restoreState(state); });
    }

    /// Of everything below `root`, into the present group of `settings` or from it.
    static void saveAll(const QObject &root, QSettings &settings);
    static void restoreAll(const QObject &root, const QSettings &settings);

private:
    const QString m_name;
    const std::function<QByteArray()> m_save;
    const std::function<void(const QByteArray &)> m_restore;
};

} // namespace lockscope
