package dev.flotilla.cli.process;

import dev.flotilla.cli.ExitCode;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every service of one site. */
final class SiteServiceOptions {
    @Option(names = "--site", paramLabel = "SITE", description = "Which site it works for.")
    private @Nullable String site;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "How the site's management cluster is reached. Default: as a pod of that cluster.")
    private @Nullable String kubeconfig;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where health and metrics are served. Default: any free port of 127.0.0.1.")
    private @Nullable String listen;

    List<ServiceLauncher.OptionAsVariable> statedOptions() {
        List<ServiceLauncher.OptionAsVariable> options = new ArrayList<>();
        ServiceLauncher.OptionAsVariable.add(options, "--site", "FLOTILLA_SITE", site);
        ServiceLauncher.OptionAsVariable.add(
                options, "--kubeconfig", "FLOTILLA_KUBERNETES_KUBECONFIG_FILE", kubeconfig);
        ServiceLauncher.OptionAsVariable.add(options, "--listen", ServiceLauncher.LISTEN, listen);
        return options;
    }

    /** Its principal sees its own site's topics and no others: whether they are there is found when it reads them. */
    static int isReady(FleetKafkaClient kafka) {
        kafka.topics().requireTransactions();
        return ExitCode.DONE;
    }
}
