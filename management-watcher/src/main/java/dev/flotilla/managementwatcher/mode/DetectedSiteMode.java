package dev.flotilla.managementwatcher.mode;

import dev.flotilla.schemas.row.SiteMode;
import org.jspecify.annotations.Nullable;

/**
 * The mode of a site, and why it is this one.
 *
 * @param reason why it is this mode
 * @param modeConflict what contradicts the mode, and what to do; null for nothing
 */
public record DetectedSiteMode(
        SiteMode mode, String reason, @Nullable String modeConflict) {
    /**
     * Determines the mode from the setting and from what runs in the cluster; null if neither says.
     *
     * @param presence what runs in the cluster; null before the first probe
     */
    static @Nullable DetectedSiteMode detectMode(SiteModeSetting setting, @Nullable ProviderPresence presence) {
        SiteMode set = setting.mode();
        if (set != null) {
            return new DetectedSiteMode(
                    set, "set by kubernetes.mode", presence == null ? null : findModeConflict(set, presence));
        }
        return presence == null ? null : detectFromPresence(presence);
    }

    private static DetectedSiteMode detectFromPresence(ProviderPresence presence) {
        if (presence.controllerEvidence() == null) {
            return new DetectedSiteMode(SiteMode.DIRECT, "the provider's controllers do not run here", null);
        }
        String there = "the provider's controllers run here (" + presence.controllerEvidence() + ")";
        if (presence.hidesAnnotations()) {
            return new DetectedSiteMode(
                    SiteMode.INTERCEPT,
                    there + ", and " + presence.interceptor() + " hides annotations from them",
                    null);
        }
        return new DetectedSiteMode(
                SiteMode.CLUSTER_ONLY,
                there + ", and " + presence.interceptor() + " does not hide annotations from them",
                "annotations on anything but Clusters are carried out by the provider's controllers, without any gate:"
                        + " apply " + presence.manifest());
    }

    private static @Nullable String findModeConflict(SiteMode set, ProviderPresence presence) {
        return switch (set) {
            case DIRECT ->
                presence.controllerEvidence() == null
                        ? null
                        : "the provider's controllers run here (" + presence.controllerEvidence()
                                + "), and would upgrade annotated machines a second time: set kubernetes.mode to auto";
            case INTERCEPT ->
                presence.hidesAnnotations()
                        ? null
                        : "the provider's controllers see all annotations, because neither policy nor webhook "
                                + SiteModeProbe.POLICY + " hides them: apply " + presence.manifest();
            case CLUSTER_ONLY -> null;
        };
    }
}
