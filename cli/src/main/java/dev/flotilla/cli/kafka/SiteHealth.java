package dev.flotilla.cli.kafka;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a site is: whether its watcher is heard, and what is wrong with it.
 *
 * @param connection whether the orchestrator reaches the site and hears its watcher
 * @param frozen whether an order or the site's policy freezes it
 */
public record SiteHealth(String connection, boolean frozen, List<String> problems) {
    public static SiteHealth of(SiteId id, FleetState state, TableSnapshot tables) {
        SiteState site = state.site(id);
        SiteHead head = site == null ? null : site.head();
        WatcherHeartbeat heartbeat = tables.row(new RowKey(Table.INVENTORY, id), WatcherHeartbeat.class);
        UpgradePolicy policy = state.policy(id);
        boolean ordered = state.orders().anyFreeze(new OperatorOrderKey.FreezeSite(id)) != null;
        return new SiteHealth(
                connection(head, heartbeat),
                ordered || (policy != null && policy.frozen()),
                findProblems(head, heartbeat));
    }

    /** The state for a table. */
    public String state() {
        return connection + (frozen ? ", frozen" : "");
    }

    private static String connection(@Nullable SiteHead head, @Nullable WatcherHeartbeat heartbeat) {
        if (head != null && head.unreachableSince() != null) {
            return head.isWrittenOff() ? "written off" : "unreachable";
        }
        if (head == null || heartbeat == null) {
            return "never connected";
        }
        return head.silentSince() == null ? "connected" : "silent";
    }

    private static List<String> findProblems(@Nullable SiteHead head, @Nullable WatcherHeartbeat heartbeat) {
        List<String> problems = new ArrayList<>();
        if (head != null && head.unreachableSince() != null) {
            problems.add("unreachable since " + head.unreachableSince()
                    + (head.unreachableReason() == null ? "" : ": " + head.unreachableReason()));
        }
        if (head != null && head.silentSince() != null) {
            problems.add("silent since " + head.silentSince());
        }
        if (heartbeat != null && heartbeat.withheldRemovals() > 0) {
            problems.add("the removal of " + heartbeat.withheldRemovals() + " machines is withheld");
        }
        if (heartbeat != null && heartbeat.modeConflict() != null) {
            problems.add("mode "
                    + (heartbeat.mode() == null ? "" : heartbeat.mode().label() + ", but ") + heartbeat.modeConflict());
        }
        return problems;
    }
}
