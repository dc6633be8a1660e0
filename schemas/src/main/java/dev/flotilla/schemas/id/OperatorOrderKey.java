package dev.flotilla.schemas.id;

import dev.flotilla.schemas.topic.Table;

/** What an order is about. One row each: a new order of the same kind replaces the one before. */
public sealed interface OperatorOrderKey extends EntityKey {

    /** The table on which people write it. The auditor has a table of its own for the freeze of the fleet. */
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

    /** Whether an order of this kind may stand on a table. */
    default boolean belongsOn(Table table) {
        return table == table() || (table == Table.AUDITOR_ORDERS && this instanceof FreezeFleet);
    }

    /** An order under a campaign's name. */
    sealed interface CampaignOrder extends OperatorOrderKey {
        CampaignName campaign();
    }

    /** An order about a site. */
    sealed interface SiteOrder extends OperatorOrderKey {
        SiteId site();
    }

    /** Whether the campaign runs, pauses or is aborted. */
    record SetCampaignState(CampaignName campaign) implements CampaignOrder {
        @Override
        public String toString() {
            return campaign + "/state";
        }
    }

    /** Lets a wave begin. */
    record ApproveWave(CampaignName campaign, String wave) implements CampaignOrder {
        @Override
        public String toString() {
            return campaign + "/approve/" + wave;
        }
    }

    /** Lets a campaign run beside another with an unequal target. */
    record ApproveOverlap(CampaignName campaign) implements CampaignOrder {
        @Override
        public String toString() {
            return campaign + "/overlap";
        }
    }

    /** Leaves one machine out of a campaign. */
    record SkipMachine(CampaignName campaign, MachineKey machine) implements CampaignOrder {
        @Override
        public String toString() {
            return campaign + "/skip/" + machine;
        }
    }

    /** Gives a campaign's quarantined machines another round. */
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

    /** Adopts topics of the fleet that were created again: they are read from their beginnings. */
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

    /** Accepts that many machines of a site are really gone. */
    record AcceptMassRemoval(SiteId site) implements SiteOrder {
        @Override
        public String toString() {
            return "site/" + site + "/accept-removal";
        }
    }

    /** Ends the open attempts of a site that will not come back. */
    record WriteOffSite(SiteId site) implements SiteOrder {
        @Override
        public String toString() {
            return "site/" + site + "/write-off";
        }
    }
}
