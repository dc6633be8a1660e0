package dev.flotilla.managementwatcher.report;

import dev.flotilla.schemas.id.ObjectKey;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Receives the results of writes to objects. */
public interface ObjectWriteListener {
    /** Annotations were written; a null value means that the annotation was removed. */
    void annotationsWritten(ObjectKey object, Map<String, @Nullable String> annotations);

    /** The condition was written; the reason is empty if it was removed. */
    void conditionWritten(ObjectKey object, String reason);

    /** A write failed and is retried. */
    void writeFailed(ObjectKey object, String reason);
}
