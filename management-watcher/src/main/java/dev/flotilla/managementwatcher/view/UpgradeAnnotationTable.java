package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteMode;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The upgrade annotations of the objects, each read once for each change of its object. */
final class UpgradeAnnotationTable {
    private final Map<ObjectKey, UpgradeAnnotation> annotations = new HashMap<>();
    private @Nullable SiteMode mode;
    private @Nullable SiteAnnotationRules rules;

    /** Sets how annotations are read, and returns whether that is new. */
    boolean setRules(SiteMode siteMode, @Nullable SiteAnnotationRules siteRules) {
        boolean changed = siteMode != mode || !Objects.equals(siteRules, rules);
        mode = siteMode;
        rules = siteRules;
        return changed;
    }

    /** Returns the annotation of an object; null for none. */
    @Nullable
    UpgradeAnnotation get(ObjectKey key) {
        return annotations.get(key);
    }

    /** Reads the annotation of an object, which may not exist any more, again. */
    void read(ObjectKey key, @Nullable ObjectView present, @Nullable OwnerView owner) {
        UpgradeAnnotation read =
                present == null || mode == null ? null : UpgradeAnnotation.readFrom(present, owner, mode);
        if (read == null) {
            annotations.remove(key);
        } else {
            annotations.put(key, rules == null ? read : read.checkRules(rules));
        }
    }
}
