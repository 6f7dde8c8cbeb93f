<?php
// SPDX-License-Identifier: GPL-3.0-or-later
declare(strict_types=1);

require_once 'Symfony/Component/Lock/autoload.php';
require_once __DIR__ . '/worker.php';

use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\Store\RedisStore;

run(function (array $config): array {
    $factory = new LockFactory(new RedisStore(connection($config['servers'][0])));
    $lock = $factory->createLock($config['name'], $config['lease'] / 1000);
    return [
        'acquire' => fn () => $lock->acquire(true),
        'release' => fn () => $lock->release(),
    ];
});
