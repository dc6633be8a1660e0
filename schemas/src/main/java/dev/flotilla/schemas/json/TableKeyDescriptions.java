package dev.flotilla.schemas.json;

import dev.flotilla.schemas.id.Table;

/** Descriptions of the keys of each table. */
final class TableKeyDescriptions {
    private TableKeyDescriptions() {}

    static String describe(Table table) {
        return switch (table) {
            case INVENTORY -> "site, cluster/<namespace>/<name> or machine/<namespace>/<name>";
            case INTENTS -> "machine/<namespace>/<name>, owner/<kind>/<namespace>/<name> or cluster/<namespace>/<name>";
            case STATUS ->
                "site, machine/<namespace>/<name>, owner/<kind>/<namespace>/<name> or cluster/<namespace>/<name>";
            case COMMANDS, PROGRESS -> "machine/<namespace>/<name>";
            case CAMPAIGNS -> "<name>";
            case ORDERS ->
                "<campaign>/state, <campaign>/skip/<site>/<namespace>/<machine>, <campaign>/retry,"
                        + " site/<site>/accept-removal, site/<site>/write-off, site/<site>/adopt or fleet/adopt";
            case APPROVALS -> "<campaign>/approve/<wave> or <campaign>/overlap";
            case FREEZES -> "fleet/freeze or site/<site>/freeze";
            case AUDITOR_ORDERS -> "fleet/freeze";
            case POLICIES, HEAD -> "fleet or <site>";
            case CAMPAIGN_STATUS -> "<name>, <name>/<wave>, policy/fleet, policy/<site> or zone/<id>";
            case JOURNAL -> "none: the journal is a log";
            case REJECTED -> "<topic>/<partition>/<key>";
            case LEADER -> "none: the topic has no records";
        };
    }
}
