package dev.flotilla.core.fleet.inventory;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ChannelTrackVersion;
import dev.flotilla.schemas.row.UpgradeTarget;
import org.jspecify.annotations.Nullable;

/**
 * Kubernetes versions as comparable numbers: 1.33 and 1.33.2, with or without a v, and with any suffix. A pre-release (alpha,
 * beta, rc) is older than its release; pre-releases of one version are equal. They are parsed at each comparison: that allocates
 * nothing, and a column would need more memory.
 */
public final class KubernetesVersion {
    /** An unknown version. */
    public static final int UNKNOWN = 0;

    private static final int PATCH_BITS = 13;
    private static final int MINOR_BITS = 10;
    private static final int NO_PATCH = 0;

    private KubernetesVersion() {}

    /** The version at the start of a text: a kubelet's version, or a channel whose track is one; otherwise unknown. */
    public static int parse(@Nullable String text) {
        if (text == null) {
            return UNKNOWN;
        }
        int from = text.startsWith("v") ? 1 : 0;
        int dot = pastDigits(text, from);
        if (dot == from || dot == text.length() || text.charAt(dot) != '.') {
            return UNKNOWN;
        }
        int end = pastDigits(text, dot + 1);
        if (end == dot + 1) {
            return UNKNOWN;
        }
        int minor = number(text, from, dot) << MINOR_BITS | Math.min(number(text, dot + 1, end), (1 << MINOR_BITS) - 1);
        boolean patched = end < text.length() && text.charAt(end) == '.' && pastDigits(text, end + 1) > end + 1;
        int patchEnd = patched ? pastDigits(text, end + 1) : end;
        int patch = NO_PATCH;
        if (patched) {
            // A release is above its pre-releases.
            int release = isPreRelease(text, patchEnd) ? 0 : 1;
            patch = 2 * (number(text, end + 1, patchEnd) + 1) + release;
        }
        return minor << PATCH_BITS | Math.min(patch, (1 << PATCH_BITS) - 1);
    }

    /** Whether a suffix is one of Kubernetes' pre-releases: vendors append others, such as {@code -gke.100}. */
    private static boolean isPreRelease(String text, int from) {
        return text.startsWith("-alpha", from) || text.startsWith("-beta", from) || text.startsWith("-rc", from);
    }

    /** The version that a target declares: the expected one if it fits the target, otherwise what the target names. */
    public static int declaredVersion(UpgradeTarget target, @Nullable String expected) {
        return expected != null && ChannelTrackVersion.allowsVersion(target, expected)
                ? parse(expected)
                : switch (target) {
                    case UpgradeTarget.Channel channel -> parse(channel.channel());
                    case UpgradeTarget.KubernetesRelease release -> parse(release.version());
                    case UpgradeTarget.Revision revision -> UNKNOWN;
                    case UpgradeTarget.LocalPath path -> UNKNOWN;
                    case UpgradeTarget.MachineSpecHash hash -> UNKNOWN;
                };
    }

    /**
     * The version of a campaign's target in a site: the declared one, otherwise the one that its first machine there
     * has shown.
     */
    public static int target(CampaignStatus campaign, SiteId site) {
        CampaignSpec spec = campaign.acceptedCampaign().spec();
        int stated = declaredVersion(spec.target().option(), spec.target().expectedVersion());
        boolean isUndeclared = spec.target().expectedVersion() == null || stated == UNKNOWN;
        int observed = isUndeclared ? observedVersion(campaign, site) : UNKNOWN;
        return observed == UNKNOWN ? stated : observed;
    }

    /** Whether the version of a campaign's target is known from the target itself or from a machine of the site. */
    public static boolean isShown(CampaignStatus campaign, SiteId site) {
        return declaredVersion(campaign.acceptedCampaign().spec().target().option(), null) != UNKNOWN
                || observedVersion(campaign, site) != UNKNOWN;
    }

    private static int observedVersion(CampaignStatus campaign, SiteId site) {
        for (int i = 0; i < campaign.resolvedTargets().size(); i++) {
            CampaignStatus.ResolvedTarget each = campaign.resolvedTargets().get(i);
            int learned = each.appliesTo(site) ? parse(each.version()) : UNKNOWN;
            if (learned != UNKNOWN) {
                return learned;
            }
        }
        return UNKNOWN;
    }

    /** The version without its patch; consecutive minor versions differ by one. */
    public static int minor(int version) {
        return version >> PATCH_BITS;
    }

    /** Whether one version is older than another, as far as both are known. */
    public static boolean isOlder(int version, int than) {
        boolean whole = hasPatch(version) && hasPatch(than);
        return version != UNKNOWN && (whole ? version < than : minor(version) < minor(than));
    }

    /** The version as text. */
    public static String text(int version) {
        int minor = minor(version);
        return (minor >> MINOR_BITS) + "." + (minor & ((1 << MINOR_BITS) - 1))
                + (hasPatch(version) ? textOfPatch(version & ((1 << PATCH_BITS) - 1)) : "");
    }

    private static String textOfPatch(int patch) {
        return "." + ((patch >> 1) - 1) + ((patch & 1) == 0 ? " (pre-release)" : "");
    }

    /** The newer of two versions, as far as they are known. */
    public static int newer(int one, int other) {
        return one == UNKNOWN || isOlder(one, other) ? other : one;
    }

    /** The older of two versions, as far as they are known. */
    public static int older(int one, int other) {
        return one == UNKNOWN ? other : other == UNKNOWN ? one : Math.min(one, other);
    }

    private static boolean hasPatch(int version) {
        return (version & ((1 << PATCH_BITS) - 1)) != NO_PATCH;
    }

    private static int pastDigits(String text, int from) {
        int end = from;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end;
    }

    private static int number(String text, int from, int end) {
        int value = 0;
        for (int i = from; i < end && value < 100_000; i++) {
            value = value * 10 + text.charAt(i) - '0';
        }
        return value;
    }
}
