// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/periodbox.h"

#include "core/history/lockhistory.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr std::array<qint64, 4> spansMs{60'000, 300'000, 900'000, 3'600'000};
constexpr int allHistory = int(spansMs.size());
constexpr int selectedTime = allHistory + 1;
constexpr int usualSpan = 1;

} // namespace

PeriodBox::PeriodBox(const QString &name, QWidget *parent) : QComboBox(parent)
{
    addItems(
        {tr("Last minute"), tr("Last 5 minutes"), tr("Last 15 minutes"), tr("Last hour"), tr("All history")});
    setCurrentIndex(usualSpan);
    setAccessibleName(name);
}

bool PeriodBox::setSelectedTime(const std::optional<TimeRange> &time)
{
    if (m_selectedTime == time)
        return false;
    const bool wasSelected = m_selectedTime.has_value();
    m_selectedTime = time;
    if (time && !wasSelected) {
        m_before = currentIndex();
        addItem(tr("Selected in the timeline"));
        setCurrentIndex(selectedTime);
    } else if (!time && wasSelected) {
        const bool isShown = currentIndex() == selectedTime;
        removeItem(selectedTime);
        if (isShown)
            setCurrentIndex(m_before);
    }
    return true;
}

TimeRange PeriodBox::period(const LockHistory &history, qint64 nowMs) const
{
    const int span = currentIndex();
    if (span == selectedTime && m_selectedTime)
        return {m_selectedTime->fromMs, std::min(m_selectedTime->toMs, nowMs)};
    if (span == allHistory)
        return {history.isEmpty() ? nowMs : std::min(history.firstMs(), nowMs), nowMs};
    return {nowMs - spansMs[size_t(span)], nowMs};
}

} // namespace lockscope
