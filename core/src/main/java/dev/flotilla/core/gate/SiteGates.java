package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.core.fleet.rollout.FreezeRule;
import dev.flotilla.core.fleet.start.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The gates of a site. */
final class SiteGates {
    private SiteGates() {}

    static List<Gate> all() {
        return List.of(
                new Gate(
                        GateLabel.REJECTED_INPUT,
                        GateLevel.SITE,
                        Gate.LeaseEffect.REVOKE,
                        c -> GateMessages.tableOfClosingFreeze(c.state(), freezeKey(c)) == null,
                        c -> GateMessages.rejectedFreeze(c.state(), freezeKey(c))),
                new Gate(
                        GateLabel.REJECTED_INPUT,
                        GateLevel.SITE,
                        Gate.LeaseEffect.REVOKE,
                        c -> !hasUnreadablePolicy(c),
                        c -> GateMessages.unreadable(siteId(c).name(), "flotilla.policies")),
                new Gate(
                        GateLabel.FREEZE,
                        GateLevel.SITE,
                        Gate.LeaseEffect.REVOKE,
                        c -> !isFrozen(c),
                        c -> GateMessages.frozen(
                                "Site " + siteId(c), freeze(c), c.state().policy(siteId(c)))),
                new Gate(
                        GateLabel.SITE_SILENT,
                        GateLevel.SITE,
                        Gate.LeaseEffect.STOP_RENEWAL,
                        c -> !isSilent(c.cluster().site()),
                        c -> new ClosedGate(
                                GateLabel.SITE_SILENT,
                                describeSilence(c.cluster().site()),
                                "a heartbeat in the last "
                                        + c.state().heartbeatTimeout(siteId(c)).toSeconds() + " s",
                                "Site " + siteId(c) + " has not sent a heartbeat for "
                                        + c.state().heartbeatTimeout(siteId(c)).toSeconds()
                                        + " s: check that its watcher runs and reaches Kafka.")),
                new Gate(
                        GateLabel.SITE_UNREACHABLE,
                        GateLevel.SITE,
                        Gate.LeaseEffect.STOP_RENEWAL,
                        c -> !c.cluster().site().isUnreachable(),
                        c -> new ClosedGate(
                                GateLabel.SITE_UNREACHABLE,
                                "not readable or writable",
                                "readable and writable topics",
                                describeUnreachable(c.cluster().site()))),
                new Gate(
                        GateLabel.MASS_REMOVAL,
                        GateLevel.SITE,
                        Gate.LeaseEffect.STOP_RENEWAL,
                        c -> withheldRemovals(c.cluster().site()) == 0,
                        c -> ClosedGate.numbers(
                                GateLabel.MASS_REMOVAL,
                                withheldRemovals(c.cluster().site()),
                                0,
                                ClosedGate.count(withheldRemovals(c.cluster().site()), "machine") + " of site "
                                        + siteId(c)
                                        + " vanished at once, so their deletion is withheld. If they are really"
                                        + " deleted, run flotilla site accept-removal " + siteId(c)
                                        + " --reason TEXT.")));
    }

    private static SiteId siteId(StartCandidate c) {
        return c.cluster().site().id();
    }

    private static @Nullable OperatorOrder freeze(StartCandidate c) {
        return c.state().orders().freeze(freezeKey(c));
    }

    private static boolean isFrozen(StartCandidate c) {
        return FreezeRule.isFrozen(freeze(c), c.state().policy(siteId(c)));
    }

    private static OperatorOrderKey freezeKey(StartCandidate c) {
        return new OperatorOrderKey.FreezeSite(siteId(c));
    }

    private static boolean hasUnreadablePolicy(StartCandidate c) {
        return c.state().hasUnreadable()
                && c.state().isUnreadable(new RowKey(Table.POLICIES, siteId(c)))
                && c.state().policy(siteId(c)) == null;
    }

    private static boolean isSilent(SiteState site) {
        SiteHead head = site.head();
        return site.heartbeat() == null || (head != null && head.silentSince() != null);
    }

    private static String describeSilence(SiteState site) {
        SiteHead head = site.head();
        return head == null || head.silentSince() == null ? "no heartbeat yet" : "silent since " + head.silentSince();
    }

    private static String describeUnreachable(SiteState site) {
        SiteHead head = site.head();
        String reason = head == null ? null : head.unreachableReason();
        String wayOut = head != null && !head.lostTables().isEmpty()
                ? " Restore them, or run flotilla site adopt " + site.id() + " --reason TEXT: see docs/lost-records.md."
                : "";
        return "The topics of site " + site.id() + " cannot be used: " + (reason == null ? "check its brokers" : reason)
                + "." + wayOut;
    }

    private static int withheldRemovals(SiteState site) {
        WatcherHeartbeat heartbeat = site.heartbeat();
        return heartbeat == null ? 0 : heartbeat.withheldRemovals();
    }
}
