package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.testkit.kafka.ForeignTransaction;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Another producer leaves a transaction open; the commands show which inputs it blocks. */
class ForeignTransactionIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @Test
    void everyViewReportsAnOpenTransaction() throws IOException, InterruptedException {
        try (KafkaFleetFixture fleet = new KafkaFleetFixture()) {
            assertThat(fleet.run("site add east").exit()).isZero();
            fleet.startOrchestratorWithApi();
            fleet.publishInventory("east", 2);
            fleet.until("fleet status", cliResult -> cliResult.out().contains("2 machines in 1 sites"));
            assertThat(fleet.run("fleet status").out()).doesNotContain("input blocked");

            try (ForeignTransaction stranger = ForeignTransaction.begin(fleet.bootstrap(), "somebodys-tool", TIMEOUT)) {
                stranger.write("flotilla.orders", 0);
                stranger.write("flotilla.progress.east", 3);

                CliResult hidden = fleet.run("site accept-removal east --reason drill --wait 2");
                System.out.println("ForeignTransactionIT: " + hidden.all());
                assertThat(hidden.exit()).isEqualTo(ExitCode.UNREACHABLE);
                assertThat(hidden.err())
                        .contains("is written but blocked: an open transaction of producer somebodys-tool is before it"
                                + " in flotilla.orders")
                        .contains("the broker ends it by ");
                CliResult status =
                        fleet.until("fleet status", cliResult -> cliResult.out().contains("progress.east"));
                System.out.println("ForeignTransactionIT: " + status.out());
                assertThat(status.out())
                        .contains("input blocked: An open transaction of producer somebodys-tool blocks"
                                + " flotilla.orders"
                                + " partition 0 from offset ")
                        .contains("input blocked: An open transaction of producer somebodys-tool blocks"
                                + " flotilla.progress.east partition 3 from offset ");
                assertThat(fleet.run("fleet status -o json").json())
                        .contains("\"openTransactions\":[{\"topic\":\"flotilla.orders\"");
                JsonObject answer = fleet.getJson("/api/v1/fleet");
                assertThat(answer.getJsonArray("openTransactions")).hasSize(2);
                assertThat(answer.getJsonArray("openTransactions")
                                .getJsonObject(1)
                                .getString("site"))
                        .isEqualTo("east");
                stranger.abort();
            }
            fleet.until("fleet status", cliResult -> !cliResult.out().contains("input blocked"));
        }
    }

    @Test
    void freezeAndUnfreezeWorkWhileATransactionIsOpenOnOrders() throws IOException, InterruptedException {
        try (KafkaFleetFixture fleet = new KafkaFleetFixture()) {
            assertThat(fleet.run("site add east").exit()).isZero();
            fleet.startOrchestratorWithApi();
            fleet.publishInventory("east", 2);
            fleet.until("fleet status", cliResult -> cliResult.out().contains("2 machines in 1 sites"));

            try (ForeignTransaction stranger = ForeignTransaction.begin(fleet.bootstrap(), "somebodys-tool", TIMEOUT)) {
                stranger.write("flotilla.orders", 0);
                assertThat(fleet.run("fleet freeze --reason storm --wait 30").out())
                        .contains("the fleet: frozen");
                assertThat(fleet.run("site freeze east --reason works --wait 30")
                                .out())
                        .contains("site east: frozen");
                assertThat(fleet.getJson("/api/v1/fleet").getJsonArray("freezes"))
                        .hasSize(2);
                fleet.until("fleet status", cliResult -> cliResult.out().contains("blocks flotilla.orders"));
                assertThat(fleet.run("fleet unfreeze --reason calm --wait 30").exit())
                        .isZero();
                assertThat(fleet.getJson("/api/v1/fleet").getJsonArray("freezes"))
                        .hasSize(1);
                stranger.abort();
            }
        }
    }
}
