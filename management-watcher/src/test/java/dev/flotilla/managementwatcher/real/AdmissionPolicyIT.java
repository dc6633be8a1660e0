package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.testkit.kube.KubeBinaries;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The policy of {@code deploy/} on a real API server. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class AdmissionPolicyIT {
    private static final String THEIRS = ManagementTestBed.KEYS + "to";
    private static final String OURS = "flotilla.dev/upgrade-to";

    private static ManagementTestBed bed;

    @BeforeAll
    static void start() throws Exception {
        bed = ManagementTestBed.start();
        bed.cluster("blue");
        bed.owner("machinedeployments", "workers", "blue", 1, "");
        bed.owner("machinesets", "lone", "blue", 1, "");
        bed.controlPlane("blue", 3, "");
        bed.machine("early", "blue", annotations("'" + THEIRS + "': 'revision=1'"));
        bed.machine("w", "blue");
        bed.intercept();
    }

    @AfterAll
    static void stop() {
        bed.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"machines/w", "machinedeployments/workers", "machinesets/lone", "ck8scontrolplanes/blue"})
    void theKeyIsRenamedWhenItIsWrittenAndWhenItIsChangedAndMayBeRemoved(String object) {
        String plural = object.substring(0, object.indexOf('/'));
        String name = object.substring(plural.length() + 1);
        bed.annotate(plural, name, "example.org/mine", "kept");
        bed.annotate(plural, name, THEIRS, "channel=1.33-classic/stable");
        assertThat(bed.annotation(plural, name, THEIRS)).isNull();
        assertThat(bed.annotation(plural, name, OURS)).isEqualTo("channel=1.33-classic/stable");
        bed.annotate(plural, name, THEIRS, "revision=7");
        assertThat(bed.annotation(plural, name, THEIRS)).isNull();
        assertThat(bed.annotation(plural, name, OURS)).isEqualTo("revision=7");
        bed.annotate(plural, name, OURS, null);
        assertThat(bed.annotation(plural, name, OURS)).isNull();
        assertThat(bed.annotation(plural, name, "example.org/mine")).isEqualTo("kept");
    }

    @Test
    void anObjectIsCreatedWithTheOtherKey() {
        bed.machine("created", "blue", annotations("'" + THEIRS + "': 'revision=7', 'example.org/mine': 'kept'"));
        assertThat(bed.documented("created", "to")).isNull();
        assertThat(bed.annotation("machines", "created", OURS)).isEqualTo("revision=7");
        assertThat(bed.annotation("machines", "created", "example.org/mine")).isEqualTo("kept");
    }

    @Test
    void ofBothKeysTheDocumentedOneIsTheWish() {
        bed.machine("both", "blue", annotations("'" + THEIRS + "': 'revision=8', '" + OURS + "': 'revision=7'"));
        assertThat(bed.documented("both", "to")).isNull();
        assertThat(bed.annotation("machines", "both", OURS)).isEqualTo("revision=8");
    }

    @Test
    void whatStoodThereBeforeIsLeftToThoseWhoMayBeAtIt() {
        bed.annotate("machines", "early", ManagementTestBed.KEYS + "status", "in-progress");
        assertThat(bed.documented("early", "to")).isEqualTo("revision=1");
        assertThat(bed.annotation("machines", "early", OURS)).isNull();
        bed.wish("early", "revision=2");
        assertThat(bed.documented("early", "to")).isNull();
        assertThat(bed.annotation("machines", "early", OURS)).isEqualTo("revision=2");
    }

    @Test
    void aClustersKeyStaysSinceNobodyElseReadsIt() {
        bed.annotate("clusters", "blue", THEIRS, "revision=7");
        assertThat(bed.annotation("clusters", "blue", THEIRS)).isEqualTo("revision=7");
        assertThat(bed.annotation("clusters", "blue", OURS)).isNull();
    }

    @Test
    void whoeverWritesTheKeyIsToldHowToCancel() {
        bed.machine("warned", "blue");
        assertThat(bed.cluster.merge(ManagementTestBed.path("machines", "warned"), """
                        {"metadata": {"annotations": {"%s": "revision=7"}}}""".formatted(THEIRS)))
                .singleElement()
                .asString()
                .contains("followed as flotilla.dev/upgrade-to; to cancel, remove that annotation");
        assertThat(bed.cluster.merge(ManagementTestBed.path("machines", "warned"), """
                        {"metadata": {"labels": {"another": "change"}}}"""))
                .isEmpty();
    }

    @Test
    void aMachineIsMadeWithTheReleaseOfItsOwnersOthers() {
        bed.cluster.apply("/api/v1/namespaces/default/configmaps/flotilla-standing-releases", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: flotilla-standing-releases}
                data: {MachineDeployment.workers: revision=7, CK8sControlPlane.blue: revision=8}
                """);
        bed.await("the policy", () -> {
            bed.machine("of-workers", "blue", ", labels: {cluster.x-k8s.io/deployment-name: workers}");
            if ("revision=7".equals(bed.documented("of-workers", "release"))) {
                return true;
            }
            bed.cluster.delete(ManagementTestBed.path("machines", "of-workers"));
            return false;
        });
        bed.machine(
                "of-control-plane",
                "blue",
                ", ownerReferences: [{apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: CK8sControlPlane, name:"
                        + " blue, uid: u, controller: true}]");
        assertThat(bed.documented("of-control-plane", "release")).isEqualTo("revision=8");
        bed.machine(
                "restored",
                "blue",
                ", labels: {cluster.x-k8s.io/deployment-name: workers}, annotations: {" + ManagementTestBed.KEYS
                        + "release: revision=6}");
        assertThat(bed.documented("restored", "release")).isEqualTo("revision=6");
        bed.machine("of-others", "blue", ", labels: {cluster.x-k8s.io/deployment-name: others}");
        assertThat(bed.documented("of-others", "release")).isNull();
    }

    private static String annotations(String annotations) {
        return ", annotations: {" + annotations + "}";
    }
}
