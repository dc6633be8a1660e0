package dev.flotilla.managementwatcher.report;

import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.UpgradeIntent;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the site's own tables say about its objects. */
public interface PublishedObjectRows {
    /** Returns the intent of an object; null for none. */
    @Nullable
    UpgradeIntent intent(ObjectKey key);

    /** Returns the objects with an intent. */
    Set<ObjectKey> intentKeys();

    /**
     * Returns why the row of an object is rejected; null if it is valid. A rejected row is written nevertheless,
     * because it keeps the machine from being started.
     */
    @Nullable
    String unreadableReason(ObjectKey key);
}
