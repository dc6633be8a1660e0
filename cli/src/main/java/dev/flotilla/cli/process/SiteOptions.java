package dev.flotilla.cli.process;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.kafka.FleetKafka;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every service of one site. */
final class SiteOptions {
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

    List<Service.Stated> stated() {
        List<Service.Stated> options = new ArrayList<>();
        Service.Stated.add(options, "--site", "FLOTILLA_SITE", site);
        Service.Stated.add(options, "--kubeconfig", "FLOTILLA_KUBERNETES_KUBECONFIG_FILE", kubeconfig);
        Service.Stated.add(options, "--listen", Service.LISTEN, listen);
        return options;
    }

    /** Its principal sees its own site's topics and no others: whether they are there is found when it reads them. */
    static int isReady(FleetKafka kafka) {
        kafka.topics().requireTransactions();
        return Exit.DONE;
    }
}
