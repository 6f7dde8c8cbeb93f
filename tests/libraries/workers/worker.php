<?php
// SPDX-License-Identifier: GPL-3.0-or-later
// What a worker of a PHP library does; see worker.js, whose protocol it speaks.
declare(strict_types=1);

error_reporting(E_ALL & ~E_DEPRECATED & ~E_WARNING);

function say(string $event, string $detail = ''): void
{
    fwrite(STDOUT, hrtime(true) . " $event " . substr(preg_replace('/\s+/', ' ', $detail), 0, 200) . "\n");
}

function told(Throwable $error): string
{
    return get_class($error) . ': ' . $error->getMessage();
}

function pause(array $bounds): void
{
    usleep((int) (1000 * ($bounds[0] + lcg_value() * ($bounds[1] - $bounds[0]))));
}

function acquired(array $lock): bool
{
    try {
        return $lock['acquire']() !== false;
    } catch (Throwable $error) {
        say('gave-up', told($error));
        return false;
    }
}

function released(array $lock): void
{
    try {
        say($lock['release']() === false ? 'release-failed' : 'released');
    } catch (Throwable $error) {
        say('release-failed', told($error));
    }
}

function connection(array $server): Redis
{
    $connection = new Redis();
    $connection->connect($server['host'], $server['port']);
    return $connection;
}

// `make(config)` returns the lock: acquire and release, which answer false, or throw, as in worker.js.
function run(callable $make): void
{
    $config = json_decode(fgets(STDIN), true);
    $lock = $make($config);
    say('ready');
    for ($round = 0;; ++$round) {
        if (($round === 0 || $config['baton']) && fgets(STDIN) === false) {
            return;
        }
        say('try');
        while (!acquired($lock)) {
            usleep(10000);
        }
        say('enter');
        pause($config['hold']);
        say('leave');
        released($lock);
        pause($config['think']);
    }
}
