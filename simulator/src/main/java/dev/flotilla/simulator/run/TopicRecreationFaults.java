package dev.flotilla.simulator.run;

import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.leader.SimOrchestrator;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Deletes a topic of a site and creates it again, and lets an operator adopt it as the documentation says: once its
 * writers have written again, and, if attempts would be forgotten, once nothing runs there any more and every command
 * lease has expired. Leaders change before, during and after it.
 */
final class TopicRecreationFaults {
    private static final int MINUTE = 60_000;
    private static final int WORLDS_WITH_LOSSES = 20;
    private static final int MAX_LENGTH = 40 * MINUTE;
    private static final int CHECK_INTERVAL = 5000;

    /** After this time every record that was decided on has been read, so the loss stays unnoticed. */
    private static final int NOTICE_TIMEOUT = 10 * MINUTE;

    /** The percentage of losses of input topics in which the topic only becomes shorter. */
    private static final int TRUNCATED_PERCENT = 25;

    /** The percentage of operators who do not wait until the watcher has written again. */
    private static final int HASTY_PERCENT = 30;

    /** After this time no earlier command can be acted on. */
    private static final long COMMAND_LEASES_END = 17L * MINUTE;

    private static final List<Table> TABLES =
            List.of(Table.INVENTORY, Table.INTENTS, Table.PROGRESS, Table.STATUS, Table.COMMANDS);

    private final SimWorld world;
    private final SeededRandom chance;
    private final List<SiteId> sites;
    private final Map<SiteId, Loss> lossesBySite = new LinkedHashMap<>();

    /** What was lost when, whether its operator is hasty, and when the operator last ordered the adoption. */
    private static final class Loss {
        private final Table table;
        private final long at;
        private final boolean hasty;
        private long ordered;

        private Loss(Table table, long at, boolean hasty) {
            this.table = table;
            this.at = at;
            this.hasty = hasty;
        }
    }

    /**
     * Creates the losses of a world.
     *
     * @param spared sites with a permanent fault
     */
    TopicRecreationFaults(SimWorld world, Set<SiteId> spared) {
        this.world = world;
        this.chance = world.chance().split("site-losses");
        this.sites = new ArrayList<>(world.watchers().keySet());
        this.sites.removeAll(spared);
    }

    void begin() {
        boolean any = world.config().rates().crash() > 0 && world.watchers().size() > 1 && !sites.isEmpty();
        if (any && chance.percent(WORLDS_WITH_LOSSES)) {
            scheduleNext();
        }
    }

    /** The losses that could not be adopted. */
    List<SimulationReport.StuckMachine> stuck() {
        return lossesBySite.entrySet().stream()
                .map(loss -> new SimulationReport.StuckMachine(
                        world.config().seed(),
                        "site " + loss.getKey(),
                        loss.getValue().table.label() + " has lost records"))
                .toList();
    }

    private void scheduleNext() {
        world.scheduler().after(chance.between(3 * MINUTE, 30 * MINUTE), () -> {
            if (world.faults().isActive()) {
                inject();
                scheduleNext();
            }
        });
    }

    private void inject() {
        List<SiteId> busy = sites.stream().filter(this::isBusy).toList();
        SiteId site = chance.pick(busy.isEmpty() ? sites : busy);
        Table table = chance.pick(TABLES);
        int length = chance.percent(30) ? chance.between(1000, 3 * MINUTE) : chance.between(3 * MINUTE, MAX_LENGTH);
        SiteHead head = head(site);
        boolean known =
                head != null && !head.topicIds().isEmpty() && head.lostTables().isEmpty();
        if (!known || lossesBySite.containsKey(site) || !world.log().sites().isUsable(site)) {
            return;
        }
        if (OrchestratorPartitions.isInput(table) && chance.percent(TRUNCATED_PERCENT)) {
            restore(site, table);
        } else {
            recreate(site, table);
        }
        lossesBySite.put(site, new Loss(table, world.scheduler().now(), chance.percent(HASTY_PERCENT)));
        int takeOvers = chance.below(3);
        for (int i = 0; i < takeOvers; i++) {
            world.scheduler().after(chance.between(0, length + 3 * MINUTE), this::changeLeader);
        }
        if (chance.percent(50)) {
            world.scheduler().after(chance.between(500, MINUTE), this::changeLeader);
        }
        world.scheduler().after(length, () -> adoptIfReady(site));
    }

    private boolean isBusy(SiteId site) {
        SiteHead head = head(site);
        return head != null && head.inFlight() > 0;
    }

    private void recreate(SiteId site, Table table) {
        world.coverage().addCondition(CoverageCondition.TOPIC_RECREATED);
        world.transcript()
                .append(
                        "broker",
                        () -> "topic " + table.label() + " of site " + site + " is deleted and created again");
        world.log().recreate(site, table);
    }

    private void restore(SiteId site, Table table) {
        world.coverage().addCondition(CoverageCondition.TOPIC_RESTORED);
        world.transcript()
                .append(
                        "broker",
                        () -> "topic " + table.label() + " of site " + site + " is replaced by an older copy");
        SiteHead head = head(site);
        for (int i = 0; head != null && i < table.partitions(); i++) {
            TablePartition tablePartition = new TablePartition(table, site, i);
            int known = (int) Math.min(
                    world.log().end(tablePartition), PartitionOffset.nextOffset(head.offsets(), tablePartition));
            if (known > 0) {
                world.log().truncate(tablePartition, chance.percent(30) ? 0 : chance.between(known / 2, known - 1));
            }
        }
        world.scheduler().after(chance.between(1000, MINUTE), this::changeLeader);
        cutOffWriters(site, table, world.scheduler().now());
    }

    /**
     * Keeps the writers cut off until the orchestrators have noticed the loss: once others have written past the old
     * end, it cannot be noticed any more.
     */
    private void cutOffWriters(SiteId site, Table table, long since) {
        SiteHead head = head(site);
        boolean noticed = head != null && head.lostTables().contains(table);
        if (noticed || world.scheduler().now() - since > NOTICE_TIMEOUT) {
            if (!noticed) {
                lossesBySite.remove(site);
            }
            return;
        }
        world.processesOf(site).forEach(process -> process.cutOff(2 * CHECK_INTERVAL));
        world.scheduler().after(CHECK_INTERVAL, () -> cutOffWriters(site, table, since));
    }

    private void changeLeader() {
        for (SimOrchestrator orchestrator : world.orchestrators()) {
            if (orchestrator.isLeader()) {
                orchestrator.process().crash("while a site has lost records", chance.between(500, MINUTE));
            }
        }
    }

    private void adoptIfReady(SiteId site) {
        Loss loss = lossesBySite.get(site);
        SiteHead head = head(site);
        if (loss == null || head == null) {
            return;
        }
        if (loss.ordered > 0 && head.lostTables().isEmpty() && head.unreachableSince() == null) {
            lossesBySite.remove(site);
            return;
        }
        if (head.lostTables().contains(loss.table) && isWrittenAgain(site, loss)) {
            orderAdoption(site, loss, head);
        }
        world.scheduler().after(MINUTE, () -> adoptIfReady(site));
    }

    /**
     * Whether the watcher has written again. Adopting an inventory without rows adopts a site without machines for a
     * while.
     */
    private boolean isWrittenAgain(SiteId site, Loss loss) {
        boolean hasHeartbeat = world.committedRows().get(new RowKey(Table.INVENTORY, site)) instanceof WatcherHeartbeat;
        boolean hasAllMachines = world.fleet().machines().stream()
                .filter(machine -> machine.key().site().equals(site))
                .allMatch(machine -> world.committedRows().get(new RowKey(Table.INVENTORY, machine.key())) != null);
        return loss.hasty || loss.table != Table.INVENTORY || (hasHeartbeat && hasAllMachines);
    }

    private void orderAdoption(SiteId site, Loss loss, SiteHead head) {
        boolean dropsAttempts = loss.table == Table.STATUS && !head.isWrittenOff();
        if (dropsAttempts) {
            if (world.scheduler().now() - loss.at > COMMAND_LEASES_END && !hasRunningRefresh(site)) {
                world.operatorTables()
                        .order(
                                new OperatorOrderKey.WriteOffSite(site),
                                OperatorOrder.OrderVerb.WRITE_OFF,
                                "nothing runs in the site any more");
            }
        } else if (world.scheduler().now() - loss.ordered > 5L * MINUTE) {
            loss.ordered = world.scheduler().now();
            world.operatorTables()
                    .order(
                            new OperatorOrderKey.AdoptSiteTopics(site),
                            OperatorOrder.OrderVerb.ADOPT,
                            "the topic was created again");
        }
    }

    private boolean hasRunningRefresh(SiteId site) {
        return world.fleet().machines().stream()
                .filter(machine -> machine.key().site().equals(site))
                .map(SimMachine::node)
                .anyMatch(node -> node.isRefreshing());
    }

    private @Nullable SiteHead head(SiteId site) {
        return world.committedRows().get(new RowKey(Table.HEAD, site)) instanceof SiteHead head ? head : null;
    }
}
