package dev.flotilla.schemas.row;

import org.jspecify.annotations.Nullable;

/** The minor version of Kubernetes that a channel's track names, such as 1.33 of {@code channel=1.33-classic/stable}. */
public final class ChannelTrackVersion {
    private ChannelTrackVersion() {}

    /** Returns the minor version of a target's track; null if the target has no track, or one such as latest. */
    public static @Nullable String minorVersionOf(UpgradeTarget target) {
        if (!(target instanceof UpgradeTarget.Channel channel)) {
            return null;
        }
        String text = channel.channel();
        int end = minorEnd(text);
        boolean whole = end > 0 && (end == text.length() || text.charAt(end) == '-' || text.charAt(end) == '/');
        return whole ? text.substring(0, end) : null;
    }

    /** Whether a version can be in a target's track; true if the track names no version. */
    public static boolean allowsVersion(UpgradeTarget target, String version) {
        String track = minorVersionOf(target);
        String bare = version.startsWith("v") ? version.substring(1) : version;
        return track == null || track.equals(bare.substring(0, Math.max(0, minorEnd(bare))));
    }

    /** Returns why a campaign's expected version cannot be in its target's track and what to do; null if it can. */
    public static @Nullable String describeContradiction(CampaignSpec spec) {
        String expected = spec.target().expectedVersion();
        return expected == null || allowsVersion(spec.target().option(), expected)
                ? null
                : "is not in the track of " + spec.target().option().text() + ", which has versions "
                        + minorVersionOf(spec.target().option())
                        + ". Correct one of the two, or leave expectedVersion out";
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
