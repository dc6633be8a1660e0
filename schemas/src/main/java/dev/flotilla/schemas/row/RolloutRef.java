package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ObjectKey;
import java.time.Instant;

/** The campaign or intent that a machine is upgraded for. A campaign that is created again under the same name is another one. */
public sealed interface RolloutRef {

    /** A campaign; its uid is the seq of its first acceptance after absence. */
    record CampaignRef(CampaignName name, long uid) implements RolloutRef {
        @Override
        public String toString() {
            return "campaign " + name;
        }
    }

    /** An intent, identified by the annotated object and by when the watcher saw the annotation change. */
    record IntentRef(ObjectKey object, Instant requestedAt) implements RolloutRef {
        @Override
        public String toString() {
            return "intent of " + object;
        }
    }
}
