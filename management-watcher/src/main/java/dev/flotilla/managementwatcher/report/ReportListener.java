package dev.flotilla.managementwatcher.report;

import dev.flotilla.schemas.id.ObjectKey;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Hears what was written on objects. */
public interface ReportListener {
    /** These annotations were written; null for those that were removed. */
    void amended(ObjectKey object, Map<String, @Nullable String> annotations);

    /** Its condition was written; empty for one that was removed. */
    void conditioned(ObjectKey object, String reason);

    /** It could not be; it is tried again. */
    void unamended(ObjectKey object, String why);
}
