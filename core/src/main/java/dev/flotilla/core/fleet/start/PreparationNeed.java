package dev.flotilla.core.fleet.start;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.core.fleet.time.PreparationLimits;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.MachinePreparation.PreparationProgress;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a machine needs a preparation for a campaign, and between which instants. */
public final class PreparationNeed {
    private PreparationNeed() {}

    /**
     * When the time allows machines of a cluster to start, whatever other gates say. It is not after the given instant if it does now;
     * null if it never will.
     */
    public static @Nullable Instant startsAt(
            FleetStateReader state, CampaignRollout campaign, ClusterState cluster, Instant now) {
        Instant begin = campaign.spec().startAt();
        Instant from = begin == null || campaign.hasStarted(now) ? now : begin;
        return state.windowOpensAt(campaign, cluster, from, 1);
    }

    /** Whether a machine may start too soon after an instant for a preparation to be worth it. */
    public static boolean isTooLate(Instant startsAt, Instant now) {
        return startsAt.isBefore(now.plus(PreparationLimits.SHORTEST));
    }

    /**
     * Whether the time or the waves hold back the machines of a wave: it is open and the time does not allow starts, or it is the wave
     * that opens next and needs no further approval.
     *
     * @param mayStart whether the time allows starts
     */
    public static boolean isHeldBack(CampaignRollout campaign, int number, boolean mayStart) {
        List<WaveProgress> waves = campaign.waves();
        if (number >= waves.size()) {
            return false;
        }
        WaveProgress wave = waves.get(number);
        if (wave.isUnderWay()) {
            return !mayStart;
        }
        return !wave.isOpen()
                && wave.mayOpen()
                && (number == 0
                        || (waves.get(number - 1).isOpen()
                                && !waves.get(number - 1).awaitsApproval()));
    }

    /** Whether a machine has not begun its upgrade, can be prepared, and is not. */
    public static boolean isUnprepared(CampaignRollout campaign, ClusterState cluster, MachineView machine) {
        MachinePreparation known = machine.preparation();
        return machine.provider().canPrepare()
                && campaign.progressStateOf(cluster, machine) == MachineProgressState.NOT_STARTED
                && (known == null || mayFollow(known, campaign, machine));
    }

    private static boolean mayFollow(MachinePreparation known, CampaignRollout campaign, MachineView machine) {
        return switch (known.progress()) {
            case PreparationProgress.Preparing preparing -> false;
            case PreparationProgress.Prepared prepared -> !isFor(known, campaign, machine);
            case PreparationProgress.PreparationFailed failed ->
                failed.retryAt() != null || !isFor(known, campaign, machine);
        };
    }

    /** When a preparation of a machine that has failed may be tried again; null for at once. */
    public static @Nullable Instant retryAt(CampaignRollout campaign, MachineView machine) {
        MachinePreparation known = machine.preparation();
        return known != null
                        && isFor(known, campaign, machine)
                        && known.progress() instanceof PreparationProgress.PreparationFailed failed
                ? failed.retryAt()
                : null;
    }

    private static boolean isFor(MachinePreparation known, CampaignRollout campaign, MachineView machine) {
        UpgradeTarget target = campaign.targetOf(machine);
        return known.isFor(target, machine.nodeUpgradeTemplate());
    }
}
