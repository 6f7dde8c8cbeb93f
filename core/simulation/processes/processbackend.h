// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/workers/workerbackend.h"

namespace lockscope {

/// Workers that are threads of child processes.
std::unique_ptr<WorkerBackend> processBackend(WorkerBackend::Run run);

} // namespace lockscope
