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

/** A site that leaves in the middle, beside a double of the provider's controllers. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class SiteLeaveCleanupIT {
    private static final String KEYS = ManagementTestBed.KEYS;

    private ManagementTestBed bed;

    @BeforeEach
    void start() throws Exception {
        bed = ManagementTestBed.start();
        bed.cluster("blue");
        bed.owner("machinedeployments", "pool", "blue", 1, "");
        bed.machine("begun", "blue", ", labels: {cluster.x-k8s.io/deployment-name: pool}");
        bed.annotate("machines", "begun", KEYS + "change-id", "42");
        bed.annotate("machines", "begun", KEYS + "status", "in-progress");
        bed.annotate("machines", "begun", "flotilla.dev/reported", "17/42 revision=7");
        bed.annotate("machines", "begun", "flotilla.dev/hold", "mine");
        bed.machine("theirs", "blue");
        bed.annotate("machines", "theirs", KEYS + "change-id", "43");
        bed.annotate("machinedeployments", "pool", "flotilla.dev/upgrade-to", "revision=7");
        bed.annotate("machinedeployments", "pool", "flotilla.dev/standing-release", "revision=6");
    }

    @AfterEach
    void stop() {
        bed.close();
    }

    @Test
    void whatIsOursGoesAndWhatOthersWroteStays() {
        SiteLeaveCleanup sweep = new SiteLeaveCleanup(bed.people);
        SiteLeaveCleanup.CleanupPlan cleanupPlan = sweep.planCleanup();
        assertThat(cleanupPlan.problems()).isEmpty();
        assertThat(cleanupPlan.unreported()).containsExactly("default/begun");
        assertThat(cleanupPlan.guarded()).isEmpty();
        assertThat(cleanupPlan.intents()).containsExactly("machinedeployments default/pool revision=7");
        assertThat(sweep.runCleanup(cleanupPlan)).isEmpty();
        assertThat(bed.documented("begun", "change-id")).isNull();
        assertThat(bed.documented("begun", "status")).isNull();
        assertThat(bed.annotation("machines", "begun", "flotilla.dev/reported")).isNull();
        assertThat(bed.annotation("machines", "begun", "flotilla.dev/hold")).isEqualTo("mine");
        assertThat(bed.documented("theirs", "change-id")).isEqualTo("43");
        assertThat(bed.annotation("machinedeployments", "pool", "flotilla.dev/standing-release"))
                .isNull();
        assertThat(sweep.planCleanup().removable()).isEmpty();
    }

    /** Before, the provider adopted a change-id of ours, made no call, and wrote the release of a node that it had not asked. */
    @Test
    void theProviderCallsTheNodeItselfAfterwards() {
        SiteLeaveCleanup sweep = new SiteLeaveCleanup(bed.people);
        assertThat(sweep.runCleanup(sweep.planCleanup())).isEmpty();
        RefreshRequestLedger nodes = new RefreshRequestLedger();
        bed.annotate("machinedeployments", "pool", KEYS + "to", "revision=8");
        FakeCanonicalControllers canonical =
                FakeCanonicalControllers.start(bed.people, nodes, 7, Duration.ofMillis(50));
        try (canonical) {
            bed.await("their end", () -> "revision=8".equals(bed.documented("begun", "release")));
        }
        assertThat(nodes.calls())
                .extracting(RefreshRequestLedger.RefreshRequest::machine)
                .containsExactly("begun");
    }
}
