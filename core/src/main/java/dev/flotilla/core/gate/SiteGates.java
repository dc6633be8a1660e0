package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.FreezeRule;
import dev.flotilla.core.fleet.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.SiteState;
import dev.flotilla.core.fleet.StartCandidate;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What closes a site. */
final class SiteGates {
    private SiteGates() {}

    static List<Gate> all() {
        return List.of(
                new Gate(
                        GateLabel.REJECTED_INPUT,
                        GateLevel.SITE,
                        Gate.LeaseEffect.REVOKE,
                        c -> RejectedInputExplanation.closedOn(c.state(), freezeOf(c)) == null,
                        c -> RejectedInputExplanation.closed(c.state(), freezeOf(c))),
                new Gate(
                        GateLabel.REJECTED_INPUT,
                        GateLevel.SITE,
                        Gate.LeaseEffect.REVOKE,
                        c -> !hasUnreadablePolicy(c),
                        c -> RejectedInputExplanation.closed(id(c).name(), "flotilla.policies")),
                new Gate(
                        GateLabel.FREEZE,
                        GateLevel.SITE,
                        Gate.LeaseEffect.REVOKE,
                        c -> !isFrozen(c),
                        c -> FreezeExplanation.closed(
                                "Site " + id(c), freeze(c), c.state().policy(id(c)))),
                new Gate(
                        GateLabel.SITE_SILENT,
                        GateLevel.SITE,
                        Gate.LeaseEffect.STOP_RENEWAL,
                        c -> !isSilent(c.cluster().site()),
                        c -> new ClosedGate(
                                GateLabel.SITE_SILENT,
                                silence(c.cluster().site()),
                                "a heartbeat in the last "
                                        + c.state().heartbeatTimeout(id(c)).toSeconds() + " s",
                                "Nothing has been heard of the watcher of site " + id(c)
                                        + ": see whether it runs and reaches Kafka.")),
                new Gate(
                        GateLabel.SITE_UNREACHABLE,
                        GateLevel.SITE,
                        Gate.LeaseEffect.STOP_RENEWAL,
                        c -> !isUnreachable(c.cluster().site()),
                        c -> new ClosedGate(
                                GateLabel.SITE_UNREACHABLE,
                                "not readable or writable",
                                "readable and writable topics",
                                away(c.cluster().site()))),
                new Gate(
                        GateLabel.MASS_REMOVAL,
                        GateLevel.SITE,
                        Gate.LeaseEffect.STOP_RENEWAL,
                        c -> missing(c.cluster().site()) == 0,
                        c -> ClosedGate.numbers(
                                GateLabel.MASS_REMOVAL,
                                missing(c.cluster().site()),
                                0,
                                missing(c.cluster().site()) + " machines of site " + id(c)
                                        + " vanished at once. If that is right, order site/" + id(c)
                                        + "/accept-removal.")));
    }

    private static SiteId id(StartCandidate c) {
        return c.cluster().site().id();
    }

    private static @Nullable OperatorOrder freeze(StartCandidate c) {
        return c.state().orders().freeze(freezeOf(c));
    }

    private static boolean isFrozen(StartCandidate c) {
        return FreezeRule.isFrozen(freeze(c), c.state().policy(id(c)));
    }

    private static OperatorOrderKey freezeOf(StartCandidate c) {
        return new OperatorOrderKey.FreezeSite(id(c));
    }

    private static boolean hasUnreadablePolicy(StartCandidate c) {
        return c.state().hasUnreadable()
                && c.state().isUnreadable(new RowKey(Table.POLICIES, id(c)))
                && c.state().policy(id(c)) == null;
    }

    private static boolean isSilent(SiteState site) {
        SiteHead head = site.head();
        return site.heartbeat() == null || (head != null && head.silentSince() != null);
    }

    private static String silence(SiteState site) {
        SiteHead head = site.head();
        return head == null || head.silentSince() == null ? "never heard" : "silent since " + head.silentSince();
    }

    private static boolean isUnreachable(SiteState site) {
        SiteHead head = site.head();
        return head != null && head.unreachableSince() != null;
    }

    private static String away(SiteState site) {
        SiteHead head = site.head();
        String reason = head == null ? null : head.unreachableReason();
        String end = head != null && !head.lostTables().isEmpty()
                ? " Mend it, or order site/" + site.id() + "/adopt: see docs/lost-records.md."
                : "";
        return "The topics of site " + site.id() + " cannot be used: " + (reason == null ? "see its brokers" : reason)
                + "." + end;
    }

    private static int missing(SiteState site) {
        WatcherHeartbeat heartbeat = site.heartbeat();
        return heartbeat == null ? 0 : heartbeat.withheldRemovals();
    }
}
