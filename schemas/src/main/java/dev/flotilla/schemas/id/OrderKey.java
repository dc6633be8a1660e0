package dev.flotilla.schemas.id;

import dev.flotilla.schemas.topic.Table;

/** What an order is about. One row each: a new order of the same kind replaces the one before. */
public sealed interface OrderKey extends Key {

    /** The table on which people write it. The auditor has a table of its own for the freeze of the fleet. */
    default Table table() {
        return switch (this) {
            case Approve approve -> Table.APPROVALS;
            case Overlap overlap -> Table.APPROVALS;
            case FleetFreeze freeze -> Table.FREEZES;
            case SiteFreeze freeze -> Table.FREEZES;
            case State state -> Table.ORDERS;
            case Skip skip -> Table.ORDERS;
            case Retry retry -> Table.ORDERS;
            case AdoptFleet adopt -> Table.ORDERS;
            case AdoptSite adopt -> Table.ORDERS;
            case AcceptRemoval removal -> Table.ORDERS;
            case WriteOff writeOff -> Table.ORDERS;
        };
    }

    /** Whether an order of this kind may stand on a table. */
    default boolean belongsOn(Table table) {
        return table == table() || (table == Table.AUDITOR_ORDERS && this instanceof FleetFreeze);
    }

    /** An order under a campaign's name. */
    sealed interface OfCampaign extends OrderKey {
        CampaignName campaign();
    }

    /** An order about a site. */
    sealed interface OfSite extends OrderKey {
        SiteId site();
    }

    /** Whether the campaign runs, pauses or is aborted. */
    record State(CampaignName campaign) implements OfCampaign {
        @Override
        public String toString() {
            return campaign + "/state";
        }
    }

    /** Lets a wave begin. */
    record Approve(CampaignName campaign, String wave) implements OfCampaign {
        @Override
        public String toString() {
            return campaign + "/approve/" + wave;
        }
    }

    /** Lets a campaign run beside another with an unequal target. */
    record Overlap(CampaignName campaign) implements OfCampaign {
        @Override
        public String toString() {
            return campaign + "/overlap";
        }
    }

    /** Leaves one machine out of a campaign. */
    record Skip(CampaignName campaign, MachineKey machine) implements OfCampaign {
        @Override
        public String toString() {
            return campaign + "/skip/" + machine;
        }
    }

    /** Gives a campaign's quarantined machines another round. */
    record Retry(CampaignName campaign) implements OfCampaign {
        @Override
        public String toString() {
            return campaign + "/retry";
        }
    }

    /** Freezes the whole fleet, or lifts the freeze. */
    record FleetFreeze() implements OrderKey {
        @Override
        public String toString() {
            return "fleet/freeze";
        }
    }

    /** Freezes a site, or lifts the freeze. */
    record SiteFreeze(SiteId site) implements OfSite {
        @Override
        public String toString() {
            return "site/" + site + "/freeze";
        }
    }

    /** Adopts topics of the fleet that were created again: they are read from their beginnings. */
    record AdoptFleet() implements OrderKey {
        @Override
        public String toString() {
            return "fleet/adopt";
        }
    }

    /** Adopts topics of a site that were created again or have lost records. */
    record AdoptSite(SiteId site) implements OfSite {
        @Override
        public String toString() {
            return "site/" + site + "/adopt";
        }
    }

    /** Accepts that many machines of a site are really gone. */
    record AcceptRemoval(SiteId site) implements OfSite {
        @Override
        public String toString() {
            return "site/" + site + "/accept-removal";
        }
    }

    /** Ends the open attempts of a site that will not come back. */
    record WriteOff(SiteId site) implements OfSite {
        @Override
        public String toString() {
            return "site/" + site + "/write-off";
        }
    }
}
