package dev.flotilla.cli.campaign;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.core.explain.BlockedMachineCounter;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.CampaignState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code flotilla campaign watch}. */
@Command(
        name = "watch",
        mixinStandardHelpOptions = true,
        description = {
            "Follows a campaign until it ends: its waves, its failure budget, and the time left at the present pace.",
            "While none of its machines is in flight, it shows at which gates they wait.",
            "With --output json it prints an object on a line for each change, with the fields of `campaign get`.",
            "Reads the tables repeatedly, as `campaign get` does. Changes nothing.",
            "Exit codes: 0 completed, 1 aborted or deleted, 2 wrong usage, 3 no broker reachable."
        })
public final class CampaignWatchCommand implements Callable<Integer> {
    /**
     * Pause after a read, as a multiple of how long the read took, so that watching leaves the brokers free most of the
     * time.
     */
    private static final int PAUSE_FACTOR = 3;

    /** Has no permits: waiting for one is an interruptible sleep. */
    private final Semaphore pause = new Semaphore(0);

    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "Name of the campaign.")
    private String name = "";

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            description = "Refresh interval; longer if a refresh takes long. Default: ${DEFAULT-VALUE}.")
    private int every = 2;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private CampaignWatchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new CampaignWatchCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla campaign watch k8s-1-33",
                "flotilla campaign watch k8s-1-33 --every 30",
                "flotilla campaign watch k8s-1-33 --output json");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>(CommandErrorReporter.campaignNameProblems(name));
        if (every < 1) {
            problems.add("--every " + every + " is too small: use at least 1");
        }
        return problems.isEmpty()
                ? connection.run(terminal, this::watch)
                : connection.reportUsageErrors(terminal, problems);
    }

    private int watch(FleetKafkaClient kafka) {
        CampaignWatchScreen screen = new CampaignWatchScreen(terminal);
        CampaignWatchJson json = new CampaignWatchJson(terminal);
        try {
            while (true) {
                long began = System.nanoTime();
                TableSnapshot tables = kafka.readAll();
                Instant now = tables.now();
                FleetState fleet = tables.recountedState(now);
                CampaignRollout campaign = fleet.rollout(new CampaignName(name));
                if (campaign == null) {
                    return connection.reportNegativeAnswer(
                            terminal,
                            "the orchestrator has not accepted a campaign " + name
                                    + "; `flotilla campaign list` lists the campaigns");
                }
                CampaignProgressView view = CampaignProgressView.of(fleet, campaign, now);
                Map<GateLabel, Integer> gates =
                        BlockedMachineCounter.countByGate(fleet, GateChain.standard(), campaign, now);
                if (output.isJson()) {
                    json.show(view, gates, now);
                } else {
                    screen.show(view, gates, now);
                }
                CampaignState state = view.status().state();
                if (state == CampaignState.COMPLETED || state == CampaignState.ABORTED) {
                    if (!output.isJson()) {
                        view.lines(now).forEach(terminal.out()::println);
                    }
                    return state == CampaignState.COMPLETED ? ExitCode.DONE : ExitCode.NO;
                }
                long took = System.nanoTime() - began;
                pause.tryAcquire(
                        Math.max(TimeUnit.SECONDS.toNanos(every) - took, PAUSE_FACTOR * took), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED;
        }
    }
}
