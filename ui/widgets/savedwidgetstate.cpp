// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/savedwidgetstate.h"

#include <QSettings>

namespace lockscope {

SavedWidgetState::SavedWidgetState(const QString &name, QObject *part, std::function<QByteArray()> save,
                                   std::function<void(const QByteArray &)> restore)
    : QObject(part), m_name(name), m_save(std::move(save)), m_restore(std::move(restore))
{
}

void SavedWidgetState::saveAll(const QObject &root, QSettings &settings)
{
    const auto parts = root.findChildren<const SavedWidgetState *>();
    for (const SavedWidgetState *part : parts) {
        if (const QByteArray state = part->m_save(); !state.isEmpty())
            settings.setValue(part->m_name, state);
        else
            settings.remove(part->m_name);
    }
}

void SavedWidgetState::restoreAll(const QObject &root, const QSettings &settings)
{
    const auto parts = root.findChildren<const SavedWidgetState *>();
    for (const SavedWidgetState *part : parts) {
        if (const QByteArray state = settings.value(part->m_name).toByteArray(); !state.isEmpty())
            part->m_restore(state);
    }
}

} // namespace lockscope
