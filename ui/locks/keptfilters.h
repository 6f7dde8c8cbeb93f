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

/// The filters that the user has applied or saved. They stand in the program's settings, the same for every server; each
/// call reads and writes them, since another window may have changed them.
class KeptFilters
{
public:
    static constexpr qsizetype maxRecent = 20;

    /// Newest first.
    static QStringList recent();
    static void addRecent(const QString &text);
    static void forgetRecent();

    /// By name.
    static QList<SavedFilter> saved();
    /// Replaces the one of that name.
    static void save(const SavedFilter &filter);
    static void remove(const QString &name);
    /// Nothing happens where `name` is empty; one that was called `name` already is replaced.
    static void rename(const QString &before, const QString &name);
};

} // namespace lockscope
