package dev.flotilla.managementwatcher.publish;

import dev.flotilla.managementwatcher.report.Hand;
import dev.flotilla.managementwatcher.rows.Mode;
import dev.flotilla.runtime.kafka.KafkaSettings;
import dev.flotilla.schemas.id.SiteId;

/**
 * What a watcher works with.
 *
 * @param name of this process, which heartbeats bear
 * @param hand changes objects
 * @param writesAtOnce so many objects are changed at a time
 */
public record Desk(
        String name,
        SiteId site,
        KafkaSettings kafka,
        Mode mode,
        WatcherTime time,
        WatcherListener listener,
        Hand hand,
        int writesAtOnce) {}
