package dev.flotilla.clusterapi.hook;

import dev.flotilla.clusterapi.coverage.CoverageAnswer;
import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.clusterapi.coverage.UncoveredPolicy;
import dev.flotilla.clusterapi.dirty.IgnoredChangeRecorder;
import dev.flotilla.clusterapi.update.UpdateAnswer;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Answers the hooks. Whatever a body contains, the answer is a response of the hook. */
public final class HookHandler {
    /** The largest body that is read. */
    public static final int MAX_BODY = 20 * 1024 * 1024;

    /** The most values in a body: many small ones take tens of times their size in memory. An object with files has a few thousand. */
    public static final int MAX_VALUES = 100_000;

    private final CanUpdateHandler canUpdateHandler;
    private final Function<KubeObject, UpdateAnswer> updates;
    private final IgnoredChangeRecorder recorder;
    private final HookListener listener;
    private final LongSupplier nanos;

    /** A response, and what it says in one word. */
    private record Reply(HookOutcome outcome, JsonObjectReader body) {}

    /**
     * Makes a handler.
     *
     * @param defaults what the settings of an ExtensionConfig add to
     * @param updates answers {@code UpdateMachine}
     * @param recorder records what machines keep of a change that is accepted
     * @param nanos the nanoseconds of a monotonic clock
     */
    public HookHandler(
            CoverageTable defaults,
            Function<KubeObject, UpdateAnswer> updates,
            IgnoredChangeRecorder recorder,
            HookListener listener,
            LongSupplier nanos) {
        this.canUpdateHandler = new CanUpdateHandler(defaults);
        this.updates = updates;
        this.recorder = recorder;
        this.listener = listener;
        this.nanos = nanos;
    }

    /** Returns the response's body. */
    public byte[] answer(Hook hook, byte[] body) {
        long begun = nanos.getAsLong();
        KubeObject request =
                hook == Hook.DISCOVERY ? KubeObject.EMPTY : KubeObject.parseBody(body, MAX_BODY, MAX_VALUES);
        Reply reply = request == null
                ? new Reply(
                        HookOutcome.INVALID,
                        HookResponse.failure(
                                hook,
                                "the request is no JSON object with each name once and at most " + MAX_VALUES
                                        + " values"))
                : respond(hook, request);
        String message = new KubeObject(reply.body()).text("message");
        listener.answered(
                hook,
                reply.outcome(),
                request == null ? "" : subjectOf(hook, request),
                message == null ? "" : message,
                Duration.ofNanos(nanos.getAsLong() - begun));
        return HookResponse.bytes(reply.body());
    }

    private Reply respond(Hook hook, KubeObject request) {
        return switch (hook) {
            case DISCOVERY -> new Reply(HookOutcome.DISCOVERED, HookResponse.discovery());
            case CAN_UPDATE_MACHINE, CAN_UPDATE_MACHINE_SET -> judge(hook, request);
            case UPDATE_MACHINE -> update(request);
        };
    }

    private Reply judge(Hook hook, KubeObject request) {
        CoverageAnswer answer = canUpdateHandler.decide(hook, request);
        listener.judged(hook, request, answer);
        if (answer instanceof CoverageAnswer.Covered covered
                && !covered.ignored().values().isEmpty()) {
            String problem = recorder.record(objectOf(hook), request, covered.ignored());
            if (problem != null) {
                return new Reply(
                        HookOutcome.NOT_RECORDED,
                        HookResponse.failure(hook, "what the machines keep cannot be recorded: " + problem));
            }
        }
        HookOutcome outcome = switch (answer) {
            case CoverageAnswer.Covered covered -> HookOutcome.COVERED;
            case CoverageAnswer.NotCovered notCovered ->
                notCovered.policy() == UncoveredPolicy.REPLACE ? HookOutcome.REPLACE : HookOutcome.STOP;
            case CoverageAnswer.InvalidRequest invalid -> HookOutcome.INVALID;
        };
        return new Reply(outcome, CanUpdateHandler.respond(hook, answer));
    }

    private Reply update(KubeObject request) {
        return switch (updates.apply(request)) {
            case UpdateAnswer.InProgress inProgress ->
                new Reply(
                        HookOutcome.IN_PROGRESS,
                        HookResponse.inProgress(inProgress.retryAfterSeconds(), inProgress.message()));
            case UpdateAnswer.Done done -> new Reply(HookOutcome.DONE, HookResponse.done());
            case UpdateAnswer.Failed failed ->
                new Reply(HookOutcome.FAILED, HookResponse.failure(Hook.UPDATE_MACHINE, failed.message()));
            case UpdateAnswer.CreateTask createTask ->
                throw new IllegalStateException("the task " + createTask.name() + " was not created");
        };
    }

    private static HookObject objectOf(Hook hook) {
        return hook == Hook.CAN_UPDATE_MACHINE_SET ? HookObject.MACHINE_SET : HookObject.MACHINE;
    }

    /** Other texts in the place of a name are neither logged nor kept. */
    private static String subjectOf(Hook hook, KubeObject request) {
        KubeObject named = request.object("desired", objectOf(hook).field());
        return NameValidator.problemOfLabel(named.namespace()) == null
                        && NameValidator.problemOfSubdomain(named.name()) == null
                ? named.namespace() + "/" + named.name()
                : "";
    }
}
