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
        insist(address.error().kind == ErrorKind::InvalidArgument && !address.error().text().isEmpty());
        return 0;
    }
    insist(address->database >= 0);
    // What is shown or stored is the same whatever the password is.
    ServerAddress bare = *address;
    bare.password.clear();
    const QString uri = address->toUriWithoutPassword();
    insist(uri == bare.toUriWithoutPassword() && address->toDisplayString() == bare.toDisplayString());
    const Result<ServerAddress> again = ServerAddress::parse(uri);
    insist(again.has_value());
    insist(*again == bare);
    return 0;
}
