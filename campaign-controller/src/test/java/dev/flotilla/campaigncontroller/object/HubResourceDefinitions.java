package dev.flotilla.campaigncontroller.object;

import dev.flotilla.schemas.json.rows.CampaignCodec;
import dev.flotilla.schemas.json.rows.UpgradePolicyCodec;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.List;
import java.util.Set;

/** The CustomResourceDefinitions of the hub cluster, made of the codecs that read their objects. */
final class HubResourceDefinitions {
    private static final String HEADER = """
        # Campaigns, Policies and Orders of a fleet as Kubernetes objects. The campaign controller keeps them and Kafka in agreement;
        # docs/gitops.md explains it. Generated from what reads them: HubResourceDefinitionsTest.
        """;

    /** In a schema of Kubernetes, names are for people and defaults would be written into each object. */
    private static final Set<String> LEFT_OUT = Set.of("title", "default", "$schema", "$id", "$comment");

    private static final String CONDITIONS = """
              conditions:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [type]
                items:
                  type: object
                  required: [type, status]
                  properties:
                    type: {type: string}
                    status: {type: string}
                    reason: {type: string}
                    message: {type: string}
                    observedGeneration: {type: integer, format: int64}
                    lastTransitionTime: {type: string, format: date-time}
        """;

    private static final String COMMON_STATUS = """
              observedGeneration: {type: integer, format: int64}
              phase: {type: string, description: How far it is.}
              message: {type: string, description: 'What the phase means, and the way out.'}
        """;

    private static final String SYNC_STATUS = """
              syncedHash: {type: string, description: What the object and Kafka last had in common.}
              pendingHash: {type: string, description: What is about to be written to Kafka.}
              kafkaHash: {type: string, description: 'What Kafka has, where it is something else.'}
        """;

    private static final String CAMPAIGN_STATUS = """
              uid: {type: integer, format: int64, description: Tells campaigns of one name apart.}
              contentHash: {type: string, description: What the approval of a wave must name.}
              target: {type: string}
              since: {type: string, format: date-time, description: Since when it is running or paused or over.}
              wave: {type: string, description: The first wave that is not closed.}
              machines:
                type: object
                description: Its machines, where the controller has the URL of an orchestrator.
                properties:
                  total: {type: integer, format: int64}
                  ended: {type: integer, format: int64, description: 'Those that were upgraded, failed, were skipped, or needed nothing.'}
                  inFlight: {type: integer, format: int64}
              expectedEndAt: {type: string, format: date-time, description: At the present pace.}
              waves:
                type: array
                items:
                  type: object
                  properties:
                    name: {type: string}
                    phase: {type: string, description: 'Waiting, Open or Closed.'}
                    openedAt: {type: string, format: date-time}
                    closedAt: {type: string, format: date-time}
                    approvedBy: {type: string, description: The id of the order that approved it.}
        """;

    private static final String ORDER_SPEC = """
              type: object
              required: [verb, reason]
              x-kubernetes-validations:
              - {rule: self == oldSelf, message: cannot change; create another Order}
              properties:
                verb:
                  type: string
                  enum: [run, pause, abort, approve, skip, retry, freeze, unfreeze]
                  description: What to do. The other orders need what only their commands show; see flotilla --help.
                campaign: {type: string, maxLength: 63, description: 'The campaign of run, pause, abort, approve, skip and retry.'}
                wave: {type: string, maxLength: 63, description: The wave that is approved.}
                contentHash:
                  type: string
                  maxLength: 512
                  description: With a wave, status.contentHash of the Campaign that was reviewed. Another edit needs another approval.
                overlaps: {type: string, maxLength: 63, description: The earlier campaign with which the approved one may overlap.}
                machine: {type: string, maxLength: 381, description: 'The machine that is skipped: <site>/<namespace>/<name>.'}
                site: {type: string, maxLength: 63, description: The site of freeze and unfreeze. Without it the whole fleet.}
                liftedFreezes:
                  type: array
                  maxItems: 16
                  items: {type: string, maxLength: 512}
                  description: With unfreeze, the ids of freezes on other topics that it lifts as well, such as the auditor's.
                reason: {type: string, minLength: 1, maxLength: 1024, description: Kept in the journal.}
                requestedBy: {type: string, maxLength: 512, description: Who created it; the webhook writes it.}
        """;

    private static final String ORDER_STATUS = """
              order: {type: string, description: The key of the order in Kafka.}
              campaignUid: {type: integer, format: int64}
              otherCampaignUid: {type: integer, format: int64}
              replacedOrder: {type: string, description: The id of the order that was in force before.}
        """;

    private HubResourceDefinitions() {}

    static String yaml() {
        return HEADER
                + definition(
                        HubKind.CAMPAIGN,
                        "campaign",
                        List.of(
                                "{name: Target, type: string, jsonPath: .spec.target.option}",
                                "{name: Phase, type: string, jsonPath: .status.phase}",
                                "{name: Wave, type: string, jsonPath: .status.wave}",
                                "{name: Machines, type: integer, jsonPath: .status.machines.total}",
                                "{name: Ended, type: integer, jsonPath: .status.machines.ended}",
                                "{name: In Flight, type: integer, jsonPath: .status.machines.inFlight}",
                                "{name: Expected End, type: string, jsonPath: .status.expectedEndAt, priority: 1}",
                                "{name: Since, type: date, jsonPath: .status.since}",
                                "{name: Message, type: string, jsonPath: .status.message}"),
                        schema(CampaignCodec.CAMPAIGN.schema()),
                        SYNC_STATUS + CAMPAIGN_STATUS)
                + "---\n"
                + definition(
                        HubKind.POLICY,
                        "policy",
                        List.of(
                                "{name: In Flight, type: string, jsonPath: .spec.caps.inFlight}",
                                "{name: Frozen, type: boolean, jsonPath: .spec.freeze.frozen}",
                                "{name: Phase, type: string, jsonPath: .status.phase}",
                                "{name: Message, type: string, jsonPath: .status.message}"),
                        schema(UpgradePolicyCodec.POLICY.schema()),
                        SYNC_STATUS)
                + "---\n"
                + definition(
                        HubKind.ORDER,
                        "order",
                        List.of(
                                "{name: Verb, type: string, jsonPath: .spec.verb}",
                                "{name: Campaign, type: string, jsonPath: .spec.campaign}",
                                "{name: Wave, type: string, jsonPath: .spec.wave}",
                                "{name: Site, type: string, jsonPath: .spec.site}",
                                "{name: Phase, type: string, jsonPath: .status.phase}",
                                "{name: By, type: string, jsonPath: .spec.requestedBy}",
                                "{name: Message, type: string, jsonPath: .status.message, priority: 1}"),
                        ORDER_SPEC.indent(6),
                        ORDER_STATUS);
    }

    private static String definition(HubKind kind, String singular, List<String> columns, String spec, String status) {
        StringBuilder yaml = new StringBuilder("""
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: %1$s.flotilla.dev
            spec:
              group: flotilla.dev
              scope: Namespaced
              names:
                kind: %2$s
                listKind: %2$sList
                plural: %1$s
                singular: %3$s
                categories: [flotilla]
              versions:
              - name: v1
                served: true
                storage: true
                subresources:
                  status: {}
                additionalPrinterColumns:
            """.formatted(kind.plural(), kind.kind(), singular));
        columns.forEach(column -> yaml.append("    - ").append(column).append('\n'));
        return yaml.append("    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}\n")
                .append("""
                        schema:
                          openAPIV3Schema:
                            type: object
                            required: [spec]
                            properties:
                              spec:
                    """)
                .append(spec)
                .append("          status:\n            type: object\n            properties:\n")
                .append((COMMON_STATUS + status + CONDITIONS).indent(8))
                .toString()
                .replaceAll("(?m)[ ]+$", "");
    }

    /** Returns the schema of a manifest's spec. */
    private static String schema(JsonObjectReader manifest) {
        JsonObjectReader properties = (JsonObjectReader) manifest.get("properties");
        StringBuilder yaml = new StringBuilder();
        write(yaml, structural((JsonObjectReader) properties.get("spec")), 12);
        return yaml.toString();
    }

    /** Turns a JSON Schema into one of Kubernetes. */
    private static JsonObjectReader structural(JsonObjectReader schema) {
        JsonObjectReader.Builder structural = new JsonObjectReader.Builder();
        for (int i = 0; i < schema.size(); i++) {
            String name = schema.name(i);
            if (name.equals("anyOf")) {
                // A number or a percentage.
                structural.put("x-kubernetes-int-or-string", true);
            } else if (name.equals("properties")) {
                JsonObjectReader properties = (JsonObjectReader) schema.value(i);
                JsonObjectReader.Builder all = new JsonObjectReader.Builder();
                for (int j = 0; j < properties.size(); j++) {
                    all.put(properties.name(j), structural((JsonObjectReader) properties.value(j)));
                }
                structural.put(name, all.build());
            } else if (schema.value(i) instanceof JsonObjectReader part && !LEFT_OUT.contains(name)) {
                structural.put(name, structural(part));
            } else if (!LEFT_OUT.contains(name)) {
                structural.put(name, schema.value(i));
            }
        }
        return structural.build();
    }

    private static void write(StringBuilder yaml, JsonObjectReader object, int indent) {
        for (int i = 0; i < object.size(); i++) {
            yaml.append(" ".repeat(indent)).append(object.name(i)).append(':');
            if (object.value(i) instanceof JsonObjectReader part) {
                yaml.append('\n');
                write(yaml, part, indent + 2);
            } else {
                yaml.append(' ').append(scalar(object.value(i))).append('\n');
            }
        }
    }

    private static String scalar(JsonValue value) {
        return switch (value) {
            case JsonValue.JsonString text -> "'" + text.value().replace("'", "''") + "'";
            case JsonValue.JsonArray list ->
                list.items().stream()
                        .map(HubResourceDefinitions::scalar)
                        .toList()
                        .toString();
            case JsonValue.JsonInteger number -> Long.toString(number.value());
            case JsonValue.JsonBoolean flag -> Boolean.toString(flag.value());
            default -> throw new IllegalArgumentException("no scalar of a schema: " + value);
        };
    }
}
