package dev.flotilla.nodeworker.drive;

import dev.flotilla.core.procedure.FailedCheck;
import dev.flotilla.nodeworker.hands.Errand;
import dev.flotilla.schemas.row.AttemptReport;
import java.util.List;

/** Is told what happens in the loop, on its thread. */
public interface WorkerListener {
    /** An attempt is taken up, from its beginning or where another left it. */
    void begun(Errand errand);

    /** A drive is at a place where it matters whether the worker dies before or after. */
    void reached(Milestone milestone);

    /** A machine is about to be called. */
    void called(Errand errand);

    /** A node is asked how its change stands. */
    void polled(Errand errand);

    /** The checks around an attempt's call were asked: these do not hold. */
    void checked(Errand errand, List<FailedCheck> findings);

    /** An attempt has ended, and its report is committed. */
    void ended(Errand errand, AttemptReport report);

    /** What was done to a machine's objects could not be undone. */
    void leftBehind(Errand errand, String why);

    /** What was left behind on a machine's objects is undone after all. */
    void cleanedUp(Errand errand);

    /** How many partitions are ours and can be written, and how many attempts are in our hands. */
    void stands(int partitions, int attempts);

    /** Kafka did not do what it was asked to. */
    void kafkaFailed(String reason, String why);

    /** A bug: the loop is over. */
    void broke(Throwable bug);
}
