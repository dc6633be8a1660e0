package dev.flotilla.cli.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.core.fleet.rollout.FailureBudgetUsage;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CampaignWatchScreenTest {
    private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");

    @Test
    void countsPreparationsAndSaysOnceWhereMachinesWait() {
        assertThat(shown(new CampaignProgressView.PreparationView(5, 2, 0)))
                .isEqualTo(
                        "2026-12-01T00:00:00Z  up running: 0 of 40 at the target, 40 remaining, 0 in flight, 5 prepared, 2"
                                + " preparing, 40 wait at gate maintenance-window; all 0/40 open");
        assertThat(shown(new CampaignProgressView.PreparationView(5, 2, 1)))
                .contains(", 5 prepared, 2 preparing, 1 could not be prepared, 40 wait");
        assertThat(shown(null)).doesNotContain("prepar");
    }

    @Test
    void aNarrowTerminalShowsEverythingOnSeveralLines() {
        StringWriter err = new StringWriter();
        CampaignWatchScreen screen = new CampaignWatchScreen(
                new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(err), 80, false, false, null));

        screen.show(view(CampaignState.RUNNING, 4, Duration.ofMinutes(65)), Map.of(), NOW);

        assertThat(err.toString().lines().limit(2))
                .containsExactly(
                        "up running: 0 of 40 at the target, 40 remaining, 4 in flight,",
                        "failure budget 5 of 8 used, about 1h5m left at the present pace");
        screen.show(view(CampaignState.RUNNING, 4, Duration.ofMinutes(64)), Map.of(), NOW);
        assertThat(err.toString()).contains("\u001b[3A\u001b[J");
    }

    @Test
    void namesHowManyMachinesHaveFailed() {
        assertThat(view(1, null).lines(NOW))
                .contains("0 of 40 machines at the target, 40 remaining, 0 of them in flight, 1 failed");
        assertThat(view(0, null).lines(NOW))
                .contains("0 of 40 machines at the target, 40 remaining, 0 of them in flight");
    }

    @Test
    void showsTheFailureBudgetAndTheExpectedEnd() {
        CampaignProgressView known = view(CampaignState.RUNNING, 4, Duration.ofMillis(3_900_500));
        assertThat(screenOf(known))
                .contains(
                        "40 remaining, 4 in flight, failure budget 5 of 8 used, about 1h5m left at the present pace; all");
        assertThat(known.lines(NOW))
                .contains(
                        "failure budget: 5 of 8 used (failed, in flight or reserved), 3 left",
                        "expected to end about 2026-12-01T01:05:00Z, in 1h5m at the present pace");
        assertThat(JsonFormatter.line(known.json(NOW)))
                .contains(
                        "\"budget\":{\"machines\":8,\"used\":5,\"remaining\":3}",
                        "\"expectedEndAt\":\"2026-12-01T01:05:00.500Z\"");
    }

    @Test
    void saysWhyTheEndIsUnknown() {
        assertThat(view(CampaignState.RUNNING, 4, null).lines(NOW))
                .contains("expected end unknown: too few upgrades have ended to know the pace");
        CampaignProgressView idle = view(CampaignState.RUNNING, 0, null);
        assertThat(idle.lines(NOW)).contains("expected end unknown: no machine is in flight");
        assertThat(screenOf(idle)).doesNotContain("left at");
        assertThat(JsonFormatter.line(idle.json(NOW))).contains("\"expectedEndAt\":null");
        assertThat(view(0, null).lines(NOW)).contains("failure budget: none");
    }

    @Test
    void aPausedCampaignHasNoExpectedEnd() {
        CampaignProgressView paused = view(CampaignState.PAUSED, 4, Duration.ofMinutes(5));
        assertThat(paused.lines(NOW)).noneMatch(line -> line.contains("expected"));
        assertThat(screenOf(paused)).contains("failure budget 5 of 8 used").doesNotContain("left at");
        assertThat(JsonFormatter.line(paused.json(NOW))).contains("\"expectedEndAt\":null");
    }

    @Test
    void aRedrawnScreenIsAsWideAsTheTerminal() {
        StringWriter err = new StringWriter();
        CampaignWatchScreen screen = new CampaignWatchScreen(
                new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(err), 40, false, false, null));
        screen.show(view(0, null), Map.of(GateLabel.MAINTENANCE_WINDOW, 40), NOW);
        assertThat(err.toString().lines())
                .hasSizeGreaterThan(2)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(40));
    }

    @Test
    void printsJsonOnceForEachChange() {
        StringWriter out = new StringWriter();
        CampaignWatchJson json = new CampaignWatchJson(
                new Terminal(new PrintWriter(out), new PrintWriter(new StringWriter()), 0, false, false, null));
        Map<GateLabel, Integer> gates = Map.of(GateLabel.WAVE, 40);

        json.show(view(CampaignState.RUNNING, 4, Duration.ofMinutes(5)), gates, NOW);
        json.show(view(CampaignState.RUNNING, 4, Duration.ofMinutes(5)), gates, NOW.plusSeconds(2));
        json.show(view(CampaignState.RUNNING, 4, Duration.ofMinutes(4)), gates, NOW.plusSeconds(4));
        json.show(view(CampaignState.RUNNING, 4, Duration.ofMinutes(4)), Map.of(), NOW.plusSeconds(6));

        assertThat(out.toString().lines())
                .satisfiesExactly(
                        first -> assertThat(first)
                                .startsWith("{\"at\":\"2026-12-01T00:00:00Z\",\"name\":\"up\",")
                                .contains("\"expectedEndAt\":\"2026-12-01T00:05:00Z\"")
                                .endsWith("\"gates\":{\"wave\":40}}"),
                        second -> assertThat(second)
                                .startsWith("{\"at\":\"2026-12-01T00:00:04Z\"")
                                .contains("\"expectedEndAt\":\"2026-12-01T00:04:04Z\""),
                        third -> assertThat(third)
                                .startsWith("{\"at\":\"2026-12-01T00:00:06Z\"")
                                .endsWith("\"gates\":{}}"));
    }

    private static String shown(CampaignProgressView.@Nullable PreparationView preparations) {
        return screenOf(view(0, preparations));
    }

    private static String screenOf(CampaignProgressView view) {
        StringWriter err = new StringWriter();
        new CampaignWatchScreen(
                        new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(err), 0, false, false, null))
                .show(view, Map.of(GateLabel.MAINTENANCE_WINDOW, 40), NOW);
        return err.toString().strip();
    }

    private static CampaignProgressView view(int failed, CampaignProgressView.@Nullable PreparationView preparations) {
        return view(CampaignState.RUNNING, 0, failed, null, null, preparations);
    }

    private static CampaignProgressView view(CampaignState state, int inFlight, @Nullable Duration timeLeft) {
        return view(state, inFlight, 1, new FailureBudgetUsage(8, 5), timeLeft, null);
    }

    private static CampaignProgressView view(
            CampaignState state,
            int inFlight,
            int failed,
            @Nullable FailureBudgetUsage budget,
            @Nullable Duration timeLeft,
            CampaignProgressView.@Nullable PreparationView preparations) {
        Campaign campaign = new Campaign(
                new CampaignName("up"),
                Labels.NONE,
                new CampaignSpecBuilder(new UpgradeTarget.KubernetesRelease("v1.36.3"), MachineSelection.EVERYTHING)
                        .build());
        CampaignStatus status =
                new CampaignStatus(campaign.name(), 7, campaign, state, null, NOW, List.of(), 0, List.of());
        return new CampaignProgressView(
                status,
                inFlight,
                failed,
                budget,
                timeLeft,
                preparations,
                List.of(new CampaignProgressView.WaveProgressView("all", "open", 40, 0, 40)),
                List.of(),
                "40 wait at gate maintenance-window, such as east/fleet/w-1: closed");
    }
}
