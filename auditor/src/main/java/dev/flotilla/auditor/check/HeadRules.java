package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.FleetHead;
import dev.flotilla.auditor.wire.Place;
import dev.flotilla.auditor.wire.Row;
import dev.flotilla.auditor.wire.SiteHead;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Invariant 9: head and journal agree. Head rows are stamped with offsets and the chain at each commit, so they are not
 * the facts of the journal byte for byte: what they are compared by is the number, the chain and the term.
 */
final class HeadRules {
    private final Findings findings;
    private final Chain chain;
    private final Map<Long, FleetHead> early = new LinkedHashMap<>();
    private final Map<Place, Long> seqs = new HashMap<>();
    private final Map<String, Long> offsets = new HashMap<>();
    private final Map<String, String> read = new HashMap<>();
    private long seq;
    private long term;

    HeadRules(Findings findings, Chain chain) {
        this.findings = findings;
        this.chain = chain;
    }

    void shows(Place place, @Nullable Long header, @Nullable Row row) {
        if (header == null) {
            findings.broken(Invariant.ZOMBIE, place + " has no seq: it is not the orchestrator's");
            return;
        }
        long before = seqs.getOrDefault(place, 0L);
        findings.require(
                header >= before,
                Invariant.ZOMBIE,
                place + " is of seq " + header + ", and the table had " + before + " already");
        seqs.put(place, Math.max(before, header));
        if (row instanceof FleetHead head) {
            fleet(head);
            forward(place, head.offsets(), head.topics(), "");
        } else if (row instanceof SiteHead head) {
            forward(place, head.offsets(), head.topics(), head.adopted());
        }
    }

    private void fleet(FleetHead head) {
        findings.require(
                head.seq() >= seq && head.term() >= term,
                Invariant.ZOMBIE,
                "head goes back from seq " + seq + " of term " + term + " to " + head.seq() + " of " + head.term());
        seq = Math.max(seq, head.seq());
        term = Math.max(term, head.term());
        if (head.seq() > chain.seq()) {
            early.put(head.seq(), head);
        } else {
            compare(head);
        }
    }

    private void compare(FleetHead head) {
        String hash = chain.hash(head.seq());
        if (hash == null) {
            findings.unverified("heads whose journal record was not read");
        } else {
            findings.require(
                    hash.equals(head.chain()),
                    Invariant.JOURNAL,
                    "head/fleet at seq " + head.seq() + " has another chain hash than the journal");
        }
    }

    /** What an input has been decided on is not decided on again, but for topics that an operator has adopted. */
    private void forward(Place place, Map<String, Long> next, Map<String, String> topics, String adopted) {
        next.forEach((partition, offset) -> {
            String name = place.key() + " " + partition;
            String topic = topics.getOrDefault(partition.substring(0, partition.indexOf('/')), "");
            boolean same = (topic + " " + adopted).equals(read.put(name, topic + " " + adopted));
            long before = same ? offsets.getOrDefault(name, 0L) : 0;
            findings.require(
                    offset >= before,
                    Invariant.ZOMBIE,
                    "the offset of " + name + " in head goes back from " + before + " to " + offset);
            offsets.put(name, offset);
        });
    }

    /** The journal has been read up to a decision: with it each head up to there is known, or never will be. */
    void decided(long newSeq) {
        Iterator<FleetHead> waiting = early.values().iterator();
        boolean more = waiting.hasNext();
        while (more) {
            FleetHead head = waiting.next();
            more = head.seq() <= newSeq;
            if (more) {
                waiting.remove();
                compare(head);
                more = waiting.hasNext();
            }
        }
    }

    /** Heads that tell of decisions which the journal does not have, though all of it was read. */
    boolean isAhead() {
        return !early.isEmpty();
    }

    long seq() {
        return seq;
    }
}
