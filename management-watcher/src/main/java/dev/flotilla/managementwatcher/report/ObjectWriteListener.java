package dev.flotilla.managementwatcher.report;

import dev.flotilla.schemas.id.ObjectKey;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Hears what was written on objects. */
public interface ObjectWriteListener {
    /** These annotations were written; null for those that were removed. */
    void annotationsWritten(ObjectKey object, Map<String, @Nullable String> annotations);

    /** Its condition was written; empty for one that was removed. */
    void conditionWritten(ObjectKey object, String reason);

    /** It could not be; it is tried again. */
    void writeFailed(ObjectKey object, String why);
}
