package dev.flotilla.clusterapi.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.coverage.CoverageAnswer;
import dev.flotilla.clusterapi.coverage.CoverageDecider;
import dev.flotilla.clusterapi.coverage.CoverageSettings;
import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.clusterapi.coverage.SpecPath;
import dev.flotilla.clusterapi.coverage.UncoveredPolicy;
import dev.flotilla.clusterapi.plan.MachinePlan.MachineFate;
import dev.flotilla.clusterapi.plan.MachinePlan.UncoveredPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans of edits of the cluster in {@code examples/cluster-api/plan}, and of requests that Cluster API has sent. */
class InPlacePlannerTest {
    private static final Path EXAMPLES = Path.of("../examples/cluster-api/plan");
    private static final Path CAPTURED = Path.of("src/test/resources/dev/flotilla/clusterapi/captured");
    private static final Instant NOW = Instant.parse("2026-11-27T02:14:00Z");
    private static final String CONTROL_PLANE =
            "{apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: KubeadmControlPlane, metadata: {name: blue-cp}, spec: ";
    private static final String DEPLOYMENT =
            "{apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineDeployment, metadata: {name: blue-md}, spec: ";

    @Test
    void versionWithItsFeatureGateIsMadeInPlace() throws IOException {
        InPlacePlan plan = planOf(Files.readString(EXAMPLES.resolve("version.yaml")));
        assertThat(plan.answer()).isEqualTo(InPlacePlan.PlanAnswer.IN_PLACE);
        assertThat(plan.inPlace()).isEqualTo(5);
    }

    @Test
    void uncoveredFieldsAreNamedWithoutSecrets() throws IOException {
        InPlacePlan plan = planOf(Files.readString(EXAMPLES.resolve("files.yaml")));
        assertThat(plan.answer()).isEqualTo(InPlacePlan.PlanAnswer.REPLACE);
        assertThat(plan.replaced()).isEqualTo(5);
        assertThat(plan.toString()).doesNotContain("example").doesNotContain("registry.conf");
        assertThat(plan.owners().get(0).machines().getFirst().uncovered())
                .containsExactly(new UncoveredPath("KubeadmConfig", "spec.files", null, "(1 item, not shown)", ""));
        assertThat(plan.owners().get(1).machines().getFirst().uncovered())
                .containsExactly(new UncoveredPath(
                        "Machine", "spec.version", "v1.35.0", "v1.34.3", "a lower version is never applied in place"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            cp | replicas: 1, version: v1.35.2                                                              | 0 | 3 | 0
            cp | version: v1.35.2, rollout: {strategy: {rollingUpdate: {maxSurge: 1}}}                      | 2 | 1 | 0
            cp | version: v1.35.2, rollout: {after: '2026-11-27T01:00:00Z'}                                 | 3 | 0 | 0
            cp | machineTemplate: {spec: {taints: [{key: a, effect: NoSchedule, propagation: Always}]}}     | 0 | 0 | 3
            cp | machineTemplate: {metadata: {labels: {a: b}}}                                              | 0 | 0 | 3
            cp | kubeadmConfigSpec: {joinConfiguration: {nodeRegistration: {criSocket: other}}}             | 0 | 3 | 0
            md | template: {spec: {version: v1.35.2}}                                                       | 2 | 0 | 0
            md | template: {spec: {version: v1.35.2}}, rollout: {strategy: {type: OnDelete}}                | 0 | 2 | 0
            md | template: {spec: {version: v1.35.2}}, rollout: {strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}} | 1 | 1 | 0
            md | template: {spec: {version: v1.35.2}}, rollout: {strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: '40%'}}} | 1 | 1 | 0
            md | template: {spec: {version: v1.35.2}}, rollout: {strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: '50%'}}} | 2 | 0 | 0
            md | template: {metadata: {labels: {a: b}}, spec: {minReadySeconds: 5}}                         | 0 | 0 | 2
            md | template: {spec: {failureDomain: b}}                                                       | 0 | 2 | 0
            """)
    void ownersAreRolledOutAsClusterApiDoes(String owner, String spec, int inPlace, int replaced, int unaffected)
            throws IOException {
        String surge = spec.startsWith("replicas: 1") ? ", rollout: {strategy: {rollingUpdate: {maxSurge: 1}}}" : "";
        OwnerPlan plan = planOf((owner.equals("cp") ? CONTROL_PLANE : DEPLOYMENT) + "{" + spec + surge + "}}")
                .owners()
                .getFirst();
        assertThat(List.of(plan.inPlace(), plan.replaced(), plan.unaffected()))
                .as(plan.toString())
                .containsExactly(inPlace, replaced, unaffected);
    }

    @Test
    void changedTemplateUnderItsNameChangesNoMachine() throws IOException {
        InPlacePlan plan =
                planOf("{apiVersion: bootstrap.cluster.x-k8s.io/v1beta2, kind: KubeadmConfigTemplate, metadata:"
                        + " {name: blue-md}, spec: {template: {spec: {files: [{path: /a, content: b}]}}}}");
        assertThat(plan.owners()).isEmpty();
        assertThat(plan.notes().getFirst()).contains("KubeadmConfigTemplate blue-md is changed under its name");
    }

    @Test
    void rotatedTemplateIsJudged() throws IOException {
        InPlacePlan plan =
                planOf("{apiVersion: bootstrap.cluster.x-k8s.io/v1beta2, kind: KubeadmConfigTemplate, metadata:"
                        + " {name: blue-md-2}, spec: {template: {spec: {files: [{path: /a, content: b}], joinConfiguration:"
                        + " {nodeRegistration: {criSocket: 'unix:///var/run/containerd/containerd.sock'}}}}}}\n---\n"
                        + DEPLOYMENT + "{template: {spec: {bootstrap: {configRef: {name: blue-md-2}}}}}}");
        assertThat(plan.replaced()).isEqualTo(2);
        assertThat(plan.owners().getFirst().machines().getFirst().uncovered())
                .extracting(UncoveredPath::path)
                .containsExactly("spec.files");
    }

    /** Applied in part, an object that was applied as a whole loses the rest. */
    @Test
    void partOfAnAppliedObjectIsRefused() throws IOException {
        String applied = present()
                .replace(
                        "metadata: {name: blue-md, namespace: fleet}\nspec:\n  clusterName",
                        "metadata: {name: blue-md, namespace: fleet, annotations: {kubectl.kubernetes.io/last-applied-configuration:"
                                + " '{\"spec\":{\"template\":{\"spec\":{\"infrastructureRef\":{}}}}}'}}\nspec:\n  clusterName");
        String change = DEPLOYMENT + "{template: {spec: {version: v1.35.2}}}}";
        assertThat(planOf(change).inPlace()).isEqualTo(2);
        assertThat(InPlacePlanner.plan(input(applied, change))).asString().contains("give the whole object");
    }

    @Test
    void settingsOfTheExtensionConfigHoldAnUncoveredChange() throws IOException {
        String stopped = present().replace("uncovered: replace", "uncovered: stop");
        InPlacePlan plan = planOf(stopped, Files.readString(EXAMPLES.resolve("files.yaml")));
        assertThat(plan.answer()).isEqualTo(InPlacePlan.PlanAnswer.STOP);
        assertThat(plan.held()).isEqualTo(5);
        InPlacePlan covered = planOf(
                present().replace("uncovered: replace", "apply.KubeadmConfig: files"),
                CONTROL_PLANE + "{kubeadmConfigSpec: {files: [{path: /a, content: b}]}}}");
        assertThat(covered.inPlace()).isEqualTo(3);
    }

    @Test
    void withoutAnExtensionForTheNamespaceMachinesAreReplaced() throws IOException {
        InPlacePlan plan = planOf(
                present().replace("kubernetes.io/metadata.name: fleet", "kubernetes.io/metadata.name: other"),
                Files.readString(EXAMPLES.resolve("version.yaml")));
        assertThat(plan.replaced()).isEqualTo(5);
        assertThat(plan.judgedBy()).contains("no ExtensionConfig selects namespace fleet");
    }

    @Test
    void topologyVersionReachesTheControlPlane() throws IOException {
        InPlacePlan plan = planOf("{apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, metadata: {name: blue}, spec:"
                + " {topology: {version: v1.35.2}}}");
        assertThat(plan.owners()).extracting(OwnerPlan::owner).containsExactly("KubeadmControlPlane/blue-cp");
        assertThat(plan.inPlace()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {apiVersion: v1, kind: ConfigMap, metadata: {name: x}} | the change has a ConfigMap (x)
            {apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineDeployment, metadata: {name: x}} | MachineDeployment fleet/x, which is not among
            {apiVersion: cluster.x-k8s.io/v1beta1, kind: MachineDeployment, metadata: {name: blue-md}} | MachineDeployment blue-md is in cluster.x-k8s.io/v1beta1: give it in v1beta2
            {apiVersion: bootstrap.cluster.x-k8s.io/v1beta1, kind: KubeadmConfigTemplate, metadata: {name: new}} | kubectl get kubeadmconfigtemplates.v1beta2.bootstrap.cluster.x-k8s.io
            {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: DevMachineTemplate, metadata: {name: new}} | DevMachineTemplate new in infrastructure.cluster.x-k8s.io/v1beta1 and DevMachineTemplate fleet/blue-cp, DevMachineTemplate fleet/blue-md in infrastructure.cluster.x-k8s.io/v1beta2 cannot be compared
            {apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, metadata: {name: blue}, spec: {topology: {variables: []}}} | spec.topology.variables
            {apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineDeployment, metadata: {name: blue-md}, spec: {template: {spec: {version: latest}}}} | spec.template.spec.version 'latest' is no Kubernetes version
            {apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: KubeadmControlPlane, metadata: {name: blue-cp}, spec: {replicas: 1}} | maxSurge 0 and 1 replicas
            """)
    void changesThatCannotBePlannedAreNamed(String change, String problem) throws IOException {
        assertThat(InPlacePlanner.plan(input(present(), change)))
                .isInstanceOfSatisfying(
                        PlanResult.InvalidInput.class,
                        invalid -> assertThat(invalid.problems())
                                .singleElement()
                                .asString()
                                .contains(problem));
    }

    @ParameterizedTest
    @CsvSource({
        "cluster.x-k8s.io/v1beta2, Machine, machines.v1beta2.cluster.x-k8s.io",
        "controlplane.cluster.x-k8s.io/v1beta2, KubeadmControlPlane, kubeadmcontrolplanes.v1beta2.controlplane",
        "bootstrap.cluster.x-k8s.io/v1beta2, KubeadmConfigTemplate, kubeadmconfigtemplates.v1beta2.bootstrap",
        "infrastructure.cluster.x-k8s.io/v1beta2, DevMachineTemplate, use one version for all of them",
    })
    void anExportInTwoVersionsIsNotCompared(String version, String kind, String advice) throws IOException {
        String head = "apiVersion: " + version + "\nkind: " + kind + "\n";
        String mixed = present().replaceFirst(head, head.replace("v1beta2", "v1beta1"));
        assertThat(InPlacePlanner.plan(input(mixed, Files.readString(EXAMPLES.resolve("version.yaml")))))
                .isInstanceOfSatisfying(
                        PlanResult.InvalidInput.class,
                        invalid -> assertThat(invalid.problems())
                                .singleElement()
                                .asString()
                                .contains("v1beta1", advice));
    }

    @Test
    void providersMayServeOlderVersionsThanClusterApi() throws IOException {
        String older = present()
                .replace("infrastructure.cluster.x-k8s.io/v1beta2", "infrastructure.cluster.x-k8s.io/v1beta1")
                .replace("runtime.cluster.x-k8s.io/v1beta2", "runtime.cluster.x-k8s.io/v1alpha1");
        InPlacePlan plan = planOf(older, Files.readString(EXAMPLES.resolve("version.yaml")));
        assertThat(plan.inPlace()).isEqualTo(5);
        assertThat(plan.judgedBy()).isEqualTo("settings of ExtensionConfig flotilla");
    }

    @Test
    void fieldsOfADelegateAreCovered() throws IOException {
        String edit = "{apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: DevMachineTemplate, metadata:"
                + " {name: more-memory}, spec: {template: {spec: {memoryMiB: 4096, backend: {inMemory: {vm:"
                + " {provisioning: {startupDuration: 2s}}}}}}}}\n---\n"
                + CONTROL_PLANE + "{machineTemplate: {spec: {infrastructureRef: {name: more-memory}}}}}\n---\n"
                + DEPLOYMENT + "{template: {spec: {infrastructureRef: {name: more-memory}}}}}";
        assertThat(planOf(edit).replaced()).isEqualTo(5);
        PlanInput input = input(present(), edit);
        CoverageTable table = CoverageTable.DEFAULT.withDelegated(
                "DevMachine", List.of(Objects.requireNonNull(SpecPath.parse("memoryMiB"))));
        assertThat(InPlacePlanner.plan(new PlanInput(input.present(), input.changes(), null, table, false, NOW)))
                .isInstanceOfSatisfying(
                        PlanResult.Planned.class,
                        planned -> assertThat(planned.plan().inPlace()).isEqualTo(5));
        PlanInput without = input(present().replace("uncovered: replace", "defaults: none"), edit);
        assertThat(InPlacePlanner.plan(new PlanInput(without.present(), without.changes(), null, table, false, NOW)))
                .isInstanceOfSatisfying(
                        PlanResult.Planned.class,
                        planned -> assertThat(planned.plan().replaced()).isEqualTo(5));
    }

    @Test
    void twoClustersNeedAChoice() throws IOException {
        String two = present() + "\n---\n{apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, metadata: {name: red,"
                + " namespace: fleet}}";
        assertThat(InPlacePlanner.plan(input(two, CONTROL_PLANE + "{}}")))
                .isEqualTo(new PlanResult.InvalidInput(
                        List.of("the files have 2 clusters: choose one of fleet/blue, fleet/red with --cluster")));
    }

    /** The owner's spec is the captured machine's; the plan answers as the hook does for the captured request. */
    @ParameterizedTest
    @CsvSource({
        "02-files-canupdatemachine-controlplane, replace, REPLACED",
        "02-files-canupdatemachine-controlplane, stop, HELD",
        "08-version-canupdatemachine-controlplane, replace, IN_PLACE",
        "12-minor-version-canupdatemachine-controlplane, replace, IN_PLACE",
        "13-unsupported-canupdatemachine-controlplane, replace, REPLACED",
        "22-mergepatch-canupdatemachine-controlplane, replace, REPLACED",
        "24-mergepatch-minor-version-canupdatemachine-controlplane, replace, IN_PLACE",
    })
    void answersAsTheHookForCapturedMachines(String file, String uncovered, MachineFate fate) throws IOException {
        KubeObject captured = KubeObject.parse(Files.readString(CAPTURED.resolve(file + ".json")));
        KubeObject current = captured.object("current");
        KubeObject desired = captured.object("desired");
        List<KubeObject> objects = new ArrayList<>();
        for (HookObject object : HookObject.OF_MACHINE) {
            objects.add(current.object(object.field()));
        }
        KubeObject before = owner(current);
        KubeObject after = owner(desired);
        objects.add(before);
        ChangedObjects changed = new ChangedObjects(new ClusterObjects(objects), List.of(after), "default");
        List<String> problems = new ArrayList<>();
        ControlPlanePlanner planner = new ControlPlanePlanner(
                changed,
                new MachineJudge(new NamespaceExtension.Answering(table(uncovered), "")),
                new RolloutTime(NOW),
                problems);
        KubeObject machine = current.object("machine");
        assertThat(Requests.sortedText(spec(planner.buildRequest(before, after, machine), "desired")))
                .isEqualTo(Requests.sortedText(KubeadmConfigSpec.normalize(
                        desired.object("bootstrapConfig", "spec").json())));
        assertThat(planner.plan(before, after, List.of(machine)).machines())
                .extracting(MachinePlan::fate)
                .containsExactly(fate);
        assertThat(problems).isEmpty();
    }

    /** The MachineSet is the captured one, its deployment asks for what the captured request desires. */
    @ParameterizedTest
    @CsvSource({
        "03-files-canupdatemachineset, replace",
        "03-files-canupdatemachineset, stop",
        "09-version-canupdatemachineset, replace",
        "14-unsupported-canupdatemachineset, replace",
        "14-unsupported-canupdatemachineset, stop",
        "16-failure-canupdatemachineset, replace",
        "20-after-core-restart-canupdatemachineset-partly-moved, stop",
        "23-mergepatch-canupdatemachineset, stop",
    })
    void answersAsTheHookForCapturedMachineSets(String file, String uncovered) throws IOException {
        KubeObject captured = KubeObject.parse(Files.readString(CAPTURED.resolve(file + ".json")));
        KubeObject current = captured.object("current");
        KubeObject desired = captured.object("desired");
        KubeObject set = current.object("machineSet");
        List<KubeObject> objects = new ArrayList<>(List.of(
                set,
                deployment(set),
                current.object("infrastructureMachineTemplate"),
                current.object("bootstrapConfigTemplate"),
                KubeObject.parse("""
                        {"kind": "Machine", "apiVersion": "cluster.x-k8s.io/v1beta2",
                         "metadata": {"name": "w-1", "namespace": "default", "labels": {"cluster.x-k8s.io/deployment-name": "lab-md-0"},
                           "ownerReferences": [{"controller": true, "kind": "MachineSet", "name": "%s",
                             "apiVersion": "cluster.x-k8s.io/v1beta2", "uid": "u"}]},
                         "spec": {"clusterName": "lab"}}""".formatted(set.name()))));
        List<KubeObject> changes = new ArrayList<>(List.of(deployment(desired.object("machineSet"))));
        for (String template : List.of("infrastructureMachineTemplate", "bootstrapConfigTemplate")) {
            if (!desired.object(template).name().equals(current.object(template).name())) {
                changes.add(desired.object(template));
            }
        }
        PlanResult result = InPlacePlanner.plan(new PlanInput(objects, changes, null, table(uncovered), false, NOW));
        assertThat(result).as(String.valueOf(result)).isInstanceOf(PlanResult.Planned.class);
        MachinePlan planned = ((PlanResult.Planned) result)
                .plan()
                .owners()
                .getFirst()
                .machines()
                .getFirst();
        CoverageAnswer answer = CoverageDecider.decide(table(uncovered), captured, HookObject.OF_MACHINE_SET);
        MachineFate expected = answer instanceof CoverageAnswer.NotCovered notCovered
                ? notCovered.policy() == UncoveredPolicy.STOP ? MachineFate.HELD : MachineFate.REPLACED
                : MachineFate.IN_PLACE;
        assertThat(planned.fate()).isEqualTo(expected);
        if (answer instanceof CoverageAnswer.NotCovered notCovered) {
            assertThat(planned.uncovered())
                    .extracting(path -> path.kind() + " " + path.path())
                    .containsExactlyElementsOf(notCovered.changes().stream()
                            .map(change ->
                                    change.kind() + " spec." + change.change().path())
                            .toList());
        }
    }

    /** A deployment that asks for what a MachineSet has. */
    private static KubeObject deployment(KubeObject set) {
        JsonObjectReader spec = JsonEdits.put(
                KubeObject.parse(
                                "{\"clusterName\": \"lab\", \"replicas\": 1, \"rollout\": {\"strategy\": {\"rollingUpdate\":"
                                        + " {\"maxSurge\": 0, \"maxUnavailable\": 1}}}}")
                        .json(),
                set.object("spec", "template").json(),
                "template");
        return new KubeObject(new JsonObjectReader.Builder()
                .put("apiVersion", "cluster.x-k8s.io/v1beta2")
                .put("kind", "MachineDeployment")
                .put(
                        "metadata",
                        KubeObject.parse("{\"name\": \"lab-md-0\", \"namespace\": \"default\"}")
                                .json())
                .put("spec", spec)
                .build());
    }

    private static JsonObjectReader spec(KubeObject request, String part) {
        return request.object(part, "bootstrapConfig", "spec").json();
    }

    private static KubeObject owner(KubeObject part) {
        return new KubeObject(new JsonObjectReader.Builder()
                .put("apiVersion", "controlplane.cluster.x-k8s.io/v1beta2")
                .put("kind", "KubeadmControlPlane")
                .put(
                        "metadata",
                        KubeObject.parse("{\"name\": \"lab-cp\", \"namespace\": \"default\"}")
                                .json())
                .put(
                        "spec",
                        new JsonObjectReader.Builder()
                                .put("replicas", 3)
                                .put("version", String.valueOf(part.text("machine", "spec", "version")))
                                .put(
                                        "machineTemplate",
                                        KubeObject.parse("{\"spec\": {\"infrastructureRef\": {\"kind\":"
                                                        + " \"DevMachineTemplate\", \"name\": \"lab-cp\"}}}")
                                                .json())
                                .put(
                                        "kubeadmConfigSpec",
                                        part.object("bootstrapConfig", "spec").json())
                                .build())
                .build());
    }

    private static CoverageTable table(String uncovered) {
        return ((CoverageSettings.SettingsResult.ValidSettings) CoverageSettings.readSettings(
                        new JsonObjectReader.Builder()
                                .put("uncovered", uncovered)
                                .build(),
                        CoverageTable.DEFAULT))
                .table();
    }

    private static String present() throws IOException {
        return Files.readString(EXAMPLES.resolve("cluster.yaml"));
    }

    private static PlanInput input(String present, String change) {
        ManifestText objects = ManifestText.read("cluster.yaml", present);
        ManifestText changes = ManifestText.read("change.yaml", change);
        assertThat(objects.problems()).isEmpty();
        assertThat(changes.problems()).isEmpty();
        return new PlanInput(objects.objects(), changes.objects(), null, CoverageTable.DEFAULT, false, NOW);
    }

    private static InPlacePlan planOf(String change) throws IOException {
        return planOf(present(), change);
    }

    private static InPlacePlan planOf(String present, String change) {
        PlanResult result = InPlacePlanner.plan(input(present, change));
        assertThat(result).isInstanceOf(PlanResult.Planned.class);
        return ((PlanResult.Planned) result).plan();
    }
}
