<?php
// SPDX-License-Identifier: GPL-3.0-or-later
// LIBRARY SOCKET NAME hold|wait SECONDS: one lock of Symfony's or Laravel's (see `library` below), as an application has it. Laravel's
// never ends with 0 seconds.
// Prints "held TOKEN", or for one that waits "waiting" and then "woken TOKEN". Takes orders, a line each: "extend" (Symfony), "release",
// "exit"; answers "extended", "released" or "failed ERROR" ("failed NotHeld" where the library answers no and throws nothing).
declare(strict_types=1);

require_once 'Symfony/Component/Lock/autoload.php';
require_once 'Illuminate/Cache/autoload.php';
require_once 'Illuminate/Redis/autoload.php';

use Illuminate\Redis\RedisManager;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\Store\RedisStore;

function say(string ...$words): void
{
    echo implode(' ', $words), "\n";
}

// The same few doings for each library: one attempt that answers whether it got the lock, and one that waits for it.
function symfony(string $path, string $name, int $seconds, bool $reads): array
{
    $connection = new Redis();
    $connection->connect($path);
    $key = new Key($name);
    $lock = (new LockFactory(new RedisStore($connection)))->createLockFromKey($key, (float) $seconds);
    $acquire = $reads ? $lock->acquireRead(...) : $lock->acquire(...);
    return [
        'attempt' => fn () => $acquire(),
        'wait' => fn () => $acquire(true),
        'token' => fn () => $key->getState(RedisStore::class),
        'extend' => fn () => $lock->refresh(),
        'release' => fn () => $lock->release(),
    ];
}

// `options`: of the connection, as an application's config/database.php has them. `form` of the owner that the library draws: one in 17
// has no digit, and a test is to meet the same form each time.
function laravel(string $path, string $name, int $seconds, string $cachePrefix, array $options,
    string $form = '/^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])/', string $release = 'release'): array
{
    $manager = new RedisManager(null, 'phpredis', [
        'default' => ['host' => $path, 'port' => 0],
        'options' => $options,
    ]);
    $store = new Illuminate\Cache\RedisStore($manager, $cachePrefix);
    do {
        $lock = $store->lock($name, $seconds);
    } while (!preg_match($form, $lock->owner()));
    return [
        'attempt' => fn () => $lock->get(),
        'wait' => fn () => $lock->block(60),
        'token' => fn () => $lock->owner(),
        'release' => fn () => $lock->$release(),
    ];
}

function library(string $library, string $path, string $name, int $seconds): array
{
    // What a new application of Laravel 8 is configured with.
    $usual = fn (array $options = [], string ...$form) => laravel($path, $name, $seconds, 'laravel_cache',
        ['prefix' => 'laravel_database_'] + $options, ...$form);
    return match ($library) {
        'symfony' => symfony($path, $name, $seconds, false),
        'symfony-read' => symfony($path, $name, $seconds, true),
        'laravel' => $usual(),
        // As its scheduler takes and forgets the mutex of a task.
        'laravel-schedule' => laravel($path, 'framework/schedule-' . sha1($name), $seconds, 'laravel_cache',
            ['prefix' => 'laravel_database_'], release: 'forceRelease'),
        'laravel-letters' => $usual([], '/^\D+$/'),
        'laravel-php' => $usual(['serializer' => Redis::SERIALIZER_PHP]),
        'laravel-json' => $usual(['serializer' => Redis::SERIALIZER_JSON]),
        'laravel-igbinary' => $usual(['serializer' => Redis::SERIALIZER_IGBINARY]),
        'laravel-lzf' => $usual(['compression' => Redis::COMPRESSION_LZF]),
        'laravel-bare' => laravel($path, $name, $seconds, '', []),
    };
}

function answerTo(array $doings, string $order): void
{
    try {
        $answer = $doings[$order]();
        say(...($answer === false ? ['failed', 'NotHeld'] : [['extend' => 'extended', 'release' => 'released'][$order]]));
    } catch (Exception $error) {
        say('failed', (new ReflectionClass($error))->getShortName());
    }
}

[, $library, $path, $name, $mode, $seconds] = $argv;
$doings = library($library, $path, $name, (int) $seconds);
if ($doings['attempt']() !== ($mode === 'hold')) {
    exit("$name is " . ($mode === 'hold' ? 'held by another' : 'free') . "\n");
}
if ($mode === 'wait') {
    say('waiting');
    $doings['wait']();
}
say($mode === 'hold' ? 'held' : 'woken', $doings['token']());
while (($line = fgets(STDIN)) !== false && trim($line) !== 'exit') {
    answerTo($doings, trim($line));
}
