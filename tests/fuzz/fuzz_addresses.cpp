// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses: what is understood can be written and read back, and no password is ever repeated.
#include "core/redis/serveraddress.h"
#include "tests/fuzz/target.h"

using namespace lockscope;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const QString text = QString::fromUtf8(bytesOf(data, std::min<size_t>(size, 4096)));
    const Result<ServerAddress> address = ServerAddress::parse(text);
    if (!address) {
        insist(address.error().kind == ErrorKind::InvalidArgument && !address.error().detail.isEmpty());
        return 0;
    }
    insist(address->database >= 0);
    std::ignore = address->toDisplayString();
    // A password that is long and stands nowhere else in the text.
    const QString password = QString::fromUtf8(address->password);
    const bool isTelling = password.size() >= 8 && text.count(password) == 1;
    const QString uri = address->toUriWithoutPassword();
    insist(!isTelling || (!uri.contains(password) && !address->toDisplayString().contains(password)));
    const Result<ServerAddress> again = ServerAddress::parse(uri);
    insist(again.has_value());
    ServerAddress expected = *address;
    expected.password.clear();
    ServerAddress found = *again;
    // Without its password a user is not written either, or is: as it may be, it is not another one.
    insist(found.user.isEmpty() || found.user == expected.user);
    found.user = expected.user;
    insist(found == expected);
    return 0;
}
