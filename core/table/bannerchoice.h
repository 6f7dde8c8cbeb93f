// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/recording.h"
#include "core/table/look.h"
#include "core/watch/monitorstate.h"

#include <QString>

#include <optional>

namespace lockscope {

enum class BannerStep : quint8 {
    None,
    RetryNow,
    EditConnection,
    ShowWaits,
    DismissResets,
    CopyGrant,
    GoToKnown
};

struct BannerChoice
{
    StatusColor color = StatusColor::Warning;
    QString text;
    QString detail;
    BannerStep step = BannerStep::None;
};
QString stepText(BannerStep step);

struct BannerFacts
{
    const MonitorState &watched;
    QString serverName; ///< given by the user
    QByteArray user;
    TimePoint now;
    std::optional<milliseconds> age; ///< absent before the first read
    qsizetype deadlocks = 0;
    QStringList cycle; ///< first deadlock, as sentences
    bool areWaitsInSight = false;
};

/// Returns the most important warning: disconnected servers, stale data, a deadlock, a reset, missing
/// permissions. nullopt: none. Pure.
std::optional<BannerChoice> chooseBanner(const BannerFacts &facts);

/// How much is known and shown of a moment of a recording.
struct ReplayFacts
{
    bool isHalfTold = false;
    GapCause lack = GapCause::None;
    bool isEverKnown = true; ///< false: no later moment is fully known
    bool hasLocks = true;    ///< at any moment
};
/// Returns the most important warning for a moment of a recording; nullopt: none. Pure.
std::optional<BannerChoice> chooseReplayBanner(const BannerFacts &facts, const ReplayFacts &replay);

/// Explains why locks are unknown at a moment of a recording, capitalized.
QString lackText(GapCause lack);

} // namespace lockscope
