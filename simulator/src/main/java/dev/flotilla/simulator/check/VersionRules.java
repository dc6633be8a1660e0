package dev.flotilla.simulator.check;

import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.UpgradeOption;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which versions may follow each other in a machine and stand beside each other in a cluster, by what the rows show. */
final class VersionRules {
    private static final int MOST_BEHIND = 3;

    private final Recount rows;

    VersionRules(Recount rows) {
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

    /** Why a campaign must not start a machine; null where it may. */
    @Nullable
    String forbids(CampaignStatus campaign, MachineRow machine) {
        Version target = target(campaign);
        if (target == null) {
            boolean learns = !(campaign.accepted().spec().target() instanceof UpgradeOption.Channel);
            return learns && anyOther(campaign, machine)
                    ? "beside another, while nobody knows which version that is"
                    : null;
        }
        Version shown = Version.of(machine.kubeletVersion());
        if (shown != null
                && target.isOlder(shown)
                && !campaign.accepted().spec().terms().allowDowngrade()) {
            return "to an older version than it shows";
        }
        if (shown != null && target.minor() - shown.minor() > 1) {
            return "over more than one minor version";
        }
        boolean worker = machine.role() == Role.WORKER;
        for (MachineRow other : rows.machines(machine.clusterKey())) {
            Version beside = Version.of(other.kubeletVersion());
            if (beside == null) {
                continue;
            }
            if (worker
                    && other.role() == Role.CONTROL_PLANE
                    && !isThere(other, campaign)
                    && beside.minor() < target.minor()) {
                return "ahead of control-plane machine " + other.key();
            }
            if (!worker && other.role() == Role.WORKER && target.minor() - beside.minor() > MOST_BEHIND) {
                return "too far ahead of worker " + other.key();
            }
        }
        return null;
    }

    private static @Nullable Version target(CampaignStatus campaign) {
        String expected = campaign.accepted().spec().expectedVersion();
        if (expected != null) {
            return Version.of(expected);
        }
        Stream<String> learned =
                campaign.learned().stream().map(CampaignStatus.Learned::version).filter(Objects::nonNull);
        List<String> known = learned.toList();
        return !known.isEmpty()
                ? Version.of(known.get(0))
                : campaign.accepted().spec().target() instanceof UpgradeOption.Channel channel
                        ? Version.of(channel.channel())
                        : null;
    }

    private boolean anyOther(CampaignStatus campaign, MachineRow machine) {
        Driver driver = new Driver.OfCampaign(campaign.name(), campaign.uid());
        return rows.statuses().stream()
                .anyMatch(status -> !status.key().equals(machine.key()) && Recount.inFlight(status, driver));
    }

    /** It has proved that it is at the campaign's target, whatever the inventory shows yet. */
    private boolean isThere(MachineRow machine, CampaignStatus campaign) {
        MachineStatus status = rows.status(machine.key());
        Entry entry = Recount.entry(status, new Driver.OfCampaign(campaign.name(), campaign.uid()));
        return entry != null && entry.outcome().atTarget();
    }
}
