package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.leave.SiteLeaveCleanup;
import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.testkit.kube.KubeBinaries;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The policy of {@code deploy/} on a real API server. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdmissionPolicyIT {
    private static final String PROVIDER_KEY = ManagementTestBed.KEYS + "to";
    private static final String OUR_KEY = "flotilla.dev/upgrade-to";

    private ManagementTestBed bed;

    @BeforeAll
    void start() throws Exception {
        bed = ManagementTestBed.start();
        bed.cluster("blue");
        bed.applyOwner("machinedeployments", "workers", "blue", 1, "");
        bed.applyOwner("machinesets", "lone", "blue", 1, "");
        bed.applyControlPlane("blue", 3, "");
        bed.applyMachine("early", "blue", annotations("'" + PROVIDER_KEY + "': 'revision=1'"));
        bed.applyMachine("w", "blue");
        intercept(bed);
    }

    /** Hides the annotations from the provider's controllers, and waits until they are hidden. */
    void intercept(ManagementTestBed cluster) throws Exception {
        cluster.applyInterceptPolicy();
    }

    boolean isWebhook() {
        return false;
    }

    /** {@code flotilla site leave} names the one of the two that is deleted last. */
    @Test
    void leavingFindsWhatHidesTheAnnotations() {
        assertThat(new SiteLeaveCleanup(bed.adminClient).isInterceptedByWebhook())
                .isEqualTo(isWebhook());
    }

    @AfterAll
    void stop() throws Exception {
        bed.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"machines/w", "machinedeployments/workers", "machinesets/lone", "ck8scontrolplanes/blue"})
    void renamesTheAnnotationWhenItIsWrittenOrChanged(String object) {
        String plural = object.substring(0, object.indexOf('/'));
        String name = object.substring(plural.length() + 1);
        bed.annotate(plural, name, "example.org/mine", "kept");
        bed.annotate(plural, name, PROVIDER_KEY, "channel=1.33-classic/stable");
        assertThat(bed.readAnnotation(plural, name, PROVIDER_KEY)).isNull();
        assertThat(bed.readAnnotation(plural, name, OUR_KEY)).isEqualTo("channel=1.33-classic/stable");
        bed.annotate(plural, name, PROVIDER_KEY, "revision=7");
        assertThat(bed.readAnnotation(plural, name, PROVIDER_KEY)).isNull();
        assertThat(bed.readAnnotation(plural, name, OUR_KEY)).isEqualTo("revision=7");
        bed.annotate(plural, name, OUR_KEY, null);
        assertThat(bed.readAnnotation(plural, name, OUR_KEY)).isNull();
        assertThat(bed.readAnnotation(plural, name, "example.org/mine")).isEqualTo("kept");
    }

    @Test
    void renamesTheAnnotationOfANewObject() {
        bed.applyMachine(
                "created", "blue", annotations("'" + PROVIDER_KEY + "': 'revision=7', 'example.org/mine': 'kept'"));
        assertThat(bed.readUpgradeAnnotation("created", "to")).isNull();
        assertThat(bed.readAnnotation("machines", "created", OUR_KEY)).isEqualTo("revision=7");
        assertThat(bed.readAnnotation("machines", "created", "example.org/mine"))
                .isEqualTo("kept");
    }

    @Test
    void providersAnnotationOverridesOurs() {
        bed.applyMachine(
                "both", "blue", annotations("'" + PROVIDER_KEY + "': 'revision=8', '" + OUR_KEY + "': 'revision=7'"));
        assertThat(bed.readUpgradeAnnotation("both", "to")).isNull();
        assertThat(bed.readAnnotation("machines", "both", OUR_KEY)).isEqualTo("revision=8");
    }

    @Test
    void keepsAnAnnotationThatIsOlderThanThePolicy() {
        bed.annotate("machines", "early", ManagementTestBed.KEYS + "status", "in-progress");
        assertThat(bed.readUpgradeAnnotation("early", "to")).isEqualTo("revision=1");
        assertThat(bed.readAnnotation("machines", "early", OUR_KEY)).isNull();
        bed.setUpgradeTo("early", "revision=2");
        assertThat(bed.readUpgradeAnnotation("early", "to")).isNull();
        assertThat(bed.readAnnotation("machines", "early", OUR_KEY)).isEqualTo("revision=2");
    }

    @Test
    void keepsTheAnnotationOfACluster() {
        bed.annotate("clusters", "blue", PROVIDER_KEY, "revision=7");
        assertThat(bed.readAnnotation("clusters", "blue", PROVIDER_KEY)).isEqualTo("revision=7");
        assertThat(bed.readAnnotation("clusters", "blue", OUR_KEY)).isNull();
    }

    @Test
    void warnsWithTheWayToCancel() {
        bed.applyMachine("warned", "blue");
        assertThat(bed.cluster.merge(ManagementTestBed.path("machines", "warned"), """
                        {"metadata": {"annotations": {"%s": "revision=7"}}}""".formatted(PROVIDER_KEY)))
                .singleElement()
                .asString()
                .contains("followed as flotilla.dev/upgrade-to; to cancel, remove that annotation");
        assertThat(bed.cluster.merge(ManagementTestBed.path("machines", "warned"), """
                        {"metadata": {"labels": {"another": "change"}}}"""))
                .isEmpty();
    }

    @Test
    void newMachineGetsItsOwnersDefaultRelease() {
        bed.cluster.apply("/api/v1/namespaces/default/configmaps/flotilla-default-releases", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: flotilla-default-releases}
                data: {MachineDeployment.workers: revision=7, CK8sControlPlane.blue: revision=8}
                """);
        bed.await("the policy", () -> {
            bed.applyMachine("of-workers", "blue", ", labels: {cluster.x-k8s.io/deployment-name: workers}");
            if ("revision=7".equals(bed.readUpgradeAnnotation("of-workers", "release"))) {
                return true;
            }
            bed.cluster.delete(ManagementTestBed.path("machines", "of-workers"));
            return false;
        });
        bed.applyMachine(
                "of-control-plane",
                "blue",
                ", ownerReferences: [{apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: CK8sControlPlane, name:"
                        + " blue, uid: u, controller: true}]");
        assertThat(bed.readUpgradeAnnotation("of-control-plane", "release")).isEqualTo("revision=8");
        bed.applyMachine(
                "restored",
                "blue",
                ", labels: {cluster.x-k8s.io/deployment-name: workers}, annotations: {" + ManagementTestBed.KEYS
                        + "release: revision=6}");
        assertThat(bed.readUpgradeAnnotation("restored", "release")).isEqualTo("revision=6");
        bed.applyMachine("of-others", "blue", ", labels: {cluster.x-k8s.io/deployment-name: others}");
        assertThat(bed.readUpgradeAnnotation("of-others", "release")).isNull();
    }

    private static String annotations(String annotations) {
        return ", annotations: {" + annotations + "}";
    }
}
