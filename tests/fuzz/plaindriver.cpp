// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a fuzz target without libFuzzer, as an ordinary test: each file of a corpus, and then mutations of them, from a seed, for
// so many milliseconds. Arguments: folder, milliseconds [seed]. The input that it died of is left in ./fuzz-input.
#include "tests/fuzz/target.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace {

using Bytes = std::vector<uint8_t>;

const Bytes *current = nullptr;

/// Only what a signal's handler may call.
extern "C" void keepInput(int number)
{
    const int file = ::open("fuzz-input", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file >= 0 && current) [[maybe_unused]]
        const auto written = ::write(file, current->data(), current->size());
    std::signal(number, SIG_DFL);
    std::raise(number);
}

Bytes contents(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Other bytes, fewer, more, some twice, and parts of another input.
void mutate(Bytes &bytes, const std::vector<Bytes> &corpus, std::mt19937 &random)
{
    static constexpr std::string_view telling = "\r\n*$:-+0123456789 {}[]\"\\/%@?=&;,._\0\xff\x80";
    const auto below = [&](size_t bound) {
        return std::uniform_int_distribution<size_t>(0, bound - 1)(random);
    };
    for (size_t left = 1 + below(8); left > 0; --left) {
        const size_t at = below(bytes.size() + 1);
        const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
        const size_t some = std::min(bytes.size() - at, 1 + below(16));
        const auto end = place + static_cast<std::ptrdiff_t>(some);
        switch (below(6)) {
        case 0:
            if (at < bytes.size())
                bytes[at] = static_cast<uint8_t>(below(256));
            break;
        case 1:
            bytes.insert(place, static_cast<uint8_t>(telling[below(telling.size())]));
            break;
        case 2:
            bytes.erase(place, end);
            break;
        case 3: {
            const Bytes twice(place, end);
            bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), twice.begin(), twice.end());
            break;
        }
        case 4: {
            const Bytes &other = corpus[below(corpus.size())];
            if (!other.empty()) {
                const size_t from = below(other.size());
                const size_t length = std::min<size_t>(other.size() - from, 1 + below(64));
                const auto first = other.begin() + static_cast<std::ptrdiff_t>(from);
                bytes.insert(place, first, first + static_cast<std::ptrdiff_t>(length));
            }
            break;
        }
        default:
            if (at < bytes.size())
                bytes[at] = static_cast<uint8_t>(bytes[at] ^ (1U << below(8)));
        }
    }
    if (bytes.size() > 64 * 1024)
        bytes.resize(64 * 1024);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: %s CORPUS MILLISECONDS [SEED]\n", argv[0]);
        return 2;
    }
    std::vector<Bytes> corpus;
    for (const auto &entry : std::filesystem::directory_iterator(argv[1]))
        corpus.push_back(contents(entry.path()));
    if (corpus.empty()) {
        std::fprintf(stderr, "no corpus in %s\n", argv[1]);
        return 2;
    }
    const unsigned long seed = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : std::random_device()();
    std::printf("seed %lu, %zu inputs\n", seed, corpus.size());
    std::fflush(stdout);
    for (const int number : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS})
        std::signal(number, keepInput);
    const auto run = [&](const Bytes &input) {
        current = &input;
        LLVMFuzzerTestOneInput(input.data(), input.size());
    };
    for (const Bytes &input : corpus)
        run(input);
    std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(std::atol(argv[2]));
    size_t runs = 0;
    for (; std::chrono::steady_clock::now() < end; ++runs) {
        Bytes input = corpus[std::uniform_int_distribution<size_t>(0, corpus.size() - 1)(random)];
        mutate(input, corpus, random);
        run(input);
    }
    current = nullptr;
    std::printf("%zu mutations\n", runs);
}
