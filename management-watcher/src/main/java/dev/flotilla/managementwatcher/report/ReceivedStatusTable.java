package dev.flotilla.managementwatcher.report;

import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.OrchestratorRowReader;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.ClusterUpgradeKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.trace.AttemptTrace;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The orchestrator's rows about a site, as far as they were read. */
public final class ReceivedStatusTable {
    private static final OrchestratorRowReader ROWS = new OrchestratorRowReader("management-watcher");

    private final Map<MachineKey, ReceivedMachineStatus> machines = new HashMap<>();
    private final Map<ObjectKey, IntentStatus> objects = new HashMap<>();
    private final Map<ClusterKey, ClusterUpgrade> upgrades = new TreeMap<>();
    private @Nullable SiteStatus site;

    /** Applies a record and returns the object that it is about; null for none. Unreadable records are ignored. */
    public @Nullable ObjectKey applyRecord(ConsumedRecord consumedRecord) {
        return switch (ROWS.read(consumedRecord)) {
            case MachineStatus row -> {
                machines.put(
                        row.key(),
                        ReceivedMachineStatus.receive(
                                machines.get(row.key()),
                                row,
                                Instant.ofEpochMilli(consumedRecord.appendedAt()),
                                AttemptTrace.parse(
                                        consumedRecord.record().headers().traceparent())));
                yield row.key();
            }
            case IntentStatus row -> {
                objects.put(row.object(), row);
                yield row.object();
            }
            case ClusterUpgrade row -> {
                upgrades.put(row.cluster(), row);
                yield null;
            }
            case SiteStatus row -> {
                site = row;
                yield null;
            }
            case Tombstone tombstone -> {
                if (tombstone.rowKey().key() instanceof ClusterUpgradeKey upgrade) {
                    upgrades.remove(upgrade.cluster());
                }
                if (!(tombstone.rowKey().key() instanceof ObjectKey key)) {
                    yield null;
                }
                objects.remove(key);
                if (key instanceof MachineKey machine) {
                    machines.remove(machine);
                }
                yield key;
            }
            case null -> null;
            default -> null;
        };
    }

    @Nullable
    ReceivedMachineStatus machineStatus(MachineKey key) {
        return machines.get(key);
    }

    /** Marks that a machine's object shows its status. */
    void markShown(MachineKey key) {
        machines.computeIfPresent(key, (same, receivedMachineStatus) -> receivedMachineStatus.asShown());
    }

    @Nullable
    IntentStatus objectStatus(ObjectKey key) {
        return objects.get(key);
    }

    /** Returns the clusters that campaigns have opened. */
    public Collection<ClusterUpgrade> clusterUpgrades() {
        return upgrades.values();
    }

    /** Returns the order by which a mass removal was accepted; null for none. */
    public @Nullable String acceptedRemovalOrder() {
        return site == null ? null : site.acceptedRemoval();
    }

    /** Returns why all intents of the site wait; null for nothing. */
    @Nullable
    String siteWaitReason() {
        return site == null ? null : site.blockedReason();
    }

    /** Returns what the policies allow in the site; null while the orchestrator has not said it. */
    public @Nullable SiteAnnotationRules annotationRules() {
        return site == null ? null : site.rules();
    }
}
