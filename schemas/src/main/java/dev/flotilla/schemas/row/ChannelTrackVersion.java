package dev.flotilla.schemas.row;

import org.jspecify.annotations.Nullable;

/**
 * The version of Kubernetes that a target names: the minor version of a channel's track, such as 1.33 of {@code
 * channel=1.33-classic/stable}, or the whole version of {@code version=v1.36.3}.
 */
public final class ChannelTrackVersion {
    private ChannelTrackVersion() {}

    /** Returns the minor version that a target names; null if it names none, such as a track latest. */
    public static @Nullable String minorVersionOf(UpgradeTarget target) {
        if (target instanceof UpgradeTarget.KubernetesRelease release) {
            String bare = withoutLeadingV(release.version());
            return bare.substring(0, minorEnd(bare));
        }
        if (!(target instanceof UpgradeTarget.Channel channel)) {
            return null;
        }
        String text = channel.channel();
        int end = minorEnd(text);
        boolean whole = end > 0 && (end == text.length() || text.charAt(end) == '-' || text.charAt(end) == '/');
        return whole ? text.substring(0, end) : null;
    }

    /** Whether a version can be the target's: that of a release, or one of the track; true if the target names none. */
    public static boolean allowsVersion(UpgradeTarget target, String version) {
        String bare = withoutLeadingV(version);
        if (target instanceof UpgradeTarget.KubernetesRelease release) {
            return withoutLeadingV(release.version()).equals(bare);
        }
        String track = minorVersionOf(target);
        return track == null || track.equals(bare.substring(0, Math.max(0, minorEnd(bare))));
    }

    /** Returns why a campaign's expected version contradicts its target and what to do; null if it does not. */
    public static @Nullable String describeContradiction(CampaignSpec spec) {
        UpgradeTarget target = spec.target().option();
        String expected = spec.target().expectedVersion();
        if (expected == null || allowsVersion(target, expected)) {
            return null;
        }
        return target instanceof UpgradeTarget.KubernetesRelease
                ? "is not the version of " + target.text() + ", which states it already. Leave expectedVersion out"
                : "is not in the track of " + target.text() + ", which has versions " + minorVersionOf(target)
                        + ". Correct one of the two, or leave expectedVersion out";
    }

    /** Removes the leading v: manifests say 1.33.2, kubelets say v1.33.2. */
    private static String withoutLeadingV(String version) {
        return version.startsWith("v") ? version.substring(1) : version;
    }

    /** Returns the end index of the major and minor version that a text begins with; -1 if it begins with none. */
    private static int minorEnd(String text) {
        int dot = pastDigits(text, 0);
        if (dot == 0 || dot == text.length() || text.charAt(dot) != '.') {
            return -1;
        }
        int end = pastDigits(text, dot + 1);
        return end > dot + 1 ? end : -1;
    }

    private static int pastDigits(String text, int from) {
        int end = from;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end;
    }
}
