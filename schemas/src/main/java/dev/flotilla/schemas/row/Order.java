package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Table;
import org.jspecify.annotations.Nullable;

/**
 * What an operator orders, with who and why.
 *
 * @param id tells one order from another of the same kind
 * @param campaignUid the campaign it is about, under a campaign's name; another uid is refused
 * @param edition the edition of the campaign that whoever approves has looked at
 * @param otherUid the earlier campaign beside which the campaign may run, where an overlap is approved
 */
public record Order(
        OrderKey key,
        String id,
        String who,
        String why,
        @Nullable Long campaignUid,
        @Nullable String edition,
        @Nullable Long otherUid,
        Verb verb)
        implements Row {
    /** By whom the auditor's orders are. That is its own word; what a writer may do in the topic, the ACL says. */
    public static final String AUDITOR = "auditor";

    /** What is ordered. */
    public enum Verb {
        RUN("run"),
        PAUSE("pause"),
        ABORT("abort"),
        APPROVE("approve"),
        SKIP("skip"),
        RETRY("retry"),
        FREEZE("freeze"),
        UNFREEZE("unfreeze"),
        ACCEPT_REMOVAL("accept-removal"),
        WRITE_OFF("write-off"),
        ADOPT("adopt");

        private final String label;

        Verb(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /** One that approves nothing. */
    public Order(OrderKey key, String id, String who, String why, @Nullable Long campaignUid, Verb verb) {
        this(key, id, who, why, campaignUid, null, null, verb);
    }

    /** Whether it is the auditor's, and more than the one thing that it may order. */
    public boolean isBeyondTheAuditor() {
        return isTheAuditors() && !(key instanceof OrderKey.FleetFreeze && verb == Verb.FREEZE);
    }

    /** Whether what it is about is frozen: under a freeze's key anything is a freeze but its lifting by a person. */
    public boolean freezes() {
        return verb != Verb.UNFREEZE || isTheAuditors();
    }

    private boolean isTheAuditors() {
        return who.equals(AUDITOR);
    }

    @Override
    public RowKey at() {
        return new RowKey(Table.ORDERS, key);
    }
}
