package dev.flotilla.cli.policy;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.ChangeResult;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.kafka.WaitOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.PrefetchCaps;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code flotilla fleet caps}. */
@Command(
        name = "caps",
        mixinStandardHelpOptions = true,
        description = {
            "Shows or changes how many machines may be in flight, and prepare, at once. The rest of the fleet's policy stays.",
            "Lowering a cap does not interrupt running upgrades. No new ones start until the count is below the cap."
        })
public final class FleetCapsCommand implements Callable<Integer> {
    private static final String POLICY = "the fleet's policy";

    private final Terminal terminal;

    @Option(names = "--in-flight", paramLabel = "N|P%", description = "Cap of the whole fleet.")
    private @Nullable String inFlight;

    @Option(
            names = "--site-in-flight",
            paramLabel = "N|P%",
            description = "Cap of each site whose policy does not set one.")
    private @Nullable String siteInFlight;

    @Option(
            names = "--prefetch",
            paramLabel = "N|P%",
            description = "How many machines of the whole fleet may prepare at once.")
    private @Nullable String prefetch;

    @Option(
            names = "--site-prefetch",
            paramLabel = "N|P%",
            description = "How many machines of each site may prepare at once, unless its policy says it. Default: 10.")
    private @Nullable String sitePrefetch;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private WaitOption waitOption = new WaitOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private FleetCapsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new FleetCapsCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla fleet caps",
                "flotilla fleet caps --output json",
                "flotilla fleet caps --in-flight 40",
                "flotilla fleet caps --in-flight 5%% --site-in-flight 10%%");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>(waitOption.problems());
        validateCap("--in-flight", inFlight, problems);
        validateCap("--site-in-flight", siteInFlight, problems);
        validateCap("--prefetch", prefetch, problems);
        validateCap("--site-prefetch", sitePrefetch, problems);
        return problems.isEmpty()
                ? connection.run(terminal, this::showOrChangeCaps)
                : connection.reportUsageErrors(terminal, problems);
    }

    private static void validateCap(String option, @Nullable String text, List<String> problems) {
        if (text != null && CountOrPercent.parse(text) == null) {
            problems.add(option + " " + text + " is not a cap: use a number from 1 to 99999999, or a percentage from"
                    + " 1% to 100%");
        }
    }

    private int showOrChangeCaps(FleetKafkaClient kafka) {
        TableSnapshot tables = kafka.read(Table.CAMPAIGN_STATUS, Table.POLICIES);
        LastAcceptedPolicy accepted =
                tables.row(new RowKey(Table.CAMPAIGN_STATUS, FleetScope.FLEET), LastAcceptedPolicy.class);
        if (accepted == null) {
            return print(ChangeResult.notApplied(
                    POLICY, "the fleet has no policy, so nothing starts: apply one with `flotilla policy apply FILE`"));
        }
        UpgradePolicy policy = accepted.policy();
        if (inFlight == null && siteInFlight == null && prefetch == null && sitePrefetch == null) {
            output.print(terminal, () -> List.of(describeCaps(policy)), () -> json(policy));
            return ExitCode.DONE;
        }
        if (tables.undecidedRows().stream()
                .anyMatch(rowChange -> rowChange.rowKey().equals(policy.rowKey()))) {
            return print(ChangeResult.notApplied(
                    POLICY,
                    "another policy of the fleet is written, but no orchestrator has decided on it yet, and this"
                            + " change would undo it: try again once it is accepted (`flotilla policy list`)"));
        }
        PrefetchCaps before = policy.prefetchCaps();
        UpgradePolicy changed = policy.withCaps(
                        inFlight == null ? policy.maxInFlight() : CountOrPercent.parse(inFlight),
                        siteInFlight == null ? policy.maxInFlightPerSite() : CountOrPercent.parse(siteInFlight))
                .withPrefetchCaps(new PrefetchCaps(
                        prefetch == null ? before.maxPreparing() : CountOrPercent.parse(prefetch),
                        sitePrefetch == null ? before.maxPreparingPerSite() : CountOrPercent.parse(sitePrefetch)));
        if (changed.equals(policy)) {
            return print(ChangeResult.unchanged(POLICY, describeCaps(policy)));
        }
        return print(waitOption.result(kafka.submit(changed, waitOption.duration()), POLICY, describeCaps(changed)));
    }

    private int print(ChangeResult result) {
        return result.print(output, connection, terminal);
    }

    private static JsonValue json(UpgradePolicy policy) {
        return new JsonObjectReader.Builder()
                .put("inFlight", json(policy.maxInFlight()))
                .put("siteInFlight", json(policy.maxInFlightPerSite()))
                .put("prefetch", json(policy.prefetchCaps().maxPreparing()))
                .put("sitePrefetch", json(policy.prefetchCaps().maxPreparingPerSite()))
                .build();
    }

    private static JsonValue json(@Nullable CountOrPercent limit) {
        return JsonFormatter.text(limit == null ? null : limit.toString());
    }

    private static String describeCaps(UpgradePolicy policy) {
        PrefetchCaps prefetch = policy.prefetchCaps();
        return "in flight " + text(policy.maxInFlight()) + ", in each site " + text(policy.maxInFlightPerSite())
                + (prefetch.equals(PrefetchCaps.NONE)
                        ? ""
                        : "; preparing " + text(prefetch.maxPreparing()) + ", in each site "
                                + (prefetch.maxPreparingPerSite() == null
                                        ? "at most " + PrefetchCaps.DEFAULT_PER_SITE
                                        : text(prefetch.maxPreparingPerSite())));
    }

    private static String text(@Nullable CountOrPercent limit) {
        return limit == null ? "without limit" : "at most " + limit;
    }
}
