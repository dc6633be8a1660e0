package dev.flotilla.cli.demo;

import dev.flotilla.cli.terminal.JsonText;
import dev.flotilla.cli.terminal.SimulatedClock;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.simulator.check.Violation;
import dev.flotilla.simulator.play.Part;
import dev.flotilla.simulator.play.PlayResult;
import dev.flotilla.simulator.play.PlayResult.Standing;
import java.util.List;
import java.util.Locale;

/** The result as programs read it. The names of its fields are promised. */
final class DemoJson {
    private DemoJson() {}

    static Tree of(Report report) {
        PlayResult result = report.result();
        return new Obj.Builder()
                .put("machines", result.machines())
                .put("succeeded", result.succeeded())
                .put("unchanged", result.unchanged())
                .put("quarantined", result.count(Standing.QUARANTINED))
                .put("failed", result.count(Standing.FAILED))
                .put("skipped", result.count(Standing.SKIPPED))
                .put("waiting", result.count(Standing.WAITING))
                .put(
                        "notSucceeded",
                        JsonText.list(result.notSucceeded().stream()
                                .map(DemoJson::rest)
                                .toList()))
                .put("campaigns", JsonText.list(List.of(campaign(report))))
                .put("cap", result.cap())
                .put("maxInFlight", result.maxInFlight())
                .put("makespanSeconds", JsonText.number(report.makespanSeconds()))
                .put("idealMakespanSeconds", JsonText.number(report.idealSeconds()))
                .put("efficiency", JsonText.number(report.efficiency()))
                .put("speed", JsonText.number(report.speed()))
                .put("seed", report.spec().seed())
                .put("refreshCalls", result.refreshCalls())
                .put(
                        "refreshCallsPerMachine",
                        new Obj.Builder()
                                .put("mean", JsonText.number((double) result.refreshCalls() / result.machines()))
                                .put("max", result.mostCalls())
                                .build())
                .put(
                        "kills",
                        JsonText.list(result.kills().stream()
                                .map(kill -> kill(kill, report))
                                .toList()))
                .put("invariantsChecked", result.invariantsChecked())
                .put(
                        "violations",
                        JsonText.list(result.violations().stream()
                                .map(DemoJson::violation)
                                .toList()))
                .put("real", List.of())
                .put("simulated", Part.SIMULATED.stream().map(Part::label).toList())
                .build();
    }

    private static Tree rest(PlayResult.Rest rest) {
        return new Obj.Builder()
                .put("machine", rest.machine().toString())
                .put("outcome", rest.standing().name().toLowerCase(Locale.ROOT))
                .put("gate", JsonText.text(rest.gate()))
                .put("class", JsonText.text(rest.failureClass()))
                .put("reason", JsonText.text(rest.reason()))
                .put("calls", rest.calls())
                .build();
    }

    private static Tree campaign(Report report) {
        PlayResult result = report.result();
        return new Obj.Builder()
                .put("name", result.campaign())
                .put("target", result.target())
                .put("state", result.campaignState())
                .put(
                        "waves",
                        JsonText.list(result.waves().stream()
                                .map(wave -> wave(wave, report))
                                .toList()))
                .build();
    }

    private static Tree wave(PlayResult.WaveResult wave, Report report) {
        return new Obj.Builder()
                .put("name", wave.name())
                .put("machines", wave.machines())
                .put("succeeded", wave.succeeded())
                .put("startSeconds", seconds(wave.start(), report))
                .put("endSeconds", seconds(wave.end(), report))
                .build();
    }

    private static Tree kill(PlayResult.KillResult kill, Report report) {
        return new Obj.Builder()
                .put("what", kill.what().label())
                .put("process", kill.process())
                .put("at", seconds(kill.at(), report))
                .put("recoveredSeconds", seconds(kill.recovered(), report))
                .build();
    }

    /** Null for what has not happened. */
    private static Tree seconds(long simulatedMillis, Report report) {
        return simulatedMillis < 0 ? JsonText.text(null) : JsonText.number(report.scaled(simulatedMillis));
    }

    private static Tree violation(Violation violation) {
        return new Obj.Builder()
                .put("invariant", violation.invariant().label())
                .put("at", JsonText.number(SimulatedClock.seconds(violation.at())))
                .put("detail", violation.detail())
                .build();
    }
}
