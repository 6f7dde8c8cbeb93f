// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/interrupt.h"

#include <array>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace lockscope {

namespace {

// A signal handler may do next to nothing; writing to a pipe is allowed, and the event loop reads the other end.
std::array<int, 2> ends{-1, -1};
volatile std::sig_atomic_t hasCome = 0;
void (*volatile lastWords)() = nullptr;
constexpr std::array caught{SIGINT, SIGTERM, SIGHUP};

void handle(int number)
{
    if (hasCome != 0) {
        if (lastWords)
            lastWords();
        std::signal(number, SIG_DFL);
        std::raise(number); // takes effect when this returns
        return;
    }
    hasCome = 1;
    const char any = 0;
    [[maybe_unused]] const ssize_t written = ::write(ends[1], &any, 1);
}

int openPipe()
{
    if (::pipe(ends.data()) != 0)
        return -1;
    for (const int end : ends) {
        ::fcntl(end, F_SETFD, FD_CLOEXEC);
        ::fcntl(end, F_SETFL, O_NONBLOCK);
    }
    return ends[0];
}

} // namespace

Interrupt::Interrupt(QObject *parent) : QObject(parent), m_notifier(openPipe(), QSocketNotifier::Read)
{
    connect(&m_notifier, &QSocketNotifier::activated, this, [this] {
        std::array<char, 16> drained{};
        while (::read(ends[0], drained.data(), drained.size()) > 0) {
        }
        emit interrupted();
    });
    struct sigaction action = {};
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    for (const int number : caught) {
        struct sigaction before = {};
        ::sigaction(number, nullptr, &before);
        if (number != SIGHUP || before.sa_handler != SIG_IGN)
            ::sigaction(number, &action, nullptr);
    }
}

int Interrupt::descriptor()
{
    return ends[0];
}

void Interrupt::setLastWords(void (*words)())
{
    lastWords = words;
}

Interrupt::~Interrupt()
{
    for (const int number : caught) {
        struct sigaction now = {};
        ::sigaction(number, nullptr, &now);
        if (now.sa_handler == handle)
            std::signal(number, SIG_DFL);
    }
    m_notifier.setEnabled(false);
    for (int &end : ends)
        ::close(std::exchange(end, -1));
}

} // namespace lockscope
