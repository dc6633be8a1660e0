package dev.flotilla.cli.completion;

import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineRow;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Reads names from the fleet's tables. A person waits, so what cannot be read in a moment is left out, without a message. */
final class FleetNames {
    /** How long a person waits at most after the tab key. */
    private static final int TIMEOUT_SECONDS = 3;

    /** The property with another time, for machines that are slower than a person is patient. */
    private static final String TIMEOUT_PROPERTY = "flotilla.completion.seconds";

    /** More than fits on a screen helps nobody. */
    static final int MOST = 200;

    private final KafkaConnectionOption connection;
    private final Terminal silent;

    /**
     * Makes a reader.
     *
     * @param silent a terminal that shows nothing
     */
    FleetNames(KafkaConnectionOption connection, Terminal silent) {
        this.connection = connection;
        this.silent = silent;
    }

    /** Finds names that begin with a prefix. A machine is completed step by step: first its site, then the rest. */
    List<String> find(NameKind kind, String prefix) {
        CompletableFuture<List<String>> found = new CompletableFuture<>();
        Thread reader = new Thread(
                () -> {
                    try {
                        connection.run(silent, kafka -> {
                            found.complete(read(kafka, kind, prefix)
                                    .filter(name -> name.startsWith(prefix))
                                    .distinct()
                                    .sorted()
                                    .limit(MOST)
                                    .toList());
                            return ExitCode.DONE;
                        });
                    } finally {
                        found.complete(List.of());
                    }
                },
                "completion");
        reader.setDaemon(true);
        reader.setUncaughtExceptionHandler((thread, failed) -> found.complete(List.of()));
        reader.start();
        try {
            return found.get(Integer.getInteger(TIMEOUT_PROPERTY, TIMEOUT_SECONDS), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        } catch (ExecutionException | TimeoutException tooLate) {
            return List.of();
        }
    }

    private static Stream<String> read(FleetKafkaClient kafka, NameKind kind, String prefix) {
        if (!kafka.isReachable()) {
            return Stream.of();
        }
        return switch (kind) {
            case CAMPAIGN ->
                kafka.read(List.of(), Table.CAMPAIGN_STATUS).rows(CampaignStatus.class).stream()
                        .map(status -> status.name().name());
            case SITE -> kafka.sites().stream().map(SiteId::name);
            case MACHINE -> readMachines(kafka, prefix);
        };
    }

    private static Stream<String> readMachines(FleetKafkaClient kafka, String prefix) {
        int slash = prefix.indexOf('/');
        if (slash < 0) {
            return kafka.sites().stream().map(site -> site.name() + "/");
        }
        List<SiteId> site = kafka.sites().stream()
                .filter(each -> each.name().equals(prefix.substring(0, slash)))
                .toList();
        return kafka.read(site, Table.INVENTORY).rows(MachineRow.class).stream()
                .map(machine -> machine.key().toString());
    }
}
