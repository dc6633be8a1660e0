package dev.flotilla.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.SiteId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

/**
 * The script that creates ACLs with Kafka's own tools creates the same ones as the code, which {@link ComponentAclsIT} tests on a real
 * authorizer; {@code -Dflotilla.rewrite=true} writes the script again.
 */
class AclGrantScriptTest {
    private static final Path SCRIPT = Path.of("../deploy/kafka/acls.sh");
    static final SiteId SITE = new SiteId("x-site-x");

    static final List<KafkaAclPrincipal> OF_FLEET = List.of(
            new KafkaAclPrincipal.Orchestrator(),
            new KafkaAclPrincipal.Auditor(),
            new KafkaAclPrincipal.CampaignAuthor(),
            new KafkaAclPrincipal.Operator(),
            new KafkaAclPrincipal.Approver(),
            new KafkaAclPrincipal.Freezer(),
            new KafkaAclPrincipal.PolicyEditor(),
            new KafkaAclPrincipal.Reader(),
            new KafkaAclPrincipal.CampaignController(),
            new KafkaAclPrincipal.TopicAdministrator());

    static final List<KafkaAclPrincipal> OF_SITE =
            List.of(new KafkaAclPrincipal.Watcher(SITE), new KafkaAclPrincipal.Worker(SITE));

    private static final String HEAD = """
            #!/usr/bin/env bash
            # Grants each component its rights in Kafka, and nothing else; again does no harm. Names are the users of SCRAM, or the common
            # names of certificates. Written by AclGrantScriptTest from what the code says; `flotilla site add SITE --apply-acls` does the same.
            # No person and no other tool gets a transactional id: a transaction that is left open hides what others write behind it, a freeze
            # too. Set transaction.max.timeout.ms=60000 at the brokers, so that one ends within a minute (docs/operate.md).
            #   KAFKA_ACLS='kafka-acls.sh --bootstrap-server kafka-0:9093 --command-config admin.properties' ./acls.sh fleet
            #   KAFKA_ACLS='…' ./acls.sh east west        (the rights of these sites' watchers and workers)
            set -euo pipefail
            case ${1-} in --help | -h) sed -n '2,/^[^#]/ s/^# \\{0,1\\}//p' "$0" && exit ;; esac
            [ $# -gt 0 ] || { echo 'usage: KAFKA_ACLS="kafka-acls.sh …" acls.sh fleet|SITE…' >&2; exit 2; }

            grant() {
              # shellcheck disable=SC2086
              ${KAFKA_ACLS:?} --add --force --allow-principal "User:$1" --operation "$2" "--$3" "$4" --resource-pattern-type "$5"
            }

            fleet() {
            """;

    @Test
    void scriptGrantsTheSameAclsAsTheCode() throws IOException {
        StringBuilder script = new StringBuilder(HEAD);
        OF_FLEET.forEach(kafkaAclPrincipal -> grants(script, kafkaAclPrincipal));
        script.append("}\n\nsite() {\n");
        OF_SITE.forEach(kafkaAclPrincipal -> grants(script, kafkaAclPrincipal));
        script.append("""
                }

                for name in "$@"; do
                  case $name in
                    fleet) fleet ;;
                    -*) echo "acls.sh: there is no option $name" >&2 && exit 2 ;;
                    *) site "$name" ;;
                  esac
                done
                """);
        String wanted = script.toString();
        if (Boolean.getBoolean("flotilla.rewrite")) {
            Files.writeString(SCRIPT, wanted);
        }
        assertThat(Files.readString(SCRIPT)).isEqualTo(wanted);
    }

    private static void grants(StringBuilder script, KafkaAclPrincipal kafkaAclPrincipal) {
        for (AclBinding right : ComponentAcls.bindingsFor(kafkaAclPrincipal)) {
            script.append("  grant ")
                    .append(quoted(right.entry().principal().substring("User:".length())))
                    .append(' ')
                    .append(words(right.entry().operation()))
                    .append(' ')
                    .append(option(right.pattern().resourceType()))
                    .append(' ')
                    .append(quoted(right.pattern().name()))
                    .append(right.pattern().patternType() == PatternType.PREFIXED ? " prefixed\n" : " literal\n");
        }
    }

    private static String quoted(String text) {
        return text.contains(SITE.name()) ? "\"" + text.replace(SITE.name(), "$1") + "\"" : text;
    }

    private static String words(AclOperation operation) {
        StringBuilder words = new StringBuilder();
        for (String word : List.of(operation.name().split("_", -1))) {
            words.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return words.toString();
    }

    private static String option(ResourceType type) {
        return switch (type) {
            case TOPIC -> "topic";
            case GROUP -> "group";
            case TRANSACTIONAL_ID -> "transactional-id";
            default -> throw new IllegalArgumentException("no component has rights on " + type);
        };
    }
}
