package dev.flotilla.clusterapi.update;

import dev.flotilla.clusterapi.coverage.CoverageSettings;
import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.dirty.DirtyMachineMarker;
import dev.flotilla.clusterapi.hashing.HashKeySecret;
import dev.flotilla.clusterapi.hashing.TargetHasher;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers {@code UpdateMachine} from the objects of the management cluster. What it cannot read is never done and has never failed. */
public final class UpdateMachineHandler {
    private static final String TASKS = "flotilla.dev/v1alpha1";
    private static final int MAX_TASKS = 1_000;
    private static final String FROM_CACHE = "&resourceVersion=0";
    private static final int OUTAGE_SECONDS = 10;

    private final KubeApiClient api;
    private final MachineReader machineReader;
    private final Supplier<HashKeySecret.HashKeyResult> hashKey;
    private final DirtyMachineMarker marker;
    private final FollowingUpdate following;
    private final CoverageTable defaults;
    private final long ttlSeconds;
    private final InstantSource clock;

    /**
     * Makes a handler.
     *
     * @param hashKey the key of the hashes, or why there is none
     * @param following what others do after the node upgrader
     * @param ttlSeconds how long an ended task is kept
     */
    public UpdateMachineHandler(
            KubeApiClient api,
            MachineReader machineReader,
            Supplier<HashKeySecret.HashKeyResult> hashKey,
            DirtyMachineMarker marker,
            FollowingUpdate following,
            CoverageTable defaults,
            long ttlSeconds,
            InstantSource clock) {
        this.api = api;
        this.machineReader = machineReader;
        this.hashKey = hashKey;
        this.marker = marker;
        this.following = following;
        this.defaults = defaults;
        this.ttlSeconds = ttlSeconds;
        this.clock = clock;
    }

    /** Answers a request. */
    public UpdateAnswer answer(KubeObject request) {
        return switch (CoverageSettings.read(request, defaults)) {
            case CoverageSettings.SettingsResult.InvalidSettings invalid ->
                new UpdateAnswer.InProgress(OUTAGE_SECONDS, "the ExtensionConfig is invalid: " + invalid.problem());
            case CoverageSettings.SettingsResult.ValidSettings valid -> {
                UpdateAnswer own = answer(valid.table(), request);
                yield own instanceof UpdateAnswer.Done ? following.update(valid.table(), request) : own;
            }
        };
    }

    private UpdateAnswer answer(CoverageTable table, KubeObject request) {
        UpdateRequest update = UpdateRequest.read(table, request);
        if (update == null) {
            return new UpdateAnswer.Failed("the request names no Machine with a version");
        }
        return switch (hashKey.get()) {
            case HashKeySecret.HashKeyResult.HashKeyUnreadable unreadable -> unavailable(unreadable.problem());
            case HashKeySecret.HashKeyResult.HashKeyRead read -> answer(update, read.hasher());
        };
    }

    private UpdateAnswer answer(UpdateRequest update, TargetHasher hasher) {
        return switch (machineReader.read(update.namespace(), update.machine())) {
            case MachineReader.MachineReadResult.MachineUnreadable unreadable ->
                unavailable("the Machine cannot be read");
            case MachineReader.MachineReadResult.MachineMissing missing -> UpdateDecider.HELD_BY_DELETION;
            case MachineReader.MachineReadResult.MachineFound found ->
                mark(update, hasher, found.machine()) == null
                        ? answer(update, hasher.hash(update.appliedSpec()), found.machine())
                        : unavailable("the Machine cannot be marked with what is not applied");
        };
    }

    /** Marks the Machine before anything is done, so that an update that is done has left no field out silently. */
    private @Nullable String mark(UpdateRequest update, TargetHasher hasher, MachineState machine) {
        boolean isUpdated = machine.updating()
                && !machine.deleting()
                && Objects.equals(machine.version(), update.appliedSpec().version());
        return isUpdated
                ? marker.mark(update.namespace(), update.machine(), machine.dirty(), update.ignored(), hasher)
                : null;
    }

    /**
     * Most requests are about a machine that waits, and the API server's cache tells that: otherwise it reads all UpgradeTasks for each
     * request. The cache may be old, so any other answer follows from the newest tasks. A machine that has no task in it, and shows none
     * itself, gets its first one at once: its name is taken if it has one after all.
     */
    private UpdateAnswer answer(UpdateRequest update, String target, MachineState machine) {
        UpdateAnswer cached = decide(update, target, machine, FROM_CACHE);
        if (cached instanceof UpdateAnswer.InProgress) {
            return cached;
        }
        if (cached instanceof UpdateAnswer.CreateTask first && first.round() == 1 && machine.showsNoTask()) {
            KubeResponse created = create(update, first);
            if (!isTaken(created)) {
                return describe(created, first);
            }
        }
        UpdateAnswer answer = decide(update, target, machine, "");
        if (!(answer instanceof UpdateAnswer.CreateTask next)) {
            return answer;
        }
        KubeResponse created = create(update, next);
        return isTaken(created)
                ? answerToExisting(api.get(pathOf(update) + "/" + next.name()), machine, next.name())
                : describe(created, next);
    }

    private UpdateAnswer decide(UpdateRequest update, String target, MachineState machine, String consistency) {
        List<MachineTask> tasks = new ArrayList<>();
        String problem = api.forEachObject(
                pathOf(update),
                "&labelSelector=" + KubeApiPath.encodeQueryValue(MachineTask.MACHINE_UID + "=" + machine.uid())
                        + consistency,
                MAX_TASKS,
                task -> tasks.add(MachineTask.of(task, update.machine())));
        return problem == null
                ? UpdateDecider.decide(update, target, machine, tasks, ttlSeconds, clock.instant())
                : unavailable("the UpgradeTasks cannot be read");
    }

    private static String pathOf(UpdateRequest update) {
        return KubeApiPath.groupObject(TASKS, update.namespace(), "upgradetasks");
    }

    private KubeResponse create(UpdateRequest update, UpdateAnswer.CreateTask create) {
        return api.createObject(pathOf(update), create.task());
    }

    private static boolean isTaken(KubeResponse created) {
        return created instanceof KubeResponse.ErrorResponse error && error.status() == KubeResponse.CONFLICT;
    }

    private static UpdateAnswer describe(KubeResponse created, UpdateAnswer.CreateTask create) {
        return created instanceof KubeResponse.SuccessResponse
                ? waits(create.name())
                : unavailable("the UpgradeTask cannot be created: " + reasonOf(created));
    }

    /** Another replica has created it, or it is of somebody else: then the list of the machine's tasks will never have it. */
    private static UpdateAnswer answerToExisting(KubeResponse read, MachineState machine, String name) {
        if (!(read instanceof KubeResponse.SuccessResponse found)) {
            return unavailable("the UpgradeTasks cannot be read");
        }
        return machine.uid().equals(found.object().label(MachineTask.MACHINE_UID))
                ? waits(name)
                : unavailable("UpgradeTask " + name + " exists without label " + MachineTask.MACHINE_UID + "="
                        + machine.uid() + "; delete it, or give it the label");
    }

    private static UpdateAnswer waits(String task) {
        return new UpdateAnswer.InProgress(UpdateDecider.RUNNING_SECONDS, "UpgradeTask " + task + " waits");
    }

    /** A reason that stays the same while it holds: Cluster API shows it in a condition. */
    private static String reasonOf(KubeResponse response) {
        return response instanceof KubeResponse.ErrorResponse
                ? response.problem()
                : "the management cluster does not answer";
    }

    private static UpdateAnswer unavailable(String what) {
        return new UpdateAnswer.InProgress(OUTAGE_SECONDS, what);
    }
}
