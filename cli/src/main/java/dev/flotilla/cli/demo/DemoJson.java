package dev.flotilla.cli.demo;

import dev.flotilla.cli.demo.DemoResult.Standing;
import dev.flotilla.cli.terminal.JsonText;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The result as programs read it. The names of its fields are promised. */
final class DemoJson {
    private DemoJson() {}

    static JsonValue of(DemoResult result) {
        return new JsonObjectReader.Builder()
                .put("machines", result.machines())
                .put("succeeded", result.succeeded())
                .put("unchanged", result.unchanged())
                .put("quarantined", result.count(Standing.QUARANTINED))
                .put("failed", result.count(Standing.FAILED))
                .put("skipped", result.count(Standing.SKIPPED))
                .put("waiting", result.count(Standing.WAITING))
                .put("inFlight", result.inFlight())
                .put("gaveUp", JsonText.text(result.gaveUp()))
                .put(
                        "notSucceeded",
                        JsonText.list(result.notSucceeded().stream()
                                .map(DemoJson::rest)
                                .toList()))
                .put("campaigns", JsonText.list(List.of(campaign(result))))
                .put("cap", result.spec().cap())
                .put("maxInFlight", result.work().maxInFlight())
                .put("makespanSeconds", JsonText.number(result.makespan()))
                .put("idealMakespanSeconds", JsonText.number(result.idealMakespan()))
                .put("efficiency", JsonText.number(result.efficiency()))
                .put("speed", JsonText.number(result.spec().sites().speed()))
                .put("seed", result.spec().sites().seed())
                .put("refreshCalls", result.work().calls())
                .put(
                        "refreshCallsPerMachine",
                        new JsonObjectReader.Builder()
                                .put(
                                        "mean",
                                        JsonText.number((double) result.work().calls() / result.machines()))
                                .put("max", result.work().mostCalls())
                                .build())
                .put(
                        "kills",
                        JsonText.list(
                                result.kills().stream().map(DemoJson::kill).toList()))
                .put("invariantsChecked", result.audit().checks())
                .put("violations", JsonText.list(result.audit().violations()))
                .put("audited", result.audit().whole())
                .put("real", JsonText.texts(Part.real(result.spec())))
                .put("simulated", JsonText.texts(Part.simulated(result.spec())))
                .build();
    }

    private static JsonValue rest(DemoResult.Rest rest) {
        return new JsonObjectReader.Builder()
                .put("machine", rest.machine().toString())
                .put("outcome", rest.standing().name().toLowerCase(Locale.ROOT))
                .put("inFlight", rest.inFlight())
                .put("gate", JsonText.text(rest.gate()))
                .put("says", JsonText.text(rest.says()))
                .put("class", JsonText.text(rest.failureClass()))
                .put("reason", JsonText.text(rest.reason()))
                .put("calls", rest.calls())
                .build();
    }

    private static JsonValue campaign(DemoResult result) {
        return new JsonObjectReader.Builder()
                .put("name", DemoCampaign.NAME.toString())
                .put("target", result.target())
                .put("state", result.campaignState())
                .put(
                        "waves",
                        JsonText.list(
                                result.waves().stream().map(DemoJson::wave).toList()))
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
                .put("what", kill.what().label())
                .put("process", kill.process())
                .put("at", seconds(kill.at()))
                .put("recoveredSeconds", seconds(kill.recovered()))
                .build();
    }

    /** Null for what has not happened. */
    private static JsonValue seconds(@Nullable Double seconds) {
        return seconds == null ? JsonText.text(null) : JsonText.number(seconds);
    }
}
