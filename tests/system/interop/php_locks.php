<?php
// SPDX-License-Identifier: GPL-3.0-or-later
// LIBRARY SOCKET NAME hold|wait LEASE-MS: one lock of a library of Debian's PHP packages, as an application has it.
// Speaks as node_locks.js does: "held TOKEN", or "waiting" and then "woken"; "release" is answered "released" or
// "failed ERROR" ("failed NotHeld" where the library answers no and throws nothing).
declare(strict_types=1);

use Illuminate\Cache\RedisStore as IlluminateStore;
use Illuminate\Redis\RedisManager;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\Store\RedisStore as SymfonyStore;

require '/usr/share/php/Illuminate/Cache/autoload.php';
require '/usr/share/php/Illuminate/Redis/autoload.php';
require '/usr/share/php/Symfony/Component/Lock/autoload.php';

[, $library, $path, $name, $mode, $lease] = $argv;
$seconds = intdiv((int) $lease, 1000);

function say(string ...$words): void
{
    echo implode(' ', $words), "\n";
}

function connection(string $path): Redis
{
    $redis = new Redis();
    $redis->connect($path);
    return $redis;
}

// What each library can: one attempt, a release, and the member or value that is stored.
function symfony(string $path, string $name, int $seconds): array
{
    $redis = connection($path);
    $lock = (new LockFactory(new SymfonyStore($redis)))->createLock($name, $seconds, false);
    return [
        fn () => $lock->acquire(),
        function () use ($lock) {
            $lock->release();
            return true;
        },
        fn () => array_values(array_diff($redis->zRange($name, 0, -1), ['__write__']))[0],
    ];
}

function laravel(string $path, string $name, int $seconds, array $options): array
{
    $settings = ['host' => $path, 'port' => 0, 'database' => 0, 'prefix' => 'shop_database_'] + $options;
    $manager = new RedisManager(new class {
    }, 'phpredis', ['default' => $settings]);
    $lock = (new IlluminateStore($manager, 'shop_cache', 'default'))->lock($name, $seconds);
    $plain = connection($path);
    return [
        fn () => $lock->get(),
        fn () => $lock->release(),
        fn () => $plain->get("shop_database_shop_cache:$name"),
    ];
}

[$attempt, $release, $token] = match ($library) {
    'symfony' => symfony($path, $name, $seconds),
    'laravel' => laravel($path, $name, $seconds, []),
    'laravel-serialized' => laravel($path, $name, $seconds, ['serializer' => Redis::SERIALIZER_PHP]),
};

$got = $attempt();
if ($got !== ($mode === 'hold')) {
    fwrite(STDERR, $got ? "$name is free\n" : "$name is held by another\n");
    exit(1);
}
if ($mode === 'hold') {
    say('held', $token());
} else {
    say('waiting');
    while (!$attempt()) {
        usleep(50_000);
    }
    say('woken', $token());
}
while (($line = fgets(STDIN)) !== false) {
    if (trim($line) === 'exit') {
        break;
    }
    try {
        say(...($release() ? ['released'] : ['failed', 'NotHeld']));
    } catch (Exception $error) {
        say('failed', (new ReflectionClass($error))->getShortName());
    }
}
