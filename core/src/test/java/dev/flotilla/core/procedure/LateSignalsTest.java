package dev.flotilla.core.procedure;

import static dev.flotilla.core.procedure.Worker.NOTHING;
import static dev.flotilla.core.procedure.Worker.TARGET;
import static dev.flotilla.core.procedure.Worker.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.AttemptStep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a slow shell still says of what was asked for earlier, nothing is called, said or ended by it. */
class LateSignalsTest {
    private static final Signal DARK = new Signal.Inspected(new Sight.Dark("connection refused"));
    private static final Signal SILENT = new Signal.Polled(new ChangeSight.Silent("connection refused"));
    private static final Signal UNTOLD = new Signal.Inspected(new Sight.Node(null, "v1.33.0", true, false));
    private static final List<Signal> ALL = List.of(
            new Signal.Inspected(node("3100")),
            Worker.REACHED,
            new Signal.Guarded("on hold"),
            new Signal.Drains(),
            new Signal.Judged(null),
            new Signal.Checked(List.of()),
            new Signal.Held(),
            new Signal.Answered(new Answer.Accepted("8")),
            new Signal.Polled(new ChangeSight.Done()),
            new Signal.Rested(),
            new Signal.Undone(),
            new Signal.Written(new AttemptReport.StepReached(AttemptStep.GUARDING, null)),
            new Signal.Written(new AttemptReport.OutcomeUnknown("crashed")));

    /** How a stage is reached, and the signals that mean something there. */
    private static Arguments stage(String name, Consumer<Worker> reach, Class<?>... awaited) {
        return Arguments.of(name, reach, Arrays.asList(awaited));
    }

    static Stream<Arguments> stages() {
        return Stream.of(
                stage("looking", LateSignalsTest::looking, Signal.Inspected.class, Signal.Rested.class),
                stage("reaching", LateSignalsTest::reaching, Signal.Reached.class),
                stage("guarding", LateSignalsTest::guarding, Signal.Guarded.class, Signal.Drains.class),
                stage("licensing", LateSignalsTest::licensing),
                stage("judging", LateSignalsTest::judging, Signal.Judged.class),
                stage("calling", Worker::upToTheCall, Signal.Held.class, Signal.Answered.class),
                stage("noting", LateSignalsTest::noting),
                stage("watching", Worker::upToTheChange, Signal.Polled.class, Signal.Rested.class),
                stage("glancing", LateSignalsTest::glancing, Signal.Inspected.class),
                stage("awaiting", LateSignalsTest::awaiting, Signal.Inspected.class),
                stage("verifying", LateSignalsTest::verifying, Signal.Inspected.class, Signal.Rested.class),
                stage("asking", LateSignalsTest::asking, Signal.Polled.class),
                stage("undoing", LateSignalsTest::undoing, Signal.Undone.class),
                stage("ended", LateSignalsTest::ended));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stages")
    void changeNothing(String name, Consumer<Worker> reach, List<Class<?>> awaited) {
        List<Signal> late = new ArrayList<>(ALL);
        late.removeIf(signal -> awaited.contains(signal.getClass()));
        for (Signal signal : late) {
            Worker worker = new Worker(Worker.command(MachineRole.CONTROL_PLANE, TARGET, null, null));
            reach.accept(worker);
            boolean over = worker.isOver();
            assertThat(worker.signal(signal)).as("after %s", signal).isSameAs(NOTHING);
            assertThat(worker.isOver()).isEqualTo(over);
        }
    }

    private static void looking(Worker worker) {
        worker.begin(null);
    }

    private static void reaching(Worker worker) {
        looking(worker);
        worker.signal(new Signal.Inspected(node("3000")));
    }

    private static void guarding(Worker worker) {
        reaching(worker);
        worker.signal(Worker.REACHED);
    }

    private static void licensing(Worker worker) {
        guarding(worker);
        worker.signal(new Signal.Guarded(null));
    }

    private static void judging(Worker worker) {
        licensing(worker);
        worker.written();
    }

    private static void noting(Worker worker) {
        worker.upToTheCall();
        worker.signal(new Signal.Answered(new Answer.Accepted("7")));
    }

    private static void glancing(Worker worker) {
        worker.upToTheChange();
        worker.signal(SILENT);
        worker.now += Limits.SILENCE_LASTS + 1;
        worker.signal(SILENT);
    }

    private static void awaiting(Worker worker) {
        worker.upToTheChange();
        worker.signal(new Signal.Polled(new ChangeSight.AwaitsPeers("2 members are not yet upgraded")));
    }

    private static void verifying(Worker worker) {
        worker.upToTheChange();
        worker.signal(new Signal.Polled(new ChangeSight.Done()));
        worker.signal(DARK);
    }

    private static void asking(Worker worker) {
        worker.upToTheChange();
        worker.signal(new Signal.Polled(new ChangeSight.Done()));
        worker.signal(UNTOLD);
    }

    private static void undoing(Worker worker) {
        guarding(worker);
        worker.signal(new Signal.Guarded("on hold"));
    }

    private static void ended(Worker worker) {
        undoing(worker);
        worker.signal(new Signal.Undone());
    }
}
