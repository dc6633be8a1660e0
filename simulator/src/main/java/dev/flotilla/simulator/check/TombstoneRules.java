package dev.flotilla.simulator.check;

import dev.flotilla.core.Decision;
import dev.flotilla.schemas.id.Key;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Scope;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.topic.Keys;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.Topic;
import org.jspecify.annotations.Nullable;

/** A tombstone names nobody and says nothing: it opens nothing that an unreadable record has closed, and lifts no policy. */
final class TombstoneRules {
    private final Recount rows;
    private final Verdicts verdicts;

    TombstoneRules(Recount rows, Verdicts verdicts) {
        this.rows = rows;
        this.verdicts = verdicts;
    }

    /** Before the facts of a decision are put. */
    void check(Decision decision) {
        for (Fact fact : decision.facts()) {
            boolean gone = fact instanceof Gone;
            verdicts.require(
                    !gone
                            || fact.at().table() != Table.CAMPAIGN_STATUS
                            || !(fact.at().key() instanceof Scope),
                    Invariant.TOMBSTONE,
                    "the policy of " + fact.at().key() + " went, and nothing came in its place");
            boolean readable = gone || (fact instanceof Rejected rejected && rejected.readable());
            if (fact.at().key() instanceof RejectedKey key && readable && rows.isUnreadable(key)) {
                RowKey place = place(key);
                verdicts.require(
                        place == null || isWritten(decision, place),
                        Invariant.TOMBSTONE,
                        "what the unreadable record of " + key + " closed was opened by nothing that can be read");
            }
        }
    }

    private static boolean isWritten(Decision decision, RowKey place) {
        return decision.facts().stream()
                .anyMatch(fact -> !(fact instanceof Gone) && fact.at().equals(place));
    }

    /** The place of a record that closes something when it cannot be read; null where it is none. */
    private static @Nullable RowKey place(RejectedKey at) {
        Topic topic = Topic.parse(at.topic());
        Key key = topic == null ? null : Keys.parse(topic, at.key());
        boolean closes = key instanceof OrderKey.FleetFreeze
                || key instanceof OrderKey.SiteFreeze
                || key instanceof OrderKey.State
                || (topic != null && topic.table() == Table.POLICIES);
        return topic != null && key != null && closes ? new RowKey(topic.table(), key) : null;
    }
}
