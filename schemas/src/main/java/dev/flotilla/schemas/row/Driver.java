package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ObjectKey;
import java.time.Instant;

/** On whose behalf a machine is upgraded. A name that comes back later is another driver. */
public sealed interface Driver {

    /** A campaign; its uid is the seq of its first acceptance after absence. */
    record OfCampaign(CampaignName name, long uid) implements Driver {
        @Override
        public String toString() {
            return "campaign " + name;
        }
    }

    /** An annotation, known by its object and by when it was seen to change. */
    record OfIntent(ObjectKey object, Instant since) implements Driver {
        @Override
        public String toString() {
            return "intent of " + object;
        }
    }
}
