// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/runtrace.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace lockscope {

/// Finds the spans that touch a time in a growing vector, by a tree of first and last moments. The order is
/// arbitrary, but fastest if close places are close in time.
class SpanIndex
{
public:
    struct Span
    {
        microseconds from;
        microseconds to;     ///< max(): open
        bool mayEnd = false; ///< true: the end may move earlier, so update() asks again
    };

    /// Call after spans were appended or have ended. `spanOf` returns a span by place, below `count`. Spans
    /// that shrink without `mayEnd` are still visited at their old end.
    template <typename SpanOf>
    void update(size_t count, const SpanOf &spanOf)
    {
        std::vector<size_t> changed = std::exchange(m_open, {});
        for (size_t leaf = m_count / fanOut; m_count < count && leaf * fanOut < count; ++leaf) {
            if (changed.empty() || changed.back() != leaf)
                changed.push_back(leaf);
        }
        if (changed.empty())
            return;
        m_count = count;
        if (m_levels.empty())
            m_levels.emplace_back();
        m_levels[0].resize(nodesOver(count));
        for (const size_t leaf : changed) {
            Node node;
            bool mayEnd = false;
            for (size_t place = leaf * fanOut; place < std::min(count, (leaf + 1) * fanOut); ++place) {
                const Span span = spanOf(place);
                node.include({span.from, std::max(span.from, span.to)});
                mayEnd = mayEnd || span.mayEnd;
            }
            m_levels[0][leaf] = node;
            if (mayEnd)
                m_open.push_back(leaf);
        }
        updateAbove(std::move(changed));
    }

    /// Visits in order all spans that touch the range, and a few others, until `visit` returns false.
    template <typename Visit>
    void visit(microseconds from, microseconds to, const Visit &visit) const
    {
        if (!m_levels.empty())
            visitNode(m_levels.size() - 1, 0, {from, to}, false, visit);
    }

    /// Returns the last span at a moment that satisfies `isIt`.
    template <typename IsIt>
    std::optional<size_t> last(microseconds at, const IsIt &isIt) const
    {
        std::optional<size_t> found;
        if (!m_levels.empty())
            visitNode(m_levels.size() - 1, 0, {at, at}, true, [&](size_t place) {
                if (isIt(place))
                    found = place;
                return !found;
            });
        return found;
    }

private:
    static constexpr size_t fanOut = 32;
    struct Node
    {
        microseconds from = microseconds::max();
        microseconds to = microseconds::min();

        void include(const Node &other)
        {
            from = std::min(from, other.from);
            to = std::max(to, other.to);
        }
        bool touches(const Node &other) const { return from <= other.to && to >= other.from; }
    };

    static size_t nodesOver(size_t count) { return (count + fanOut - 1) / fanOut; }

    void updateAbove(std::vector<size_t> changed)
    {
        for (size_t level = 0; m_levels[level].size() > 1; ++level) {
            if (level + 1 == m_levels.size())
                m_levels.emplace_back();
            const std::vector<Node> &below = m_levels[level];
            m_levels[level + 1].resize(nodesOver(below.size()));
            for (size_t &number : changed)
                number /= fanOut;
            changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
            for (const size_t number : changed) {
                Node node;
                for (size_t each = number * fanOut; each < std::min(below.size(), (number + 1) * fanOut);
                     ++each)
                    node.include(below[each]);
                m_levels[level + 1][number] = node;
            }
        }
    }

    template <typename Visit>
    bool visitNode(size_t level, size_t number, const Node &time, bool isBackwards, const Visit &visit) const
    {
        if (!m_levels[level][number].touches(time))
            return true;
        const size_t first = number * fanOut;
        const size_t behind = std::min(first + fanOut, level == 0 ? m_count : m_levels[level - 1].size());
        for (size_t i = 0; i < behind - first; ++i) {
            const size_t below = isBackwards ? behind - 1 - i : first + i;
            if (level == 0 ? !visit(below) : !visitNode(level - 1, below, time, isBackwards, visit))
                return false;
        }
        return true;
    }

    std::vector<std::vector<Node>>
        m_levels; ///< level 0 covers spans, each other level the one below; the last has one node
    std::vector<size_t> m_open; ///< nodes of level 0 with spans that may end
    size_t m_count = 0;
};

} // namespace lockscope
