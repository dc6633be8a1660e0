package dev.flotilla.clusterapi.update;

import dev.flotilla.clusterapi.coverage.CoverageSettings;
import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.dirty.DirtyMachineMarker;
import dev.flotilla.clusterapi.hashing.TargetHasher;
import dev.flotilla.kube.KubeObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** A Machine that has reached what one request asks for. Answers to any request come from the objects that such a Machine has. */
public final class ReachedMachine {
    private static final TargetHasher HASHER = TargetHasher.of("a key for tests only".getBytes(StandardCharsets.UTF_8));
    private static final long TTL_SECONDS = 600;

    private final UpdateRequest reached;
    private final MachineState machine;
    private final List<MachineTask> tasks;

    /** Makes the Machine that has reached what a request asks for. */
    public ReachedMachine(KubeObject request) {
        UpdateRequest read = read(request);
        if (read == null) {
            throw new IllegalArgumentException("not a request to update a Machine");
        }
        String target = HASHER.hash(read.appliedSpec());
        String version = read.appliedSpec().version();
        this.reached = read;
        this.machine = new MachineState(
                "uid-1",
                version,
                null,
                null,
                version,
                target,
                new DirtyMachineMarker.DirtyAnnotations(null, null),
                null,
                true,
                false);
        this.tasks = List.of(new MachineTask("t", "uid-2", target, 1, false, MachineTask.COMPLETED, null, null, false));
    }

    private static UpdateRequest read(KubeObject request) {
        return CoverageSettings.read(request, CoverageTable.DEFAULT)
                        instanceof CoverageSettings.SettingsResult.ValidSettings valid
                ? UpdateRequest.read(valid.table(), request)
                : null;
    }

    /** Answers a request. */
    public UpdateAnswer answer(KubeObject request) {
        UpdateRequest read = read(request);
        if (read == null) {
            return new UpdateAnswer.Failed("the request cannot be followed");
        }
        if (!read.machine().equals(reached.machine()) || !read.namespace().equals(reached.namespace())) {
            return new UpdateAnswer.InProgress(5, "the Machine cannot be read");
        }
        UpdateAnswer answer =
                UpdateDecider.decide(read, HASHER.hash(read.appliedSpec()), machine, tasks, TTL_SECONDS, Instant.EPOCH);
        return answer instanceof UpdateAnswer.CreateTask create
                ? new UpdateAnswer.InProgress(5, "UpgradeTask " + create.name() + " waits")
                : answer;
    }
}
