package dev.flotilla.cli.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of a process that works in one management cluster and needs no Kafka. */
final class ManagementProcessOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML or JSON file with settings, such as kubernetes.kubeconfigFile.")
    private @Nullable Path config;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig of the management cluster. Default: the service account of the pod.")
    private @Nullable String kubeconfig;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address of its HTTP server. Default: a free port of 127.0.0.1.")
    private @Nullable String listen;

    @Mixin
    private LogOptions log = new LogOptions();

    /** Returns the file with settings; null for none. */
    @Nullable
    Path config() {
        return config;
    }

    /** Returns the options that override settings. */
    List<ServiceLauncher.OptionAsVariable> toVariables() {
        List<ServiceLauncher.OptionAsVariable> options = new ArrayList<>();
        ServiceLauncher.OptionAsVariable.add(
                options, "--kubeconfig", "FLOTILLA_KUBERNETES_KUBECONFIG_FILE", kubeconfig);
        ServiceLauncher.OptionAsVariable.add(options, "--listen", ServiceLauncher.LISTEN, listen);
        log.addVariables(options);
        return options;
    }
}
