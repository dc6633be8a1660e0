package dev.flotilla.managementwatcher.stub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** UpgradeTasks at a real API server, with the CustomResourceDefinition and roles as deployed. */
public final class UpgradeTaskBed {
    private static final Path DEPLOY = Path.of("../deploy");
    private static final String TASKS = "/apis/flotilla.dev/v1alpha1/namespaces/default/upgradetasks";
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/";

    private final ManagementTestBed bed;

    private UpgradeTaskBed(ManagementTestBed bed) {
        this.bed = bed;
    }

    /** Applies the definition, and waits until the kind is served. */
    public static UpgradeTaskBed install(ManagementTestBed bed) throws Exception {
        bed.cluster.apply(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/upgradetasks.flotilla.dev",
                Files.readString(DEPLOY.resolve("crds/upgradetasks.yaml")));
        bed.await("upgradetasks", () -> bed.adminClient.get(TASKS) instanceof KubeResponse.SuccessResponse);
        return new UpgradeTaskBed(bed);
    }

    /** Binds the role of those who may create UpgradeTasks to a user. */
    public void bindRequester(String user) throws Exception {
        bed.cluster.apply(
                ROLES + "clusterroles/flotilla-upgrade-requester",
                Files.readString(DEPLOY.resolve("management-watcher/upgrade-requester.yaml")));
        bind(user, "flotilla-upgrade-requester");
    }

    /** Binds a ClusterRole to a user, in the namespace of the tasks. */
    public void bind(String user, String role) {
        String name = role + "-" + user.replace(':', '-');
        bed.cluster.apply("/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings/" + name, """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: "%s"}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %s}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "%s"}]
                """.formatted(
                        name, role, user));
    }

    /** Creates a task; the spec is written with single quotes. */
    public void createTask(String name, String spec) {
        assertThat(createTask(bed.adminClient, name, spec)).isInstanceOf(KubeResponse.SuccessResponse.class);
    }

    /** Creates a task as somebody else. */
    public static KubeResponse createTask(KubeApiClient client, String name, String spec) {
        return client.createObject(
                TASKS, SampleObjects.kube("""
                        {'apiVersion': 'flotilla.dev/v1alpha1', 'kind': 'UpgradeTask',
                         'metadata': {'name': '%s', 'namespace': 'default'}, 'spec': %s}""".formatted(name, spec)).json());
    }

    /** Changes {@code spec.phase} to {@code Abort}, as {@code kubectl patch} does. */
    public void abort(String name) {
        assertThat(bed.adminClient.mergePatch(
                        TASKS + "/" + name,
                        SampleObjects.kube("{'spec': {'phase': 'Abort'}}").json()))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
    }

    public void delete(String name) {
        bed.cluster.delete(TASKS + "/" + name);
    }

    /** Removes all finalizers, as an impatient person does. */
    public void removeFinalizers(String name) {
        bed.cluster.merge(TASKS + "/" + name, "{\"metadata\": {\"finalizers\": null}}");
    }

    /** Returns a task; null for none. */
    public @Nullable KubeObject read(String name) {
        return bed.adminClient.get(TASKS + "/" + name) instanceof KubeResponse.SuccessResponse success
                ? success.object()
                : null;
    }

    public @Nullable String phase(String name) {
        KubeObject task = read(name);
        return task == null ? null : task.text("status", "phase");
    }

    /** Returns reason and message of a condition. */
    public String condition(String name, String type) {
        KubeObject task = read(name);
        KubeObject condition = task == null ? null : task.condition(type);
        return condition == null ? "" : condition.text("reason") + ": " + condition.text("message");
    }

    /** Returns the machines of a task, each as {@code name state reason}. */
    public List<String> states(String name) {
        KubeObject task = read(name);
        return task == null
                ? List.of()
                : task.list("status", "machines").stream()
                        .map(each -> each.text("name") + " " + each.text("state") + " " + each.text("reason"))
                        .toList();
    }

    /** Returns the reason of the condition that a Machine shows of its task; empty without one. */
    public String upToDate(String machine) {
        KubeObject condition = bed.readObject("machines", machine).condition("MachineUpToDate");
        return condition == null ? "" : Objects.requireNonNull(condition.text("reason"));
    }

    /** Returns the uid of the task that a Machine belongs to; null for none. */
    public @Nullable String owner(String machine) {
        return bed.readAnnotation("machines", machine, "flotilla.dev/upgrade-task");
    }
}
