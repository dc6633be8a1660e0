package dev.flotilla.cli.process;

import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of every service of a site. */
final class SiteServiceOptions {
    @Option(
            names = "--instance",
            paramLabel = "NAME",
            description = "Name of this process in logs, on objects and in Kafka. Default: ${DEFAULT-VALUE}.")
    private String instance;

    @Option(
            names = "--site",
            paramLabel = "NAME",
            description = "Name of the site. Default: FLOTILLA_SITE, or site in the --config file.")
    private @Nullable String site;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig of the site's management cluster. Default: the service account of the pod.")
    private @Nullable String kubeconfig;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address that serves health and metrics. Default: a free port of 127.0.0.1.")
    private @Nullable String listen;

    /** @param instance name of the process if none is given */
    SiteServiceOptions(String instance) {
        this.instance = instance;
    }

    String instance() {
        return instance;
    }

    List<ServiceLauncher.OptionAsVariable> asVariables(LogOptions log) {
        List<ServiceLauncher.OptionAsVariable> options = new ArrayList<>();
        ServiceLauncher.OptionAsVariable.add(options, "--site", ServiceLauncher.SITE, site);
        ServiceLauncher.OptionAsVariable.add(
                options, "--kubeconfig", "FLOTILLA_KUBERNETES_KUBECONFIG_FILE", kubeconfig);
        ServiceLauncher.OptionAsVariable.add(options, "--listen", ServiceLauncher.LISTEN, listen);
        log.addVariables(options);
        return options;
    }

    /**
     * Always ready: the principal sees only its own site's topics, and the service reports a missing one when it reads
     * it.
     */
    static int isReady(FleetKafkaClient kafka) {
        kafka.topics().requireTransactions();
        return ExitCode.DONE;
    }
}
