package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Maintenance windows by local time, including the nights on which the clocks change. */
class MaintenanceWindowTest {
    private static final TimeZoneName BERLIN = new TimeZoneName("Europe/Berlin");
    private static final String DISK = "flotilla.dev/disk";
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final FleetScenario fleetScenario = FleetScenario.open();

    private static MaintenanceWindow window(String days, String from, String to, @Nullable TimeZoneName zone) {
        List<DayOfWeek> open = days.equals("all")
                ? List.of()
                : List.of(days.split("\\+")).stream().map(DayOfWeek::valueOf).toList();
        return new MaintenanceWindow(open, null, minute(from), minute(to), zone);
    }

    private static int minute(String time) {
        return LocalTime.parse(time).toSecondOfDay() / 60;
    }

    private void calendar(
            PolicyScope scope, @Nullable TimeZoneName zone, Duration estimate, MaintenanceWindow... windows) {
        fleetScenario.receive(new UpgradePolicy(
                scope,
                null,
                null,
                false,
                null,
                null,
                null,
                null,
                null,
                new UpgradePolicy.MaintenanceCalendar(zone, List.of(windows), estimate),
                null));
    }

    private void know(TimeZoneName zone) {
        fleetScenario.decide(new DecisionInput.TimeZoneRead(
                Optional.ofNullable(TimeZoneRules.fromJvm(zone, fleetScenario.now))
                        .orElseThrow(),
                fleetScenario.now));
    }

    private void at(String instant) {
        fleetScenario.advance(Duration.between(fleetScenario.now, Instant.parse(instant)));
    }

    /** Winter time ends on 29 March and returns on 25 October. An attempt takes a minute. */
    @ParameterizedTest
    @CsvSource({
        "SATURDAY, 22:00, 05:00, 2026-03-28T20:59:59Z, false",
        "SATURDAY, 22:00, 05:00, 2026-03-28T21:00:00Z, true",
        "SATURDAY, 22:00, 05:00, 2026-03-29T02:59:00Z, true",
        "SATURDAY, 22:00, 05:00, 2026-03-29T02:59:01Z, false",
        "SATURDAY, 22:00, 05:00, 2026-03-29T03:30:00Z, false",
        "SATURDAY, 22:00, 05:00, 2026-03-28T02:00:00Z, false",
        "FRIDAY+SATURDAY, 22:00, 05:00, 2026-03-28T02:00:00Z, true",
        "all, 02:15, 02:45, 2026-03-29T00:30:00Z, false",
        "all, 02:15, 02:45, 2026-03-29T01:00:00Z, false",
        "all, 02:15, 02:45, 2026-03-29T01:30:00Z, false",
        "all, 01:30, 02:30, 2026-03-29T00:45:00Z, true",
        "all, 01:30, 02:30, 2026-03-29T01:00:00Z, false",
        "all, 02:30, 04:00, 2026-03-29T01:00:00Z, true",
        "all, 02:30, 04:00, 2026-03-29T00:59:59Z, false",
        "all, 02:15, 02:45, 2026-10-25T00:30:00Z, true",
        "all, 02:15, 02:45, 2026-10-25T01:30:00Z, false",
        "all, 02:30, 03:30, 2026-10-25T00:29:59Z, false",
        "all, 02:30, 03:30, 2026-10-25T00:30:00Z, true",
        "all, 02:30, 03:30, 2026-10-25T01:45:00Z, true",
        "all, 02:30, 03:30, 2026-10-25T02:29:30Z, false",
        "all, 00:00, 00:00, 2026-07-01T12:00:00Z, true",
    })
    void isOpenByLocalTime(String days, String from, String to, String at, boolean open) {
        calendar(FleetScope.FLEET, BERLIN, MINUTE);
        fleetScenario.cluster("a", 0, 1);
        at("2026-03-27T23:30:00Z");
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        fleetScenario.campaign(
                CampaignBuilder.named("up").window(window(days, from, to, null)).build());
        know(BERLIN);
        at(at);
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(fleetScenario.inFlight()).hasSize(open ? 1 : 0);
        assertThat(fleetScenario.closed("a-w-0").contains(GateLabel.MAINTENANCE_WINDOW))
                .isEqualTo(!open && fleetScenario.inFlight().isEmpty());
    }

    @Test
    void theWindowsOfAFinishedCampaignSetNoTimer() {
        calendar(FleetScope.FLEET, BERLIN, MINUTE);
        fleetScenario.cluster("a", 0, 1);
        know(BERLIN);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .window(window("all", "22:00", "23:00", null))
                .build());
        know(BERLIN);
        at("2026-03-20T12:00:00Z");
        fleetScenario.order(
                new OperatorOrderKey.SetCampaignState(new CampaignName("up")), OperatorOrder.OrderVerb.ABORT);
        at("2026-03-20T21:00:00Z");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.state.dueWork().nextTimerAt()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void opensAtTheTimeThatTheStateKnows() {
        calendar(FleetScope.FLEET, BERLIN, MINUTE);
        fleetScenario.cluster("a", 0, 1);
        know(BERLIN);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .window(new MaintenanceWindow(
                        List.of(), LocalDate.parse("2026-03-20"), minute("22:00"), minute("23:00"), null))
                .build());
        know(BERLIN);
        at("2026-03-19T12:00:00Z");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.state.dueWork().nextTimerAt())
                .isEqualTo(Instant.parse("2026-03-20T21:00:00Z").toEpochMilli());
        at("2026-03-20T21:00:00Z");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void explainsAllClosedGatesAndWhenTheLastOneOpens() {
        know(BERLIN);
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .startAt(Instant.parse("2026-03-01T06:00:00Z"))
                .window(window("all", "12:00", "12:20", BERLIN), window("all", "13:30", "20:00", BERLIN))
                .build());

        assertThat(fleetScenario.closed("a-w-0"))
                .containsExactly(GateLabel.CAMPAIGN_NOT_RUNNING, GateLabel.MAINTENANCE_WINDOW, GateLabel.WAVE);
        assertThat(fleetScenario.explain("a-w-0").nextStep())
                .as("the first window is shorter than the expected duration")
                .isEqualTo(
                        "Campaign up is not started. Also closed: maintenance-window (until 2026-03-01T12:30:00Z), wave (until 2026-03-01T06:00:00Z);"
                                + " it cannot start before 2026-03-01T12:30:00Z.");
        fleetScenario.order(
                new OperatorOrderKey.SetCampaignState(new CampaignName("up")), OperatorOrder.OrderVerb.PAUSE);
        assertThat(fleetScenario.explain("a-w-0").nextStep())
                .endsWith("it cannot start before 2026-03-01T12:30:00Z, and other gates must open too.");
        assertThat(fleetScenario.explain("a-w-0").closedGates().get(1).message())
                .endsWith(" The next window that is long enough opens at 2026-03-01T12:30:00Z.");
    }

    @Test
    void anUnknownOrMissingTimeZoneClosesTheGate() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .window(window("all", "00:00", "00:00", null))
                .build());
        assertThat(fleetScenario.explain("a-w-0").nextStep())
                .contains("the cluster's time zone is unknown", "flotilla.dev/time-zone");
        calendar(FleetScope.FLEET, BERLIN, MINUTE);
        assertThat(fleetScenario.explain("a-w-0").nextStep()).contains("time zone Europe/Berlin is unknown");
        assertThat(fleetScenario.state.neededTimeZones()).containsExactly(BERLIN);
        know(BERLIN);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aWindowsTimeZoneGoesBeforeTheClustersAndThatBeforeTheSites() {
        TimeZoneName tokyo = new TimeZoneName("Asia/Tokyo");
        TimeZoneName lima = new TimeZoneName("America/Lima");
        calendar(FleetScope.FLEET, BERLIN, MINUTE);
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.cluster("b", 0, 1);
        fleetScenario.receive(new ClusterRow(
                new ClusterKey(FleetScenario.SITE, "default", "b"),
                "uid-b",
                Labels.NONE,
                false,
                false,
                tokyo.id(),
                0,
                1));
        fleetScenario.campaign(CampaignBuilder.named("up")
                .window(window("all", "03:00", "04:00", null), window("all", "05:00", "06:00", lima))
                .build());
        assertThat(fleetScenario.state.neededTimeZones()).containsExactly(lima, tokyo, BERLIN);
        know(BERLIN);
        know(tokyo);
        know(lima);
        at("2026-03-02T02:30:00Z");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        at("2026-03-02T18:30:00Z");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0", "b-w-0");
    }

    @Test
    void aPolicysWindowsApplyToIntents() {
        calendar(FleetScope.FLEET, BERLIN, MINUTE, window("all", "03:00", "04:00", null));
        know(BERLIN);
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), "revision=9");
        assertThat(fleetScenario.inFlight()).isEmpty();
        at("2026-03-02T02:30:00Z");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    /** The control plane is upgraded except for another intent of one member, which can wait. */
    @Test
    void anotherIntentOfAControlPlaneWaitsForItsWindow() {
        ClusterKey cluster = fleetScenario.cluster("a", 3, 0);
        fleetScenario.requestUpgrade(cluster, "revision=9");
        for (int left = 3; left > 0; left--) {
            fleetScenario.succeed(fleetScenario.inFlight().get(0));
        }
        calendar(FleetScope.FLEET, BERLIN, MINUTE, window("all", "03:00", "04:00", null));
        know(BERLIN);
        fleetScenario.requestUpgrade(FleetScenario.machine("a-cp-1"), "revision=10");
        assertThat(fleetScenario.inFlight()).isEmpty();
        at("2026-03-02T02:30:00Z");
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-1");
    }

    @Test
    void aControlPlaneStartsOnlyIfAllOfItFitsAndIsThenFinished() {
        calendar(FleetScope.FLEET, BERLIN, Duration.ofMinutes(10));
        fleetScenario.cluster("a", 3, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .window(window("all", "03:00", "04:00", null))
                .build());
        know(BERLIN);
        at("2026-03-02T02:30:01Z");
        assertThat(fleetScenario.inFlight()).isEmpty();
        at("2026-03-03T02:30:00Z");
        String first = fleetScenario.inFlight().get(0);
        at("2026-03-03T02:55:00Z");
        fleetScenario.step(first, AttemptStep.REFRESHING);
        fleetScenario.succeed(first);
        at("2026-03-03T03:10:00Z");
        assertThat(fleetScenario.inFlight()).hasSize(1).doesNotContain(first);
    }

    @Test
    void noLeaseLastsLongerThanTheUpgradeFits() {
        calendar(FleetScope.FLEET, BERLIN, Duration.ofMinutes(20));
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .window(window("all", "03:00", "04:00", null))
                .build());
        know(BERLIN);
        at("2026-03-02T02:35:00Z");
        assertThat(fleetScenario.attempt("a-w-0").state())
                .isEqualTo(new AttemptState.Admitted(Instant.parse("2026-03-02T02:40:00Z")));
        assertThat(fleetScenario.state.head().decidedAt()).isEqualTo(fleetScenario.now);
    }

    @Test
    void adjacentWindowsAreOneWindow() {
        calendar(FleetScope.FLEET, BERLIN, Duration.ofMinutes(40));
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .window(window("SUNDAY", "03:00", "04:00", null), window("SUNDAY", "04:00", "04:30", null))
                .build());
        at("2026-03-08T02:50:00Z");
        know(BERLIN);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aMeasuredDurationGoesBeforeTheEstimateForItsRole() {
        calendar(FleetScope.FLEET, BERLIN, Duration.ofMinutes(1));
        fleetScenario.cluster(FleetScenario.SITE, "a", 0, 20, CampaignBuilder.labels("ring", "one"));
        fleetScenario.cluster("b", 1, 0);
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .maxUnavailable(20)
                .wave("one", CampaignBuilder.where("ring", "one"), false, 100)
                .wave("rest", LabelSelector.ALL, true, 100)
                .window(window("all", "03:00", "04:00", null))
                .build());
        at("2026-03-02T02:00:00Z");
        know(BERLIN);
        assertThat(fleetScenario.inFlight()).hasSize(20);
        at("2026-03-02T02:30:00Z");
        List.copyOf(fleetScenario.inFlight()).forEach(fleetScenario::succeed);
        fleetScenario.order(
                new OperatorOrderKey.ApproveWave(new CampaignName("up"), "rest"), OperatorOrder.OrderVerb.APPROVE);
        assertThat(fleetScenario.inFlight()).containsExactly("b-cp-0");
        assertThat(fleetScenario.closed("c-w-0")).containsExactly(GateLabel.MAINTENANCE_WINDOW);
    }

    /** An attempt takes two hours. */
    @ParameterizedTest
    @ValueSource(strings = {"00:00 00:00", "00:00 12:00 12:00 00:00", "06:00 18:00 17:00 07:00"})
    void aWindowOfAllDayNeverCloses(String hours) {
        String[] times = hours.split(" ", -1);
        MaintenanceWindow[] windows = new MaintenanceWindow[times.length / 2];
        for (int i = 0; i < windows.length; i++) {
            windows[i] = window("all", times[2 * i], times[2 * i + 1], null);
        }
        calendar(FleetScope.FLEET, BERLIN, Duration.ofHours(2), windows);
        know(BERLIN);
        fleetScenario.cluster("a", 0, 1);
        at("2026-03-01T22:59:00Z");
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        assertThat(fleetScenario.attempt("a-w-0").state())
                .isEqualTo(new AttemptState.Admitted(fleetScenario.now.plus(Duration.ofMinutes(15))));
    }

    /** 640 megabytes at 16 megabits a second are 320 seconds, and a minute comes to it; the window is open for an hour. */
    @ParameterizedTest
    @CsvSource({"2026-03-02T02:53:39Z, true", "2026-03-02T02:53:41Z, false"})
    void theDownloadTimeOfANodeCounts(String instant, boolean starts) {
        fleetScenario.receive(
                plain(FleetScope.FLEET, new UpgradePolicy.MaintenanceCalendar(BERLIN, List.of(), MINUTE, 640, null)));
        fleetScenario.receive(
                plain(FleetScenario.SITE, new UpgradePolicy.MaintenanceCalendar(null, List.of(), null, null, 16)));
        fleetScenario.cluster("a", 0, 0);
        know(BERLIN);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .window(window("all", "03:00", "04:00", null))
                .build());
        at(instant);
        fleetScenario.receive(
                MachineRowBuilder.of(FleetScenario.SITE, "a", "a-w-0").build());
        assertThat(fleetScenario.inFlight()).hasSize(starts ? 1 : 0);
    }

    private static UpgradePolicy plain(PolicyScope scope, UpgradePolicy.MaintenanceCalendar calendar) {
        return new UpgradePolicy(scope, null, null, false, null, null, null, null, null, calendar, null);
    }

    /** Twenty machines that took half an hour say nothing about a machine with another disk. */
    @Test
    void doesNotEstimateDurationFromAnotherMachineClass() {
        UpgradePolicy.MaintenanceCalendar berlin = new UpgradePolicy.MaintenanceCalendar(BERLIN, List.of(), MINUTE);
        fleetScenario.receive(
                new UpgradePolicy(FleetScope.FLEET, null, null, false, null, null, null, null, DISK, berlin, null));
        fleetScenario.cluster(FleetScenario.SITE, "a", 0, 0, CampaignBuilder.labels("ring", "one"));
        for (int i = 0; i < 20; i++) {
            worker("a", "a-w-" + i, "slow");
        }
        fleetScenario.cluster("b", 0, 0);
        worker("b", "b-slow", "slow");
        worker("b", "b-quick", "quick");
        fleetScenario.campaign(CampaignBuilder.named("up")
                .maxUnavailable(20)
                .wave("one", CampaignBuilder.where("ring", "one"), false, 100)
                .wave("rest", LabelSelector.ALL, true, 100)
                .window(window("all", "03:00", "04:00", null))
                .build());
        at("2026-03-02T02:00:00Z");
        know(BERLIN);
        assertThat(fleetScenario.inFlight()).hasSize(20);
        at("2026-03-02T02:30:00Z");
        List.copyOf(fleetScenario.inFlight()).forEach(fleetScenario::succeed);
        fleetScenario.order(
                new OperatorOrderKey.ApproveWave(new CampaignName("up"), "rest"), OperatorOrder.OrderVerb.APPROVE);
        assertThat(fleetScenario.inFlight()).containsExactly("b-quick");
        assertThat(fleetScenario.closed("b-slow")).containsExactly(GateLabel.MAINTENANCE_WINDOW);
    }

    private void worker(String cluster, String name, String disk) {
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, cluster, name)
                .labels(CampaignBuilder.labels(DISK, disk))
                .build());
    }

    /** The control plane at the head of the queue takes half an hour, and the window is open for a quarter of one. */
    @Test
    void aMachineThatDoesNotFitDoesNotBlockOthers() {
        calendar(FleetScope.FLEET, BERLIN, Duration.ofMinutes(10));
        know(BERLIN);
        fleetScenario.cluster("a", 3, 0);
        fleetScenario.cluster("b", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .window(window("all", "03:00", "04:00", null))
                .build());
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        know(BERLIN);
        at("2026-03-02T02:00:00Z");
        at("2026-03-02T02:45:00Z");
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(fleetScenario.inFlight()).containsExactly("b-w-0");
    }

    @Test
    void thePolicysAndTheCampaignsWindowsMustBothBeOpen() {
        calendar(FleetScope.FLEET, BERLIN, MINUTE, window("all", "03:00", "05:00", null));
        know(BERLIN);
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .window(window("all", "04:00", "06:00", null))
                .build());
        at("2026-03-02T02:30:00Z");
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.MAINTENANCE_WINDOW);
        at("2026-03-02T04:30:00Z");
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.MAINTENANCE_WINDOW);
        at("2026-03-03T03:30:00Z");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aTimeZoneIsNeededWhileAClusterIsInIt() {
        TimeZoneName tokyo = new TimeZoneName("Asia/Tokyo");
        calendar(FleetScope.FLEET, BERLIN, MINUTE, window("all", "03:00", "04:00", null));
        for (String cluster : List.of("a", "b")) {
            fleetScenario.cluster(cluster, 0, 1);
            locate(cluster, tokyo);
        }
        assertThat(fleetScenario.state.neededTimeZones()).containsExactly(tokyo, BERLIN);
        locate("a", null);
        assertThat(fleetScenario.state.neededTimeZones()).containsExactly(tokyo, BERLIN);
        fleetScenario.receive(new dev.flotilla.schemas.row.Tombstone(new dev.flotilla.schemas.id.RowKey(
                dev.flotilla.schemas.id.Table.INVENTORY, new ClusterKey(FleetScenario.SITE, "default", "b"))));
        assertThat(fleetScenario.state.neededTimeZones()).containsExactly(BERLIN);
        calendar(FleetScope.FLEET, BERLIN, MINUTE);
        assertThat(fleetScenario.state.neededTimeZones())
                .as("nothing has a window")
                .isEmpty();
    }

    /** The time zone of a cluster becomes known: windows that are open there are open at once. */
    @Test
    void aClusterWithATimeZoneFollowsItsClocks() {
        TimeZoneName tokyo = new TimeZoneName("Asia/Tokyo");
        calendar(FleetScope.FLEET, BERLIN, MINUTE, window("all", "03:00", "04:00", null));
        know(BERLIN);
        know(tokyo);
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        at("2026-03-02T18:30:00Z");
        assertThat(fleetScenario.inFlight()).isEmpty();
        locate("a", tokyo);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    private void locate(String cluster, @Nullable TimeZoneName zone) {
        fleetScenario.receive(new ClusterRow(
                new ClusterKey(FleetScenario.SITE, "default", cluster),
                "uid-" + cluster,
                Labels.NONE,
                false,
                false,
                zone == null ? null : zone.id(),
                0,
                1));
    }

    @Test
    void readingTheSameTimeZoneRulesAgainChangesNothing() {
        know(BERLIN);
        assertThat(fleetScenario.state.knowsTimeZone(BERLIN)).isTrue();
        assertThat(fleetScenario.state.knowsTimeZone(new TimeZoneName("Asia/Tokyo")))
                .isFalse();
        int before = fleetScenario.decisions.size();
        know(BERLIN);
        assertThat(fleetScenario.decisions).hasSize(before);
    }
}
