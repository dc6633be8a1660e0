package dev.flotilla.orchestrator.metrics;

import dev.flotilla.orchestrator.api.answer.ApiResult;
import dev.flotilla.orchestrator.api.answer.FleetResponse;
import dev.flotilla.orchestrator.api.answer.MachineMapState;
import dev.flotilla.orchestrator.api.answer.SiteListResponse;
import dev.flotilla.orchestrator.api.query.FleetMachineCounter;
import dev.flotilla.orchestrator.api.query.StateQueryClient;
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
 * Metrics of the fleet, from its rows. Only the leader exports them: a standby has the same numbers, and a sum over all
 * replicas would count them twice. At most {@link #MAX_NAMED_CAMPAIGNS} running campaigns have their own series, since anyone
 * may create campaigns; the others are added up as {@link #OTHERS}.
 */
public final class FleetMetrics {
    private static final Duration MIN_PAUSE = Duration.ofSeconds(5);

    /** The pause after a count is this many times as long as the count took, so a large fleet is counted less often. */
    private static final int PAUSE_FACTOR = 49;

    /** Running campaigns with their own series; those nearest to their failure budget come first. */
    public static final int MAX_NAMED_CAMPAIGNS = 50;

    /** The label of the other campaigns together; it is not a valid campaign name. */
    static final String OTHERS = "(others)";

    private final Vertx vertx;
    private final StateQueryClient stateQueryClient;
    private final Map<FleetGauge, MultiGauge> gauges = new EnumMap<>(FleetGauge.class);

    /** The exported gauges. */
    enum FleetGauge {
        MACHINES("machines", "Machines, by condition."),
        WAITING("machines.blocked", "Waiting machines, by the first gate that blocks each."),
        IN_FLIGHT("in.flight", "Machines in flight in a site, foreign machines included."),
        PREPARING("machines.preparing", "Machines of a site that prepare."),
        CAP("cap", "The fleet's cap on machines in flight; NaN without a cap."),
        SITE_SILENT("site.silent.seconds", "Seconds since a site became silent; 0 while its watcher sends heartbeats."),
        SITE_UNREACHABLE(
                "site.unreachable.seconds",
                "Seconds since a site was suspended because its topics cannot be used; 0 if it is not suspended."),
        SITE_WITHHELD_REMOVALS(
                "site.withheld.removals",
                "Machines of a site that vanished at once; their removal is withheld until an operator accepts it."),
        HALF_UPGRADED_CONTROL_PLANES(
                "control.planes.half.upgraded",
                "Control planes with machines at the target, others waiting or quarantined, and none in flight."),
        DEFERRED(
                "machines.deferred",
                "Waiting machines of a site whose worker has deferred the start at least six times in a row."),
        DIRTY("machines.dirty", "Machines of a site with changes that were accepted and not applied."),
        CAMPAIGNS("campaigns", "Campaigns, by state."),
        CAMPAIGNS_STALLED(
                "campaigns.stalled",
                "1 for a running campaign with machines remaining and none in flight, by the gate that blocks most of"
                        + " them; otherwise 0."),
        CAMPAIGNS_AWAITING_APPROVAL(
                "campaigns.awaiting.approval",
                "1 for a running campaign that goes on only after somebody approves something; otherwise 0."),
        CAMPAIGN_MACHINES("campaigns.machines", "Machines of a running campaign."),
        CAMPAIGN_REMAINING("campaigns.remaining", "Machines of a running campaign that have not ended."),
        CAMPAIGN_FAILED("campaigns.failed", "Machines of a running campaign that failed and have not succeeded since."),
        CAMPAIGN_PREPARED("campaigns.prepared", "Machines of a running campaign that are prepared and have not ended."),
        CAMPAIGN_END_ESTIMATE(
                "campaigns.eta.seconds",
                "Estimated seconds until a running campaign ends at its present pace; NaN if unknown."),
        BUDGET(
                "budget.failed.ratio",
                "Failed machines of a running campaign divided by its failure budget; 0 without a budget."),
        FREEZES("freezes.active", "Orders and policies that freeze the fleet or a site."),
        REJECTED(
                "rejected.records",
                "Rejected records that are unreadable, or have no accepted version that stays in force."),
        TERM("term", "The leader's term; each new leader increments it."),
        CLOCK("clock.in.sync", "1 while the leader's clock agrees with the broker's."),
        SCAN_DURATION("fleet.scan.seconds", "Duration of the last scan of all machines.");

        private final String suffix;
        private final String description;

        FleetGauge(String suffix, String description) {
            this.suffix = suffix;
            this.description = description;
        }
    }

    public FleetMetrics(Vertx vertx, StateQueryClient stateQueryClient, MeterRegistry registry) {
        this.vertx = vertx;
        this.stateQueryClient = stateQueryClient;
        for (FleetGauge gauge : FleetGauge.values()) {
            gauges.put(
                    gauge,
                    MultiGauge.builder("flotilla." + gauge.suffix)
                            .description(gauge.description)
                            .register(registry));
        }
    }

    /** Counts now and then periodically; completes after the first count. */
    public Future<Void> refreshMetrics() {
        long startedNanos = System.nanoTime();
        FleetMachineCounter counter = new FleetMachineCounter(stateQueryClient);
        return stateQueryClient
                .query(view -> ApiResult.found(FleetTotals.of(view)))
                .compose(apiResult -> isLeaders(apiResult)
                        ? counter.countMachines().map(done -> apiResult)
                        : Future.succeededFuture(apiResult))
                .andThen(counted -> {
                    Duration took = Duration.ofNanos(System.nanoTime() - startedNanos);
                    updateGauges(counted.result(), counter, took);
                    Duration pause = took.multipliedBy(PAUSE_FACTOR);
                    vertx.setTimer((pause.compareTo(MIN_PAUSE) > 0 ? pause : MIN_PAUSE).toMillis(), again -> {
                        Future<Void> unused = refreshMetrics();
                    });
                })
                .mapEmpty();
    }

    private static boolean isLeaders(ApiResult<FleetTotals> apiResult) {
        return apiResult instanceof ApiResult.ApiValue<FleetTotals> apiValue
                && apiValue.value().isFromLeader();
    }

    /** Updates the gauges. After an incomplete count they keep their values. */
    private void updateGauges(@Nullable ApiResult<FleetTotals> apiResult, FleetMachineCounter counter, Duration took) {
        if (apiResult instanceof ApiResult.ApiValue<FleetTotals> apiValue
                && apiValue.value().isFromLeader()) {
            if (counter.isComplete()) {
                setFleetGauges(apiValue.value());
                setSiteGauges(apiValue.value(), counter);
                setCampaignGauges(apiValue.value(), counter);
                setGauge(FleetGauge.SCAN_DURATION, took.toMillis() / 1_000.0);
            }
        } else if (apiResult instanceof ApiResult.ApiValue<FleetTotals>) {
            gauges.values().forEach(gauge -> gauge.register(List.of(), true));
        }
    }

    private void setFleetGauges(FleetTotals totals) {
        FleetResponse fleet = totals.fleet();
        setGauge(FleetGauge.CAP, fleet.cap() == null ? Double.NaN : fleet.cap().machines());
        setGauge(FleetGauge.FREEZES, fleet.freezes().size());
        setGauge(FleetGauge.REJECTED, fleet.rejectedRecords());
        setGauge(FleetGauge.TERM, (double) fleet.head().term());
        setGauge(FleetGauge.CLOCK, fleet.head().clockInSync() ? 1 : 0);
    }

    private void setSiteGauges(FleetTotals totals, FleetMachineCounter counter) {
        Instant now = totals.fleet().now();
        setGauge(FleetGauge.IN_FLIGHT, rowsBySite(totals, SiteListResponse.SiteListItem::inFlight));
        setGauge(FleetGauge.PREPARING, rowsBySite(totals, SiteListResponse.SiteListItem::preparing));
        setGauge(FleetGauge.SITE_SILENT, rowsBySite(totals, site -> secondsSince(site.silentSince(), now)));
        setGauge(FleetGauge.SITE_UNREACHABLE, rowsBySite(totals, site -> secondsSince(site.unreachableSince(), now)));
        setGauge(
                FleetGauge.SITE_WITHHELD_REMOVALS, rowsBySite(totals, SiteListResponse.SiteListItem::withheldRemovals));
        setGauge(FleetGauge.DEFERRED, rowsBySite(totals, site -> counter.deferredMachines(site.site())));
        setGauge(FleetGauge.DIRTY, rowsBySite(totals, site -> counter.dirtyMachines(site.site())));
        setGauge(
                FleetGauge.HALF_UPGRADED_CONTROL_PLANES,
                rowsBySite(totals, site -> counter.halfUpgradedControlPlanes(site.site())));
        List<Row<?>> machines = new ArrayList<>();
        for (SiteListResponse.SiteListItem site : totals.sites()) {
            for (MachineMapState machineMapState : MachineMapState.values()) {
                machines.add(Row.of(
                        Tags.of(tag(site), MetricLabel.STATE.of(machineMapState, machineMapState.label())),
                        counter.machinesInState(site.site(), machineMapState)));
            }
        }
        setGauge(FleetGauge.MACHINES, machines);
    }

    private void setCampaignGauges(FleetTotals totals, FleetMachineCounter counter) {
        setGauge(FleetGauge.WAITING, rowsByGate(counter.blockedByGate()));
        List<Row<?>> states = new ArrayList<>();
        for (CampaignState state : CampaignState.values()) {
            states.add(Row.of(
                    Tags.of(MetricLabel.STATE.of(state, state.label())),
                    totals.campaigns().stream()
                            .filter(campaign -> campaign.state() == state)
                            .count()));
        }
        setGauge(FleetGauge.CAMPAIGNS, states);
        Map<String, List<FleetTotals.CampaignTotals>> named = totals.topCampaigns(MAX_NAMED_CAMPAIGNS, OTHERS);
        setGauge(FleetGauge.CAMPAIGNS_STALLED, idleRows(named, counter));
        setGauge(
                FleetGauge.CAMPAIGNS_AWAITING_APPROVAL,
                rowsByCampaign(named, campaigns -> sum(campaigns, campaign -> campaign.awaitsApproval() ? 1 : 0)));
        setGauge(
                FleetGauge.CAMPAIGN_MACHINES,
                rowsByCampaign(named, campaigns -> sum(campaigns, FleetTotals.CampaignTotals::machines)));
        setGauge(
                FleetGauge.CAMPAIGN_REMAINING,
                rowsByCampaign(named, campaigns -> sum(campaigns, FleetTotals.CampaignTotals::remaining)));
        setGauge(
                FleetGauge.CAMPAIGN_FAILED,
                rowsByCampaign(named, campaigns -> sum(campaigns, FleetTotals.CampaignTotals::failed)));
        setGauge(
                FleetGauge.CAMPAIGN_PREPARED,
                rowsByCampaign(named, campaigns -> sum(campaigns, FleetTotals.CampaignTotals::prepared)));
        setGauge(
                FleetGauge.BUDGET,
                rowsByCampaign(named, campaigns -> largest(campaigns, FleetTotals.CampaignTotals::failedShare)));
        setGauge(
                FleetGauge.CAMPAIGN_END_ESTIMATE,
                rowsByCampaign(named, campaigns -> largest(campaigns, FleetTotals.CampaignTotals::seconds)));
    }

    /** One row for each campaign: the gate that blocks most of its machines, or no gate. */
    private static List<Row<?>> idleRows(
            Map<String, List<FleetTotals.CampaignTotals>> named, FleetMachineCounter counter) {
        List<Row<?>> rows = new ArrayList<>();
        named.forEach((name, campaigns) -> {
            Map<String, Integer> gates = new TreeMap<>();
            campaigns.forEach(campaign -> gates.merge(
                    campaign.isStalled() ? counter.gateOf(campaign.name()) : FleetMachineCounter.NO_GATE,
                    campaign.isStalled() ? 1 : 0,
                    Integer::sum));
            gates.forEach((gate, count) ->
                    rows.add(Row.of(Tags.of(campaign(name), Tag.of(MetricLabel.GATE.label(), gate)), count)));
        });
        return rows;
    }

    private static List<Row<?>> rowsByCampaign(
            Map<String, List<FleetTotals.CampaignTotals>> named,
            ToDoubleFunction<List<FleetTotals.CampaignTotals>> value) {
        List<Row<?>> rows = new ArrayList<>();
        named.forEach((name, campaigns) -> rows.add(Row.of(Tags.of(campaign(name)), value.applyAsDouble(campaigns))));
        return rows;
    }

    private static double sum(
            List<FleetTotals.CampaignTotals> campaigns, ToIntFunction<FleetTotals.CampaignTotals> value) {
        return campaigns.stream().mapToInt(value).sum();
    }

    /** The largest value; NaN if none is known. */
    private static double largest(
            List<FleetTotals.CampaignTotals> campaigns, ToDoubleFunction<FleetTotals.CampaignTotals> value) {
        return campaigns.stream()
                .mapToDouble(value)
                .filter(number -> !Double.isNaN(number))
                .max()
                .orElse(Double.NaN);
    }

    private static Tag campaign(String name) {
        return Tag.of(MetricLabel.CAMPAIGN.label(), name);
    }

    private static List<Row<?>> rowsByGate(Map<String, Integer> counts) {
        List<Row<?>> rows = new ArrayList<>();
        counts.forEach((gate, count) -> rows.add(Row.of(Tags.of(MetricLabel.GATE.label(), gate), count)));
        return rows;
    }

    private static List<Row<?>> rowsBySite(FleetTotals totals, ToLongFunction<SiteListResponse.SiteListItem> value) {
        List<Row<?>> rows = new ArrayList<>();
        totals.sites().forEach(site -> rows.add(Row.of(Tags.of(tag(site)), value.applyAsLong(site))));
        return rows;
    }

    private static Tag tag(SiteListResponse.SiteListItem site) {
        return Tag.of(MetricLabel.SITE.label(), site.site());
    }

    private static long secondsSince(@Nullable Instant begin, Instant now) {
        return begin == null ? 0 : Math.max(1, now.getEpochSecond() - begin.getEpochSecond());
    }

    private void setGauge(FleetGauge fleetGauge, double value) {
        setGauge(fleetGauge, List.of(Row.of(Tags.empty(), value)));
    }

    private void setGauge(FleetGauge fleetGauge, List<Row<?>> rows) {
        Objects.requireNonNull(gauges.get(fleetGauge)).register(rows, true);
    }
}
