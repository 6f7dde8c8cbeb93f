<?php
// SPDX-License-Identifier: GPL-3.0-or-later
declare(strict_types=1);

require_once 'Illuminate/Cache/autoload.php';
require_once 'Illuminate/Redis/autoload.php';
require_once __DIR__ . '/worker.php';

run(function (array $config): array {
    $manager = new Illuminate\Redis\RedisManager(null, 'phpredis', ['default' => $config['servers'][0]]);
    $store = new Illuminate\Cache\RedisStore($manager, 'laravel_cache');
    $lock = null;
    return [
        'acquire' => function () use ($store, $config, &$lock) {
            $lock = $store->lock($config['name'], intdiv($config['lease'], 1000));
            return $lock->block(10);
        },
        'release' => function () use (&$lock) {
            return $lock->release();
        },
    ];
});
