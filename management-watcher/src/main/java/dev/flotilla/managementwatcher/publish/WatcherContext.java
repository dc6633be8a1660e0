package dev.flotilla.managementwatcher.publish;

import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.managementwatcher.event.WatcherListener;
import dev.flotilla.managementwatcher.inplace.InPlaceClusters;
import dev.flotilla.managementwatcher.mode.DetectedSiteMode;
import dev.flotilla.managementwatcher.report.ObjectWriter;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.schemas.id.SiteId;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings and collaborators of a watcher's loop.
 *
 * @param name name of this process, which heartbeats contain
 * @param mode mode of the site; null while it is not known
 * @param objectWriter writes to objects
 * @param inPlaceClusters clusters whose machines Cluster API updates in place
 * @param maxConcurrentWrites most objects that are written at a time
 */
public record WatcherContext(
        String name,
        SiteId site,
        KafkaClientSettings kafka,
        Supplier<@Nullable DetectedSiteMode> mode,
        ProcessClock clock,
        WatcherListener listener,
        ObjectWriter objectWriter,
        int maxConcurrentWrites,
        InPlaceClusters inPlaceClusters) {}
