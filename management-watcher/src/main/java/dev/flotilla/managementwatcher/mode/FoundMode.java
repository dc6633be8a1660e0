package dev.flotilla.managementwatcher.mode;

import dev.flotilla.schemas.row.SiteMode;
import org.jspecify.annotations.Nullable;

/**
 * A site's mode as it is followed.
 *
 * @param why it is this one
 * @param doubt what speaks against it, with what to do; null for nothing
 */
public record FoundMode(SiteMode mode, String why, @Nullable String doubt) {
    private static final String APPLY = "apply deploy/management-watcher/intercept.yaml";

    /**
     * What follows from a setting and from what is there; null where neither tells.
     *
     * @param around null where it could not be seen yet
     */
    static @Nullable FoundMode of(ModeSetting setting, @Nullable Surroundings around) {
        SiteMode set = setting.mode();
        if (set != null) {
            return new FoundMode(set, "set so", around == null ? null : doubt(set, around));
        }
        return around == null ? null : found(around);
    }

    private static FoundMode found(Surroundings around) {
        if (around.controllers() == null) {
            return new FoundMode(SiteMode.DIRECT, "no controllers of the provider are here", null);
        }
        String there = "the provider's controllers are here (" + around.controllers() + ")";
        if (around.bound()) {
            return new FoundMode(
                    SiteMode.INTERCEPT, there + ", and the policy " + ModeProbe.POLICY + " is bound", null);
        }
        return new FoundMode(
                SiteMode.CLUSTER_ONLY,
                there + ", and "
                        + (around.served()
                                ? "the policy " + ModeProbe.POLICY + " is not bound"
                                : "no policies are served"),
                around.served()
                        ? "what is annotated on anything but Clusters is upgraded by the provider's controllers, past all"
                                + " gates: " + APPLY
                        : null);
    }

    private static @Nullable String doubt(SiteMode set, Surroundings around) {
        return switch (set) {
            case DIRECT ->
                around.controllers() == null
                        ? null
                        : "the provider's controllers are here (" + around.controllers()
                                + "), and would upgrade what is annotated a second time: set kubernetes.mode to auto";
            case INTERCEPT ->
                around.bound()
                        ? null
                        : "the policy " + ModeProbe.POLICY + " is not bound, so nothing is kept from the provider's"
                                + " controllers: "
                                + (around.served()
                                        ? APPLY
                                        : "the API server serves no such policies, set" + " kubernetes.mode to auto");
            case CLUSTER_ONLY -> null;
        };
    }
}
