package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An upgrade that an annotation on an object requests, or an UpgradeTask for a machine. Its identity is the object's uid, the
 * target, the task, and when the watcher saw them change.
 *
 * @param task the UpgradeTask that requests it; null for an annotation
 * @param upgrader the template that the task names for its NodeUpgrades; null for that of the machine's provider
 * @param expectedVersion the Kubernetes version that the task expects at a target that does not name one; null for none
 */
public record UpgradeIntent(
        ObjectKey object,
        String uid,
        UpgradeTarget target,
        Instant requestedAt,
        @Nullable UpgradeTaskRef task,
        @Nullable NodeUpgraderRef upgrader,
        @Nullable String expectedVersion)
        implements TableRow {

    /** An intent of an annotation. */
    public UpgradeIntent(ObjectKey object, String uid, UpgradeTarget target, Instant requestedAt) {
        this(object, uid, target, requestedAt, null);
    }

    /** An intent for which the template of the machine's provider is used. */
    public UpgradeIntent(
            ObjectKey object, String uid, UpgradeTarget target, Instant requestedAt, @Nullable UpgradeTaskRef task) {
        this(object, uid, target, requestedAt, task, null, null);
    }

    /** Returns the same intent with another expected version, which is no part of its identity. */
    public UpgradeIntent withExpectedVersion(@Nullable String other) {
        return Objects.equals(expectedVersion, other)
                ? this
                : new UpgradeIntent(object, uid, target, requestedAt, task, upgrader, other);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.INTENTS, object);
    }
}
