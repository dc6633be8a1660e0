package dev.flotilla.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.SiteId;
import java.util.List;
import org.apache.kafka.common.acl.AclPermissionType;
import org.junit.jupiter.api.Test;

class ComponentAclsTest {
    private static final SiteId SITE = new SiteId("a");

    @Test
    void watcherHasPermissionsForItsSiteOnly() {
        assertThat(rights(new KafkaAclPrincipal.Watcher(SITE)))
                .containsExactlyInAnyOrder(
                        "READ TOPIC LITERAL flotilla.inventory.a",
                        "READ TOPIC LITERAL flotilla.intents.a",
                        "READ TOPIC LITERAL flotilla.status.a",
                        "WRITE TOPIC LITERAL flotilla.inventory.a",
                        "WRITE TOPIC LITERAL flotilla.intents.a",
                        "WRITE TRANSACTIONAL_ID LITERAL flotilla.watcher.a");
    }

    @Test
    void workerHasPermissionsForItsSiteOnly() {
        assertThat(rights(new KafkaAclPrincipal.Worker(SITE)))
                .containsExactlyInAnyOrder(
                        "READ TOPIC LITERAL flotilla.commands.a",
                        "READ TOPIC LITERAL flotilla.progress.a",
                        "WRITE TOPIC LITERAL flotilla.progress.a",
                        "READ GROUP LITERAL flotilla.worker.a",
                        "WRITE TRANSACTIONAL_ID PREFIXED flotilla.worker.a.");
    }

    @Test
    void permissionsOfASiteDoNotMatchASiteWithTheSamePrefix() {
        assertThat(ComponentAcls.workerTransactions(new SiteId("a-2"), 0)).doesNotStartWith("flotilla.worker.a.");
    }

    @Test
    void onlyOrchestratorUsesTheLeadersGroupAndTransactionalId() {
        assertThat(rights(new KafkaAclPrincipal.Orchestrator()))
                .contains(
                        "READ GROUP LITERAL flotilla.leader",
                        "WRITE TRANSACTIONAL_ID LITERAL flotilla.orchestrator",
                        "WRITE TOPIC PREFIXED flotilla.commands.",
                        "WRITE TOPIC LITERAL flotilla.journal")
                .noneMatch(right -> right.startsWith("DELETE")
                        || right.startsWith("WRITE TOPIC LITERAL flotilla.or")
                        || right.startsWith("WRITE TOPIC LITERAL flotilla.au"));
    }

    @Test
    void approvalsAndFreezesNeedOtherPermissionsThanCampaignsAndOrders() {
        assertThat(writes(new KafkaAclPrincipal.CampaignAuthor()))
                .containsExactly("WRITE TOPIC LITERAL flotilla.campaigns");
        assertThat(writes(new KafkaAclPrincipal.Operator())).containsExactly("WRITE TOPIC LITERAL flotilla.orders");
        assertThat(writes(new KafkaAclPrincipal.Approver())).containsExactly("WRITE TOPIC LITERAL flotilla.approvals");
        assertThat(writes(new KafkaAclPrincipal.Freezer())).containsExactly("WRITE TOPIC LITERAL flotilla.freezes");
        assertThat(writes(new KafkaAclPrincipal.PolicyEditor()))
                .containsExactly("WRITE TOPIC LITERAL flotilla.policies");
    }

    @Test
    void peopleSeeWhichOrchestratorLeadsAndTheCampaignControllerDoesNot() {
        String seesLeader = "DESCRIBE GROUP LITERAL flotilla.leader";
        assertThat(List.of(
                        new KafkaAclPrincipal.CampaignAuthor(),
                        new KafkaAclPrincipal.Operator(),
                        new KafkaAclPrincipal.Approver(),
                        new KafkaAclPrincipal.Freezer(),
                        new KafkaAclPrincipal.PolicyEditor(),
                        new KafkaAclPrincipal.Reader()))
                .allSatisfy(person -> assertThat(rights(person)).contains(seesLeader));
        assertThat(rights(new KafkaAclPrincipal.CampaignController())).doesNotContain(seesLeader);
    }

    @Test
    void auditorReadsEverythingAndCanOnlyFreeze() {
        assertThat(writes(new KafkaAclPrincipal.Auditor()))
                .containsExactly("WRITE TOPIC LITERAL flotilla.auditor-orders");
        assertThat(rights(new KafkaAclPrincipal.Auditor()))
                .contains("READ TOPIC LITERAL flotilla.journal", "READ TOPIC PREFIXED flotilla.progress.");
        assertThat(writes(new KafkaAclPrincipal.Reader())).isEmpty();
    }

    @Test
    void campaignControllerWritesWhatPeopleMayWriteAndSeesNoMachine() {
        assertThat(writes(new KafkaAclPrincipal.CampaignController()))
                .containsExactly(
                        "WRITE TOPIC LITERAL flotilla.campaigns",
                        "WRITE TOPIC LITERAL flotilla.policies",
                        "WRITE TOPIC LITERAL flotilla.orders",
                        "WRITE TOPIC LITERAL flotilla.approvals",
                        "WRITE TOPIC LITERAL flotilla.freezes");
        assertThat(rights(new KafkaAclPrincipal.CampaignController()))
                .noneMatch(right -> right.contains("PREFIXED") || right.contains("journal"));
    }

    @Test
    void usesAnotherPrincipalName() {
        assertThat(ComponentAcls.bindingsFor(new KafkaAclPrincipal.Reader(), "anna"))
                .allSatisfy(binding -> {
                    assertThat(binding.entry().principal()).isEqualTo("User:anna");
                    assertThat(binding.entry().permissionType()).isEqualTo(AclPermissionType.ALLOW);
                });
        assertThat(new KafkaAclPrincipal.Watcher(SITE).defaultName()).isEqualTo("flotilla-watcher-a");
    }

    private static List<String> writes(KafkaAclPrincipal kafkaAclPrincipal) {
        return rights(kafkaAclPrincipal).stream()
                .filter(right -> !right.startsWith("READ") && !right.startsWith("DESCRIBE"))
                .toList();
    }

    private static List<String> rights(KafkaAclPrincipal kafkaAclPrincipal) {
        return ComponentAcls.bindingsFor(kafkaAclPrincipal).stream()
                .map(binding -> binding.entry().operation() + " "
                        + binding.pattern().resourceType() + " "
                        + binding.pattern().patternType() + " "
                        + binding.pattern().name())
                .toList();
    }
}
