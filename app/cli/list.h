// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/sweep.h"

namespace lockscope {

/// One scan, every lock found.
class ListCommand : public SweepCommand
{
public:
    explicit ListCommand(Options options) : SweepCommand(std::move(options)) {}

private:
    void print(const ScanStats &stats) override;
    QByteArray json(const ScanStats &stats) const;
    QString humanText(const ScanStats &stats) const;
};

} // namespace lockscope
