// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/tablehash.h"

#include <unordered_map>
#include <vector>

namespace lockscope {

/// Keeps one copy of each value, identified by a small number while in use. T needs == and qHash().
template <typename T>
class InternPool
{
public:
    using Id = quint32;

    struct Added
    {
        Id id;
        bool isNew;
    };
    /// Counts a use.
    Added add(const T &value)
    {
        if (const auto known = m_ids.find(value); known != m_ids.end()) {
            ++m_entries[known->second].uses;
            return {known->second, false};
        }
        Id id = 0;
        if (m_free.empty()) {
            id = static_cast<Id>(m_entries.size());
            m_entries.push_back({value, 1});
        } else {
            id = m_free.back();
            m_free.pop_back();
            m_entries[id] = {value, 1};
        }
        m_ids.emplace(value, id);
        return {id, true};
    }
    /// Ends a use. True: it was the last one, and the number may be reused.
    bool release(Id id)
    {
        Entry &entry = m_entries[id];
        if (--entry.uses > 0)
            return false;
        m_ids.erase(entry.value);
        entry.value = T();
        m_free.push_back(id);
        return true;
    }
    const T &at(Id id) const { return m_entries[id].value; }
    qsizetype size() const { return qsizetype(m_ids.size()); }

private:
    struct Entry
    {
        T value;
        qsizetype uses = 0;
    };

    std::vector<Entry> m_entries;
    std::vector<Id> m_free;
    /// A QHash with changing values keeps memory for the maximum of each of its parts: it grows for hours.
    std::unordered_map<T, Id, TableHash<T>> m_ids;
};

} // namespace lockscope
