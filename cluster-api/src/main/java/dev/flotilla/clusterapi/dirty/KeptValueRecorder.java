package dev.flotilla.clusterapi.dirty;

import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.clusterapi.coverage.IgnoredFields;
import dev.flotilla.clusterapi.hashing.HashKeySecret;
import dev.flotilla.clusterapi.hashing.TargetHasher;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.kube.LabelKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes on Machines which values they keep, before a change that ignores fields is accepted: afterwards nobody knows the old values. The
 * answer to the hook waits for it, and what cannot be written is asked again.
 */
public final class KeptValueRecorder implements IgnoredChangeRecorder {
    /** What one call writes: Cluster API waits 10 s for an answer, and asks again. */
    static final int MAX_WRITES = 200;

    private static final String GROUP = "cluster.x-k8s.io";
    private static final String MACHINES = "machines";
    private static final String TEMPLATE_HASH = "machine-template-hash";
    private static final int MAX_MACHINES = 100_000;

    private final KubeApiClient api;
    private final ServedApiVersions versions;
    private final Supplier<HashKeySecret.HashKeyResult> hashKey;

    /**
     * Makes a recorder.
     *
     * @param hashKey the key of the hashes, or why there is none
     */
    public KeptValueRecorder(KubeApiClient api, Supplier<HashKeySecret.HashKeyResult> hashKey) {
        this.api = api;
        this.versions = new ServedApiVersions(api);
        this.hashKey = hashKey;
    }

    @Override
    public @Nullable String record(HookObject object, KubeObject request, IgnoredFields keptFields) {
        return switch (hashKey.get()) {
            case HashKeySecret.HashKeyResult.HashKeyUnreadable unreadable -> unreadable.problem();
            case HashKeySecret.HashKeyResult.HashKeyRead read -> record(object, request, keptFields, read.hasher());
        };
    }

    private @Nullable String record(
            HookObject object, KubeObject request, IgnoredFields keptFields, TargetHasher hasher) {
        KubeObject current = request.object("current", object.field());
        if (NameValidator.problemOfLabel(current.namespace()) != null) {
            return "the request names no namespace";
        }
        List<KubeObject> machines = new ArrayList<>();
        String problem =
                object == HookObject.MACHINE ? readMachine(current, machines) : listMachines(current, machines);
        int writes = 0;
        for (KubeObject machine : machines) {
            String before = machine.annotation(AnnotationKeys.KEPT_VALUES);
            String after = KeptValues.parse(before).plus(keptFields, hasher).toAnnotation();
            if (problem == null && after != null && !Objects.equals(before, after) && !machine.isDeleting()) {
                writes++;
                problem =
                        writes > MAX_WRITES ? "there are more than " + MAX_WRITES + " Machines" : write(machine, after);
            }
        }
        return problem;
    }

    private @Nullable String readMachine(KubeObject named, List<KubeObject> machines) {
        if (NameValidator.problemOfSubdomain(named.name()) != null) {
            return "the request names no Machine";
        }
        KubeResponse read = versions.requestWithVersion(
                GROUP,
                MACHINES,
                version -> api.get(KubeApiPath.groupObject(version, named.namespace(), MACHINES, named.name())));
        if (read instanceof KubeResponse.SuccessResponse found) {
            machines.add(found.object());
            return null;
        }
        return "the Machine cannot be read";
    }

    /** Lists the machines of a MachineSet by the labels of its template, which Cluster API sets. */
    private @Nullable String listMachines(KubeObject machineSet, List<KubeObject> machines) {
        String deployment = machineSet.label(LabelKeys.DEPLOYMENT_NAME);
        String hash = machineSet.label(TEMPLATE_HASH);
        String version = versions.versionOf(GROUP, MACHINES);
        if (version == null || version.isEmpty()) {
            return "the Machines cannot be read";
        }
        if (deployment == null || hash == null) {
            return "the MachineSet has no labels " + LabelKeys.DEPLOYMENT_NAME + " and " + TEMPLATE_HASH;
        }
        String selector = LabelKeys.DEPLOYMENT_NAME + "=" + deployment + "," + TEMPLATE_HASH + "=" + hash;
        String problem = api.forEachObject(
                KubeApiPath.listPath(GROUP + "/" + version, machineSet.namespace(), MACHINES),
                "&labelSelector=" + KubeApiPath.encodeQueryValue(selector),
                MAX_MACHINES,
                machines::add);
        return problem == null ? null : "the Machines cannot be read";
    }

    private @Nullable String write(KubeObject machine, String annotation) {
        KubeResponse written = versions.requestWithVersion(
                GROUP,
                MACHINES,
                version -> api.mergePatch(
                        KubeApiPath.groupObject(version, machine.namespace(), MACHINES, machine.name()),
                        new JsonObjectReader.Builder()
                                .put(
                                        "metadata",
                                        new JsonObjectReader.Builder()
                                                .put("resourceVersion", machine.resourceVersion())
                                                .put(
                                                        "annotations",
                                                        new JsonObjectReader.Builder()
                                                                .put(AnnotationKeys.KEPT_VALUES, annotation)
                                                                .build())
                                                .build())
                                .build()));
        return written instanceof KubeResponse.SuccessResponse || written.isMissing()
                ? null
                : "a Machine cannot be written";
    }
}
