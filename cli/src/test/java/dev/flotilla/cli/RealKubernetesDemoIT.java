package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.kube.KubeBinaries;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A small demonstration with a management cluster that is a real API server. */
@Tag("nightly")
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class RealKubernetesDemoIT {
    /** DemoSuggestedCommandsIT runs such a demonstration too, and looks at what it suggests. */
    @Test
    void upgradesAFleetThroughARealApiServer() {
        CliResult cliResult = DemoRunOutput.run(
                "--machines 5 --clusters 1 --sites 1 --cap 2 --fail-rate 0 --speed 600 --json - --kubernetes real");

        assertThat(cliResult.exit()).as(cliResult.all()).isZero();
        DemoRunOutput shown = DemoRunOutput.read(cliResult.out());
        assertThat(shown.whole("succeeded")).isEqualTo(5);
        assertThat(shown.list("violations")).isEmpty();
        assertThat(shown.texts("real")).contains("watcher", "kubernetes");
        assertThat(shown.texts("simulated")).containsExactly("workload-kubernetes", "k8sd");
    }

    @Test
    void createsNodeUpgradesInARealApiServer() {
        CliResult cliResult = DemoRunOutput.run("--provider node-upgrade --machines 5 --clusters 1 --sites 1 --cap 2"
                + " --fail-rate 0 --speed 100 --json - --kubernetes real");

        assertThat(cliResult.exit()).as(cliResult.all()).isZero();
        DemoRunOutput shown = DemoRunOutput.read(cliResult.out());
        assertThat(shown.whole("succeeded")).isEqualTo(5);
        assertThat(shown.whole("upgraderObjects")).isEqualTo(5);
        assertThat(shown.list("violations")).isEmpty();
        assertThat(shown.texts("real")).contains("node-upgrader", "kubernetes");
        assertThat(shown.texts("simulated")).containsExactly("workload-kubernetes", "kubelet");
    }
}
