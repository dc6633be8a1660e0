package dev.flotilla.e2e.realnode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.e2e.arena.FleetTestBed;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.process.ComponentClassPaths;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** One process of each part of Flotilla, each with the ServiceAccount that {@code deploy/} gives it. */
final class ComponentProcessSet implements AutoCloseable {
    private static final String ACCOUNTS = "system:serviceaccount:flotilla:flotilla-";

    /** 128 and the number of SIGKILL. */
    private static final int KILLED = 137;

    private final Path folder;
    private final String bootstrap;
    private final SiteId site;
    private final KubeCluster managementCluster;
    private final Map<FlotillaComponent, ChildProcess> processes = new EnumMap<>(FlotillaComponent.class);
    private int started;

    ComponentProcessSet(Path folder, String bootstrap, SiteId site, KubeCluster managementCluster) {
        this.folder = folder;
        this.bootstrap = bootstrap;
        this.site = site;
        this.managementCluster = managementCluster;
    }

    /** Starts all, and waits until they are ready. */
    void startAll() {
        for (FlotillaComponent each : FlotillaComponent.values()) {
            start(each);
        }
        processes.values().forEach(ChildProcess::awaitAddress);
    }

    private void start(FlotillaComponent which) {
        String instance = which + "-" + ++started;
        List<String> arguments = new ArrayList<>();
        switch (which) {
            case ORCHESTRATOR -> arguments.addAll(List.of("--bootstrap", bootstrap, "--instance", instance));
            case WATCHER -> arguments.addAll(siteArguments(instance, which));
            case WORKER -> {
                arguments.addAll(siteArguments(instance, which));
                // No node has a k8sd.
                arguments.addAll(List.of("--via", "127.0.0.1:1", "--ask-every", "1000"));
            }
            case NODE_UPGRADER -> arguments.addAll(List.of("--kubeconfig", kubeconfig(which)));
        }
        processes.put(
                which,
                FleetTestBed.startComponent(
                        folder, instance, ComponentClassPaths.own(), List.of("-Xmx128m"), which.main(), arguments));
    }

    private List<String> siteArguments(String instance, FlotillaComponent which) {
        return List.of(
                "--bootstrap",
                bootstrap,
                "--instance",
                instance,
                "--site",
                site.name(),
                "--kubeconfig",
                kubeconfig(which));
    }

    private String kubeconfig(FlotillaComponent which) {
        return managementCluster.kubeconfig(ACCOUNTS + which).toString();
    }

    /** Kills a process like {@code kill -9}, and starts another one. */
    void killAndRestart(FlotillaComponent which) {
        ChildProcess process = processes.remove(which);
        if (process == null) {
            throw new IllegalStateException(which + " was not started");
        }
        assertThat(process.isAlive()).as("%s runs before it is killed", which).isTrue();
        process.kill();
        assertThat(process.awaitExit()).isEqualTo(KILLED);
        start(which);
    }

    @Override
    public void close() {
        processes.values().forEach(ChildProcess::close);
    }
}
