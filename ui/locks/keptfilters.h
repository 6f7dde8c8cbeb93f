// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace lockscope {

struct SavedFilter
{
    QString name;
    QString text;
};

/// The filters that the user applied or saved, in the program's settings for all servers. Each call reads and
/// writes the settings, which another window may have changed.
class KeptFilters
{
public:
    static constexpr qsizetype maxRecent = 20;

    /// Returns the filters applied last, newest first.
    static QStringList recent();
    static void addRecent(const QString &text);
    static void forgetRecent();

    /// Returns the saved filters, sorted by name.
    static QList<SavedFilter> saved();
    /// Saves a filter; replaces one of the same name.
    static void save(const SavedFilter &filter);
    static void remove(const QString &name);
    /// Renames a saved filter; replaces one called `name`. Does nothing if `name` is empty.
    static void rename(const QString &before, const QString &name);
};

} // namespace lockscope
