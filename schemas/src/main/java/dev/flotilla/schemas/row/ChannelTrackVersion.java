package dev.flotilla.schemas.row;

import org.jspecify.annotations.Nullable;

/** The minor version of Kubernetes that a channel's track names, such as 1.33 of {@code channel=1.33-classic/stable}. */
public final class ChannelTrackVersion {
    private ChannelTrackVersion() {}

    /** The minor version of a target's track; null where the target has no track, or one such as latest. */
    public static @Nullable String minorVersionOf(UpgradeTarget target) {
        if (!(target instanceof UpgradeTarget.Channel channel)) {
            return null;
        }
        String text = channel.channel();
        int end = minorEnd(text);
        boolean whole = end > 0 && (end == text.length() || text.charAt(end) == '-' || text.charAt(end) == '/');
        return whole ? text.substring(0, end) : null;
    }

    /** Whether a version can be in a target's track; true where the track names none. */
    public static boolean allowsVersion(UpgradeTarget target, String version) {
        String track = minorVersionOf(target);
        String bare = version.startsWith("v") ? version.substring(1) : version;
        return track == null || track.equals(bare.substring(0, Math.max(0, minorEnd(bare))));
    }

    /** Why a campaign's expected version cannot be what its target's track brings, and the way out; null where it can. */
    public static @Nullable String describeContradiction(CampaignSpec spec) {
        String expected = spec.expectedVersion();
        return expected == null || allowsVersion(spec.target(), expected)
                ? null
                : "is not a version of the track of " + spec.target().text() + ": the track brings "
                        + minorVersionOf(spec.target()) + ". Correct one of the two, or leave expectedVersion out";
    }

    /** The end of the major and minor version that a text begins with; -1 where it begins with none. */
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
