package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import dev.flotilla.auditor.json.Json;
import dev.flotilla.auditor.json.MalformedJson;

/** Which row stands at a place. */
final class Rows {
    private Rows() {}

    static Row read(Place place, Json value) {
        Fields row = Fields.of(value);
        String site = place.topic().site();
        if (!site.isEmpty() && !site.equals(row.textOr("site", site))) {
            throw new MalformedJson("is about site " + row.text("site") + " and stands in "
                    + place.topic().name());
        }
        return switch (place.topic().table()) {
            case "inventory" -> inventory(place, row);
            case "intents" -> Intent.read(row);
            case "status" -> place.isMachine() ? placed(place, MachineStatus.read(row)) : new Row.Other(value);
            case "commands" -> Command.read(row);
            case "progress" -> Progress.read(row);
            case "campaigns" -> CampaignRow.read(row);
            case "orders", "approvals", "freezes", "auditor-orders" -> OrderRow.read(row);
            case "policies" -> PolicyRow.read(row);
            case "campaign-status" -> campaignStatus(place.key(), row);
            case "head" -> place.key().equals("fleet") ? FleetHead.read(row) : SiteHead.read(row);
            case "rejected" -> RejectedRow.read(row);
            default -> new Row.Other(value);
        };
    }

    private static Row inventory(Place place, Fields row) {
        if (place.isMachine()) {
            return MachineRow.read(row);
        }
        return place.isCluster() ? ClusterRow.read(row) : Heartbeat.read(row);
    }

    private static MachineStatus placed(Place place, MachineStatus status) {
        if (!status.id().equals(place.object())) {
            throw new MalformedJson("is about " + status.id() + " and stands under " + place.key());
        }
        return status;
    }

    private static Row campaignStatus(String key, Fields row) {
        if (key.startsWith("policy/")) {
            return PolicyRow.read(row.in("policy"));
        }
        if (key.startsWith("zone/")) {
            return ZoneRow.read(row);
        }
        return key.indexOf('/') < 0 ? CampaignStatus.read(row) : WaveStatus.read(row);
    }
}
