// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/workers/workerpool.h"

#include <QUuid>

#include <algorithm>

namespace lockscope {

struct WorkerPool::Post
{
    WorkerControl control;
    std::unique_ptr<Workload> routine;
    std::atomic<bool> hasEnded = false;
    std::jthread thread; ///< last member: joined before the others are destroyed
};

WorkerPool::WorkerPool(const WorkerBackend::Run &run, Referee &referee, const RoutineFactory &routines,
                       int first, int count, std::function<void(const Round &past)> arrived)
    : m_hub(run.server),
      m_gate(count, std::move(arrived)),
      m_context{run.server,
                run.plan.algorithm,
                run.keys,
                QUuid::createUuid().toByteArray(QUuid::WithoutBraces),
                run.plan.seed,
                run.start,
                !run.plan.script.isEmpty(),
                referee,
                m_hub,
                run.plan.rounds ? &m_gate : nullptr,
                run.isTraced},
      m_first(first)
{
    for (int i = 0; i < count; ++i) {
        m_posts.push_back(std::make_unique<Post>());
        m_posts.back()->routine = routines(first + i);
        m_posts.back()->control.setTraced(run.isTraced);
    }
}

WorkerPool::~WorkerPool()
{
    requestStop();
    join();
}

void WorkerPool::start()
{
    for (size_t i = 0; i < m_posts.size(); ++i) {
        Post &post = *m_posts[i];
        const int number = m_first + static_cast<int>(i);
        post.thread = std::jthread([this, &post, number](std::stop_token stop) {
            Worker(m_context, post.control, *post.routine, number).run(std::move(stop));
            post.hasEnded = true;
        });
    }
}

void WorkerPool::requestStop()
{
    for (const auto &post : m_posts)
        post->thread.request_stop();
}

void WorkerPool::join()
{
    for (const auto &post : m_posts) {
        if (post->thread.joinable())
            post->thread.join();
    }
}

WorkerPool::Post *WorkerPool::find(int worker) const
{
    const int index = worker - m_first;
    return index >= 0 && index < static_cast<int>(m_posts.size()) ? m_posts[static_cast<size_t>(index)].get()
                                                                  : nullptr;
}

void WorkerPool::kill(int worker)
{
    if (Post *post = find(worker))
        post->control.kill();
}

std::optional<int> WorkerPool::killHolder()
{
    const auto killed =
        std::ranges::find_if(m_posts, [](const auto &post) { return post->control.killHolder(); });
    return killed == m_posts.end() ? std::nullopt
                                   : std::optional(m_first + static_cast<int>(killed - m_posts.begin()));
}

void WorkerPool::setPaused(int worker, bool paused)
{
    if (Post *post = find(worker))
        post->control.setPaused(paused);
}

bool WorkerPool::hasEnded() const
{
    return std::ranges::all_of(m_posts, [](const auto &post) { return post->hasEnded.load(); });
}

WorkersStatus WorkerPool::takeStatus()
{
    WorkersStatus status;
    status.hasEnded = hasEnded();
    for (size_t i = 0; i < m_posts.size(); ++i)
        m_posts[i]->control.addTo(status, m_first + static_cast<int>(i));
    status.total.commands += m_hub.commandsSent();
    return status;
}

} // namespace lockscope
