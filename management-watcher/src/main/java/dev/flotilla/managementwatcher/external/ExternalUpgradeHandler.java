package dev.flotilla.managementwatcher.external;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.external.ExternalUpgradeAnswer.UpgradeDecision;
import dev.flotilla.managementwatcher.external.ExternalUpgradeRequest.ClusterName;
import dev.flotilla.managementwatcher.external.RequestedObjects.RequestedMachine;
import dev.flotilla.managementwatcher.rows.InventoryRowBuilder;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ManagedFieldsReader;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.runtime.http.RejectedRequestException;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.SiteMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers ExternalUpgradeRequests: reads the objects, aborts the tasks that the request replaces, and creates its task.
 * Blocks, and is meant for virtual threads.
 */
final class ExternalUpgradeHandler {
    private static final int MAX_OBJECTS = 100_000;
    private static final int MAX_ROUNDS = 3;
    private static final String FIELD_MANAGER = "fieldManager=" + ManagedFieldsReader.FIELD_MANAGER;

    private final KubeApiClient api;
    private final ServedApiVersions versions;
    private final SiteId site;
    private final Supplier<@Nullable SiteMode> mode;

    ExternalUpgradeHandler(KubeApiClient api, SiteId site, Supplier<@Nullable SiteMode> mode) {
        this.api = api;
        this.versions = new ServedApiVersions(api);
        this.site = site;
        this.mode = mode;
    }

    /**
     * Answers a request of a user who may create tasks in its namespace.
     *
     * @param authorizeAbort throws unless the user may also abort the tasks that the request replaces
     */
    ExternalUpgradeAnswer answer(ExternalUpgradeRequest request, String user, Runnable authorizeAbort) {
        RequestedUpgradeTask requested = new RequestedUpgradeTask(request);
        String ownerProblem = RequestedUpgradeTask.problemOfOwner(request);
        if (ownerProblem != null) {
            return new ExternalUpgradeAnswer(
                    UpgradeDecision.DECLINE, null, List.of(), "InvalidOwner", ownerProblem, request.dryRun());
        }
        UpgradeTaskView wanted =
                new ObjectViewFactory(site).upgradeTaskView(new KubeObject(requested.build(requested.name(1), user)));
        // Another watcher may create the same task at the same time: then it is found.
        for (int round = 0; round < MAX_ROUNDS; round++) {
            ExternalUpgradePlan plan =
                    ExternalUpgradePlanner.plan(requested, wanted, readObjects(request.cluster()), request.dryRun());
            if (!plan.abort().isEmpty()) {
                authorizeAbort.run();
            }
            plan.abort().forEach(this::abort);
            String name = plan.create();
            KubeResponse created = name == null ? null : create(request, requested.build(name, user));
            if (created == null || created instanceof KubeResponse.SuccessResponse) {
                return plan.answer();
            }
            if (!created.isConflict()) {
                throw unavailable("UpgradeTask " + name + " cannot be created: " + created.problem());
            }
        }
        throw unavailable("Others keep changing UpgradeTasks of this request.");
    }

    private KubeResponse create(ExternalUpgradeRequest request, JsonObjectReader task) {
        return versions.requestWithVersion(
                WatchedKind.UPGRADE_TASKS.group(),
                WatchedKind.UPGRADE_TASKS.plural(),
                served -> api.createObject(
                        KubeApiPath.groupObject(
                                        served, request.cluster().namespace(), WatchedKind.UPGRADE_TASKS.plural())
                                + "?" + FIELD_MANAGER,
                        task));
    }

    private void abort(UpgradeTaskView task) {
        JsonObjectReader body = new JsonObjectReader.Builder()
                .put(
                        "metadata",
                        new JsonObjectReader.Builder().put("uid", task.uid()).build())
                .put(
                        "spec",
                        new JsonObjectReader.Builder().put("phase", "Abort").build())
                .build();
        KubeResponse response = versions.requestWithVersion(
                WatchedKind.UPGRADE_TASKS.group(),
                WatchedKind.UPGRADE_TASKS.plural(),
                served -> api.mergePatch(
                        KubeApiPath.groupObject(
                                        served,
                                        task.key().namespace(),
                                        WatchedKind.UPGRADE_TASKS.plural(),
                                        task.key().name())
                                + "?" + FIELD_MANAGER,
                        body));
        // One that is gone, or another one of its name, runs no more.
        if (!(response instanceof KubeResponse.SuccessResponse) && !response.isMissing() && !response.isConflict()) {
            throw unavailable("UpgradeTask " + task.key().name() + " cannot be aborted: " + response.problem());
        }
    }

    private RequestedObjects readObjects(ClusterName cluster) {
        SiteMode siteMode = mode.get();
        if (siteMode == null) {
            throw unavailable("Who upgrades Canonical's machines in this site is not known yet.");
        }
        ObjectViewFactory objectViewFactory = new ObjectViewFactory(site);
        List<KubeObject> clusters = new ArrayList<>();
        list(
                WatchedKind.CLUSTERS,
                cluster.namespace(),
                "&fieldSelector=" + KubeApiPath.encodeQueryValue("metadata.name=" + cluster.name()),
                clusters::add);
        List<UpgradeTaskView> tasks = new ArrayList<>();
        list(
                WatchedKind.UPGRADE_TASKS,
                cluster.namespace(),
                "",
                task -> tasks.add(objectViewFactory.upgradeTaskView(task)));
        List<MachineView> machines = new ArrayList<>();
        list(WatchedKind.MACHINES, cluster.namespace(), "", machine -> {
            MachineView view = objectViewFactory.machineView(machine);
            if (view.cluster().equals(cluster.name())) {
                machines.add(view);
            }
        });
        Map<String, OwnerView> pools = readPools(cluster, machines, objectViewFactory);
        return new RequestedObjects(
                !clusters.isEmpty(),
                tasks,
                machines.stream()
                        .map(machine -> new RequestedMachine(
                                machine,
                                InventoryRowBuilder.buildMachineRow(machine, poolOf(machine, pools), null, siteMode)
                                        .provider()))
                        .toList());
    }

    /** Reads the MachinePools of machines that do not say what upgrades them. */
    private Map<String, OwnerView> readPools(
            ClusterName cluster, List<MachineView> machines, ObjectViewFactory objectViewFactory) {
        Map<String, OwnerView> pools = new HashMap<>();
        if (machines.stream().anyMatch(machine -> machine.provider() == null && isOfPool(machine))) {
            list(WatchedKind.MACHINE_POOLS, cluster.namespace(), "", pool -> {
                OwnerView view = objectViewFactory.ownerView(OwnerKind.MACHINE_POOL, pool);
                pools.put(view.key().name(), view);
            });
        }
        return pools;
    }

    private static boolean isOfPool(MachineView machine) {
        MachineRow.MachineOwner owner = machine.owner();
        return owner != null && owner.kind() == OwnerKind.MACHINE_POOL;
    }

    private static @Nullable OwnerView poolOf(MachineView machine, Map<String, OwnerView> pools) {
        MachineRow.MachineOwner owner = machine.owner();
        return owner != null && owner.kind() == OwnerKind.MACHINE_POOL ? pools.get(owner.name()) : null;
    }

    private void list(WatchedKind kind, String namespace, String selector, Consumer<KubeObject> taker) {
        String version = versions.versionOf(kind.group(), kind.plural());
        if (version == null || version.isEmpty()) {
            throw unavailable("The management cluster does not serve " + kind.plural() + "." + kind.group() + ".");
        }
        String problem = api.forEachObject(
                KubeApiPath.listPath(kind.group() + "/" + version, namespace, kind.plural()),
                selector,
                MAX_OBJECTS,
                taker);
        if (problem != null) {
            throw unavailable("The " + kind.plural() + " of namespace " + namespace + " cannot be read: " + problem);
        }
    }

    private static RejectedRequestException unavailable(String message) {
        return new RejectedRequestException(
                HttpErrorResponse.unavailable("unavailable", message, "try again: nothing is decided yet"));
    }
}
