// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/recording.h"
#include "core/watch/watched.h"
#include "ui/widgets/palette.h"

#include <QString>

#include <optional>

namespace lockscope {

/// What the button of a page's banner does.
enum class BannerStep : quint8 {
    None,
    RetryNow,
    EditConnection,
    ShowWaits,
    DismissResets,
    CopyGrant,
    GoToKnown
};

/// What a page says above its locks.
struct BannerChoice
{
    StatusColor color = StatusColor::Warning;
    QString text;
    QString detail;
    BannerStep step = BannerStep::None;
};
QString stepText(BannerStep step);

/// What the choice depends on.
struct BannerFacts
{
    const Watched &watched;
    QString serverName; ///< as the user calls it
    QByteArray user;    ///< of the login
    TimePoint now;
    std::optional<milliseconds> age; ///< of what is shown; absent: nothing has been read yet
    qsizetype deadlocks = 0;         ///< that are shown
    QStringList cycle;               ///< of the first of them, in words
    bool areWaitsInSight = false;    ///< the panel that shows them
};

/// Of what is wrong the one thing that matters most: servers that are missing, what is not current, a deadlock, locks that went,
/// locks that may not be read. nullopt: nothing is. Pure.
std::optional<BannerChoice> chooseBanner(const BannerFacts &facts);

/// How much of a recording's moment is known and shown.
struct ReplayFacts
{
    bool isHalfTold = false;
    GapCause lack = GapCause::None;
    bool isEverKnown = true; ///< at a later moment
};
/// The same of a recording.
std::optional<BannerChoice> chooseReplayBanner(const BannerFacts &facts, const ReplayFacts &replay);

/// Why locks are not known at a moment of a recording, as the beginning of a sentence.
QString lackText(GapCause lack);

} // namespace lockscope
