package dev.flotilla.cli.demo;

import dev.flotilla.cli.terminal.JsonFileOption;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.sites.SitesSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of the demonstration, and what is wrong with them. */
final class DemoOptions {
    private static final int MOST_SITES = 250;
    private static final int MOST_MACHINES = 5000;
    private static final int TENTH = 10;
    private static final double MOST_SPEED = 1e6;
    private static final String EMBEDDED = "embedded";
    private static final String REAL = "real";

    @Option(names = "--sites", paramLabel = "N", description = "Sites. Default: ${DEFAULT-VALUE}.")
    private int sites = 3;

    @Option(
            names = "--clusters",
            paramLabel = "N",
            description = "Clusters, shared out over the sites. Default: ${DEFAULT-VALUE}.")
    private int clusters = 60;

    @Option(
            names = "--machines",
            paramLabel = "N",
            description = "Machines, shared out over the clusters. Default: ${DEFAULT-VALUE}.")
    private int machines = 600;

    @Option(
            names = "--cap",
            paramLabel = "N",
            description = "Machines that may be in flight at once in the whole fleet. Default: a tenth of them.")
    private @Nullable Integer cap;

    @Option(
            names = "--fail-rate",
            paramLabel = "SHARE",
            description =
                    "Share of the machines whose every refresh ends in Error: they are of a model of their own, which the"
                            + " campaign closes. Default: ${DEFAULT-VALUE}.")
    private double failRate = 0.02;

    @Option(names = "--seed", paramLabel = "N", description = "What chance is drawn from. Default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Option(
            names = "--speed",
            paramLabel = "X",
            description = "Simulated seconds a second for the nodes' work. Default: ${DEFAULT-VALUE}.")
    private double speed = 75;

    @Option(
            names = "--kill",
            paramLabel = "PART",
            converter = KillTargetConverter.class,
            description =
                    "Kill a part once, when a third of the machines is done: leader, worker, watcher or broker. May"
                            + " be repeated.")
    private List<KillTarget> kill = List.of();

    @Option(
            names = "--kubernetes",
            paramLabel = "KIND",
            description =
                    "What the management clusters are: embedded (default), or real API servers, of the programs that"
                            + " testkit/kube/build builds once.")
    private String kubernetes = EMBEDDED;

    @Option(
            names = "--keep",
            description =
                    "Leave everything running at the end, until you interrupt it, with its folder of logs; and say what to"
                            + " try on it.")
    private boolean keep;

    @Option(
            names = "--endpoints",
            paramLabel = "FILE",
            description = "Write where everything can be reached to FILE, as JSON, as soon as all is up.")
    private @Nullable String endpoints;

    /** Everything that is wrong with them. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        range(problems, "--sites", sites, MOST_SITES);
        range(problems, "--machines", machines, MOST_MACHINES);
        if (clusters < sites) {
            problems.add("--clusters " + clusters + ": must be at least one for each of the " + sites + " sites");
        }
        if (machines < clusters) {
            problems.add("--machines " + machines + ": must be at least one for each of the " + clusters + " clusters");
        }
        if (cap != null && cap < 1) {
            problems.add("--cap " + cap + ": must be at least 1");
        }
        if (!(failRate >= 0 && failRate <= 1)) {
            problems.add("--fail-rate " + failRate + ": must be a share from 0 to 1, such as 0.02");
        }
        if (!(speed > 0 && speed <= MOST_SPEED)) {
            problems.add("--speed " + speed + ": must be above 0 and at most 1000000");
        }
        paths(problems);
        return problems;
    }

    private void paths(List<String> problems) {
        String unwritable = endpoints == null ? null : JsonFileOption.problem("--endpoints", endpoints);
        if (unwritable != null) {
            problems.add(unwritable);
        }
        if (!List.of(EMBEDDED, REAL).contains(kubernetes)) {
            problems.add("--kubernetes " + kubernetes + ": must be embedded or real");
        }
    }

    /** Why what was asked for cannot be had on this machine as it is, and what to do; null where it can. */
    @Nullable
    String unreachable() {
        return unreachable(kubernetes, KubeBinaries.find());
    }

    static @Nullable String unreachable(String kubernetes, Optional<KubeBinaries> found) {
        return kubernetes.equals(REAL) && found.isEmpty()
                ? "--kubernetes real: needs etcd and kube-apiserver, which were never built on this machine. Build them once:"
                        + " testkit/kube/build (needs Go, and takes ten minutes or more). Or leave the option out: the"
                        + " embedded API needs nothing."
                : null;
    }

    private static void range(List<String> problems, String option, int value, int most) {
        if (value < 1 || value > most) {
            problems.add(option + " " + value + ": must be from 1 to " + most);
        }
    }

    DemoSpec spec() {
        int inFlight = cap == null ? Math.max(1, machines / TENTH) : cap;
        SitesSpec spec = new SitesSpec(sites, clusters, machines, (int) Math.round(failRate * 1000), seed, speed);
        return new DemoSpec(spec, failRate, inFlight, kubernetes.equals(REAL));
    }

    boolean keep() {
        return keep;
    }

    @Nullable
    String endpoints() {
        return endpoints;
    }

    /** What is killed, each once. */
    List<KillTarget> victims() {
        Set<KillTarget> once = new LinkedHashSet<>(kill);
        return List.copyOf(once);
    }

    /** Reads a victim by its label. */
    static final class KillTargetConverter implements ITypeConverter<KillTarget> {
        @Override
        public KillTarget convert(String text) {
            for (KillTarget killTarget : KillTarget.values()) {
                if (killTarget.label().equals(text)) {
                    return killTarget;
                }
            }
            throw new TypeConversionException("must be leader, worker, watcher or broker, not " + text);
        }
    }
}
