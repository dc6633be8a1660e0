package dev.flotilla.managementwatcher.publish;

import dev.flotilla.managementwatcher.mode.FoundMode;
import dev.flotilla.managementwatcher.report.Hand;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.schemas.id.SiteId;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a watcher works with.
 *
 * @param name of this process, which heartbeats bear
 * @param mode of the site; null while it is not known
 * @param hand changes objects
 * @param writesAtOnce so many objects are changed at a time
 */
public record Desk(
        String name,
        SiteId site,
        KafkaClientSettings kafka,
        Supplier<@Nullable FoundMode> mode,
        WatcherTime time,
        WatcherListener listener,
        Hand hand,
        int writesAtOnce) {}
