package dev.flotilla.nodeworker.bed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.k8sd.K8sdTransportSetting;
import dev.flotilla.nodeworker.node.NodeUpgraderFactory;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.testkit.kube.KubeBinaries;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Many tunnels through one real API server at once; with {@code -Dflotilla.tunnels=128} as many as are allowed by default. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class ManyTunnelsIT {
    private static final int MANY = Integer.getInteger("flotilla.tunnels", 48);

    /** So many handshakes are made at a time: with all of them at once a busy machine takes longer than a tunnel is waited for. */
    private static final int AT_ONCE = 16;

    @Test
    void allTunnelsAreOpenAndRespond() throws Exception {
        try (SiteTestBed siteTestBed = new SiteTestBed(1, 1)) {
            SiteUpgradeSettings usual = SiteUpgradeSettings.DEFAULT;
            NodeUpgraderFactory nodeUpgraders = new NodeUpgraderFactory(
                    siteTestBed.vertx,
                    siteTestBed.site(new SiteUpgradeSettings(
                            usual.siteMode(),
                            usual.guards(),
                            usual.drain(),
                            K8sdTransportSetting.PROXY,
                            null,
                            MANY,
                            usual.maxConnections(),
                            usual.requestsPerCluster(),
                            usual.timeout())),
                    null);
            TestBedNode node = siteTestBed.node("w-1");
            String uid = siteTestBed.uid(node);
            List<NodeUpgrader> all = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                all.add(nodeUpgraders.createUpgrader(
                        new UpgradeAttemptParameters(node.machine(), uid, i, node.role(), 1, "0/here"), false));
            }
            assertThat(reached(all.getFirst())).isEqualTo(new ConnectResult.Connected());
            long heap = heap();
            long server = resident(siteTestBed.workload.pid());
            long since = System.nanoTime();
            for (int i = 0; i < MANY; i += AT_ONCE) {
                assertThat(reached(all.subList(i, Math.min(MANY, i + AT_ONCE))))
                        .containsOnly(new ConnectResult.Connected());
            }
            long opened = System.nanoTime() - since;
            assertThat(nodeUpgraders.tunnels()).isEqualTo(MANY);
            since = System.nanoTime();
            assertThat(reached(all)).as("through the same tunnels").containsOnly(new ConnectResult.Connected());
            System.out.printf(
                    "tunnels: %d opened in %.1f s, asked again in %.1f s; for each %d KiB of heap here, with the"
                            + " simulated k8sd, and %d KiB in the API server%n",
                    MANY,
                    opened / 1e9,
                    (System.nanoTime() - since) / 1e9,
                    (heap() - heap) / MANY / 1024,
                    (resident(siteTestBed.workload.pid()) - server) / MANY);
        }
    }

    private static ConnectResult reached(NodeUpgrader nodeUpgrader) throws Exception {
        return nodeUpgrader
                .connectToProvider()
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }

    private static List<ConnectResult> reached(List<NodeUpgrader> all) throws Exception {
        return Future.join(all.stream().map(NodeUpgrader::connectToProvider).toList())
                .map(joined -> joined.<ConnectResult>list())
                .toCompletionStage()
                .toCompletableFuture()
                .get(120, TimeUnit.SECONDS);
    }

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** In KiB. */
    private static long resident(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return 0;
    }
}
