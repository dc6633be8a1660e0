package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.CampaignSpec;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.ClusterRow;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RolloutEntry;
import dev.flotilla.auditor.wire.RolloutRef;
import dev.flotilla.auditor.wire.UpgradeAttempt;
import dev.flotilla.auditor.wire.UpgradeIntent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The members of rollouts: machines that match, and permanently those that have an entry. */
public final class RolloutMembership {

    private final FleetTables fleetTables;

    public RolloutMembership(FleetTables fleetTables) {
        this.fleetTables = fleetTables;
    }

    public boolean isSelected(MachineRow machine, RolloutRef rolloutRef) {
        MachineStatus status = fleetTables.status(machine.id());
        if (status != null && status.entry(rolloutRef) != null) {
            return true;
        }
        return switch (rolloutRef) {
            case RolloutRef.CampaignRef campaign -> matches(machine, fleetTables.campaign(campaign));
            case RolloutRef.IntentRef intent ->
                !machine.optOut()
                        && machine.site().equals(intent.site())
                        && asked(machine).contains(intent.object())
                        && !isIgnored(intent, machine);
        };
    }

    /** Whether an intent is known and a machine does not follow it. */
    private boolean isIgnored(RolloutRef.IntentRef intent, MachineRow machine) {
        UpgradeIntent known = fleetTables.intent(intent.site() + " " + intent.object());
        return known != null && known.rollout().equals(intent) && !isFollowed(known, machine);
    }

    /** The objects whose intents target a machine, in order of precedence. */
    private static List<String> asked(MachineRow machine) {
        List<String> objects = new ArrayList<>();
        objects.add("machine/" + inSite(machine.id()));
        if (machine.owner() != null) {
            objects.add(machine.owner());
        }
        objects.add("cluster/" + inSite(machine.cluster()));
        return objects;
    }

    private static String inSite(String id) {
        return id.substring(id.indexOf('/') + 1);
    }

    private boolean matches(MachineRow machine, @Nullable CampaignStatus campaign) {
        if (campaign == null || machine.optOut()) {
            return false;
        }
        CampaignSpec.MachineSelection select = campaign.spec().select();
        ClusterRow cluster = fleetTables.cluster(machine.cluster());
        return (select.sites().isEmpty() || select.sites().contains(machine.site()))
                && (select.clusters().isEmpty()
                        || (cluster != null && select.clusters().matches(cluster.labels())))
                && select.machines().matches(machine.labels())
                && (select.roles().isEmpty()
                        || select.roles().contains(machine.controlPlane() ? "control-plane" : "worker"))
                && (select.currentRelease().isEmpty() || select.currentRelease().contains(machine.release()))
                && (select.providers().isEmpty()
                        || select.providers().contains(fleetTables.policies().providerOf(machine)))
                && !select.exclude().contains(machine.id());
    }

    /** Whether a rollout has ended for a machine, or never targeted it. */
    public boolean isDone(MachineRow machine, RolloutRef rolloutRef) {
        MachineStatus status = fleetTables.status(machine.id());
        RolloutEntry rolloutEntry = status == null ? null : status.entry(rolloutRef);
        if (rolloutEntry == null) {
            return !isSelected(machine, rolloutRef);
        }
        return (machine.optOut() && (status == null || !status.isInFlightFor(rolloutRef)))
                || rolloutEntry.isAtTarget()
                || rolloutEntry.isSkipped();
    }

    /** Whether a rollout has started upgrading any member of a machine's control plane. */
    public boolean hasStartedControlPlane(MachineRow machine, RolloutRef rolloutRef) {
        for (MachineRow other : fleetTables.machinesOf(machine.cluster())) {
            MachineStatus status = fleetTables.status(other.id());
            if (other.controlPlane() && status != null && status.entry(rolloutRef) != null) {
                return true;
            }
        }
        return false;
    }

    /** Machines in flight that were admitted in a cluster with a role, and whose rows no longer show that. */
    public List<String> departedMachines(String cluster, boolean controlPlane) {
        List<String> found = new ArrayList<>();
        for (String id : fleetTables.inFlight().admittedIn(cluster)) {
            MachineStatus status = fleetTables.status(id);
            UpgradeAttempt upgradeAttempt = status == null ? null : status.attempt();
            MachineRow row = fleetTables.machine(id);
            boolean shown = row != null && row.cluster().equals(cluster) && row.controlPlane() == controlPlane;
            if (upgradeAttempt != null
                    && upgradeAttempt.machine() != null
                    && upgradeAttempt.machine().controlPlane() == controlPlane
                    && !shown) {
                found.add(id);
            }
        }
        return found;
    }

    /** Whether a campaign targets a machine and has not ended for it. */
    public boolean isWaiting(MachineRow machine, RolloutRef rolloutRef) {
        MachineStatus status = fleetTables.status(machine.id());
        RolloutEntry rolloutEntry = status == null ? null : status.entry(rolloutRef);
        boolean open = status != null && status.attempt() != null;
        boolean ended = rolloutEntry != null
                && rolloutEntry.hasEnded()
                && status != null
                && status.uid().equals(machine.uid());
        return isSelected(machine, rolloutRef) && !ended && !open && !machine.optOut();
    }

    /** The first intent for a machine that has not ended for it; null if there is none. */
    public @Nullable UpgradeIntent firstIntent(MachineRow machine) {
        MachineStatus status = fleetTables.status(machine.id());
        for (String object : asked(machine)) {
            UpgradeIntent upgradeIntent = fleetTables.intent(machine.site() + " " + object);
            if (upgradeIntent != null && isFollowed(upgradeIntent, machine)) {
                RolloutEntry rolloutEntry = status == null ? null : status.entry(upgradeIntent.rollout());
                if (rolloutEntry == null || !rolloutEntry.hasEnded()) {
                    return upgradeIntent;
                }
            }
        }
        return null;
    }

    /** The intent of the UpgradeTask that requests a machine's upgrade; null for none. */
    public @Nullable UpgradeIntent taskIntent(MachineRow machine) {
        UpgradeIntent intent = fleetTables.intent(machine.site() + " machine/"
                + machine.id().substring(machine.id().indexOf('/') + 1));
        return intent != null && intent.isOfTask() && intent.uid().equals(machine.uid()) ? intent : null;
    }

    /** In a pattern, * is any text and ? any character. */
    private static boolean isTarget(String option, List<String> patterns) {
        return patterns.isEmpty()
                || patterns.stream()
                        .anyMatch(pattern -> option.matches(
                                "\\Q" + pattern.replace("?", "\\E.\\Q").replace("*", "\\E.*\\Q") + "\\E"));
    }

    /**
     * A local path needs an allowed directory, the machine's provider must be able to apply the target, and a machine's
     * intent does not apply to another machine of the same name.
     */
    private boolean isFollowed(UpgradeIntent upgradeIntent, MachineRow machine) {
        return isTarget(
                        upgradeIntent.target(),
                        fleetTables.policies().intents(machine.site()).targets())
                && fleetTables.policies().allowsPath(machine, upgradeIntent.target())
                && fleetTables.policies().canApply(machine, upgradeIntent.target())
                && (!upgradeIntent.object().startsWith("machine/")
                        || upgradeIntent.uid().equals(machine.uid()));
    }
}
