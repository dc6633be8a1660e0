package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.VersionRuleExemptions;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which versions may follow each other on a machine and coexist in a cluster, by what the rows show. */
final class VersionSkewInvariants {
    private static final int MAX_MINORS_BEHIND = 3;
    private static final Pattern NO_DIGIT = Pattern.compile("[^0-9]");

    private final ReferenceFleetState rows;

    VersionSkewInvariants(ReferenceFleetState rows) {
        this.rows = rows;
    }

    /** A parsed version; the patch is null if the text has none. */
    private record Version(int minor, @Nullable Integer patch) {
        static @Nullable Version of(@Nullable String text) {
            if (text == null) {
                return null;
            }
            String[] parts = NO_DIGIT.split(text.startsWith("v") ? text.substring(1) : text, -1);
            boolean good = parts.length >= 2 && !parts[0].isEmpty() && !parts[1].isEmpty();
            boolean patched = good && parts.length > 2 && !parts[2].isEmpty();
            return good
                    ? new Version(
                            Integer.parseInt(parts[0]) * 1000 + Integer.parseInt(parts[1]),
                            patched ? Integer.valueOf(parts[2]) : null)
                    : null;
        }

        boolean isOlder(Version than) {
            return minor < than.minor
                    || (minor == than.minor && patch != null && than.patch != null && patch < than.patch);
        }
    }

    /**
     * The target of a machine, and the rollout that it belongs to.
     *
     * @param version null if it is unknown
     * @param mustResolveAlone whether one machine alone must resolve an unknown version
     * @param successProves whether a success in the rollout proves the version before the inventory shows it
     */
    private record TargetVersion(
            RolloutRef rolloutRef,
            UpgradeTarget target,
            @Nullable Version version,
            boolean allowDowngrade,
            boolean mustResolveAlone,
            boolean successProves) {}

    /** Why a campaign must not start a machine; null if it may. */
    @Nullable
    String problemOf(CampaignStatus campaign, MachineRow machine) {
        TargetVersion wanted = targetVersion(campaign, machine);
        boolean here = !campaign.resolvedTargets().isEmpty();
        boolean shown = trackVersion(campaign) != null
                || resolvedVersion(campaign, machine.key().site()) != null;
        return !shown && isAnyOtherInFlight(wanted, machine, here)
                ? "in parallel with another, although its target is not resolved yet"
                : problemWith(wanted, machine);
    }

    /** Why an intent must not start a machine; null if it may. */
    @Nullable
    String problemOf(UpgradeIntent intent, MachineRow machine) {
        TargetVersion wanted = targetVersion(intent);
        return wanted.version() == null
                        && wanted.mustResolveAlone()
                        && isAnyOtherIntentInFlight(wanted.target(), machine)
                ? "in parallel with another of its site to the same target, which is not resolved yet"
                : problemWith(wanted, machine);
    }

    /** Whether the version rules forbid it until an operator intervenes. */
    boolean breaksVersionRules(CampaignStatus campaign, MachineRow machine) {
        return problemWith(targetVersion(campaign, machine), machine) != null;
    }

    boolean breaksVersionRules(UpgradeIntent intent, MachineRow machine) {
        return problemWith(targetVersion(intent), machine) != null;
    }

    private static TargetVersion targetVersion(CampaignStatus campaign, MachineRow machine) {
        return new TargetVersion(
                new RolloutRef.CampaignRef(campaign.name(), campaign.uid()),
                campaign.acceptedCampaign().spec().target().option(),
                expectedVersion(campaign, machine.key().site()),
                campaign.acceptedCampaign().spec().target().allowDowngrade(),
                true,
                true);
    }

    private TargetVersion targetVersion(UpgradeIntent intent) {
        SiteId site = intent.object().site();
        VersionRuleExemptions rule = rows.intentRule(site).versions();
        Version version = switch (intent.target()) {
            case UpgradeTarget.Channel channel -> Version.of(channel.channel());
            case UpgradeTarget.Revision revision -> shownVersion(site, revision.revision());
            case UpgradeTarget.LocalPath path -> null;
            case UpgradeTarget.KubernetesRelease release -> Version.of(release.version());
            case UpgradeTarget.MachineSpecHash hash -> Version.of(intent.expectedVersion());
        };
        return new TargetVersion(
                new RolloutRef.IntentRef(intent.object(), intent.requestedAt()),
                intent.target(),
                version,
                rule.allowDowngrade(),
                !rule.allowUnknownVersion(),
                false);
    }

    /**
     * The version that the machines of a site show together with a revision, leaving out machines in flight; null if
     * they differ.
     */
    private @Nullable Version shownVersion(SiteId site, String revision) {
        Version newest = null;
        for (MachineRow row : rows.machines()) {
            Version version = Version.of(row.kubeletVersion());
            if (version == null
                    || !row.key().site().equals(site)
                    || !revision.equals(row.revision())
                    || rows.isInFlightAnywhere(row)) {
                continue;
            }
            if (newest != null && newest.minor() != version.minor()) {
                return null;
            }
            newest = newest == null || newest.isOlder(version) ? version : newest;
        }
        return newest;
    }

    private @Nullable String problemWith(TargetVersion wanted, MachineRow machine) {
        Version target = wanted.version();
        if (target == null) {
            return null;
        }
        Version shown = Version.of(machine.kubeletVersion());
        if (shown != null && target.isOlder(shown) && !wanted.allowDowngrade()) {
            return "to an older version than it shows";
        }
        if (shown != null && target.minor() - shown.minor() > 1) {
            return "over more than one minor version";
        }
        if (shown != null && shown.minor() - target.minor() > 1) {
            return "back over more than one minor version";
        }
        boolean worker = machine.role() == MachineRole.WORKER;
        for (MachineRow other : rows.machines(machine.clusterKey())) {
            Version beside = Version.of(other.kubeletVersion());
            if (beside == null) {
                continue;
            }
            if (worker
                    && other.role() == MachineRole.CONTROL_PLANE
                    && !(wanted.successProves() && isAtTarget(other, wanted.rolloutRef()))
                    && beside.minor() < target.minor()) {
                return "ahead of control-plane machine " + other.key();
            }
            if (!worker
                    && other.role() == MachineRole.WORKER
                    && !(wanted.successProves() && isAtTarget(other, wanted.rolloutRef()))
                    && target.minor() < beside.minor()) {
                return "below worker " + other.key();
            }
            if (!worker && other.role() == MachineRole.WORKER && target.minor() - beside.minor() > MAX_MINORS_BEHIND) {
                return "too far ahead of worker " + other.key();
            }
        }
        return null;
    }

    /**
     * The version that the campaign expects, if its track can contain it; otherwise the one resolved in the site,
     * otherwise the track's.
     */
    private static @Nullable Version expectedVersion(CampaignStatus campaign, SiteId site) {
        Version track = trackVersion(campaign);
        Version expected =
                Version.of(campaign.acceptedCampaign().spec().target().expectedVersion());
        if (expected != null && (track == null || track.minor() == expected.minor())) {
            return expected;
        }
        Version learned = resolvedVersion(campaign, site);
        return learned == null ? track : learned;
    }

    private static @Nullable Version trackVersion(CampaignStatus campaign) {
        return switch (campaign.acceptedCampaign().spec().target().option()) {
            case UpgradeTarget.Channel channel -> Version.of(channel.channel());
            case UpgradeTarget.KubernetesRelease release -> Version.of(release.version());
            case UpgradeTarget.Revision revision -> null;
            case UpgradeTarget.LocalPath path -> null;
            case UpgradeTarget.MachineSpecHash hash -> null;
        };
    }

    private static @Nullable Version resolvedVersion(CampaignStatus campaign, SiteId site) {
        return campaign.resolvedTargets().stream()
                .filter(each -> site.equals(each.site()) && each.version() != null)
                .map(each -> Version.of(each.version()))
                .findFirst()
                .orElse(null);
    }

    private boolean isAnyOtherInFlight(TargetVersion wanted, MachineRow machine, boolean here) {
        return rows.statuses().stream()
                .filter(status ->
                        !here || status.key().site().equals(machine.key().site()))
                .anyMatch(status -> !status.key().equals(machine.key())
                        && ReferenceFleetState.inFlight(status, wanted.rolloutRef()));
    }

    private boolean isAnyOtherIntentInFlight(UpgradeTarget option, MachineRow machine) {
        return rows.statuses().stream()
                .filter(status -> status.key().site().equals(machine.key().site())
                        && !status.key().equals(machine.key()))
                .map(MachineStatus::attempt)
                .anyMatch(attempt -> attempt != null
                        && attempt.rolloutRef() instanceof RolloutRef.IntentRef
                        && attempt.target().equals(option));
    }

    /**
     * Whether the machine has proved that it is at the rollout's target, even if the inventory does not show it yet.
     */
    private boolean isAtTarget(MachineRow machine, RolloutRef rolloutRef) {
        RolloutEntry entry = ReferenceFleetState.entry(rows.status(machine.key()), rolloutRef);
        return entry != null && entry.outcome().isAtTarget();
    }
}
