package dev.flotilla.managementwatcher.publish;

import dev.flotilla.managementwatcher.mode.DetectedSiteMode;
import dev.flotilla.managementwatcher.report.ObjectWriter;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.schemas.id.SiteId;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a watcher works with.
 *
 * @param name of this process, which heartbeats bear
 * @param mode of the site; null while it is not known
 * @param objectWriter changes objects
 * @param maxConcurrentWrites so many objects are changed at a time
 */
public record WatcherContext(
        String name,
        SiteId site,
        KafkaClientSettings kafka,
        Supplier<@Nullable DetectedSiteMode> mode,
        WatcherClock clock,
        WatcherLoopListener listener,
        ObjectWriter objectWriter,
        int maxConcurrentWrites) {}
