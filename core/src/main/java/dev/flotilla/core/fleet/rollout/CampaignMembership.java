package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineTable;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which machines are members of a campaign, by its selection and their entries, and how far each one is. */
final class CampaignMembership {
    private static final byte UNTESTED = 0;
    private static final byte MATCHES = 1;
    private static final byte DIFFERS = 2;

    private final MachineTable table;
    private final RolloutRef.CampaignRef rolloutRef;
    private final int rolloutNumber;
    private final MachineSelection selection;

    /** Whether the selection matches a set of labels, by the set's number. */
    private byte[] labelSets = new byte[0];

    CampaignMembership(MachineTable table, RolloutRef.CampaignRef rolloutRef, MachineSelection selection) {
        this.table = table;
        this.rolloutRef = rolloutRef;
        this.rolloutNumber = table.statuses().number(rolloutRef);
        this.selection = selection;
    }

    /** Whether the selection covers a cluster, so that its machines may be members. */
    boolean mayHaveMembersIn(ClusterState cluster) {
        ClusterRow row = cluster.row();
        return row != null
                && (selection.sites().isEmpty()
                        || selection.sites().contains(cluster.site().id()))
                && selection.clusters().matches(row.labels());
    }

    /** How far a machine is in the campaign; {@link MachineProgressState#NONE} if it is no member. */
    MachineProgressState progressStateOf(ClusterState cluster, MachineView machine) {
        int row = machine.row();
        MachineStatus whole = table.statuses().whole(row);
        if (whole == null) {
            if (table.statuses().isSmall(row) && table.statuses().rolloutNumber(row) == rolloutNumber) {
                MachineOutcome outcome = table.statuses().outcome(row);
                return outcome == MachineOutcome.OPEN ? stateWhileOpen(machine, 0, null) : stateWhenEnded(outcome);
            }
            return selects(cluster, machine) ? MachineProgressState.NOT_STARTED : MachineProgressState.NONE;
        }
        List<RolloutEntry> entries = whole.entries();
        // An iterator would allocate, and this runs for each machine of a cluster whenever the cluster changes.
        for (int i = 0; i < entries.size(); i++) {
            RolloutEntry entry = entries.get(i);
            if (entry.rolloutRef() instanceof RolloutRef.CampaignRef by
                    && by.uid() == rolloutRef.uid()
                    && by.name().equals(rolloutRef.name())) {
                return entry.outcome() == MachineOutcome.OPEN
                        ? stateWhileOpen(machine, entry.failedAttempts(), whole.attempt())
                        : stateWhenEnded(entry.outcome(), whole.attempt(), entry.failedAttempts());
            }
        }
        return selects(cluster, machine) ? MachineProgressState.NOT_STARTED : MachineProgressState.NONE;
    }

    private MachineProgressState stateWhileOpen(MachineView machine, int failed, @Nullable UpgradeAttempt attempt) {
        if (attempt != null && attempt.rolloutRef().equals(rolloutRef)) {
            return failed > 0 ? MachineProgressState.RETRYING : MachineProgressState.IN_FLIGHT;
        }
        if (machine.optOut()) {
            return MachineProgressState.SKIPPED;
        }
        return failed > 0 ? MachineProgressState.AWAITING_RETRY : MachineProgressState.NOT_STARTED;
    }

    /** A machine that is skipped during an attempt keeps its slot until the attempt ends. */
    private MachineProgressState stateWhenEnded(MachineOutcome outcome, @Nullable UpgradeAttempt attempt, int failed) {
        if (attempt != null && attempt.rolloutRef().equals(rolloutRef)) {
            return failed > 0 ? MachineProgressState.RETRYING : MachineProgressState.IN_FLIGHT;
        }
        return stateWhenEnded(outcome);
    }

    private static MachineProgressState stateWhenEnded(MachineOutcome outcome) {
        return switch (outcome) {
            case OPEN -> MachineProgressState.NOT_STARTED;
            case SUCCEEDED -> MachineProgressState.SUCCEEDED;
            case UNCHANGED -> MachineProgressState.UNCHANGED;
            case QUARANTINED -> MachineProgressState.QUARANTINED;
            case SKIPPED -> MachineProgressState.SKIPPED;
        };
    }

    private boolean selects(ClusterState cluster, MachineView machine) {
        if (!machine.isPresent() || machine.optOut() || !mayHaveMembersIn(cluster)) {
            return false;
        }
        // The labels, the release and the provider of an unreadable machine are unknown. It may be a member: nothing
        // completes and no worker starts before they are known.
        return (selection.roles().isEmpty() || selection.roles().contains(machine.role()))
                && (selection.excludedMachines().isEmpty()
                        || !selection.excludedMachines().contains(machine.key()))
                && (machine.unreadable()
                        || (matchesLabels(table.labelSet(machine.row()))
                                && (selection.currentReleases().isEmpty() || isCurrent(machine))
                                && (selection.providers().isEmpty()
                                        || selection.providers().contains(machine.provider()))));
    }

    private boolean isCurrent(MachineView machine) {
        String release = machine.release();
        return release != null && selection.currentReleases().contains(release);
    }

    private boolean matchesLabels(int set) {
        if (set >= labelSets.length) {
            labelSets = Arrays.copyOf(labelSets, Math.max(set + 1, labelSets.length * 2));
        }
        if (labelSets[set] == UNTESTED) {
            labelSets[set] = selection.machines().matches(table.labelsOf(set)) ? MATCHES : DIFFERS;
        }
        return labelSets[set] == MATCHES;
    }

    /** The wave in a machine's entry of this campaign; null for none. */
    @Nullable
    String entryWave(int row) {
        MachineStatus whole = table.statuses().whole(row);
        if (whole == null) {
            return table.statuses().isSmall(row) && table.statuses().rolloutNumber(row) == rolloutNumber
                    ? table.statuses().wave(row)
                    : null;
        }
        for (RolloutEntry entry : whole.entries()) {
            if (entry.rolloutRef().equals(rolloutRef)) {
                return entry.wave();
            }
        }
        return null;
    }
}
