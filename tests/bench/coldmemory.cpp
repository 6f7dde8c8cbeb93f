// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/coldmemory.h"

#include <chrono>
#include <random>
#include <thread>
#include <vector>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr size_t pageSize = 4096;
constexpr size_t pages = 25'000; // 100 MB, as a server with a million keys has
constexpr int accesses = 500;
constexpr int rounds = 10;

double microsecondsEach(std::vector<char> &memory, std::chrono::milliseconds rest, std::minstd_rand &random)
{
    std::chrono::duration<double, std::micro> time{0};
    for (int round = 0; round < rounds; ++round) {
        std::this_thread::sleep_for(rest);
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < accesses; ++i)
            memory[random() % pages * pageSize] ^= 1;
        time += std::chrono::steady_clock::now() - begin;
    }
    return time.count() / rounds / accesses;
}

} // namespace

QByteArray coldMemoryText()
{
    std::vector<char> memory(pages * pageSize, 1);
    std::minstd_rand random;
    const double warm = microsecondsEach(memory, 0ms, random);
    const double cold = microsecondsEach(memory, 100ms, random);
    return "A random access to memory takes this machine " + QByteArray::number(warm, 'f', 2) +
           " us, after 100 ms of rest " + QByteArray::number(cold, 'f', 2) + " us.";
}

} // namespace lockscope
