package dev.flotilla.simulator.node;

import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The releases in the snap store: which revision a channel means, and which Kubernetes version a revision contains. */
public final class SnapReleases {
    /** The revision that every node starts with. */
    public static final int OLDEST = 3000;

    /** A channel whose track names no version. */
    public static final String LATEST = "latest/edge";

    private static final int MINORS_TO_LATEST = 1;
    private static final String HASH = "sha256:";

    private SnapReleases() {}

    /** The revision that a target means initially. */
    public static int revision(UpgradeTarget option) {
        return switch (option) {
            case UpgradeTarget.Revision revision -> number(revision.revision());
            case UpgradeTarget.Channel channel -> OLDEST + 100 * minorsAfterOldest(channel.channel());
            case UpgradeTarget.LocalPath path -> OLDEST + 50;
            case UpgradeTarget.KubernetesRelease release -> revisionOf(release.version());
            case UpgradeTarget.MachineSpecHash spec ->
                Integer.parseInt(spec.hash(), HASH.length(), HASH.length() + 4, 16);
        };
    }

    /** The revision that contains a version: a node that k8sd does not upgrade runs it under the same number. */
    private static int revisionOf(String version) {
        int patch = version.lastIndexOf('.');
        return OLDEST
                + 100 * (number(version.substring(version.indexOf('.') + 1, patch)) - 32)
                + number(version.substring(patch + 1));
    }

    /** A hash whose first digits say which revision the description means. */
    public static String specHash(int revision) {
        return HASH + HexFormat.of().toHexDigits((short) revision) + "0".repeat(60);
    }

    /** The version that an UpgradeTask says a hash stands for; null for another target. */
    public static @Nullable String versionOfHash(UpgradeTarget option) {
        return option instanceof UpgradeTarget.MachineSpecHash ? version(revision(option)) : null;
    }

    /** The version of the kubelet in a revision. */
    public static String version(int revision) {
        int after = revision - OLDEST;
        return "v1." + (32 + after / 100) + "." + after % 100;
    }

    public static String channel(int minorsAfterOldest) {
        return "1." + (32 + minorsAfterOldest) + "-classic/stable";
    }

    private static int minorsAfterOldest(String channel) {
        return channel.equals(LATEST) ? MINORS_TO_LATEST : number(channel.substring(2, channel.indexOf('-'))) - 32;
    }

    private static int number(String digits) {
        int value = 0;
        for (int i = 0; i < digits.length(); i++) {
            value = value * 10 + digits.charAt(i) - '0';
        }
        return value;
    }
}
