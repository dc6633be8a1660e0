package dev.flotilla.managementwatcher.report;

import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Receives the results of writes to objects. */
public interface ObjectWriteListener {
    /** Annotations were written; a null value means that the annotation was removed. */
    void annotationsWritten(ObjectKey object, Map<String, @Nullable String> annotations);

    /** The condition was written; the reason is empty if it was removed. */
    void conditionWritten(ObjectKey object, String reason);

    /** The release that machines that join this owner get was written; null if it was removed. */
    void defaultReleaseWritten(OwnerKey owner, @Nullable String release);

    /** A write failed and is retried. */
    void writeFailed(ObjectWriteKind kind, ObjectKey object, String reason);
}
