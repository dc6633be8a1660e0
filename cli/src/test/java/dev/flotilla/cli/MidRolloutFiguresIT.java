package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.TableRow;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the reading commands with the API in the middle of a rollout: of ten machines two have succeeded, one is
 * quarantined, one is in flight, and six wait for the next wave.
 */
class MidRolloutFiguresIT {
    private static final SiteId EAST = new SiteId("east");
    private static final SiteId NORTH = new SiteId("north");
    private static final int PATIENCE_SECONDS = 60;

    @TempDir
    static Path folder;

    private static KafkaFleetFixture fleet;
    private static Path campaign;
    private static Instant begun;

    @BeforeAll
    static void begin() throws Exception {
        begun = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        fleet = new KafkaFleetFixture();
        JsonArray added = json("site add east north -o json").getJsonArray("added");
        assertThat(added.getJsonObject(1).getString("object")).isEqualTo("site east");
        assertThat(added.getJsonObject(1).getString("result")).isEqualTo("changed");
        assertThat(added.getJsonObject(1).getJsonArray("created")).contains("flotilla.commands.east");
        assertThat(added.getJsonObject(1).getJsonArray("existing").isEmpty()).isTrue();
        fleet.startOrchestratorWithApi();
        fleet.publishInventory(EAST, machines(EAST, 4));
        fleet.publishInventory(NORTH, machines(NORTH, 6));
        fleet.until("fleet status -o json", cliResult -> cliResult.json().contains("\"machines\":10"));
        done("policy apply " + write("policy.yaml", """
                apiVersion: flotilla.dev/v1
                kind: Policy
                metadata: {name: fleet}
                spec: {caps: {inFlight: 4}}
                """));
        campaign = write("campaign.yaml", """
                apiVersion: flotilla.dev/v1
                kind: Campaign
                metadata: {name: spring}
                spec:
                  target: {option: 'channel=1.33-classic/stable'}
                  select: {}
                  waves: [{name: canary, sites: [east], successPercent: 100}, {name: rest}]
                  failureBudget: {machines: 5}
                  cluster: {maxUnavailable: 100%}
                """);
        done("campaign apply " + campaign);
        fleet.until("fleet status -o json", cliResult -> cliResult.json().contains("\"inFlight\":4"));
        report(0, new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "1001", "v1.33.0"));
        report(1, new AttemptReport.Succeeded(AttemptReport.SuccessProof.UNCHANGED, "1001", "v1.33.0"));
        report(2, new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.REFRESH_REJECTED, "no such channel"));
        report(3, new AttemptReport.StepReached(AttemptStep.REFRESHING, "7"));
        fleet.until(
                "fleet status -o json",
                cliResult -> cliResult.json().contains("\"quarantined\":1")
                        && cliResult.json().contains("\"refreshing\":1"));
    }

    @AfterAll
    static void end() {
        fleet.close();
    }

    /** Sends heartbeats again, so that the sites are not silent in later tests. */
    @BeforeEach
    void awaitHeartbeats() {
        fleet.publishInventory(EAST, List.of());
        fleet.publishInventory(NORTH, List.of());
        fleet.until("site list", cliResult -> !cliResult.out().contains("silent"));
    }

    @Test
    void campaignListAndGetShowWhatTheApiShows() throws Exception {
        JsonObject there = fleet.getJson("/api/v1/campaigns/spring");
        JsonObject listed =
                json("campaign list -o json").getJsonArray("campaigns").getJsonObject(0);
        JsonObject shown = json("campaign get spring -o json");

        assertThat(there.getJsonObject("summary").getInteger("machines")).isEqualTo(10);
        assertThat(there.getJsonObject("summary").getInteger("remaining")).isEqualTo(7);
        for (JsonObject here : List.of(listed, shown)) {
            assertSame(
                    here,
                    there.getJsonObject("summary"),
                    "machines",
                    "remaining",
                    "inFlight",
                    "state",
                    "uid",
                    "budget");
            assertThat(here.getInteger("atTarget")).isEqualTo(sum(there.getJsonArray("waves"), "atTarget"));
            assertThat(here.getJsonArray("waves").size())
                    .isEqualTo(there.getJsonArray("waves").size());
            for (int i = 0; i < here.getJsonArray("waves").size(); i++) {
                assertSame(
                        here.getJsonArray("waves").getJsonObject(i),
                        there.getJsonArray("waves").getJsonObject(i),
                        "machines",
                        "remaining",
                        "atTarget");
            }
        }
        assertThat(counts(shown.getJsonObject("gates"))).isEqualTo(gates(there.getJsonObject("gates")));
        assertThat(fleet.run("campaign get spring").out())
                .contains("canary", "6 wait at gate wave")
                .contains("2 of 10 machines at the target, 7 remaining, 1 of them in flight")
                .contains("failure budget: 2 of 5 used (failed, in flight or reserved), 3 left")
                .contains("expected end unknown: too few upgrades have ended");
    }

    @Test
    void campaignWatchShowsWhatTheApiShows() throws Exception {
        JsonObject there = fleet.getJson("/api/v1/campaigns/spring");
        JsonObject canary = there.getJsonArray("waves").getJsonObject(0);
        JsonObject rest = there.getJsonArray("waves").getJsonObject(1);

        String line = firstLineOf("campaign", "watch", "spring", "--every", "3600", "--bootstrap", fleet.bootstrap());

        assertThat(canary.getInteger("atTarget")).isEqualTo(2);
        assertThat(line)
                .contains("spring running: 2 of 10 at the target, "
                        + there.getJsonObject("summary").getInteger("remaining") + " remaining, "
                        + there.getJsonObject("summary").getInteger("inFlight") + " in flight, failure budget 2 of 5"
                        + " used")
                .contains("canary " + canary.getInteger("atTarget") + "/" + canary.getInteger("machines") + " ")
                .contains("rest " + rest.getInteger("atTarget") + "/" + rest.getInteger("machines") + " ");
    }

    @Test
    void campaignPlanOfTheAppliedFileCountsItsMachines() {
        JsonObject planned = json("campaign plan --runs 1 -o json " + campaign);

        assertThat(planned.getInteger("machines")).isEqualTo(10);
        assertThat(planned.getInteger("clusters")).isEqualTo(2);
        assertThat(sum(planned.getJsonArray("waves"), "machines")).isEqualTo(10);
    }

    @Test
    void fleetStatusAndCapsShowWhatTheApiShows() throws Exception {
        JsonObject there = fleet.getJson("/api/v1/fleet");
        JsonObject here = json("fleet status -o json");

        assertSame(here, there, "machines", "inFlight", "sites", "term", "clockInSync");
        assertThat(here.getInteger("cap")).isEqualTo(there.getJsonObject("cap").getInteger("machines"));
        assertThat(here.getInteger("rejected") > 0).isEqualTo(there.getBoolean("rejected"));
        assertThat(counts(here.getJsonObject("states")))
                .isEqualTo(count(allMachines(), each -> each.getString("state")))
                .containsEntry("quarantined", 1)
                .containsEntry("waiting", 6);
        assertThat(counts(here.getJsonObject("gates")))
                .isEqualTo(gates(whole("/api/v1/map").getJsonObject("gates")));
        JsonObject spring = here.getJsonArray("campaigns").getJsonObject(0);
        JsonObject summary = fleet.getJson("/api/v1/campaigns/spring").getJsonObject("summary");
        assertSame(spring, summary, "machines", "remaining", "inFlight", "state");
        assertThat(spring.getInteger("atTarget")).isEqualTo(2);
        assertThat(fleet.run("fleet status").out()).containsPattern("spring +running +2 +1 +7 +10");
        assertThat(fleet.run("fleet caps").out()).contains("in flight at most 4,");
    }

    @Test
    void siteListShowsWhatTheApiShowsAndTheLastHeartbeats() throws Exception {
        JsonArray there = fleet.getJson("/api/v1/sites").getJsonArray("sites");
        JsonArray here = json("site list -o json").getJsonArray("sites");

        assertThat(here.size()).isEqualTo(there.size()).isEqualTo(2);
        for (int i = 0; i < here.size(); i++) {
            JsonObject site = here.getJsonObject(i);
            assertSame(site, there.getJsonObject(i), "site", "machines", "inFlight");
            assertThat(site.getString("state")).isEqualTo("connected");
            assertThat(Instant.parse(site.getString("lastHeartbeatAt"))).isBetween(begun, Instant.now());
        }
    }

    @Test
    void machineListGetAndExplainShowWhatTheApiShows() throws Exception {
        Map<String, JsonObject> there = new TreeMap<>();
        allMachines().forEach(each -> there.put(each.getString("machine"), each));
        JsonArray here = json("machine list -o json").getJsonArray("machines");

        assertThat(here.size()).isEqualTo(there.size()).isEqualTo(10);
        for (Object each : here) {
            JsonObject machine = (JsonObject) each;
            assertSame(
                    machine,
                    there.get(machine.getString("machine")),
                    "version",
                    "state",
                    "gate",
                    "rollout",
                    "admittedAt",
                    "lastFailure");
        }
        assertThat(json("machine list --site north -o json")
                        .getJsonArray("machines")
                        .size())
                .isEqualTo(6);
        assertThat(fleet.run("machine list --state quarantined --state refreshing")
                        .out())
                .contains("east-w-2", "east-w-3")
                .doesNotContain("east-w-0", "north-w-0");
        assertThat(json("machine list --gate wave -o json")
                        .getJsonArray("machines")
                        .size())
                .isEqualTo(6);
        assertThat(fleet.run("machine list --state quarantind").err()).contains("did you mean quarantined?");
        CliResult longest = fleet.run("machine list --sort since --limit 1");
        assertThat(longest.out()).contains("east-w-3").doesNotContain("east-w-2");
        assertThat(longest.err()).contains("1 of 10 machines are shown");
        assertThat(fleet.run("machine list --state in-flight").out()).isEqualTo(longest.out());
        assertThat(fleet.run("machine list --state quarantined").out())
                .containsPattern("east-w-2 .* 1\\.32\\.1 .* quarantined .* refresh-rejected .* campaign ");
        assertThat(fleet.run("machine list --limit 0").err()).contains("--limit 0 must be 1 or more");
        for (String name :
                List.of("east/fleet/east-w-0", "east/fleet/east-w-2", "east/fleet/east-w-3", "north/fleet/north-w-0")) {
            JsonObject explained = fleet.getJson("/api/v1/machines/" + name + "/explain");
            assertSame(
                    json("machine explain -o json " + name),
                    explained,
                    explained.fieldNames().toArray(String[]::new));
            assertSame(
                    json("machine get -o json " + name),
                    fleet.getJson("/api/v1/machines/" + name).getJsonObject("summary"),
                    "machine",
                    "state");
        }
    }

    @Test
    void journalPolicyAndRejectedCommandsShowTheSameDecisions() throws Exception {
        JsonObject there = fleet.getJson("/api/v1/fleet");

        assertThat(json("journal verify -o json").getLong("records")).isGreaterThanOrEqualTo(there.getLong("seq"));
        assertThat(fleet.run("journal tail --since 1").out())
                .contains("campaign-accepted", "attempt-succeeded", "machine-quarantined");
        assertThat(json("policy list -o json").getJsonArray("policies").size()).isEqualTo(1);
        assertThat(json("rejected list -o json").getJsonArray("rejected").isEmpty())
                .isEqualTo(!there.getBoolean("rejected"));
    }

    /** Runs a watch and interrupts it after its first line. */
    private static String firstLineOf(String... args) throws Exception {
        CompletableFuture<String> first = new CompletableFuture<>();
        PrintWriter err = new PrintWriter(new Writer() {
            private final StringBuilder said = new StringBuilder();

            @Override
            public void write(char[] text, int from, int length) {
                said.append(text, from, length);
                if (said.indexOf("\n") >= 0) {
                    first.complete(said.toString());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });
        Terminal terminal = new Terminal(new PrintWriter(new StringWriter()), err, 0, false, false, null);
        Thread watch = new Thread(() -> FlotillaCommandLine.run(terminal, args), "watch");
        watch.start();
        try {
            return first.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } finally {
            watch.interrupt();
            watch.join();
        }
    }

    private static void assertSame(JsonObject here, JsonObject there, String... names) {
        for (String name : names) {
            assertThat(here.getValue(name)).as("%s of %s", name, there).isEqualTo(there.getValue(name));
        }
    }

    private static List<JsonObject> allMachines() throws Exception {
        return objects(fleet.getJson("/api/v1/machines?limit=100").getJsonArray("machines"));
    }

    /** Repeats a request whose counts over all machines are not complete yet. */
    private static JsonObject whole(String path) throws Exception {
        JsonObject answer = fleet.getJson(path);
        while (!answer.getJsonObject("gates").getBoolean("complete")) {
            answer = fleet.getJson(path);
        }
        return answer;
    }

    private static Map<String, Integer> gates(JsonObject tally) {
        Map<String, Integer> counts = new TreeMap<>();
        objects(tally.getJsonArray("counts"))
                .forEach(each -> counts.put(each.getString("gate"), each.getInteger("machines")));
        return counts;
    }

    private static Map<String, Integer> counts(JsonObject counts) {
        Map<String, Integer> sorted = new TreeMap<>();
        counts.fieldNames().forEach(name -> sorted.put(name, counts.getInteger(name)));
        return sorted;
    }

    private static Map<String, Integer> count(List<JsonObject> of, Function<JsonObject, String> what) {
        Map<String, Integer> sorted = new TreeMap<>();
        of.forEach(each -> sorted.merge(what.apply(each), 1, Integer::sum));
        return sorted;
    }

    private static int sum(JsonArray of, String name) {
        return objects(of).stream().mapToInt(each -> each.getInteger(name)).sum();
    }

    private static List<JsonObject> objects(JsonArray array) {
        return array.stream().map(JsonObject.class::cast).toList();
    }

    private static JsonObject json(String line) {
        return new JsonObject(done(line).out());
    }

    private static CliResult done(String line) {
        CliResult cliResult = fleet.run(line);
        assertThat(cliResult.exit()).as(line + "\n" + cliResult.all()).isZero();
        return cliResult;
    }

    private static void report(int worker, AttemptReport report) throws Exception {
        MachineKey machine = new MachineKey(EAST, "fleet", "east-w-" + worker);
        long attempt = fleet.getJson("/api/v1/machines/" + machine)
                .getJsonObject("summary")
                .getLong("attemptId");
        fleet.reported(machine, attempt, report);
    }

    private static Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static List<TableRow> machines(SiteId site, int workers) {
        List<TableRow> rows = new ArrayList<>();
        rows.add(new ClusterRow(
                new ClusterKey(site, "fleet", "k1"),
                "uid-of-k1-in-" + site,
                Labels.NONE,
                false,
                false,
                null,
                0,
                workers));
        IntStream.range(0, workers).forEach(i -> {
            MachineKey key = new MachineKey(site, "fleet", site + "-w-" + i);
            rows.add(KafkaFleetFixture.worker(key, "uid-" + key.name(), "k1"));
        });
        return rows;
    }
}
