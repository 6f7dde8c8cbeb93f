// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines: any words, parted by NUL, are understood or wrong usage with a reason, and no password is repeated.
#include "app/options.h"
#include "tests/fuzz/target.h"

#include <vector>

using namespace lockscope;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    QByteArrayList words = bytesOf(data, size).toByteArray().split('\0');
    words.resize(std::min<qsizetype>(words.size(), 64));
    for (const Program program : {Program::Terminal, Program::Window}) {
        QByteArrayList copies;
        std::vector<char *> arguments;
        for (const QByteArray &word : words)
            copies.append(QByteArray(word.constData(), word.size())); // they are written to
        for (QByteArray &copy : copies)
            arguments.push_back(copy.data());
        const Result<Options> options = parseOptions(program, arguments);
        if (!options) {
            insist(options.error().kind == ErrorKind::InvalidArgument && !options.error().text().isEmpty());
            const qsizetype at = words.indexOf("-a");
            const QByteArray secret = at >= 0 ? words.value(at + 1) : QByteArray();
            const bool isTelling =
                secret.size() >= 12 && words.join(' ').count(secret) == 1 && words.count("-a") == 1;
            insist(!isTelling || !options.error().text().contains(secret));
        }
    }
    return 0;
}
