package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.Frozen;
import dev.flotilla.core.fleet.Judge.Level;
import dev.flotilla.core.fleet.Site;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.SiteHead;
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
                        Level.SITE,
                        Gate.Hold.TAKES_BACK,
                        c -> RejectedInput.closedOn(c.state(), freezeOf(c)) == null,
                        c -> RejectedInput.closed(c.state(), freezeOf(c))),
                new Gate(
                        GateLabel.REJECTED_INPUT,
                        Level.SITE,
                        Gate.Hold.TAKES_BACK,
                        c -> !hasUnreadablePolicy(c),
                        c -> RejectedInput.closed(id(c).name(), "flotilla.policies")),
                new Gate(
                        GateLabel.FREEZE,
                        Level.SITE,
                        Gate.Hold.TAKES_BACK,
                        c -> !isFrozen(c),
                        c -> Freezes.closed(
                                "Site " + id(c), freeze(c), c.state().policy(id(c)))),
                new Gate(
                        GateLabel.SITE_SILENT,
                        Level.SITE,
                        Gate.Hold.NO_RENEWAL,
                        c -> !isSilent(c.cluster().site()),
                        c -> new Closed(
                                GateLabel.SITE_SILENT,
                                silence(c.cluster().site()),
                                "a heartbeat in the last "
                                        + c.state().silentAfter(id(c)).toSeconds() + " s",
                                "Nothing has been heard of the watcher of site " + id(c)
                                        + ": see whether it runs and reaches Kafka.")),
                new Gate(
                        GateLabel.SITE_UNREACHABLE,
                        Level.SITE,
                        Gate.Hold.NO_RENEWAL,
                        c -> !isUnreachable(c.cluster().site()),
                        c -> new Closed(
                                GateLabel.SITE_UNREACHABLE,
                                "not readable or writable",
                                "readable and writable topics",
                                away(c.cluster().site()))),
                new Gate(
                        GateLabel.MASS_REMOVAL,
                        Level.SITE,
                        Gate.Hold.NO_RENEWAL,
                        c -> missing(c.cluster().site()) == 0,
                        c -> Closed.numbers(
                                GateLabel.MASS_REMOVAL,
                                missing(c.cluster().site()),
                                0,
                                missing(c.cluster().site()) + " machines of site " + id(c)
                                        + " vanished at once. If that is right, order site/" + id(c)
                                        + "/accept-removal.")));
    }

    private static SiteId id(Candidate c) {
        return c.cluster().site().id();
    }

    private static @Nullable OperatorOrder freeze(Candidate c) {
        return c.state().orders().freeze(freezeOf(c));
    }

    private static boolean isFrozen(Candidate c) {
        return Frozen.is(freeze(c), c.state().policy(id(c)));
    }

    private static OperatorOrderKey freezeOf(Candidate c) {
        return new OperatorOrderKey.FreezeSite(id(c));
    }

    private static boolean hasUnreadablePolicy(Candidate c) {
        return c.state().hasUnreadable()
                && c.state().isUnreadable(new RowKey(Table.POLICIES, id(c)))
                && c.state().policy(id(c)) == null;
    }

    private static boolean isSilent(Site site) {
        SiteHead head = site.head();
        return site.heartbeat() == null || (head != null && head.silentSince() != null);
    }

    private static String silence(Site site) {
        SiteHead head = site.head();
        return head == null || head.silentSince() == null ? "never heard" : "silent since " + head.silentSince();
    }

    private static boolean isUnreachable(Site site) {
        SiteHead head = site.head();
        return head != null && head.unreachableSince() != null;
    }

    private static String away(Site site) {
        SiteHead head = site.head();
        String reason = head == null ? null : head.unreachableReason();
        String end = head != null && !head.lostTables().isEmpty()
                ? " Mend it, or order site/" + site.id() + "/adopt: see docs/lost-records.md."
                : "";
        return "The topics of site " + site.id() + " cannot be used: " + (reason == null ? "see its brokers" : reason)
                + "." + end;
    }

    private static int missing(Site site) {
        WatcherHeartbeat heartbeat = site.heartbeat();
        return heartbeat == null ? 0 : heartbeat.withheldRemovals();
    }
}
