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
    private static final String APPLY = "apply deploy/management-watcher/intercept.yaml";

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
        if (presence.policyBound()) {
            return new DetectedSiteMode(
                    SiteMode.INTERCEPT, there + ", and the policy " + SiteModeProbe.POLICY + " is bound", null);
        }
        return new DetectedSiteMode(
                SiteMode.CLUSTER_ONLY,
                there + ", and "
                        + (presence.policiesServed()
                                ? "the policy " + SiteModeProbe.POLICY + " is not bound"
                                : "the API server does not serve mutating admission policies"),
                presence.policiesServed()
                        ? "annotations on anything but Clusters are carried out by the provider's controllers, without"
                                + " any gate: " + APPLY
                        : null);
    }

    private static @Nullable String findModeConflict(SiteMode set, ProviderPresence presence) {
        return switch (set) {
            case DIRECT ->
                presence.controllerEvidence() == null
                        ? null
                        : "the provider's controllers run here (" + presence.controllerEvidence()
                                + "), and would upgrade annotated machines a second time: set kubernetes.mode to auto";
            case INTERCEPT ->
                presence.policyBound()
                        ? null
                        : "the policy " + SiteModeProbe.POLICY + " is not bound, so the provider's controllers see all"
                                + " annotations: "
                                + (presence.policiesServed()
                                        ? APPLY
                                        : "the API server does not serve mutating admission policies; set"
                                                + " kubernetes.mode to auto");
            case CLUSTER_ONLY -> null;
        };
    }
}
