package dev.flotilla.managementwatcher.external;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.external.ExternalUpgradeAnswer.UpgradeDecision;
import dev.flotilla.managementwatcher.external.RequestedObjects.RequestedMachine;
import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.UpgradeProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExternalUpgradePlannerTest {
    private static final String WORKERS =
            "'owner': {'apiGroup': 'cluster.x-k8s.io', 'kind': 'MachineDeployment', 'name': 'blue-workers'}";
    private static final String MEMBERS = "'owner': {'apiGroup': 'controlplane.cluster.x-k8s.io',"
            + " 'kind': 'KubeadmControlPlane', 'name': 'blue-cp'}";
    private static final String TO_36 = ", 'newSpec': {'version': 'v1.36.3'}";
    private static final String TO_37 = ", 'newSpec': {'version': 'v1.37.0'}";

    private final ObjectViewFactory objectViewFactory = new ObjectViewFactory(new SiteId("east"));
    private final List<UpgradeTaskView> tasks = new ArrayList<>();
    private final List<RequestedMachine> machines = new ArrayList<>();
    private boolean clusterExists = true;
    private boolean dryRun;

    ExternalUpgradePlannerTest() {
        machine("blue-w-0", "v1.35.1", UpgradeProvider.NODE_UPGRADE);
        machine("blue-w-1", "v1.36.3", UpgradeProvider.NODE_UPGRADE);
        machine("blue-cp-0", "v1.35.1", UpgradeProvider.NODE_UPGRADE);
    }

    private void machine(String name, String version, UpgradeProvider provider) {
        String labels = name.contains("-cp-")
                ? "'cluster.x-k8s.io/control-plane': '', 'cluster.x-k8s.io/control-plane-name': 'blue-cp'"
                : "'cluster.x-k8s.io/deployment-name': 'blue-workers'";
        machines.removeIf(machine -> machine.name().equals(name));
        machines.add(new RequestedMachine(
                objectViewFactory.machineView(SampleObjects.kube("""
                    {'metadata': {'namespace': 'fleet', 'name': '%s', 'uid': 'u', 'labels': {%s}},
                     'spec': {'clusterName': 'blue'}, 'status': {'nodeInfo': {'kubeletVersion': '%s'}}}\
                    """.formatted(name, labels, version))), provider));
    }

    static ExternalUpgradeRequest request(String content) {
        ProblemCollector problems = ProblemCollector.strict();
        ExternalUpgradeRequest request = ExternalUpgradeCodecs.REQUEST.read(
                SampleObjects.kube("{'apiVersion': 'flotilla.dev/v1alpha1', 'kind': 'ExternalUpgradeRequest',"
                                + " 'cluster': {'namespace': 'fleet', 'name': 'blue'}, " + content + "}")
                        .json(),
                problems);
        assertThat(problems.rejections()).isEmpty();
        return Objects.requireNonNull(request);
    }

    private ExternalUpgradePlan plan(String content) {
        RequestedUpgradeTask requested = new RequestedUpgradeTask(request(content));
        return ExternalUpgradePlanner.plan(
                requested,
                view(requested, requested.name(1)),
                new RequestedObjects(clusterExists, tasks, machines),
                dryRun);
    }

    private UpgradeTaskView view(RequestedUpgradeTask requested, String name) {
        return objectViewFactory.upgradeTaskView(new KubeObject(requested.build(name, "ann")));
    }

    /** Creates the task of a plan, as the handler does, and returns its name. */
    private String create(String content) {
        ExternalUpgradePlan plan = plan(content);
        String name = Objects.requireNonNull(plan.create(), plan.answer().message());
        tasks.add(view(new RequestedUpgradeTask(request(content)), name));
        return name;
    }

    /** The first task, whose name is given, shows a phase now. */
    private void shows(String name, String phase) {
        UpgradeTaskView before = tasks.stream()
                .filter(task -> task.key().name().equals(name))
                .findFirst()
                .orElseThrow();
        JsonObjectReader status = SampleObjects.kube("{'status': {'phase': '%s'}}".formatted(phase))
                .json();
        UpgradeTaskView shown = objectViewFactory.upgradeTaskView(new KubeObject(new JsonObjectReader.Builder()
                .put(
                        "metadata",
                        SampleObjects.kube("{'namespace': 'fleet', 'name': '%s', 'uid': 'u'}".formatted(name))
                                .json())
                .put("status", Objects.requireNonNull(status.get("status")))
                .build()));
        tasks.set(
                tasks.indexOf(before),
                new UpgradeTaskView(
                        before.key(), name, 1, 1, before.createdAt(), false, List.of(), before.spec(), shown.status()));
    }

    private String reason(String content) {
        ExternalUpgradeAnswer answer = plan(content).answer();
        return answer.decision().label() + " " + answer.reason() + ": " + answer.message();
    }

    @Test
    void acceptsWithTheNameOfANewTask() {
        ExternalUpgradePlan plan = plan(WORKERS + TO_36);
        assertThat(plan.create())
                .matches("blue-workers-[0-9a-f]{8}")
                .isEqualTo(plan.answer().task());
        assertThat(plan.answer().decision()).isEqualTo(UpgradeDecision.ACCEPT);
        assertThat(plan.abort()).isEmpty();
    }

    @Test
    void sameContentGetsTheSameTaskInAnyOrderOfItsMachines() {
        String name = create("'machines': ['blue-w-1', 'blue-w-0'], 'ttlSecondsAfterFinished': 60" + TO_36);
        ExternalUpgradePlan again = plan("'machines': ['blue-w-0', 'blue-w-1']" + TO_36);
        assertThat(again.create()).isNull();
        assertThat(again.abort()).isEmpty();
        assertThat(again.answer().task()).isEqualTo(name);
        assertThat(again.answer().reason()).isEqualTo("TaskExists");
    }

    @Test
    void otherContentAbortsTheRunningTaskOfTheOwnerAlone() {
        String workers = create(WORKERS + TO_36);
        create(MEMBERS + TO_36);
        ExternalUpgradePlan plan = plan(WORKERS + TO_37);
        assertThat(plan.answer().aborted()).containsExactly(workers);
        assertThat(plan.abort()).extracting(task -> task.key().name()).containsExactly(workers);
        assertThat(plan.create()).isNotEqualTo(workers).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Completed", "Failed", "Aborted"})
    void endedTaskIsNotAborted(String phase) {
        shows(create(WORKERS + TO_36), phase);
        assertThat(plan(WORKERS + TO_37).abort()).isEmpty();
    }

    @Test
    void thereAndBackAgainIsANewTask() {
        String first = create(WORKERS + TO_36);
        shows(first, "Aborted");
        String second = create(WORKERS + TO_37);
        ExternalUpgradePlan back = plan(WORKERS + TO_36);
        assertThat(back.create()).isEqualTo(first + "-2");
        assertThat(back.answer().aborted()).containsExactly(second);
        String third = create(WORKERS + TO_36);
        assertThat(plan(WORKERS + TO_36).answer().task()).isEqualTo(third);
    }

    @Test
    void completedTaskIsTheAnswerWhileItsMachinesAreAtTheTarget() {
        String name = create(WORKERS + TO_36);
        machine("blue-w-0", "v1.36.3", UpgradeProvider.NODE_UPGRADE);
        shows(name, "Completed");
        assertThat(plan(WORKERS + TO_36).answer().task()).isEqualTo(name);
        assertThat(plan(WORKERS + TO_36).answer().reason()).isEqualTo("TaskEnded");
        machine("blue-w-2", "v1.35.1", UpgradeProvider.NODE_UPGRADE);
        assertThat(plan(WORKERS + TO_36).create()).isEqualTo(name + "-2");
    }

    @Test
    void failedTaskStaysTheAnswer() {
        String name = create(WORKERS + TO_36);
        shows(name, "Failed");
        assertThat(plan(WORKERS + TO_36).answer().task()).isEqualTo(name);
        assertThat(plan(WORKERS + TO_36).create()).isNull();
    }

    @Test
    void nameThatSomebodyElseHasTakenIsLeftAlone() {
        String name = Objects.requireNonNull(plan(WORKERS + TO_36).create());
        tasks.add(view(new RequestedUpgradeTask(request(MEMBERS + TO_37)), name));
        assertThat(plan(WORKERS + TO_36).create()).isEqualTo(name + "-2");
        assertThat(plan(WORKERS + TO_36).abort()).isEmpty();
    }

    @Test
    void dryRunAnswersTheSameAndWritesNothing() {
        String before = create(WORKERS + TO_36);
        ExternalUpgradePlan real = plan(WORKERS + TO_37);
        dryRun = true;
        ExternalUpgradePlan plan = plan(WORKERS + TO_37);
        assertThat(plan.create()).isNull();
        assertThat(plan.abort()).isEmpty();
        assertThat(plan.answer().task()).isEqualTo(real.answer().task());
        assertThat(plan.answer().aborted()).containsExactly(before);
        assertThat(plan.answer().dryRun()).isTrue();
    }

    @Test
    void declinesWhatNoProviderCanBringAboutAndAbortsTheEarlierTask() {
        String before = create(WORKERS + TO_37);
        machine("blue-w-0", "v1.35.1", UpgradeProvider.K8SD);
        ExternalUpgradePlan plan = plan(WORKERS + TO_36);
        assertThat(plan.answer().decision()).isEqualTo(UpgradeDecision.DECLINE);
        assertThat(plan.answer().task()).isNull();
        assertThat(plan.answer().message())
                .isEqualTo("the provider of Machine blue-w-0 is k8sd, which applies channel=, revision= and localPath=,"
                        + " and the target is version=v1.36.3: where another upgrades the Machine, set its label"
                        + " flotilla.dev/provider");
        assertThat(plan.create()).isNull();
        assertThat(plan.abort()).extracting(task -> task.key().name()).containsExactly(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'machines': ['blue-w-0', 'ghost'], 'newSpec': {'version': 'v1.36.3'} | Decline MachineNotFound:"
                        + " machines: ghost are no Machines of Cluster blue: name its Machines",
                "'owner': {'apiGroup': 'cluster.x-k8s.io', 'kind': 'MachineDeployment', 'name': 'x'}, 'newSpec':"
                        + " {'version': 'v1.36.3'} | Decline NoMachines: MachineDeployment x has no Machines in Cluster"
                        + " blue: name an owner that has some",
                "'machines': ['blue-w-1'], 'newSpec': {'version': 'v1.35.9'} | Decline Downgrade: newSpec.version"
                        + " v1.35.9 is older than what these Machines run: blue-w-1. Nothing is downgraded in place: ask"
                        + " for a newer version",
                "'machines': ['blue-w-1'], 'newSpec': {'version': '1.36'} | Decline InvalidSpec: spec.target.version"
                        + " '1.36'",
                "'newSpec': {'version': 'v1.36.3'} | Decline InvalidSpec: spec names no machines",
                "'machines': ['blue-w-1'], 'newSpec': {} | Decline InvalidSpec: spec.target is missing",
            })
    void declinesWithTheReason(String content, String expected) {
        assertThat(reason(content)).startsWith(expected);
        assertThat(plan(content).create()).isNull();
    }

    @Test
    void declinesForAClusterThatDoesNotExist() {
        clusterExists = false;
        assertThat(reason(WORKERS + TO_36))
                .isEqualTo("Decline ClusterNotFound: cluster 'blue' does not exist in namespace fleet: name an existing"
                        + " Cluster");
    }

    @Test
    void ownerMustBeOfAKindThatATaskCanName() {
        String pool = "'owner': {'apiGroup': 'cluster.x-k8s.io', 'kind': 'MachinePool', 'name': 'p'}";
        assertThat(RequestedUpgradeTask.problemOfOwner(request(pool + TO_36)))
                .startsWith("owner is MachinePool of group cluster.x-k8s.io, and must be a MachineDeployment");
        assertThat(RequestedUpgradeTask.problemOfOwner(request(WORKERS + TO_36)))
                .isNull();
        assertThat(RequestedUpgradeTask.problemOfOwner(request(MEMBERS + TO_36)))
                .isNull();
    }
}
