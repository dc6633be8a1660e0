package dev.flotilla.campaigncontroller.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeManifest;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Two controllers and one Lease of a real API server, with the role that is deployed. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class SyncLeaseIT {
    private static final String USER = "flotilla:campaign-controller";
    private static final String PATH =
            "/apis/coordination.k8s.io/v1/namespaces/flotilla/leases/flotilla-campaign-controller";

    private static KubeCluster hub;
    private static KubeApiClient api;
    private static KubeApiClient withoutRights;

    private final AtomicLong seconds = new AtomicLong();
    private final SyncLease first = lease(api, "first");
    private final SyncLease second = lease(api, "second");

    @BeforeAll
    static void start() throws Exception {
        hub = KubeCluster.start(KubeOptions.apiServer());
        hub.apply("/api/v1/namespaces/flotilla", "{apiVersion: v1, kind: Namespace, metadata: {name: flotilla}}");
        String roles = Files.readString(Path.of("../deploy/campaign-controller/rbac.yaml"))
                .replaceFirst(
                        "- \\{kind: ServiceAccount.*",
                        "- {kind: User, apiGroup: rbac.authorization.k8s.io, name: \"" + USER + "\"}");
        hub.apply(KubeManifest.parseAll(roles).stream()
                .map(each -> each.inNamespace("flotilla"))
                .toList());
        api = client(USER);
        withoutRights = client("somebody");
    }

    private static KubeApiClient client(String user) throws Exception {
        return KubeApiClient.open(hub.kubeconfig(user), Duration.ofSeconds(10), 2, System::nanoTime);
    }

    @AfterEach
    void deleteLease() {
        hub.delete(PATH);
    }

    @AfterAll
    static void stop() {
        api.close();
        withoutRights.close();
        hub.close();
    }

    private SyncLease lease(KubeApiClient client, String holder) {
        return new SyncLease(
                client,
                "flotilla",
                holder,
                () -> Instant.parse("2026-03-01T02:14:00Z").plusSeconds(seconds.get()),
                () -> Duration.ofSeconds(seconds.get()).toNanos());
    }

    private static KubeObject stored() {
        return ((KubeResponse.SuccessResponse) api.get(PATH)).object();
    }

    @Test
    void onlyTheFirstWorks() {
        assertThat(first.takeOrRenew()).isTrue();
        assertThat(second.takeOrRenew()).isFalse();
        assertThat(second.isHeld()).isFalse();
        assertThat(second.otherHolder()).isEqualTo("first");
        assertThat(stored().text("spec", "renewTime")).isEqualTo("2026-03-01T02:14:00.000000Z");
        assertThat(stored().number("spec", "leaseTransitions")).isZero();
    }

    @Test
    void aHolderThatRenewsKeepsIt() {
        for (int i = 0; i < 10; i++) {
            assertThat(first.takeOrRenew()).isTrue();
            assertThat(second.takeOrRenew()).isFalse();
            seconds.addAndGet(5);
        }
    }

    @Test
    void anotherOneTakesItWhenItsHolderIsGone() {
        assertThat(first.takeOrRenew()).isTrue();
        assertThat(second.takeOrRenew()).isFalse();
        seconds.addAndGet(14);
        assertThat(second.takeOrRenew()).isFalse();
        seconds.addAndGet(1);
        assertThat(second.takeOrRenew()).isTrue();
        assertThat(stored().text("spec", "holderIdentity")).isEqualTo("second");
        assertThat(stored().number("spec", "leaseTransitions")).isEqualTo(1);
    }

    /** Such as a process that was suspended for a minute in the middle of a pass. */
    @Test
    void aHolderThatHasSleptDoesNotWork() {
        assertThat(first.takeOrRenew()).isTrue();
        assertThat(second.takeOrRenew()).isFalse();
        seconds.addAndGet(10);
        assertThat(first.isHeld()).as("before another one could have taken it").isFalse();
        seconds.addAndGet(5);
        assertThat(second.takeOrRenew()).isTrue();
        assertThat(first.isHeld()).isFalse();
        assertThat(first.takeOrRenew()).isFalse();
    }

    @Test
    void ofTwoThatTakeItAtOnceOneWorks() {
        assertThat(first.takeOrRenew()).isTrue();
        SyncLease third = lease(api, "third");
        assertThat(second.takeOrRenew()).isFalse();
        assertThat(third.takeOrRenew()).isFalse();
        seconds.addAndGet(15);
        assertThat(second.takeOrRenew()).isTrue();
        assertThat(third.takeOrRenew()).isFalse();
    }

    @Test
    void anotherOneTakesAReleasedLeaseAtOnce() {
        assertThat(first.takeOrRenew()).isTrue();
        assertThat(second.takeOrRenew()).isFalse();
        first.release();
        assertThat(first.isHeld()).isFalse();
        assertThat(second.takeOrRenew()).isTrue();
        // What it has released is not its own any more.
        first.release();
        assertThat(stored().text("spec", "holderIdentity")).isEqualTo("second");
    }

    @Test
    void aMissingRightIsNamed() {
        SyncLease refused = lease(withoutRights, "refused");
        assertThat(refused.takeOrRenew()).isFalse();
        assertThat(refused.problem()).startsWith("403").contains("leases");
        assertThat(first.takeOrRenew()).isTrue();
        assertThat(first.problem()).isEmpty();
    }
}
