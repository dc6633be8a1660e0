package dev.flotilla.cli.support;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionConfig;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.support.SupportBundle.ArchiveException;
import dev.flotilla.cli.support.SupportBundle.PartText;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.UserKubeconfig;
import dev.flotilla.runtime.process.BuildVersion;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.FleetHead;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code flotilla support-bundle}. */
@Command(
        name = "support-bundle",
        mixinStandardHelpOptions = true,
        description = {
            "Collects what a maintainer needs to find a problem, without secrets, in one file.",
            "From Kafka: status, sites, campaigns with their gates, policies, machines, rejected records, topics, groups and"
                    + " the newest journal records. Where you name them: metrics of processes, log files, and from a cluster"
                    + " the pods with their logs, Events, and Flotilla's annotations on Machines. Secrets are never read.",
            "What cannot be read is listed in manifest.json of the bundle with the reason. Passwords, tokens, keys and what"
                    + " looks like one are masked. Look through the files before you send them.",
            "Exit codes: 0 all parts are in the bundle, 1 some could not be read, 2 wrong usage or the file cannot be"
                    + " written, 3 no broker or no API server reachable. In the cases 0, 1 and 3 the bundle is written."
        })
public final class SupportBundleCommand implements Callable<Integer> {
    private static final DateTimeFormatter NAME_TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final Duration CLUSTER_TIMEOUT = Duration.ofSeconds(15);
    private static final int LONGEST_FLEET = 40;
    private static final int MOST_RECORDS = 100_000;

    /** Formats of the option {@code --output} that other commands have. */
    private static final List<String> FORMATS = List.of("json", "table", "yaml");

    private final Terminal terminal;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "File to write; it must not exist. Default: flotilla-support-FLEET-TIME.tar.gz.")
    private @Nullable Path output;

    @Option(
            names = "--journal-records",
            paramLabel = "N",
            description = "Newest journal records to include. Default: ${DEFAULT-VALUE}.")
    private int journalRecords = 2_000;

    @Option(
            names = "--metrics",
            paramLabel = "URL",
            description = "A process whose metrics to include, such as http://10.0.0.7:8080. May be repeated.")
    private List<String> metrics = new ArrayList<>();

    @Option(
            names = "--metrics-token-file",
            paramLabel = "FILE",
            description = "File with the bearer token of these processes.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--metrics-ca-file",
            paramLabel = "FILE",
            description = "File with the certificates of the authorities to trust there.")
    private @Nullable Path caFile;

    @Option(names = "--log", paramLabel = "FILE", description = "A log file to include. May be repeated.")
    private List<Path> logs = new ArrayList<>();

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig of a cluster in which Flotilla runs.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--kube-context",
            paramLabel = "NAME",
            description = "Context of the kubeconfig. Default: its current one.")
    private @Nullable String kubeContext;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "Namespace of Flotilla there. Default: ${DEFAULT-VALUE}.")
    private String namespace = "flotilla";

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    private SupportBundleCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new SupportBundleCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla support-bundle",
                "flotilla support-bundle --kubeconfig east.kubeconfig --output east.tar.gz",
                "flotilla support-bundle --metrics http://10.0.0.7:8080 --log orchestrator.log");
        return command;
    }

    @Override
    public Integer call() {
        List<String> kafkaProblems = connection.findProblems(terminal);
        boolean noKafka = kafkaProblems.equals(List.of(KafkaConnectionConfig.NO_BROKERS_CONFIGURED))
                && (kubeconfig != null || !metrics.isEmpty() || !logs.isEmpty());
        List<String> problems = new ArrayList<>(noKafka ? List.of() : kafkaProblems);
        if (journalRecords < 1 || journalRecords > MOST_RECORDS) {
            problems.add("--journal-records " + journalRecords + " is out of range: use 1 to " + MOST_RECORDS);
        }
        if (kubeconfig == null && kubeContext != null) {
            problems.add("--kube-context " + kubeContext + " needs --kubeconfig FILE");
        }
        for (String url : metrics) {
            try {
                MetricsSource.address(url);
            } catch (IOException wrong) {
                problems.add("--metrics " + wrong.getMessage());
            }
        }
        Instant now = Instant.now();
        String folder = "flotilla-support-" + SupportBundle.fileName(connection.fleetName(terminal), LONGEST_FLEET)
                + "-" + NAME_TIME.format(now);
        Path file = output == null ? Path.of(folder + ".tar.gz") : output;
        if (FORMATS.contains(file.toString())) {
            problems.add("--output " + file + " would be the name of the file; a bundle has no other format");
        }
        String problem = BundleFile.findProblem(file);
        if (problem != null) {
            problems.add(problem);
        }
        if (!problems.isEmpty()) {
            return connection.reportUsageErrors(terminal, problems);
        }
        try (BundleFile target = BundleFile.open(file, folder)) {
            SupportBundle bundle = new SupportBundle(target.archive(), now, terminal);
            boolean reachable = collect(bundle, noKafka);
            bundle.writeManifest(BuildVersion.number());
            long bytes = target.complete();
            return report(bundle, file, bytes, reachable);
        } catch (IOException | ArchiveException failed) {
            return connection.reportUsageErrors(
                    terminal, List.of("--output " + file + " cannot be written: " + failed.getMessage()));
        }
    }

    /** Collects all parts. Returns whether Kafka and the cluster answered. */
    private boolean collect(SupportBundle bundle, boolean noKafka) throws ArchiveException {
        List<String> heard = new ArrayList<>();
        KubeApiClient api = openCluster(bundle);
        try {
            boolean reachable = noKafka ? skipKafka(bundle) : collectFromKafka(bundle);
            collectMetrics(bundle, heard);
            for (Path log : logs) {
                bundle.announce("log " + log);
                bundle.add(
                        "files/" + logs.indexOf(log) + "-" + SupportBundle.fileName(String.valueOf(log.getFileName())),
                        "file " + log,
                        () -> LogFile.readEnd(log));
            }
            if (api != null) {
                reachable &= new ClusterParts(api, namespace, bundle).addAll();
            }
            bundle.add("versions.json", "versions of this program and of what was read", () -> versions(heard));
            return reachable;
        } finally {
            if (api != null) {
                api.close();
            }
        }
    }

    /** Opens the cluster first, so that its credentials are masked in all parts. */
    private @Nullable KubeApiClient openCluster(SupportBundle bundle) {
        if (kubeconfig == null) {
            return null;
        }
        try {
            KubeApiClient api = UserKubeconfig.open(kubeconfig, kubeContext, CLUSTER_TIMEOUT, 1);
            bundle.maskSecrets(UserKubeconfig.secretTexts(api));
            return api;
        } catch (IOException unfit) {
            bundle.addMissing("cluster/", "pods, logs, Events and Machines", String.valueOf(unfit.getMessage()));
            return null;
        }
    }

    private static boolean skipKafka(SupportBundle bundle) {
        bundle.addMissing(
                "fleet/", "what the commands about the fleet show", KafkaConnectionConfig.NO_BROKERS_CONFIGURED);
        return true;
    }

    private boolean collectFromKafka(SupportBundle bundle) throws ArchiveException {
        List<ArchiveException> failures = new ArrayList<>();
        int exit = connection.run(
                terminal,
                kafka -> {
                    try {
                        return collectFrom(kafka, bundle) ? ExitCode.DONE : ExitCode.UNREACHABLE;
                    } catch (ArchiveException failed) {
                        failures.add(failed);
                        return ExitCode.NO;
                    }
                },
                why -> {
                    bundle.addMissing("fleet/", "what the commands about the fleet show", why);
                    return ExitCode.UNREACHABLE;
                });
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
        return exit == ExitCode.DONE;
    }

    private boolean collectFrom(FleetKafkaClient kafka, SupportBundle bundle) throws ArchiveException {
        bundle.maskSecrets(kafka.secretTexts());
        if (!new TopicParts(kafka.keepTables(), bundle).addAll()) {
            bundle.addMissing("fleet/", "what the commands about the fleet show", "Kafka does not answer");
            return false;
        }
        new FleetParts(kafka, bundle).addAll(journalRecords);
        return true;
    }

    private void collectMetrics(SupportBundle bundle, List<String> heard) throws ArchiveException {
        if (metrics.isEmpty()) {
            return;
        }
        try (MetricsSource source = MetricsSource.open(tokenFile, caFile)) {
            bundle.maskSecrets(source.token() == null ? List.of() : List.of(source.token()));
            for (String url : metrics) {
                URI address = MetricsSource.address(url);
                bundle.announce("metrics of " + address.getHost());
                bundle.add(
                        "metrics/" + metrics.indexOf(url) + "-"
                                + SupportBundle.fileName(address.getHost() + "-" + address.getPort()) + ".txt",
                        "metrics of " + address,
                        () -> {
                            String text = source.read(address);
                            text.lines()
                                    .filter(line -> line.startsWith("flotilla_build_info{"))
                                    .forEach(heard::add);
                            return PartText.of(text);
                        });
            }
        } catch (IOException unfit) {
            bundle.addMissing("metrics/", "metrics of processes", String.valueOf(unfit.getMessage()));
        }
    }

    private static PartText versions(List<String> heard) {
        return PartText.of(new JsonObjectReader.Builder()
                .put("flotilla", BuildVersion.number())
                .put("featureLevel", FleetHead.FEATURE_LEVEL)
                .put("java", Runtime.version().toString())
                .put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"))
                .put("metrics", JsonFormatter.texts(heard))
                .put("elsewhere", "featureLevel in fleet/heads.json; images in cluster/pods.json")
                .build());
    }

    private int report(SupportBundle bundle, Path file, long bytes, boolean reachable) {
        for (SupportBundle.MissingPart part : bundle.missing()) {
            terminal.note("not in the bundle: " + part.path() + ": " + part.reason());
        }
        terminal.out()
                .println(file + ": " + String.format(Locale.ROOT, "%,d", bytes) + " bytes, " + bundle.size() + " parts"
                        + (bundle.missing().isEmpty()
                                ? ""
                                : ", " + bundle.missing().size() + " could not be read"));
        terminal.out().println("Look through it before you send it: tar -xzf " + file);
        terminal.out().flush();
        if (!reachable) {
            return ExitCode.UNREACHABLE;
        }
        return bundle.missing().isEmpty() ? ExitCode.DONE : ExitCode.NO;
    }
}
