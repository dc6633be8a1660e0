package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.leave.SiteLeaveCleanup;
import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.testkit.canonical.FakeCanonicalControllers;
import dev.flotilla.testkit.canonical.RefreshRequestLedger;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A site that leaves during an upgrade, beside fake provider controllers. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class SiteLeaveCleanupIT {
    private static final String KEYS = ManagementTestBed.KEYS;

    private ManagementTestBed bed;

    @BeforeEach
    void start() throws Exception {
        bed = ManagementTestBed.start();
        bed.cluster("blue");
        bed.applyOwner("machinedeployments", "pool", "blue", 1, "");
        bed.applyMachine("begun", "blue", ", labels: {cluster.x-k8s.io/deployment-name: pool}");
        bed.annotate("machines", "begun", KEYS + "change-id", "42");
        bed.annotate("machines", "begun", KEYS + "status", "in-progress");
        bed.annotate("machines", "begun", "flotilla.dev/own-change", "17/42");
        bed.annotate("machines", "begun", "flotilla.dev/hold", "mine");
        bed.applyMachine("theirs", "blue");
        bed.annotate("machines", "theirs", KEYS + "change-id", "43");
        bed.annotate("machinedeployments", "pool", "flotilla.dev/upgrade-to", "revision=7");
        bed.annotate("machinedeployments", "pool", "flotilla.dev/default-release", "revision=6");
    }

    @AfterEach
    void stop() {
        bed.close();
    }

    @Test
    void removesOurAnnotationsAndKeepsOthers() {
        SiteLeaveCleanup cleanup = new SiteLeaveCleanup(bed.adminClient);
        SiteLeaveCleanup.CleanupPlan cleanupPlan = cleanup.planCleanup();
        assertThat(cleanupPlan.problems()).isEmpty();
        assertThat(cleanupPlan.unreported()).containsExactly("default/begun");
        assertThat(cleanupPlan.guarded()).isEmpty();
        assertThat(cleanupPlan.intents()).containsExactly("machinedeployments default/pool revision=7");
        assertThat(cleanup.runCleanup(cleanupPlan)).isEmpty();
        assertThat(bed.readUpgradeAnnotation("begun", "change-id")).isNull();
        assertThat(bed.readUpgradeAnnotation("begun", "status")).isNull();
        assertThat(bed.readAnnotation("machines", "begun", "flotilla.dev/own-change"))
                .isNull();
        assertThat(bed.readAnnotation("machines", "begun", "flotilla.dev/hold")).isEqualTo("mine");
        assertThat(bed.readUpgradeAnnotation("theirs", "change-id")).isEqualTo("43");
        assertThat(bed.readAnnotation("machinedeployments", "pool", "flotilla.dev/default-release"))
                .isNull();
        assertThat(cleanup.planCleanup().removable()).isEmpty();
    }

    /**
     * Without the cleanup, the provider adopts a change-id of ours, makes no call, and writes a release that the node
     * does not have.
     */
    @Test
    void providerCallsTheNodeAfterTheCleanup() {
        SiteLeaveCleanup cleanup = new SiteLeaveCleanup(bed.adminClient);
        assertThat(cleanup.runCleanup(cleanup.planCleanup())).isEmpty();
        RefreshRequestLedger nodes = new RefreshRequestLedger();
        bed.annotate("machinedeployments", "pool", KEYS + "to", "revision=8");
        FakeCanonicalControllers canonical =
                FakeCanonicalControllers.start(bed.adminClient, nodes, 7, Duration.ofMillis(50));
        try (canonical) {
            bed.await("the provider's end", () -> "revision=8".equals(bed.readUpgradeAnnotation("begun", "release")));
        }
        assertThat(nodes.calls())
                .extracting(RefreshRequestLedger.RefreshRequest::machine)
                .containsExactly("begun");
    }
}
