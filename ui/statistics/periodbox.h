// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/timerange.h"

#include <QComboBox>

#include <optional>

namespace lockscope {

class LockHistory;

/// The choice of a period of a history: the last minutes, all, or what is selected in the timeline, which is chosen
/// when it is selected.
class PeriodBox : public QComboBox
{
    Q_OBJECT

public:
    explicit PeriodBox(const QString &name, QWidget *parent = nullptr);

    /// Absent: returns to the previous choice. False: nothing has changed.
    bool setSelectedTime(const std::optional<TimeRange> &time);
    TimeRange period(const LockHistory &history, qint64 nowMs) const;

private:
    std::optional<TimeRange> m_selectedTime;
    int m_before = 0; ///< choice before a time was selected
};

} // namespace lockscope
