package dev.flotilla.cli.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.file.CampaignFileReader;
import dev.flotilla.schemas.json.file.FileReadResult;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.simulator.rollout.CampaignForecast;
import dev.flotilla.simulator.rollout.CampaignForecast.PreparationForecast;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CampaignPlanReportTest {
    private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");

    @Test
    void printsAReasonOfManyMachinesOnce() {
        List<String> lines = lines(
                NOW.plusSeconds(600),
                new TreeMap<>(Map.of(GateLabel.CAMPAIGN_NOT_RUNNING, 30, GateLabel.MACHINE_NOT_ELIGIBLE, 1)),
                IntStream.range(0, 31)
                        .mapToObj(i -> i < 30
                                ? waits(i, GateLabel.CAMPAIGN_NOT_RUNNING, "Past it.")
                                : waits(i, GateLabel.MACHINE_NOT_ELIGIBLE, "Held."))
                        .toList());

        assertThat(lines)
                .filteredOn(line -> line.contains("Past it."))
                .containsExactly("  east/fleet/w-0 and 29 more: Past it.");
        assertThat(lines).endsWith("  east/fleet/w-30: Held.");
    }

    @Test
    void doesNotSayThatACampaignWithWaitingMachinesEnds() {
        List<String> lines = lines(
                NOW.plusSeconds(600),
                new TreeMap<>(Map.of(GateLabel.MACHINE_NOT_ELIGIBLE, 1)),
                List.of(waits(0, GateLabel.MACHINE_NOT_ELIGIBLE, "Held.")));

        assertThat(lines)
                .contains("Does not complete: 1 of 40 machines still wait after the last upgrade, which ends"
                        + " 2026-12-01T00:10:00Z at the median of 1 runs and 2026-12-01T00:10:00Z at the 90th"
                        + " percentile, if nothing fails and nobody intervenes.")
                .noneMatch(line -> line.startsWith("Ends "));
    }

    @Test
    void saysWhenACompletingCampaignEnds() {
        assertThat(lines(NOW.plusSeconds(600), Collections.emptySortedMap(), List.of()))
                .last()
                .asString()
                .startsWith("Ends 2026-12-01T00:10:00Z at the median of 1 runs");
    }

    @Test
    void saysWhenMachinesArePrepared() {
        PreparationForecast some = new PreparationForecast(30, NOW.plusSeconds(60), NOW.plusSeconds(3600));
        assertThat(lines(NOW.plusSeconds(7200), Collections.emptySortedMap(), List.of(), some))
                .contains(
                        "Prepares 30 of 40 machines from 2026-12-01T00:01:00Z until 2026-12-01T01:00:00Z, if each takes"
                                + " 10 min; the upgrades of the other 10 fetch what they need.");
        assertThat(lines(
                        NOW.plusSeconds(7200),
                        Collections.emptySortedMap(),
                        List.of(),
                        new PreparationForecast(0, null, null)))
                .contains("Prepares no machine in time: upgrades fetch what they need.");
        assertThat(lines(
                        NOW.plusSeconds(7200),
                        Collections.emptySortedMap(),
                        List.of(),
                        new PreparationForecast(40, null, null)))
                .contains("40 of 40 machines are prepared already.");
        assertThat(lines(NOW.plusSeconds(7200), Collections.emptySortedMap(), List.of()))
                .noneMatch(line -> line.startsWith("Prepares"));
    }

    private static List<String> lines(
            @Nullable Instant end, SortedMap<GateLabel, Integer> waiting, List<CampaignForecast.WaitingMachine> waits) {
        return lines(end, waiting, waits, null);
    }

    private static List<String> lines(
            @Nullable Instant end,
            SortedMap<GateLabel, Integer> waiting,
            List<CampaignForecast.WaitingMachine> waits,
            @Nullable PreparationForecast preparation) {
        CampaignForecast play = new CampaignForecast(
                null,
                40,
                4,
                List.of(new CampaignForecast.WaveForecast("all", 40, false, NOW, end)),
                end,
                waiting,
                waits,
                preparation);
        return new CampaignPlanReport(campaign(), NOW, 1, List.of(play), List.of()).lines();
    }

    private static CampaignForecast.WaitingMachine waits(int worker, GateLabel gate, String says) {
        return new CampaignForecast.WaitingMachine(
                new MachineKey(new SiteId("east"), "fleet", "w-" + worker), new ClosedGate(gate, "this", "that", says));
    }

    private static Campaign campaign() {
        FileReadResult<Campaign> read = CampaignFileReader.read("""
                apiVersion: flotilla.dev/v1
                kind: Campaign
                metadata: {name: spring}
                spec: {target: {option: channel=1.33-classic/stable}, select: {}}
                """);
        return ((FileReadResult.ValidFile<Campaign>) read).value();
    }
}
