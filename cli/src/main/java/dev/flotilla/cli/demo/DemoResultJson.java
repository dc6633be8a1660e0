package dev.flotilla.cli.demo;

import dev.flotilla.cli.demo.DemoResult.UnfinishedMachineState;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats the result as JSON. Its field names are stable. */
final class DemoResultJson {
    private DemoResultJson() {}

    static JsonValue toJson(DemoResult result) {
        return new JsonObjectReader.Builder()
                .put("machines", result.machines())
                .put("succeeded", result.succeeded())
                .put("unchanged", result.unchanged())
                .put("quarantined", result.count(UnfinishedMachineState.QUARANTINED))
                .put("failed", result.count(UnfinishedMachineState.FAILED))
                .put("skipped", result.count(UnfinishedMachineState.SKIPPED))
                .put("waiting", result.count(UnfinishedMachineState.WAITING))
                .put("inFlight", result.inFlight())
                .put("stoppedBecause", JsonFormatter.text(result.gaveUp()))
                .put(
                        "notSucceeded",
                        JsonFormatter.list(result.notSucceeded().stream()
                                .map(DemoResultJson::rest)
                                .toList()))
                .put(
                        "campaigns",
                        JsonFormatter.list(result.campaigns().stream()
                                .map(DemoResultJson::campaign)
                                .toList()))
                .put("providers", providers(result))
                .put("cap", result.spec().cap())
                .put("maxInFlight", result.work().maxInFlight())
                .put("makespanSeconds", JsonFormatter.number(result.makespan()))
                .put("idealMakespanSeconds", JsonFormatter.number(result.idealMakespan()))
                .put("efficiency", JsonFormatter.number(result.efficiency()))
                .put("speed", JsonFormatter.number(result.spec().sites().speed()))
                .put("seed", result.spec().sites().seed())
                .put("refreshCalls", result.work().calls())
                .put(
                        "refreshCallsPerMachine",
                        new JsonObjectReader.Builder()
                                .put(
                                        "mean",
                                        JsonFormatter.number(
                                                (double) result.work().calls() / result.machines()))
                                .put("max", result.work().mostCalls())
                                .build())
                .put("upgraderObjects", result.work().upgraderObjects())
                .put(
                        "kills",
                        JsonFormatter.list(result.kills().stream()
                                .map(DemoResultJson::kill)
                                .toList()))
                .put("invariantsChecked", result.audit().checks())
                .put("violations", JsonFormatter.list(result.audit().violations()))
                .put("audited", result.audit().isComplete())
                .put("real", JsonFormatter.texts(DemoComponent.real(result.spec())))
                .put("simulated", JsonFormatter.texts(DemoComponent.simulated(result.spec())))
                .build();
    }

    private static JsonValue rest(DemoResult.UnfinishedMachine unfinishedMachine) {
        return new JsonObjectReader.Builder()
                .put("machine", unfinishedMachine.machine().toString())
                .put("outcome", unfinishedMachine.state().name().toLowerCase(Locale.ROOT))
                .put("inFlight", unfinishedMachine.inFlight())
                .put("gate", JsonFormatter.text(unfinishedMachine.gate()))
                .put("message", JsonFormatter.text(unfinishedMachine.gateMessage()))
                .put("class", JsonFormatter.text(unfinishedMachine.failureClass()))
                .put("reason", JsonFormatter.text(unfinishedMachine.reason()))
                .put("calls", unfinishedMachine.calls())
                .build();
    }

    private static JsonValue providers(DemoResult result) {
        JsonObjectReader.Builder providers = new JsonObjectReader.Builder();
        result.providers().forEach((provider, machines) -> providers.put(provider.label(), machines));
        return providers.build();
    }

    private static JsonValue campaign(DemoResult.CampaignResult campaign) {
        return new JsonObjectReader.Builder()
                .put("name", campaign.name())
                .put("target", campaign.target())
                .put("state", campaign.state())
                .put(
                        "waves",
                        JsonFormatter.list(campaign.waves().stream()
                                .map(DemoResultJson::wave)
                                .toList()))
                .build();
    }

    private static JsonValue wave(DemoResult.WaveResult wave) {
        return new JsonObjectReader.Builder()
                .put("name", wave.name())
                .put("machines", wave.machines())
                .put("succeeded", wave.succeeded())
                .put("startSeconds", seconds(wave.start()))
                .put("endSeconds", seconds(wave.end()))
                .build();
    }

    private static JsonValue kill(DemoResult.KillResult kill) {
        return new JsonObjectReader.Builder()
                .put("what", kill.target().label())
                .put("process", kill.process())
                .put("at", seconds(kill.at()))
                .put("recoveredSeconds", seconds(kill.recovered()))
                .build();
    }

    /** A number, or null for what has not happened. */
    private static JsonValue seconds(@Nullable Double seconds) {
        return seconds == null ? JsonFormatter.text(null) : JsonFormatter.number(seconds);
    }
}
