// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lockscope::guidepage {

/// Returns packaging/docs/cli.md: each verb with its options, examples and exit statuses.
QByteArray text();

} // namespace lockscope::guidepage
