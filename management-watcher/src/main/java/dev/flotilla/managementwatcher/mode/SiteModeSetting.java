package dev.flotilla.managementwatcher.mode;

import dev.flotilla.schemas.row.SiteMode;
import org.jspecify.annotations.Nullable;

/** The setting of a site's mode. */
public enum SiteModeSetting {
    AUTO(null),
    INTERCEPT(SiteMode.INTERCEPT),
    DIRECT(SiteMode.DIRECT),
    CLUSTER_ONLY(SiteMode.CLUSTER_ONLY);

    private final @Nullable SiteMode mode;

    SiteModeSetting(@Nullable SiteMode mode) {
        this.mode = mode;
    }

    /** The mode that is set; null if it is detected. */
    @Nullable
    SiteMode mode() {
        return mode;
    }

    public String label() {
        return mode == null ? "auto" : mode.label();
    }
}
