package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** Changes to a fleet's objects while a campaign runs, made by other people and controllers or by accident. */
final class ObjectFaults {
    private static final int MINUTE = 60_000;
    private static final int HEARTBEAT = -1;

    private final SeededRandom chance;
    private final SeededRandom heartbeats;
    private final SimFleet fleet;
    private final OperatorTableWriter operatorTableWriter;
    private final VirtualClockScheduler scheduler;
    private final Function<String, SimNode> newNode;
    private int replaced;

    ObjectFaults(
            SeededRandom chance,
            SimFleet fleet,
            OperatorTableWriter operatorTableWriter,
            VirtualClockScheduler scheduler,
            Function<String, SimNode> newNode) {
        this.chance = chance;
        this.heartbeats = chance.split("heartbeats");
        this.fleet = fleet;
        this.operatorTableWriter = operatorTableWriter;
        this.scheduler = scheduler;
        this.newNode = newNode;
    }

    /** Changes a random machine. */
    void injectMachineFault() {
        List<SimMachine> machines = fleet.machines();
        if (machines.isEmpty()) {
            return;
        }
        SimMachine machine = chance.pick(machines);
        long length = chance.between(2 * MINUTE, 40 * MINUTE);
        switch (chance.below(13)) {
            case 0 -> {
                fleet.setHold(machine, true);
                scheduler.after(length, () -> fleet.setHold(machine, false));
            }
            case 1 -> {
                fleet.setPaused(machine, true);
                scheduler.after(length, () -> fleet.setPaused(machine, false));
            }
            case 2 -> fleet.setOptOut(machine, !machine.optOut());
            case 3 -> {
                fleet.setForeign(machine, true);
                scheduler.after(length, () -> fleet.setForeign(machine, false));
            }
            case 4 -> fleet.relabel(machine, labels("pool", chance.pick(List.of("a", "b", "c"))));
            case 5 -> {
                replaced++;
                fleet.replace(machine, newNode.apply(machine.node().name() + "-r" + replaced));
            }
            case 6 -> {
                fleet.delete(machine);
                scheduler.after(length / 4, () -> {
                    if (fleet.machine(machine.key()) == machine) {
                        fleet.remove(machine);
                    }
                });
            }
            case 7 -> machine.node().makeUnreachable(chance.between(10_000, 5 * MINUTE));
            case 8 -> machine.node().startUnsolicitedRefresh(machine.node().revision() + 1);
            case 9 -> {
                machine.node().setReady(false);
                scheduler.after(length, () -> machine.node().setReady(true));
            }
            case 10 -> {
                machine.node().setBadCredentials(true);
                scheduler.after(length, () -> machine.node().setBadCredentials(false));
            }
            case 11 -> fleet.setIntent(machine, RandomUpgradeTargets.randomTarget(chance, machine));
            default ->
                fleet.setIntent(
                        machine, chance.percent(50) ? null : RandomUpgradeTargets.randomTarget(chance, machine));
        }
    }

    /** Changes a random cluster. */
    void injectClusterFault() {
        List<SimCluster> clusters = fleet.clusters();
        SimCluster cluster = chance.pick(clusters);
        long length = chance.between(2 * MINUTE, 30 * MINUTE);
        switch (chance.below(5)) {
            case 0 -> {
                fleet.setHold(cluster, true);
                scheduler.after(length, () -> fleet.setHold(cluster, false));
            }
            case 1 -> {
                fleet.setPaused(cluster, true);
                scheduler.after(length, () -> fleet.setPaused(cluster, false));
            }
            case 2 -> fleet.relabel(cluster, labels(RandomCampaigns.TIER, chance.pick(RandomCampaigns.TIERS)));
            case 3 -> fleet.setIntent(cluster, RandomUpgradeTargets.randomTarget(chance, cluster));
            default -> fleet.setIntent(cluster, null);
        }
    }

    /** Shows one node in two sites, until one of them removes its machine. */
    void duplicateNode() {
        List<SimSite> sites = new ArrayList<>(fleet.sites());
        List<SimMachine> machines = fleet.machines();
        if (machines.isEmpty()) {
            return;
        }
        SimMachine machine = chance.pick(machines);
        sites.removeIf(site ->
                site.id().equals(machine.key().site()) || site.clusters().isEmpty());
        if (sites.isEmpty()) {
            return;
        }
        SimSite other = chance.pick(sites);
        SimCluster cluster = chance.pick(other.clusters());
        SimMachine duplicate = fleet.addMachine(
                other, cluster, machine.key().name() + "-twin", machine.role(), Labels.NONE, machine.node());
        scheduler.after(chance.between(MINUTE, 30 * MINUTE), () -> fleet.remove(duplicate));
    }

    /** Removes many machines of a site at once. */
    void removeManyMachines() {
        SimSite site = chance.pick(new ArrayList<>(fleet.sites()));
        List<SimMachine> machines = new ArrayList<>(site.machines());
        int many = Math.min(machines.size() / 2, chance.between(11, 20));
        for (int i = 0; i < many && machines.size() > 12; i++) {
            fleet.remove(machines.get(machines.size() - 1 - i));
        }
    }

    /** Makes a record of an input table unreadable until it is written again; a tombstone does not suffice. */
    void writeUnreadableRecord() {
        List<RowKey> keys = new ArrayList<>();
        operatorTableWriter.campaigns().keySet().forEach(name -> {
            keys.add(new RowKey(Table.CAMPAIGNS, name));
            keys.add(new RowKey(Table.ORDERS, new OperatorOrderKey.SetCampaignState(name)));
        });
        operatorTableWriter.policies().keySet().forEach(scope -> keys.add(new RowKey(Table.POLICIES, scope)));
        keys.add(new RowKey(Table.POLICIES, FleetScope.FLEET));
        for (Table table : List.of(Table.FREEZES, Table.ORDERS)) {
            keys.add(new RowKey(table, new OperatorOrderKey.FreezeFleet()));
            fleet.sites().forEach(site -> keys.add(new RowKey(table, new OperatorOrderKey.FreezeSite(site.id()))));
        }
        keys.add(new RowKey(Table.AUDITOR_ORDERS, new OperatorOrderKey.FreezeFleet()));
        RowKey key = chance.pick(keys);
        operatorTableWriter.writeUnreadableRecord(TablePartition.of(key.table()), key);
        long until = chance.between(MINUTE, 30 * MINUTE);
        if (key.table() != Table.CAMPAIGNS) {
            scheduler.after(until / 2, () -> operatorTableWriter.tombstone(key));
        }
        scheduler.after(until, operatorTableWriter::rewrite);
    }

    /** Makes a record of a site's inventory or intents unreadable until the watcher writes it again. */
    void writeUnreadableInventory(Consumer<SiteId> resync) {
        List<SimMachine> machines = fleet.machines();
        if (machines.isEmpty()) {
            return;
        }
        SimMachine machine = chance.pick(machines);
        SiteId site = machine.key().site();
        RowKey key = switch (heartbeats.percent(20) ? HEARTBEAT : chance.below(4)) {
            case 0 -> new RowKey(Table.INVENTORY, machine.cluster().key());
            case 1 -> new RowKey(Table.INTENTS, intentObject(machine));
            case HEARTBEAT -> new RowKey(Table.INVENTORY, site);
            default -> new RowKey(Table.INVENTORY, machine.key());
        };
        operatorTableWriter.writeUnreadableRecord(TablePartition.of(key.table(), site), key);
        scheduler.after(chance.between(MINUTE, 30 * MINUTE), () -> resync.accept(site));
    }

    /** The object that has the intent for a machine, or could have it. */
    private static ObjectKey intentObject(SimMachine machine) {
        if (machine.intent() != null) {
            return machine.key();
        }
        return machine.owner().intent() != null
                ? machine.owner().key()
                : machine.cluster().key();
    }

    private static Labels labels(String key, String value) {
        SortedMap<String, String> labels = new TreeMap<>();
        labels.put(key, value);
        labels.put("region", "north");
        return new Labels(labels);
    }
}
