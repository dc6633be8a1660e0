package dev.flotilla.cli.campaign;

import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.simulator.rollout.CampaignForecast;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Report of several forecast runs of a campaign on the current fleet, as text and as JSON. It shows the median run. */
final class CampaignPlanReport {
    private static final double MILLIS = 1000;
    private static final int HUNDRED = 100;
    /** Largest number of reasons that are printed. */
    private static final int SHOWN = 20;

    /** Gates at which a machine waits if no window is long enough for it. */
    private static final Set<GateLabel> TOO_SMALL =
            EnumSet.of(GateLabel.MAINTENANCE_WINDOW, GateLabel.CAMPAIGN_NOT_RUNNING);

    private final Campaign campaign;
    private final Instant now;
    private final long measuredUpgrades;
    private final List<CampaignForecast> byEnd;
    private final CampaignForecast median;
    private final List<String> warnings;

    CampaignPlanReport(
            Campaign campaign, Instant now, long learned, List<CampaignForecast> plays, List<String> warnings) {
        this.warnings = List.copyOf(warnings);
        this.campaign = campaign;
        this.now = now;
        this.measuredUpgrades = learned;
        this.byEnd = new ArrayList<>(plays);
        byEnd.sort(Comparator.comparing(CampaignPlanReport::endOf, Comparator.nullsFirst(Comparator.naturalOrder())));
        this.median = percentile(50);
    }

    private static @Nullable Instant endOf(CampaignForecast play) {
        return play.end();
    }

    private CampaignForecast percentile(int percent) {
        return byEnd.get(Math.max(0, (byEnd.size() * percent + HUNDRED - 1) / HUNDRED - 1));
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("campaign " + campaign.name() + " to "
                + campaign.spec().target().option() + ": " + median.machines() + " machines in " + median.clusters()
                + " clusters, as of " + formatSeconds(now));
        lines.add(
                measuredUpgrades > 0
                        ? "durations drawn from " + measuredUpgrades + " measured upgrades of earlier campaigns"
                        : "durations drawn around the policies' estimate, because no campaign has measured an upgrade"
                                + " yet");
        TextTable table = new TextTable("WAVE", "MACHINES", "STARTS", "ENDS", "");
        for (CampaignForecast.WaveForecast wave : median.waves()) {
            table.row(
                    wave.wave(),
                    Integer.toString(wave.machines()),
                    formatSeconds(wave.startsAt()),
                    formatSeconds(wave.endsAt()),
                    wave.approval() ? "needs approval; the forecast assumes it at once" : "");
        }
        table.lines().forEach(line -> lines.add("  " + line));
        addPreparation(lines);
        lines.add(describeEnd(endOf(median), endOf(percentile(90))));
        median.waitingByGate()
                .forEach((gate, machines) -> lines.add(machines + " machines still wait at gate " + gate.label()));
        addReasons(lines);
        return lines;
    }

    private void addPreparation(List<String> lines) {
        CampaignForecast.PreparationForecast preparation = median.preparation();
        if (preparation == null) {
            return;
        }
        if (preparation.machines() == 0) {
            lines.add("Prepares no machine in time: upgrades fetch what they need.");
            return;
        }
        if (preparation.startsAt() == null) {
            lines.add(preparation.machines() + " of " + median.machines() + " machines are prepared already"
                    + (preparation.machines() < median.machines() ? "; no other is in time." : "."));
            return;
        }
        int others = median.machines() - preparation.machines();
        lines.add("Prepares " + preparation.machines() + " of " + median.machines() + " machines from "
                + formatSeconds(preparation.startsAt()) + " until " + formatSeconds(preparation.endsAt())
                + ", if each takes " + CampaignForecast.PREPARATION.toMinutes() + " min"
                + (others == 0 ? "." : "; the upgrades of the other " + others + " fetch what they need."));
    }

    private String describeEnd(@Nullable Instant p50, @Nullable Instant p90) {
        if (p50 == null || p90 == null) {
            return "Nothing is started.";
        }
        String ends = formatSeconds(p50) + " at the median of " + byEnd.size() + " runs and " + formatSeconds(p90)
                + " at the 90th percentile, if nothing fails and nobody intervenes.";
        int waiting = countWaiting();
        return waiting == 0
                ? "Ends " + ends
                : "Does not complete: " + waiting + " of " + median.machines()
                        + " machines still wait after the last upgrade, which ends " + ends;
    }

    private int countWaiting() {
        return median.waitingByGate().values().stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    /** Lists why machines still wait: each reason once, with one machine as example. */
    private void addReasons(List<String> lines) {
        Map<String, List<MachineKey>> reasons = new LinkedHashMap<>();
        median.waitingMachines()
                .forEach(waitingMachine -> reasons.computeIfAbsent(
                                waitingMachine.gate().message(), message -> new ArrayList<>())
                        .add(waitingMachine.machine()));
        reasons.entrySet().stream().limit(SHOWN).forEach(reason -> {
            List<MachineKey> machines = reason.getValue();
            String more = machines.size() == 1 ? "" : " and " + (machines.size() - 1) + " more";
            lines.add("  " + machines.getFirst() + more + ": " + reason.getKey());
        });
        if (reasons.size() > SHOWN) {
            lines.add("  and " + (reasons.size() - SHOWN) + " more reasons");
        }
        if (countWaiting() > median.waitingMachines().size()) {
            lines.add("  (reasons of the first " + median.waitingMachines().size() + " waiting machines)");
        }
    }

    JsonObjectReader json() {
        List<JsonValue> waves = new ArrayList<>();
        for (CampaignForecast.WaveForecast wave : median.waves()) {
            waves.add(new JsonObjectReader.Builder()
                    .put("name", wave.wave())
                    .put("machines", wave.machines())
                    .put("approval", wave.approval())
                    .put("expectedStart", seconds(wave.startsAt()))
                    .put("expectedEnd", seconds(wave.endsAt()))
                    .put("expectedStartAt", JsonFormatter.text(text(wave.startsAt())))
                    .put("expectedEndAt", JsonFormatter.text(text(wave.endsAt())))
                    .build());
        }
        List<JsonValue> unfit = new ArrayList<>();
        for (CampaignForecast.WaitingMachine waitingMachine : median.waitingMachines()) {
            if (TOO_SMALL.contains(waitingMachine.gate().gate())) {
                unfit.add(new JsonObjectReader.Builder()
                        .put("machine", waitingMachine.machine().toString())
                        .put("why", waitingMachine.gate().message())
                        .build());
            }
        }
        List<JsonValue> gates = new ArrayList<>();
        median.waitingByGate()
                .forEach((gate, machines) -> gates.add(new JsonObjectReader.Builder()
                        .put("gate", gate.label())
                        .put("machines", machines)
                        .build()));
        return new JsonObjectReader.Builder()
                .put("campaign", campaign.name().name())
                .put("machines", median.machines())
                .put("clusters", median.clusters())
                .put("now", now.toString())
                .put("durationsMeasured", measuredUpgrades)
                .put("runs", byEnd.size())
                .put("waves", JsonFormatter.list(waves))
                .put(
                        "end",
                        new JsonObjectReader.Builder()
                                .put("p50", seconds(endOf(median)))
                                .put("p90", seconds(endOf(percentile(90))))
                                .build())
                .put("preparation", preparation())
                .put("doesNotFit", JsonFormatter.list(unfit))
                .put("gates", JsonFormatter.list(gates))
                .put("warnings", JsonFormatter.texts(warnings))
                .build();
    }

    private JsonValue preparation() {
        CampaignForecast.PreparationForecast preparation = median.preparation();
        return preparation == null
                ? JsonFormatter.text(null)
                : new JsonObjectReader.Builder()
                        .put("machines", preparation.machines())
                        .put("expectedStart", seconds(preparation.startsAt()))
                        .put("expectedEnd", seconds(preparation.endsAt()))
                        .put("expectedStartAt", JsonFormatter.text(text(preparation.startsAt())))
                        .put("expectedEndAt", JsonFormatter.text(text(preparation.endsAt())))
                        .build();
    }

    /** Seconds from now. */
    private JsonValue seconds(@Nullable Instant instant) {
        return instant == null
                ? JsonFormatter.text(null)
                : JsonFormatter.number(Duration.between(now, instant).toMillis() / MILLIS);
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }

    private static String formatSeconds(@Nullable Instant instant) {
        return instant == null ? "-" : instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
