package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import org.jspecify.annotations.Nullable;

/** Which versions may follow each other in a machine and stand beside each other in a cluster, by what the rows show. */
final class VersionSkewInvariants {
    private static final int MOST_BEHIND = 3;

    private final ReferenceFleetState rows;

    VersionSkewInvariants(ReferenceFleetState rows) {
        this.rows = rows;
    }

    /** What a text says; the patch is null where it says none. */
    private record Version(int minor, @Nullable Integer patch) {
        static @Nullable Version of(@Nullable String text) {
            if (text == null) {
                return null;
            }
            String[] parts = (text.startsWith("v") ? text.substring(1) : text).split("[^0-9]", -1);
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
     * What a machine is to become, and for whom.
     *
     * @param version null where nobody says
     * @param learns whether one machine alone has to show it as long as nobody does
     * @param proven whether a success for it shows the version before the inventory does
     */
    private record Aim(
            RolloutRef driver,
            UpgradeTarget option,
            @Nullable Version version,
            boolean allowDowngrade,
            boolean learns,
            boolean proven) {}

    /** Why a campaign must not start a machine; null where it may. */
    @Nullable
    String forbiddenBecause(CampaignStatus campaign, MachineRow machine) {
        Aim aim = aim(campaign, machine);
        boolean here = !campaign.resolvedTargets().isEmpty();
        boolean shown =
                track(campaign) != null || learned(campaign, machine.key().site()) != null;
        return !shown && anyOther(aim, machine, here)
                ? "beside another, while no machine has shown which version that is"
                : breaks(aim, machine);
    }

    /** Why an annotation must not start a machine; null where it may. */
    @Nullable
    String forbiddenBecause(UpgradeIntent intent, MachineRow machine) {
        Aim aim = aim(intent);
        return aim.version() == null && aim.learns() && anyAsked(aim.option(), machine)
                ? "to where another of its site goes, while nobody knows which version that is"
                : breaks(aim, machine);
    }

    /** Whether it stays forbidden until somebody does something about it. */
    boolean outOfOrder(CampaignStatus campaign, MachineRow machine) {
        return breaks(aim(campaign, machine), machine) != null;
    }

    boolean outOfOrder(UpgradeIntent intent, MachineRow machine) {
        return breaks(aim(intent), machine) != null;
    }

    private static Aim aim(CampaignStatus campaign, MachineRow machine) {
        return new Aim(
                new RolloutRef.CampaignRef(campaign.name(), campaign.uid()),
                campaign.acceptedCampaign().spec().target(),
                target(campaign, machine.key().site()),
                campaign.acceptedCampaign().spec().constraints().allowDowngrade(),
                true,
                true);
    }

    private Aim aim(UpgradeIntent intent) {
        SiteId site = intent.object().site();
        UpgradePolicy.VersionRuleExemptions rule = rows.intentRule(site).versions();
        Version version = switch (intent.target()) {
            case UpgradeTarget.Channel channel -> Version.of(channel.channel());
            case UpgradeTarget.Revision revision -> shown(site, revision.revision());
            case UpgradeTarget.LocalPath path -> null;
        };
        return new Aim(
                new RolloutRef.IntentRef(intent.object(), intent.since()),
                intent.target(),
                version,
                rule.allowDowngrade(),
                !rule.allowUnknownVersion(),
                false);
    }

    /** The version that the machines of a site show together with a revision which nobody upgrades now; null where they differ. */
    private @Nullable Version shown(SiteId site, String revision) {
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

    private @Nullable String breaks(Aim aim, MachineRow machine) {
        Version target = aim.version();
        if (target == null) {
            return null;
        }
        Version shown = Version.of(machine.kubeletVersion());
        if (shown != null && target.isOlder(shown) && !aim.allowDowngrade()) {
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
                    && !(aim.proven() && isThere(other, aim.driver()))
                    && beside.minor() < target.minor()) {
                return "ahead of control-plane machine " + other.key();
            }
            if (!worker
                    && other.role() == MachineRole.WORKER
                    && !(aim.proven() && isThere(other, aim.driver()))
                    && target.minor() < beside.minor()) {
                return "below worker " + other.key();
            }
            if (!worker && other.role() == MachineRole.WORKER && target.minor() - beside.minor() > MOST_BEHIND) {
                return "too far ahead of worker " + other.key();
            }
        }
        return null;
    }

    /** What the campaign expects, where its track can bring that; else what was learned in the site; else the track's. */
    private static @Nullable Version target(CampaignStatus campaign, SiteId site) {
        Version track = track(campaign);
        Version expected = Version.of(campaign.acceptedCampaign().spec().expectedVersion());
        if (expected != null && (track == null || track.minor() == expected.minor())) {
            return expected;
        }
        Version learned = learned(campaign, site);
        return learned == null ? track : learned;
    }

    private static @Nullable Version track(CampaignStatus campaign) {
        return campaign.acceptedCampaign().spec().target() instanceof UpgradeTarget.Channel channel
                ? Version.of(channel.channel())
                : null;
    }

    private static @Nullable Version learned(CampaignStatus campaign, SiteId site) {
        return campaign.resolvedTargets().stream()
                .filter(each -> site.equals(each.site()) && each.version() != null)
                .map(each -> Version.of(each.version()))
                .findFirst()
                .orElse(null);
    }

    private boolean anyOther(Aim aim, MachineRow machine, boolean here) {
        return rows.statuses().stream()
                .filter(status ->
                        !here || status.key().site().equals(machine.key().site()))
                .anyMatch(status ->
                        !status.key().equals(machine.key()) && ReferenceFleetState.inFlight(status, aim.driver()));
    }

    private boolean anyAsked(UpgradeTarget option, MachineRow machine) {
        return rows.statuses().stream()
                .filter(status -> status.key().site().equals(machine.key().site())
                        && !status.key().equals(machine.key()))
                .map(MachineStatus::attempt)
                .anyMatch(attempt -> attempt != null
                        && attempt.rolloutRef() instanceof RolloutRef.IntentRef
                        && attempt.target().equals(option));
    }

    /** It has proved that it is at the campaign's target, whatever the inventory shows yet. */
    private boolean isThere(MachineRow machine, RolloutRef rolloutRef) {
        RolloutEntry entry = ReferenceFleetState.entry(rows.status(machine.key()), rolloutRef);
        return entry != null && entry.outcome().isAtTarget();
    }
}
