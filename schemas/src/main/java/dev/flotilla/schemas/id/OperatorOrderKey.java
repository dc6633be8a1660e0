package dev.flotilla.schemas.id;

/** The key of an order: its kind and subject. A new order with the same key replaces the one before. */
public sealed interface OperatorOrderKey extends EntityKey {

    /** Returns the table on which operators write the order. The auditor writes its freeze of the fleet to a table of its own. */
    default Table table() {
        return switch (this) {
            case ApproveWave approve -> Table.APPROVALS;
            case ApproveOverlap overlap -> Table.APPROVALS;
            case FreezeFleet freeze -> Table.FREEZES;
            case FreezeSite freeze -> Table.FREEZES;
            case SetCampaignState state -> Table.ORDERS;
            case SkipMachine skip -> Table.ORDERS;
            case RetryQuarantined retry -> Table.ORDERS;
            case AdoptFleetTopics adopt -> Table.ORDERS;
            case AdoptSiteTopics adopt -> Table.ORDERS;
            case AcceptMassRemoval removal -> Table.ORDERS;
            case WriteOffSite writeOff -> Table.ORDERS;
        };
    }

    /** Whether an order of this kind belongs on a table. */
    default boolean belongsOn(Table table) {
        return table == table() || (table == Table.AUDITOR_ORDERS && this instanceof FreezeFleet);
    }

    /** The key of an order about a campaign. */
    sealed interface CampaignOrder extends OperatorOrderKey {
        CampaignName campaign();
    }

    /** The key of an order about a site. */
    sealed interface SiteOrder extends OperatorOrderKey {
        SiteId site();
    }

    /** Runs, pauses or aborts a campaign. */
    record SetCampaignState(CampaignName campaign) implements CampaignOrder {
        @Override
        public String toString() {
            return campaign + "/state";
        }
    }

    /** Approves a wave. */
    record ApproveWave(CampaignName campaign, String wave) implements CampaignOrder {
        @Override
        public String toString() {
            return campaign + "/approve/" + wave;
        }
    }

    /** Approves that a campaign overlaps an earlier one with a different target. */
    record ApproveOverlap(CampaignName campaign) implements CampaignOrder {
        @Override
        public String toString() {
            return campaign + "/overlap";
        }
    }

    /** Skips one machine in a campaign. */
    record SkipMachine(CampaignName campaign, MachineKey machine) implements CampaignOrder {
        @Override
        public String toString() {
            return campaign + "/skip/" + machine;
        }
    }

    /** Retries a campaign's quarantined machines. */
    record RetryQuarantined(CampaignName campaign) implements CampaignOrder {
        @Override
        public String toString() {
            return campaign + "/retry";
        }
    }

    /** Freezes the whole fleet, or lifts the freeze. */
    record FreezeFleet() implements OperatorOrderKey {
        @Override
        public String toString() {
            return "fleet/freeze";
        }
    }

    /** Freezes a site, or lifts the freeze. */
    record FreezeSite(SiteId site) implements SiteOrder {
        @Override
        public String toString() {
            return "site/" + site + "/freeze";
        }
    }

    /** Adopts topics of the fleet that were created again: the leader reads them from the beginning. */
    record AdoptFleetTopics() implements OperatorOrderKey {
        @Override
        public String toString() {
            return "fleet/adopt";
        }
    }

    /** Adopts topics of a site that were created again or have lost records. */
    record AdoptSiteTopics(SiteId site) implements SiteOrder {
        @Override
        public String toString() {
            return "site/" + site + "/adopt";
        }
    }

    /** Accepts a mass removal: the missing machines of the site are really deleted. */
    record AcceptMassRemoval(SiteId site) implements SiteOrder {
        @Override
        public String toString() {
            return "site/" + site + "/accept-removal";
        }
    }

    /** Writes a site off: its open attempts end as failed. */
    record WriteOffSite(SiteId site) implements SiteOrder {
        @Override
        public String toString() {
            return "site/" + site + "/write-off";
        }
    }
}
