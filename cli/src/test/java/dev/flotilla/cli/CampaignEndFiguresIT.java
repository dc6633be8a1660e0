package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptReport;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The expected end of a campaign of which enough upgrades have ended, in the commands and in the API. */
class CampaignEndFiguresIT {
    private static final SiteId EAST = new SiteId("east");
    private static final int MACHINES = 24;
    private static final int ENDED = 20;

    @TempDir
    private Path folder;

    @Test
    void commandsExpectTheEndThatTheApiExpects() throws Exception {
        try (KafkaFleetFixture fleet = new KafkaFleetFixture()) {
            start(fleet);

            Instant before = expectedEnd(summary(fleet));
            JsonObject shown =
                    new JsonObject(fleet.run("campaign get spring -o json").out());
            JsonObject listed =
                    new JsonObject(fleet.run("campaign list -o json").out());
            Instant after = expectedEnd(summary(fleet));

            assertThat(expectedEnd(shown)).isBetween(before, after);
            assertThat(expectedEnd(listed.getJsonArray("campaigns").getJsonObject(0)))
                    .isBetween(before, after);
            assertThat(shown.getJsonObject("budget"))
                    .isEqualTo(summary(fleet).getJsonObject("budget"))
                    .isEqualTo(
                            new JsonObject().put("machines", 30).put("used", 4).put("remaining", 26));
            assertThat(fleet.run("campaign get spring").out())
                    .contains("failure budget: 4 of 30 used")
                    .containsPattern("expected to end about 2\\S+Z, in \\d[0-9hms]* at the present pace");
        }
    }

    /** Starts a campaign and ends most of its upgrades. */
    private void start(KafkaFleetFixture fleet) throws IOException, InterruptedException {
        assertThat(fleet.run("site add east").exit()).isZero();
        fleet.startOrchestratorWithApi();
        fleet.publishInventory(EAST.name(), MACHINES);
        fleet.until("fleet status -o json", status -> status.json().contains("\"machines\":" + MACHINES));
        apply(fleet, "policy", """
                apiVersion: flotilla.dev/v1
                kind: Policy
                metadata: {name: fleet}
                spec: {caps: {inFlight: 24}}
                """);
        apply(fleet, "campaign", """
                apiVersion: flotilla.dev/v1
                kind: Campaign
                metadata: {name: spring}
                spec:
                  target: {option: 'channel=1.33-classic/stable'}
                  select: {}
                  waves: [{name: all}]
                  failureBudget: {machines: 30}
                  cluster: {maxUnavailable: 100%}
                """);
        fleet.until("fleet status -o json", status -> status.json().contains("\"inFlight\":" + MACHINES));
        for (int i = 0; i < ENDED; i++) {
            MachineKey machine = new MachineKey(EAST, "fleet", "k1-w-" + i);
            long attempt = fleet.getJson("/api/v1/machines/" + machine)
                    .getJsonObject("summary")
                    .getLong("attemptId");
            fleet.reported(
                    machine,
                    attempt,
                    new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "1001", "v1.33.0"));
        }
        fleet.until("fleet status -o json", status -> status.json().contains("\"inFlight\":" + (MACHINES - ENDED)));
    }

    private void apply(KafkaFleetFixture fleet, String kind, String manifest) throws IOException {
        CliResult applied = fleet.run(kind + " apply " + Files.writeString(folder.resolve(kind + ".yaml"), manifest));
        assertThat(applied.exit()).as(applied.all()).isZero();
    }

    private static JsonObject summary(KafkaFleetFixture fleet) throws IOException, InterruptedException {
        return fleet.getJson("/api/v1/campaigns/spring").getJsonObject("summary");
    }

    private static Instant expectedEnd(JsonObject campaign) {
        return Instant.parse(campaign.getString("expectedEndAt"));
    }
}
