package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.fleet.Digest;
import dev.flotilla.core.procedure.Act;
import dev.flotilla.core.procedure.Caution;
import dev.flotilla.core.procedure.Contact;
import dev.flotilla.core.procedure.Moment;
import dev.flotilla.core.procedure.Procedure;
import dev.flotilla.core.procedure.Signal;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.AttemptProgress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt in a worker's hands. A procedure cannot be copied, so this is what it has been told since it began; it is told
 * so again whenever something more happens.
 *
 * @param command as it was read last
 * @param open what it wants done that takes time: to write a word, to call, to rest
 * @param seen the mark of the node when it was looked at last
 * @param hash of all that it has been told
 */
record Drive(
        WorkerCommand first,
        WorkerCommand command,
        @Nullable AttemptProgress last,
        Moment begun,
        List<Told> told,
        List<Act> open,
        long seen,
        long hash) {
    private static final long NEVER = -1;

    private record Told(Signal signal, Moment at) {}

    static Drive begin(WorkerCommand command, @Nullable AttemptProgress last, Node node, Moment now, Caution caution) {
        return new Drive(command, command, last, now, List.of(), List.of(), NEVER, 0).settle(node, now, caution);
    }

    Drive commanded(WorkerCommand next, Node node, Moment now, Caution caution) {
        return new Drive(first, next, last, begun, told, open, seen, hash)
                .take(new Signal.Commanded(next), null, node, now, caution);
    }

    /** What came of something it wanted done; null for what came by itself. */
    Drive take(Signal signal, @Nullable Act done, Node node, Moment now, Caution caution) {
        List<Told> more = new ArrayList<>(told);
        more.add(new Told(signal, now));
        List<Act> left = new ArrayList<>(open);
        left.remove(done);
        return new Drive(first, command, last, begun, more, left, seen, hash).settle(node, now, caution);
    }

    /** Whether to rest and look again would show anything new. */
    boolean hasNews(Node node, Moment now) {
        return seen != look(node, now);
    }

    private static long look(Node node, Moment now) {
        return now.ticks() + node.mark();
    }

    /** Tells the procedure all of it again, and answers at once whatever takes no time here. */
    private Drive settle(Node node, Moment now, Caution caution) {
        Procedure procedure = new Procedure(first, caution);
        List<Act> acts = procedure.begin(last, begun);
        for (Told one : told) {
            acts = procedure.take(one.signal(), one.at());
        }
        List<Told> all = new ArrayList<>(told);
        List<Act> waiting = new ArrayList<>(open);
        Deque<Act> next = new ArrayDeque<>(acts);
        long looked = seen;
        while (!next.isEmpty()) {
            Act act = next.remove();
            Signal answer = atOnce(act, node);
            if (answer == null) {
                // A word that is not written yet gives way to a later one.
                waiting.removeIf(other -> act instanceof Act.Say && other instanceof Act.Say);
                waiting.add(act);
                continue;
            }
            looked = act instanceof Act.Inspect || act instanceof Act.Poll ? look(node, now) : looked;
            all.add(new Told(answer, now));
            next.addAll(procedure.take(answer, now));
        }
        Digest digest =
                new Digest().add(first.toString()).add(String.valueOf(last)).add(begun.ticks());
        all.forEach(one -> digest.add(one.signal().toString()).add(one.at().ticks()));
        return new Drive(first, command, last, begun, all, waiting, looked, digest.value());
    }

    private static @Nullable Signal atOnce(Act act, Node node) {
        return switch (act) {
            case Act.Inspect inspect -> new Signal.Inspected(node.sight());
            case Act.Poll poll -> new Signal.Polled(node.change(poll.changeId()));
            case Act.Reach reach -> new Signal.Reached(new Contact.Made());
            case Act.Guard guard -> new Signal.Guarded(null);
            case Act.Judge judge -> new Signal.Judged(null);
            case Act.Ask ask -> new Signal.Checked(List.of());
            case Act.Undo undo -> new Signal.Undone();
            case Act.Say say -> null;
            case Act.Call call -> null;
            case Act.Rest rest -> null;
        };
    }

    void addTo(Digest digest) {
        digest.add(hash).add(open.toString()).add(seen);
    }
}
