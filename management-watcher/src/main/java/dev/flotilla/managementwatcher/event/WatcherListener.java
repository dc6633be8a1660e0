package dev.flotilla.managementwatcher.event;

import dev.flotilla.managementwatcher.view.NamespacedName;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.row.SiteMode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Receives what the watcher does. */
public interface WatcherListener {
    /** Records were written to the site's tables. */
    void rowsPublished(int records);

    /** The number of withheld removals is known or has changed. */
    void removalsWithheld(int machines);

    /**
     * The watcher became the writer or stopped writing, because another watcher writes or some objects cannot be read.
     */
    void writerStateChanged(boolean now);

    /** A list or watch failed. */
    void listFailed(WatchedKind watchedKind, String reason);

    /**
     * The resource versions of a kind decreased, because its store was restored from a backup. All its objects are
     * compared again.
     */
    void storeRestored(WatchedKind watchedKind, long known, long now);

    /** Annotations were written; a null value means that the annotation was removed. */
    void annotationsWritten(ObjectKey object, Map<String, @Nullable String> annotations);

    /** A write has shown an attempt on its Machine. Only called if the status row names the attempt's trace. */
    default void attemptShown(ShownAttempt shownAttempt) {}

    /** The condition was written; the reason is empty if it was removed. */
    void conditionWritten(ObjectKey object, String reason);

    /** The release that machines that join this owner get was written; null if it was removed. */
    void defaultReleaseWritten(OwnerKey owner, @Nullable String release);

    /**
     * An UpgradeTask was written.
     *
     * @param change what was written: {@code status}, {@code finalizer} or {@code deletion}
     */
    void upgradeTaskWritten(NamespacedName task, String change);

    /** A write of an UpgradeTask failed and is retried. */
    void upgradeTaskWriteFailed(NamespacedName task, String reason);

    /** A campaign's version was written to an object of a cluster, from which Cluster API updates machines in place. */
    void versionWritten(ClusterKey cluster, String object, String version);

    /** The versions from which Cluster API updates machines in place cannot be read. Those that were read before count. */
    void versionsUnreadable(String reason);

    /** A write failed and is retried. */
    void writeFailed(ObjectWriteKind kind, ObjectKey object, String reason);

    /**
     * The site's mode or its conflict has changed.
     *
     * @param reason why it is this mode
     * @param modeConflict what contradicts the mode, and what to do; null for nothing
     */
    void modeDetected(SiteMode mode, String reason, @Nullable String modeConflict);

    /** A probe of the mode failed. It is retried; the mode found before stays. */
    void modeProbeFailed(String reason);

    void kafkaFailed(String reason, String message);

    /** The management cluster is not the one that the site's heartbeat names. */
    void clusterIdentityChanged(String expected, String found);

    /** A bug has ended the loop. */
    void loopFailed(Throwable bug);
}
