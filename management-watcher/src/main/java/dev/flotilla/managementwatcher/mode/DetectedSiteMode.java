package dev.flotilla.managementwatcher.mode;

import dev.flotilla.schemas.row.SiteMode;
import org.jspecify.annotations.Nullable;

/**
 * A site's mode as it is followed.
 *
 * @param reason it is this one
 * @param modeConflict what speaks against it, with what to do; null for nothing
 */
public record DetectedSiteMode(
        SiteMode mode, String reason, @Nullable String modeConflict) {
    private static final String APPLY = "apply deploy/management-watcher/intercept.yaml";

    /**
     * What follows from a setting and from what is there; null where neither tells.
     *
     * @param around null where it could not be seen yet
     */
    static @Nullable DetectedSiteMode detectMode(SiteModeSetting setting, @Nullable ProviderPresence around) {
        SiteMode set = setting.mode();
        if (set != null) {
            return new DetectedSiteMode(set, "set so", around == null ? null : modeConflict(set, around));
        }
        return around == null ? null : found(around);
    }

    private static DetectedSiteMode found(ProviderPresence around) {
        if (around.controllerEvidence() == null) {
            return new DetectedSiteMode(SiteMode.DIRECT, "no controllers of the provider are here", null);
        }
        String there = "the provider's controllers are here (" + around.controllerEvidence() + ")";
        if (around.policyBound()) {
            return new DetectedSiteMode(
                    SiteMode.INTERCEPT, there + ", and the policy " + SiteModeProbe.POLICY + " is bound", null);
        }
        return new DetectedSiteMode(
                SiteMode.CLUSTER_ONLY,
                there + ", and "
                        + (around.policiesServed()
                                ? "the policy " + SiteModeProbe.POLICY + " is not bound"
                                : "no policies are served"),
                around.policiesServed()
                        ? "what is annotated on anything but Clusters is upgraded by the provider's controllers, past all"
                                + " gates: " + APPLY
                        : null);
    }

    private static @Nullable String modeConflict(SiteMode set, ProviderPresence around) {
        return switch (set) {
            case DIRECT ->
                around.controllerEvidence() == null
                        ? null
                        : "the provider's controllers are here (" + around.controllerEvidence()
                                + "), and would upgrade what is annotated a second time: set kubernetes.mode to auto";
            case INTERCEPT ->
                around.policyBound()
                        ? null
                        : "the policy " + SiteModeProbe.POLICY + " is not bound, so nothing is kept from the provider's"
                                + " controllers: "
                                + (around.policiesServed()
                                        ? APPLY
                                        : "the API server serves no such policies, set" + " kubernetes.mode to auto");
            case CLUSTER_ONLY -> null;
        };
    }
}
