package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ObjectKey;
import java.time.Instant;

/** On whose behalf a machine is upgraded. A name that comes back later is another driver. */
public sealed interface RolloutRef {

    /** A campaign; its uid is the seq of its first acceptance after absence. */
    record CampaignRef(CampaignName name, long uid) implements RolloutRef {
        @Override
        public String toString() {
            return "campaign " + name;
        }
    }

    /** An annotation, known by its object and by when it was seen to change. */
    record IntentRef(ObjectKey object, Instant since) implements RolloutRef {
        @Override
        public String toString() {
            return "intent of " + object;
        }
    }
}
