package dev.flotilla.nodeworker.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeworker.stub.SampleObjects;
import dev.flotilla.schemas.row.SiteMode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What objects say, and what it means for an upgrade: what is left out speaks against nothing. */
class ObjectPreconditionsTest {
    private static final String UID = "u-1";

    private static @Nullable String ofMachine(String json, SiteMode trigger, @Nullable String ownChangeId) {
        return ObjectPreconditions.findMachineProblem(SampleObjects.kube(json), UID, trigger, ownChangeId);
    }

    private static String annotated(String annotations) {
        return "{'metadata': {'uid': 'u-1', 'annotations': {" + annotations + "}}}";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "-",
            value = {
                "{'metadata': {'uid': 'u-1'}} | -",
                "{'metadata': {'uid': 'u-2'}} | the machine was replaced by another one of the same name",
                "{'metadata': {}} | the machine was replaced by another one of the same name",
                "{'metadata': {'uid': 'u-1', 'deletionTimestamp': '2026-01-01T00:00:00Z'}} | the machine is being"
                        + " deleted",
                "{'metadata': {'uid': 'u-1'}, 'status': {'conditions': [{'type': 'OwnerRemediated', 'status':"
                        + " 'False'}]}} | the machine is being remediated",
                "{'metadata': {'uid': 'u-1'}, 'status': {'conditions': [{'type': 'OwnerRemediated', 'status':"
                        + " 'True'}]}} | -",
                "{'metadata': {'uid': 'u-1'}, 'status': {'conditions': 'none'}} | -",
            })
    void checksTheMachine(String json, @Nullable String problem) {
        assertThat(ofMachine(json, SiteMode.INTERCEPT, null)).isEqualTo(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "-",
            value = {
                "'other.io/x': ''                            | -",
                "'cluster.x-k8s.io/paused': ''               | the machine has annotation cluster.x-k8s.io/paused",
                "'flotilla.dev/hold': 'by night'             | the machine has annotation flotilla.dev/hold",
                "'flotilla.dev/opt-out': ''                  | the machine has annotation flotilla.dev/opt-out",
                "'cluster.x-k8s.io/delete-machine': ''       | the machine has annotation"
                        + " cluster.x-k8s.io/delete-machine",
                "'cluster.x-k8s.io/remediate-machine': ''    | the machine has annotation"
                        + " cluster.x-k8s.io/remediate-machine",
                "'v1beta2.k8sd.io/refresh-certificates': '1y' | the machine has annotation"
                        + " v1beta2.k8sd.io/refresh-certificates",
                "'in-place-updates.internal.cluster.x-k8s.io/update-in-progress': ''"
                        + " | the machine has annotation in-place-updates.internal.cluster.x-k8s.io/update-in-progress",
                "'v1beta2.k8sd.io/in-place-upgrade-to': 'revision=1'"
                        + " | foreign: the machine has annotation v1beta2.k8sd.io/in-place-upgrade-to,"
                        + " which is the provider's unless the site's mode is direct",
                "'v1beta2.k8sd.io/in-place-upgrade-change-id': '7' | foreign: the machine has annotation"
                        + " v1beta2.k8sd.io/in-place-upgrade-change-id, which no attempt of Flotilla wrote",
                "'v1beta2.k8sd.io/in-place-upgrade-change-id': '' | foreign: the machine has annotation"
                        + " v1beta2.k8sd.io/in-place-upgrade-change-id, which no attempt of Flotilla wrote",
                "'v1beta2.k8sd.io/in-place-upgrade-status': 'done' | -",
                "'v1beta2.k8sd.io/in-place-upgrade-release': 'revision=1' | -",
            })
    void checksTheMachinesAnnotations(String annotations, @Nullable String problem) {
        assertThat(ofMachine(annotated(annotations), SiteMode.INTERCEPT, null)).isEqualTo(problem);
        assertThat(ofMachine(annotated(annotations), SiteMode.CLUSTER_ONLY, null))
                .isEqualTo(problem);
    }

    @Test
    void updateOfAnUpgradeTaskIsNotForeign() {
        String updating = "'in-place-updates.internal.cluster.x-k8s.io/update-in-progress': ''";
        String task = ", 'flotilla.dev/upgrade-task': 't-uid'";
        assertThat(ofMachine(annotated(updating + task), SiteMode.INTERCEPT, null))
                .isNull();
        assertThat(ofMachine(annotated(updating + task + ", 'cluster.x-k8s.io/paused': ''"), SiteMode.INTERCEPT, null))
                .contains("paused");
        assertThat(ObjectPreconditions.isUpdatedByTask(SampleObjects.kube(annotated(updating + task))))
                .isTrue();
        assertThat(ObjectPreconditions.isUpdatedByTask(SampleObjects.kube(annotated(updating))))
                .isFalse();
        assertThat(ObjectPreconditions.isUpdatedByTask(SampleObjects.kube(annotated(task.substring(2)))))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "-",
            value = {
                "{'spec': {'replicas': 3}, 'status': {'replicas': 3, 'upToDateReplicas': 2}} | -",
                "{'spec': {'replicas': 3}, 'status': {'replicas': 4, 'upToDateReplicas': 1, 'conditions':"
                        + " [{'type': 'RollingOut', 'status': 'True'}, {'type': 'ScalingDown', 'status': 'True'}]}} | -",
                "{'spec': {'replicas': 3}, 'status': {'replicas': 3, 'upToDateReplicas': 3, 'conditions':"
                        + " [{'type': 'ScalingDown', 'status': 'True'}]}} | its owner pool is ScalingDown",
                "{'spec': {'replicas': 3}, 'status': {'replicas': 4, 'upToDateReplicas': 3}}"
                        + " | its owner pool has 4 machines of 3",
                "{'status': {'conditions': [{'type': 'RollingOut', 'status': 'True'},"
                        + " {'type': 'Remediating', 'status': 'True'}]}} | its owner pool is Remediating",
            })
    void rolloutOfTheOwnerThatUpdatesTheMachineDoesNotCount(String json, @Nullable String problem) {
        String named = json.replaceFirst("\\{", "{'metadata': {'name': 'pool'}, ");
        assertThat(ObjectPreconditions.findOwnerProblem(SampleObjects.kube(named), SiteMode.INTERCEPT, true, false))
                .isEqualTo(problem);
        assertThat(ObjectPreconditions.findOwnerProblem(SampleObjects.kube(named), SiteMode.INTERCEPT, false, false))
                .isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "-",
            value = {
                // A task upgrades the only member of a paused KubeadmControlPlane.
                "KubeadmControlPlane | 1 | cluster.x-k8s.io/paused | flotilla.dev/upgrade-task | -",
                // Cluster API upgrades several members in place itself, so a pause of theirs is a person's.
                "KubeadmControlPlane | 3 | cluster.x-k8s.io/paused | flotilla.dev/upgrade-task"
                        + " | its owner cp has annotation cluster.x-k8s.io/paused",
                "KubeadmControlPlane | 1 | cluster.x-k8s.io/paused | flotilla.dev/other"
                        + " | its owner cp has annotation cluster.x-k8s.io/paused",
                "KubeadmControlPlane | 1 | flotilla.dev/hold | flotilla.dev/upgrade-task"
                        + " | its owner cp has annotation flotilla.dev/hold",
                "CK8sControlPlane | 1 | cluster.x-k8s.io/paused | flotilla.dev/upgrade-task"
                        + " | its owner cp has annotation cluster.x-k8s.io/paused",
                "MachineDeployment | 1 | cluster.x-k8s.io/paused | flotilla.dev/upgrade-task"
                        + " | its owner cp has annotation cluster.x-k8s.io/paused",
            })
    void pauseOfAControlPlaneOfOneDoesNotKeepATaskFromItsMember(
            String kind, int replicas, String ownerAnnotation, String machineAnnotation, @Nullable String problem) {
        KubeObject owner = SampleObjects.kube(
                ("{'kind': '%s', 'metadata': {'name': 'cp', 'annotations': {'%s': ''}}, 'spec': {'replicas': %d},"
                                + " 'status': {'replicas': %d}}")
                        .formatted(kind, ownerAnnotation, replicas, replicas));
        KubeObject machine =
                SampleObjects.kube("{'metadata': {'annotations': {'%s': 'uid'}}}".formatted(machineAnnotation));
        assertThat(ObjectPreconditions.findOwnerProblem(
                        owner, SiteMode.DIRECT, false, ObjectPreconditions.isPausedForTask(owner, machine)))
                .isEqualTo(problem);
    }

    @Test
    void providersAnnotationIsNotForeignInModeDirect() {
        String asked = annotated("'v1beta2.k8sd.io/in-place-upgrade-to': 'revision=1'");
        assertThat(ofMachine(asked, SiteMode.DIRECT, null)).isNull();
    }

    @Test
    void onlyAChangeOfOthersIsForeign() {
        String changing = annotated("'v1beta2.k8sd.io/in-place-upgrade-change-id': '7'");
        assertThat(ofMachine(changing, SiteMode.INTERCEPT, "7")).isNull();
        assertThat(ofMachine(changing, SiteMode.INTERCEPT, "8")).startsWith("foreign");
    }

    @Test
    void changeIdBesideAnAttemptAnnotationIsOurs() {
        assertThat(ObjectPreconditions.ownChangeId(
                        SampleObjects.kube(annotated("'v1beta2.k8sd.io/in-place-upgrade-change-id': '7',"
                                + " 'flotilla.dev/attempt': '{\\'attemptId\\':5,\\'owner\\':\\'0/a\\'}'"))))
                .isEqualTo("7");
        assertThat(ObjectPreconditions.ownChangeId(
                        SampleObjects.kube(annotated("'v1beta2.k8sd.io/in-place-upgrade-change-id': '7'"))))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "-",
            value = {
                "{'metadata': {}, 'spec': {}} | -",
                "{'metadata': {}, 'spec': {'paused': true}} | the cluster is paused",
                "{'metadata': {}, 'spec': {'paused': false}} | -",
                "{'metadata': {'annotations': {'cluster.x-k8s.io/paused': ''}}} | the cluster has annotation"
                        + " cluster.x-k8s.io/paused",
                "{'metadata': {'annotations': {'flotilla.dev/hold': ''}}} | the cluster has annotation"
                        + " flotilla.dev/hold",
                "{'metadata': {'deletionTimestamp': '2026-01-01T00:00:00Z'}} | the cluster is being deleted",
            })
    void checksTheCluster(String json, @Nullable String problem) {
        assertThat(ObjectPreconditions.findClusterProblem(SampleObjects.kube(json)))
                .isEqualTo(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "-",
            value = {
                "{'spec': {'replicas': 3}, 'status': {'replicas': 3, 'upToDateReplicas': 3}} | -",
                "{'spec': {'replicas': 3}, 'status': {'replicas': 3}} | -",
                "{'spec': {'replicas': 3}, 'status': {'replicas': 4}} | its owner pool has 4 machines of 3",
                "{'spec': {'replicas': 3}, 'status': {}} | its owner pool has 0 machines of 3",
                "{'spec': {'replicas': 3}, 'status': {'replicas': 3, 'upToDateReplicas': 2}}"
                        + " | its owner pool has 2 machines up to date of 3",
                "{'spec': {'replicas': 3}, 'status': {'replicas': 3, 'updatedReplicas': 1}}"
                        + " | its owner pool has 1 machines up to date of 3",
                "{'status': {'conditions': [{'type': 'RollingOut', 'status': 'True'}]}} | its owner pool is RollingOut",
                "{'status': {'conditions': [{'type': 'ScalingUp', 'status': 'True'}]}} | its owner pool is ScalingUp",
                "{'status': {'conditions': [{'type': 'ScalingDown', 'status': 'False'}]}} | -",
                "{'status': {'conditions': [{'type': 'Remediating', 'status': 'True'}]}} | its owner pool is"
                        + " Remediating",
                "{'metadata': {'name': 'pool', 'annotations': {'v1beta2.k8sd.io/in-place-upgrade-to': ''}}}"
                        + " | foreign: its owner pool has annotation v1beta2.k8sd.io/in-place-upgrade-to,"
                        + " which is the provider's unless the site's mode is direct",
                "{'metadata': {'name': 'pool', 'deletionTimestamp': 'x'}} | its owner pool is being deleted",
            })
    void checksTheOwner(String json, @Nullable String problem) {
        String named = json.contains("'metadata'") ? json : json.replaceFirst("\\{", "{'metadata': {'name': 'pool'}, ");
        assertThat(ObjectPreconditions.findOwnerProblem(SampleObjects.kube(named), SiteMode.INTERCEPT, false, false))
                .isEqualTo(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "-",
            value = {
                "{'spec': {'replicas': 3}, 'status': {'replicas': 4}} | true  | 4",
                "{'spec': {'replicas': 3}, 'status': {'replicas': 4}} | false | 3",
                "{'spec': {'replicas': 3}, 'status': {'replicas': 2}} | true  | 3",
                "{'spec': {'replicas': 3}}                            | true  | 3",
                "{'status': {'replicas': 3}}                          | true  | -",
            })
    void aSurgeOfTheOwnerThatUpdatesTheMachineMakesAMemberMore(
            String json, boolean updatedByTask, @Nullable Long members) {
        assertThat(ObjectPreconditions.expectedMembers(SampleObjects.kube(json), updatedByTask))
                .isEqualTo(members);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "-",
            value = {
                "{} | -",
                "{'status': {'conditions': [{'type': 'EtcdClusterHealthy', 'status': 'True'}]}} | -",
                "{'status': {'conditions': [{'type': 'EtcdClusterHealthy', 'status': 'Unknown'}]}} | -",
                "{'status': {'conditions': [{'type': 'MachinesReady', 'status': 'False'}]}} | -",
                "{'status': {'conditions': [{'type': 'ControlPlaneComponentsHealthy', 'status': 'False',"
                        + " 'reason': 'ControlPlaneComponentsUnhealthy'}]}}"
                        + " | the control plane is not ControlPlaneComponentsHealthy (ControlPlaneComponentsUnhealthy)",
                "{'status': {'v1beta2': {'conditions': [{'type': 'EtcdClusterHealthy', 'status': 'False'}]}}}"
                        + " | the control plane is not EtcdClusterHealthy",
                "{'status': {'deprecated': {'v1beta1': {'conditions': [{'type': 'Available', 'status': 'False'}]}}}}"
                        + " | the control plane is not Available",
            })
    void checksTheControlPlane(String json, @Nullable String problem) {
        assertThat(ObjectPreconditions.findControlPlaneProblem(SampleObjects.kube(json)))
                .isEqualTo(problem);
    }

    @Test
    void parsesTheAttemptAnnotationThatItFormats() {
        AttemptAnnotation attemptAnnotation =
                new AttemptAnnotation(17, "2/worker-a", java.util.List.of("cluster.x-k8s.io/skip-remediation"));
        assertThat(attemptAnnotation.text())
                .isEqualTo(
                        "{\"attemptId\":17,\"owner\":\"2/worker-a\",\"setAnnotations\":[\"cluster.x-k8s.io/skip-remediation\"]}");
        assertThat(AttemptAnnotation.parse(attemptAnnotation.text())).isEqualTo(attemptAnnotation);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {"17", "{'attemptId': 17}", "{'owner': 'a'}", "{'attemptId': '17', 'owner': 'a'}", "[]", "{"})
    void ignoresAMalformedAttemptAnnotation(String text) {
        assertThat(AttemptAnnotation.parse(text.replace('\'', '"'))).isNull();
    }
}
