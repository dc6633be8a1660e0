package dev.flotilla.orchestrator.api;

import dev.flotilla.orchestrator.api.answer.FleetResponse;
import dev.flotilla.orchestrator.api.answer.MachineMapState;
import dev.flotilla.orchestrator.api.answer.SiteListResponse;
import dev.flotilla.runtime.metrics.MetricLabel;
import dev.flotilla.schemas.row.CampaignState;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the rows say of the fleet, for whoever scrapes. The leader alone tells it: a standby knows the same, and whoever
 * adds up all processes would count twice. Of running campaigns no more than {@link #MOST_NAMED} have series of their own,
 * since anybody may write as many as he likes: the rest is told together, as {@link #OTHERS}.
 */
final class FleetMetrics {
    private static final Duration EVERY = Duration.ofSeconds(5);

    /** After counting nothing is counted for so many times as long as it took: a large fleet is counted less often. */
    private static final int REST = 49;

    /** Running campaigns that are told one by one, those first that are nearest to their failure budget. */
    static final int MOST_NAMED = 50;

    /** The campaign that the rest of them is told as; no campaign can have this name. */
    static final String OTHERS = "(others)";

    private final Vertx vertx;
    private final StateQueryClient stateQueryClient;
    private final Map<FleetGauge, MultiGauge> gauges = new EnumMap<>(FleetGauge.class);

    /** All that is told. */
    enum FleetGauge {
        MACHINES("machines", "Machines, by how they stand."),
        WAITING("machines.waiting", "Machines that wait, by the first gate that is closed to them."),
        IN_FLIGHT("in.flight", "Machines in flight in a site, foreign ones included."),
        CAP("cap", "How many machines of the fleet may be in flight; NaN without a cap."),
        SITE_SILENT("site.silent.seconds", "Since when a site's watcher is not heard; 0 where it is."),
        SITE_UNREACHABLE("site.unreachable.seconds", "Since when a site's topics are set aside; 0 where they are not."),
        SITE_MISSING("site.missing", "Machines of a site that vanished at once, which nobody has accepted."),
        HALF_DONE(
                "control.planes.half.done",
                "Control planes with members at the target and others that wait or have failed, and none at work."),
        DEFERRED(
                "machines.deferred",
                "Machines of a site that wait because their worker has refused to start them six times in a row or more."),
        CAMPAIGNS("campaigns", "Campaigns, by what they are doing."),
        CAMPAIGNS_IDLE(
                "campaigns.idle",
                "1 for a running campaign that has machines left and none in flight, by the gate at which most of them wait; 0"
                        + " for one that has."),
        CAMPAIGN_MACHINES("campaigns.machines", "Machines of a running campaign."),
        CAMPAIGN_REMAINING("campaigns.remaining", "Machines of a running campaign that have not ended."),
        CAMPAIGN_FAILED("campaigns.failed", "Machines of a running campaign that failed and have not succeeded since."),
        CAMPAIGN_ENDS(
                "campaigns.end.seconds",
                "Until a running campaign ends if all goes on as now; NaN where that cannot be told."),
        BUDGET(
                "budget.failed.ratio",
                "Failed machines of a running campaign to its failure budget; 0 without a budget."),
        FREEZES("freezes", "Orders and policies that freeze the fleet or a site."),
        REJECTED(
                "rejected.standing",
                "1 while a record is rejected that cannot be read, or in whose place nothing is in force."),
        TERM("term", "How many leaders there have been."),
        CLOCK("clock.agrees", "1 while the leader's clock and the broker's agree."),
        COUNTED("census.seconds", "How long the last look at every machine took.");

        private final String suffix;
        private final String description;

        FleetGauge(String suffix, String description) {
            this.suffix = suffix;
            this.description = description;
        }
    }

    FleetMetrics(Vertx vertx, StateQueryClient stateQueryClient, MeterRegistry registry) {
        this.vertx = vertx;
        this.stateQueryClient = stateQueryClient;
        for (FleetGauge each : FleetGauge.values()) {
            gauges.put(
                    each,
                    MultiGauge.builder("flotilla." + each.suffix)
                            .description(each.description)
                            .register(registry));
        }
    }

    /** Counts now, and again and again; completed when this is done. */
    Future<Void> refreshMetrics() {
        long begun = System.nanoTime();
        FleetMachineCounter census = new FleetMachineCounter(stateQueryClient);
        return stateQueryClient
                .query(view -> ApiResult.found(FleetTotals.of(view)))
                .compose(apiResult -> isLeaders(apiResult)
                        ? census.countMachines().map(done -> apiResult)
                        : Future.succeededFuture(apiResult))
                .andThen(counted -> {
                    Duration took = Duration.ofNanos(System.nanoTime() - begun);
                    tell(counted.result(), census, took);
                    Duration rest = took.multipliedBy(REST);
                    vertx.setTimer((rest.compareTo(EVERY) > 0 ? rest : EVERY).toMillis(), again -> {
                        Future<Void> unused = refreshMetrics();
                    });
                })
                .mapEmpty();
    }

    private static boolean isLeaders(ApiResult<FleetTotals> apiResult) {
        return apiResult instanceof ApiResult.ApiValue<FleetTotals> apiValue
                && apiValue.value().isLeaders();
    }

    /** What could not be counted this time stands as it was. */
    private void tell(@Nullable ApiResult<FleetTotals> apiResult, FleetMachineCounter census, Duration took) {
        if (apiResult instanceof ApiResult.ApiValue<FleetTotals> apiValue
                && apiValue.value().isLeaders()) {
            if (census.isComplete()) {
                totals(apiValue.value());
                sites(apiValue.value(), census);
                campaigns(apiValue.value(), census);
                tell(FleetGauge.COUNTED, took.toMillis() / 1_000.0);
            }
        } else if (apiResult instanceof ApiResult.ApiValue<FleetTotals>) {
            gauges.values().forEach(gauge -> gauge.register(List.of(), true));
        }
    }

    private void totals(FleetTotals totals) {
        FleetResponse fleet = totals.fleet();
        tell(FleetGauge.CAP, fleet.cap() == null ? Double.NaN : fleet.cap().machines());
        tell(FleetGauge.FREEZES, fleet.freezes().size());
        tell(FleetGauge.REJECTED, fleet.hasRejectedRecords() ? 1 : 0);
        tell(FleetGauge.TERM, (double) fleet.head().term());
        tell(FleetGauge.CLOCK, fleet.head().clockInSync() ? 1 : 0);
    }

    private void sites(FleetTotals totals, FleetMachineCounter census) {
        Instant now = totals.fleet().now();
        tell(FleetGauge.IN_FLIGHT, each(totals, SiteListResponse.SiteListItem::inFlight));
        tell(FleetGauge.SITE_SILENT, each(totals, site -> since(site.silentSince(), now)));
        tell(FleetGauge.SITE_UNREACHABLE, each(totals, site -> since(site.unreachableSince(), now)));
        tell(FleetGauge.SITE_MISSING, each(totals, SiteListResponse.SiteListItem::withheldRemovals));
        tell(FleetGauge.DEFERRED, each(totals, site -> census.deferredMachines(site.site())));
        tell(FleetGauge.HALF_DONE, each(totals, site -> census.halfUpgradedControlPlanes(site.site())));
        List<Row<?>> machines = new ArrayList<>();
        for (SiteListResponse.SiteListItem site : totals.sites()) {
            for (MachineMapState machineMapState : MachineMapState.values()) {
                machines.add(Row.of(
                        Tags.of(tag(site), MetricLabel.STATE.of(machineMapState, machineMapState.label())),
                        census.machinesInState(site.site(), machineMapState)));
            }
        }
        tell(FleetGauge.MACHINES, machines);
    }

    private void campaigns(FleetTotals totals, FleetMachineCounter census) {
        tell(FleetGauge.WAITING, byGate(census.blockedByGate()));
        List<Row<?>> states = new ArrayList<>();
        for (CampaignState state : CampaignState.values()) {
            states.add(Row.of(
                    Tags.of(MetricLabel.STATE.of(state, state.label())),
                    totals.campaigns().stream()
                            .filter(each -> each.state() == state)
                            .count()));
        }
        tell(FleetGauge.CAMPAIGNS, states);
        Map<String, List<FleetTotals.CampaignTotals>> named = totals.topCampaigns(MOST_NAMED, OTHERS);
        tell(FleetGauge.CAMPAIGNS_IDLE, idle(named, census));
        tell(FleetGauge.CAMPAIGN_MACHINES, each(named, of -> sum(of, FleetTotals.CampaignTotals::machines)));
        tell(FleetGauge.CAMPAIGN_REMAINING, each(named, of -> sum(of, FleetTotals.CampaignTotals::remaining)));
        tell(FleetGauge.CAMPAIGN_FAILED, each(named, of -> sum(of, FleetTotals.CampaignTotals::failed)));
        tell(FleetGauge.BUDGET, each(named, of -> most(of, FleetTotals.CampaignTotals::failedShare)));
        tell(FleetGauge.CAMPAIGN_ENDS, each(named, of -> most(of, FleetTotals.CampaignTotals::seconds)));
    }

    /** Each campaign once: at the gate where most of its machines wait, or at none. */
    private static List<Row<?>> idle(Map<String, List<FleetTotals.CampaignTotals>> named, FleetMachineCounter census) {
        List<Row<?>> rows = new ArrayList<>();
        named.forEach((name, campaigns) -> {
            Map<String, Integer> gates = new TreeMap<>();
            campaigns.forEach(each -> gates.merge(
                    each.isIdle() ? census.gateOf(each.name()) : FleetMachineCounter.NO_GATE,
                    each.isIdle() ? 1 : 0,
                    Integer::sum));
            gates.forEach((gate, count) ->
                    rows.add(Row.of(Tags.of(campaign(name), Tag.of(MetricLabel.GATE.label(), gate)), count)));
        });
        return rows;
    }

    private static List<Row<?>> each(
            Map<String, List<FleetTotals.CampaignTotals>> named,
            ToDoubleFunction<List<FleetTotals.CampaignTotals>> figure) {
        List<Row<?>> rows = new ArrayList<>();
        named.forEach((name, campaigns) -> rows.add(Row.of(Tags.of(campaign(name)), figure.applyAsDouble(campaigns))));
        return rows;
    }

    private static double sum(List<FleetTotals.CampaignTotals> of, ToIntFunction<FleetTotals.CampaignTotals> figure) {
        return of.stream().mapToInt(figure).sum();
    }

    /** The largest; NaN where it can be told of none. */
    private static double most(
            List<FleetTotals.CampaignTotals> of, ToDoubleFunction<FleetTotals.CampaignTotals> figure) {
        return of.stream()
                .mapToDouble(figure)
                .filter(value -> !Double.isNaN(value))
                .max()
                .orElse(Double.NaN);
    }

    private static Tag campaign(String name) {
        return Tag.of(MetricLabel.CAMPAIGN.label(), name);
    }

    private static List<Row<?>> byGate(Map<String, Integer> counts) {
        List<Row<?>> rows = new ArrayList<>();
        counts.forEach((gate, count) -> rows.add(Row.of(Tags.of(MetricLabel.GATE.label(), gate), count)));
        return rows;
    }

    private static List<Row<?>> each(FleetTotals totals, ToLongFunction<SiteListResponse.SiteListItem> figure) {
        List<Row<?>> rows = new ArrayList<>();
        totals.sites().forEach(site -> rows.add(Row.of(Tags.of(tag(site)), figure.applyAsLong(site))));
        return rows;
    }

    private static Tag tag(SiteListResponse.SiteListItem site) {
        return Tag.of(MetricLabel.SITE.label(), site.site());
    }

    private static long since(@Nullable Instant begin, Instant now) {
        return begin == null ? 0 : Math.max(1, now.getEpochSecond() - begin.getEpochSecond());
    }

    private void tell(FleetGauge fleetGauge, double value) {
        tell(fleetGauge, List.of(Row.of(Tags.empty(), value)));
    }

    private void tell(FleetGauge fleetGauge, List<Row<?>> rows) {
        Objects.requireNonNull(gauges.get(fleetGauge)).register(rows, true);
    }
}
