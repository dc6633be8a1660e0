package dev.flotilla.testkit.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class KubeProcessIT {
    /** Files that a killed process cannot delete. */
    @TempDir
    Path leftovers;

    @Test
    void closedClusterLeavesNothing() throws Exception {
        Set<ProcessHandle> before = ProcessHandle.current().descendants().collect(Collectors.toSet());
        List<ProcessHandle> started;
        Path folder;
        try (KubeCluster cluster =
                KubeCluster.start(KubeOptions.apiServer().withControllers().withNodes())) {
            started = ProcessHandle.current()
                    .descendants()
                    .filter(handle -> !before.contains(handle))
                    .toList();
            folder = cluster.folder();
        }

        assertThat(started).hasSizeGreaterThanOrEqualTo(4);
        for (ProcessHandle handle : started) {
            handle.onExit().get(30, TimeUnit.SECONDS);
        }
        assertThat(folder).doesNotExist();
    }

    @Test
    void processesEndWithTheJvmThatStartedThem() throws Exception {
        Process another = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + leftovers,
                        "-cp",
                        System.getProperty("java.class.path"),
                        OrphanedEtcdMain.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(another.inputReader().readLine()).contains("flotilla-kube-etcd");
        List<ProcessHandle> children = another.descendants().toList();
        assertThat(children)
                .anyMatch(handle -> handle.info().command().orElse("").endsWith("/etcd"));

        another.destroyForcibly();

        for (ProcessHandle handle : children) {
            handle.onExit().get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void failedStartReportsItsError() {
        assertThatThrownBy(() -> KubeCluster.start(KubeOptions.apiServer().withApiServerFlag("--no-such-flag=1")))
                .hasMessageContaining("unknown flag: --no-such-flag");
    }
}
