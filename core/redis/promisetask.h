// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFuture>
#include <QObject>
#include <QPromise>

#include <utility>

namespace lockscope {

/// Obtains one answer, and deletes itself when its future has finished.
template <typename T>
class PromiseTask : public QObject
{
public:
    using Answer = T;

    QFuture<T> future() const { return m_promise.future(); }

protected:
    explicit PromiseTask(QObject *parent) : QObject(parent) { m_promise.start(); }

    bool isFinished() const { return m_isFinished; }
    /// Later calls are ignored.
    void finish(T answer)
    {
        if (std::exchange(m_isFinished, true))
            return;
        deleteLater();
        m_promise.addResult(std::move(answer));
        m_promise.finish();
    }

private:
    QPromise<T> m_promise;
    bool m_isFinished = false;
};

} // namespace lockscope
