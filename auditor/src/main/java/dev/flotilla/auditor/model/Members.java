package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.Attempt;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.ClusterRow;
import dev.flotilla.auditor.wire.Driver;
import dev.flotilla.auditor.wire.Entry;
import dev.flotilla.auditor.wire.Intent;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.Spec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who belongs to what drives machines: whoever matches, and for good whoever has an entry. */
public final class Members {
    private static final String LOCAL_PATH = "localPath=";

    private final Fleet fleet;

    public Members(Fleet fleet) {
        this.fleet = fleet;
    }

    public boolean selected(MachineRow machine, Driver driver) {
        MachineStatus status = fleet.status(machine.id());
        if (status != null && status.entry(driver) != null) {
            return true;
        }
        return switch (driver) {
            case Driver.OfCampaign campaign -> matches(machine, fleet.campaign(campaign));
            case Driver.OfIntent intent ->
                !machine.optOut()
                        && machine.site().equals(intent.site())
                        && asked(machine).contains(intent.object());
        };
    }

    /** The objects whose annotations are about a machine, the one that goes first in front. */
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
        Spec.Selection select = campaign.spec().select();
        ClusterRow cluster = fleet.cluster(machine.cluster());
        return (select.sites().isEmpty() || select.sites().contains(machine.site()))
                && (select.clusters().isEmpty()
                        || (cluster != null && select.clusters().matches(cluster.labels())))
                && select.machines().matches(machine.labels())
                && (select.roles().isEmpty()
                        || select.roles().contains(machine.controlPlane() ? "control-plane" : "worker"))
                && (select.currentRelease().isEmpty() || select.currentRelease().contains(machine.release()))
                && !select.exclude().contains(machine.id());
    }

    /** Whether a driver has nothing more to do with a machine, or never had. */
    public boolean isDone(MachineRow machine, Driver driver) {
        MachineStatus status = fleet.status(machine.id());
        Entry entry = status == null ? null : status.entry(driver);
        if (entry == null) {
            return !selected(machine, driver);
        }
        return (machine.optOut() && (status == null || !status.inFlightFor(driver)))
                || entry.atTarget()
                || entry.skipped();
    }

    /** Whether a driver has begun with any member of a machine's control plane. */
    public boolean controlPlaneBegun(MachineRow machine, Driver driver) {
        for (MachineRow other : fleet.machinesOf(machine.cluster())) {
            MachineStatus status = fleet.status(other.id());
            if (other.controlPlane() && status != null && status.entry(driver) != null) {
                return true;
            }
        }
        return false;
    }

    /** Machines in flight that were admitted in a cluster as a role, and which its rows do not show as that any more. */
    public List<String> departed(String cluster, boolean controlPlane) {
        List<String> found = new ArrayList<>();
        for (String id : fleet.flights().admittedIn(cluster)) {
            MachineStatus status = fleet.status(id);
            Attempt attempt = status == null ? null : status.attempt();
            MachineRow row = fleet.machine(id);
            boolean shown = row != null && row.cluster().equals(cluster) && row.controlPlane() == controlPlane;
            if (attempt != null
                    && attempt.machine() != null
                    && attempt.machine().controlPlane() == controlPlane
                    && !shown) {
                found.add(id);
            }
        }
        return found;
    }

    /** Whether a campaign is to do something about a machine, and has not ended with it. */
    public boolean waits(MachineRow machine, Driver driver) {
        MachineStatus status = fleet.status(machine.id());
        Entry entry = status == null ? null : status.entry(driver);
        boolean open = status != null && status.attempt() != null;
        boolean ended =
                entry != null && entry.ended() && status != null && status.uid().equals(machine.uid());
        return selected(machine, driver) && !ended && !open && !machine.optOut();
    }

    /** The first intent about a machine that it has not ended for; null for none. */
    public @Nullable Intent firstIntent(MachineRow machine) {
        MachineStatus status = fleet.status(machine.id());
        for (String object : asked(machine)) {
            Intent intent = fleet.intent(machine.site() + " " + object);
            if (intent != null && isFollowed(intent, machine)) {
                Entry entry = status == null ? null : status.entry(intent.driver());
                if (entry == null || !entry.ended()) {
                    return intent;
                }
            }
        }
        return null;
    }

    /** In a pattern * is any text and ? any character. */
    private static boolean isTarget(String option, List<String> patterns) {
        return patterns.isEmpty()
                || patterns.stream()
                        .anyMatch(pattern -> option.matches(
                                "\\Q" + pattern.replace("?", "\\E.\\Q").replace("*", "\\E.*\\Q") + "\\E"));
    }

    /** A local path needs a directory that is allowed, and a machine's annotation is not about another one of its name. */
    private boolean isFollowed(Intent intent, MachineRow machine) {
        return isTarget(intent.option(), fleet.intents(machine.site()).targets())
                && (!intent.option().startsWith(LOCAL_PATH)
                        || fleet.intents(machine.site()).localPaths().stream()
                                .anyMatch(path -> intent.option().startsWith(LOCAL_PATH + path + "/")))
                && (!intent.object().startsWith("machine/") || intent.uid().equals(machine.uid()));
    }
}
