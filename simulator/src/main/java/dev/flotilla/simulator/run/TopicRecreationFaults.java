package dev.flotilla.simulator.run;

import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.Table;
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
 * Deletes a topic of a site and creates it again, and has an operator adopt it as the documentation says: when its writers have
 * written again, and, where attempts would be forgotten, when nothing runs there any more and no command can be acted on.
 * Leaders change before, during and after it.
 */
final class TopicRecreationFaults {
    private static final int MINUTE = 60_000;
    private static final int WORLDS_WITH_LOSSES = 20;
    private static final int LONGEST = 40 * MINUTE;
    private static final int LOOK = 5000;

    /** What was decided on is all there where nobody has missed any of it for so long. */
    private static final int UNNOTICED = 10 * MINUTE;

    /** Of a hundred losses of what sites write so many are of a topic that ends sooner than before. */
    private static final int RESTORED = 25;

    /** So many operators of a hundred do not wait until the watcher has written again. */
    private static final int HASTY = 30;

    /** No command of before can be acted on after so long. */
    private static final long COMMANDS_END = 17L * MINUTE;

    private static final List<Table> TABLES =
            List.of(Table.INVENTORY, Table.INTENTS, Table.PROGRESS, Table.STATUS, Table.COMMANDS);

    private final SimWorld world;
    private final SeededRandom chance;
    private final List<SiteId> sites;
    private final Map<SiteId, Loss> open = new LinkedHashMap<>();

    /** What was lost when, how patient its operator is, and when they have last ordered to adopt it. */
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
     * Losses of a world.
     *
     * @param spared sites that never become well
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
            again();
        }
    }

    /** What nobody could adopt. */
    List<StuckMachine> stuck() {
        return open.entrySet().stream()
                .map(loss -> new StuckMachine(
                        world.config().seed(),
                        "site " + loss.getKey(),
                        loss.getValue().table.label() + " lost"))
                .toList();
    }

    private void again() {
        world.scheduler().after(chance.between(3 * MINUTE, 30 * MINUTE), () -> {
            if (world.faults().isActive()) {
                strike();
                again();
            }
        });
    }

    private void strike() {
        List<SiteId> busy = sites.stream().filter(this::isBusy).toList();
        SiteId site = chance.pick(busy.isEmpty() ? sites : busy);
        Table table = chance.pick(TABLES);
        int length = chance.percent(30) ? chance.between(1000, 3 * MINUTE) : chance.between(3 * MINUTE, LONGEST);
        SiteHead head = head(site);
        boolean known =
                head != null && !head.topicIds().isEmpty() && head.lostTables().isEmpty();
        if (!known || open.containsKey(site) || !world.log().sites().isUsable(site)) {
            return;
        }
        if (OrchestratorPartitions.isInput(table) && chance.percent(RESTORED)) {
            restore(site, table);
        } else {
            recreate(site, table);
        }
        open.put(site, new Loss(table, world.scheduler().now(), chance.percent(HASTY)));
        int takeOvers = chance.below(3);
        for (int i = 0; i < takeOvers; i++) {
            world.scheduler().after(chance.between(0, length + 3 * MINUTE), this::changeLeader);
        }
        if (chance.percent(50)) {
            world.scheduler().after(chance.between(500, MINUTE), this::changeLeader);
        }
        world.scheduler().after(length, () -> look(site));
    }

    private boolean isBusy(SiteId site) {
        SiteHead head = head(site);
        return head != null && head.inFlight() > 0;
    }

    private void recreate(SiteId site, Table table) {
        world.occurrences().addCondition(CoverageCondition.TOPIC_RECREATED);
        world.transcript()
                .append(
                        "broker",
                        () -> "topic " + table.label() + " of site " + site + " is deleted and created again");
        world.log().recreate(site, table);
    }

    private void restore(SiteId site, Table table) {
        world.occurrences().addCondition(CoverageCondition.TOPIC_RESTORED);
        world.transcript()
                .append("broker", () -> "topic " + table.label() + " of site " + site + " is of an older day again");
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
        holdWriters(site, table, world.scheduler().now());
    }

    /** An end tells nothing any more once others have written past it: they hear of the broker when the orchestrators have looked. */
    private void holdWriters(SiteId site, Table table, long since) {
        SiteHead head = head(site);
        boolean noticed = head != null && head.lostTables().contains(table);
        if (noticed || world.scheduler().now() - since > UNNOTICED) {
            if (!noticed) {
                open.remove(site);
            }
            return;
        }
        world.processesOf(site).forEach(process -> process.cutOff(2 * LOOK));
        world.scheduler().after(LOOK, () -> holdWriters(site, table, since));
    }

    private void changeLeader() {
        for (SimOrchestrator orchestrator : world.orchestrators()) {
            if (orchestrator.isLeader()) {
                orchestrator.process().crash("while a site has lost records", chance.between(500, MINUTE));
            }
        }
    }

    private void look(SiteId site) {
        Loss loss = open.get(site);
        SiteHead head = head(site);
        if (loss == null || head == null) {
            return;
        }
        if (loss.ordered > 0 && head.lostTables().isEmpty() && head.unreachableSince() == null) {
            open.remove(site);
            return;
        }
        if (head.lostTables().contains(loss.table) && isWrittenAgain(site, loss)) {
            order(site, loss, head);
        }
        world.scheduler().after(MINUTE, () -> look(site));
    }

    /** Whoever adopts an inventory without rows adopts a site without machines, for a while. */
    private boolean isWrittenAgain(SiteId site, Loss loss) {
        boolean heard = world.committedRows().get(new RowKey(Table.INVENTORY, site)) instanceof WatcherHeartbeat;
        boolean whole = world.fleet().machines().stream()
                .filter(machine -> machine.key().site().equals(site))
                .allMatch(machine -> world.committedRows().get(new RowKey(Table.INVENTORY, machine.key())) != null);
        return loss.hasty || loss.table != Table.INVENTORY || (heard && whole);
    }

    private void order(SiteId site, Loss loss, SiteHead head) {
        boolean forgets = loss.table == Table.STATUS && !head.isWrittenOff();
        if (forgets) {
            if (world.scheduler().now() - loss.at > COMMANDS_END && !runsAnything(site)) {
                world.operatorTables()
                        .order(
                                new OperatorOrderKey.WriteOffSite(site),
                                OperatorOrder.OrderVerb.WRITE_OFF,
                                "nothing runs there any more");
            }
        } else if (world.scheduler().now() - loss.ordered > 5L * MINUTE) {
            loss.ordered = world.scheduler().now();
            world.operatorTables()
                    .order(
                            new OperatorOrderKey.AdoptSiteTopics(site),
                            OperatorOrder.OrderVerb.ADOPT,
                            "it was created again");
        }
    }

    private boolean runsAnything(SiteId site) {
        return world.fleet().machines().stream()
                .filter(machine -> machine.key().site().equals(site))
                .map(SimMachine::node)
                .anyMatch(node -> node.isRefreshing());
    }

    private @Nullable SiteHead head(SiteId site) {
        return world.committedRows().get(new RowKey(Table.HEAD, site)) instanceof SiteHead head ? head : null;
    }
}
