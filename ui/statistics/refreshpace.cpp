// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/refreshpace.h"

#include "core/history/lockhistory.h"

#include <algorithm>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds soonestAgain{2000};
constexpr std::chrono::milliseconds quietAgain{6000}; ///< if only time has passed
constexpr std::chrono::milliseconds latestAgain{60'000};
constexpr int restPerRun = 20;

} // namespace

RefreshPace::RefreshPace(const LockHistory &history) : m_history(history)
{
    m_due.setSingleShot(true);
}

void RefreshPace::setRestart(const std::function<void()> &restart)
{
    QObject::connect(&m_due, &QTimer::timeout, &m_due, [this, restart] {
        const bool isQuiet = m_revision == m_history.store().revision();
        if (isQuiet && !m_since.hasExpired(quietAgain.count()))
            m_due.start(soonestAgain);
        else
            restart();
    });
}

void RefreshPace::begin()
{
    m_due.stop();
    m_revision = m_history.store().revision();
    m_since.start();
}

void RefreshPace::finish(std::chrono::milliseconds cost)
{
    m_due.start(std::clamp(restPerRun * cost, soonestAgain, latestAgain));
}

} // namespace lockscope
