package dev.flotilla.campaigncontroller.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.runtime.http.RejectedRequestException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers to AdmissionReviews. {@code CampaignControllerIT} has them called by a real API server. */
class ManifestWebhookTest {
    private static final String CAMPAIGN = "{'apiVersion': 'flotilla.dev/v1', 'kind': 'Campaign', 'metadata': {'name':"
            + " 'spring', 'namespace': 'fleet', 'labels': {'argocd.argoproj.io/instance': 'prod'}}, 'spec': {'target':"
            + " {'option': 'revision=7'}, 'select': {}}}";
    private static final String ORDER = "{'apiVersion': 'flotilla.dev/v1', 'kind': 'Order', 'metadata': {'name': 'one',"
            + " 'namespace': 'fleet'}, 'spec': {'verb': 'pause', 'campaign': 'spring', 'reason': 'storm'}}";

    @Test
    void aValidManifestIsAllowedAsItIs() {
        KubeObject response = answer(CAMPAIGN, "null");
        assertThat(response.bool("allowed")).isTrue();
        assertThat(response.has("patch")).isFalse();
    }

    @Test
    void allProblemsOfAManifestAreNamedAtOnce() {
        KubeObject response = answer(
                CAMPAIGN.replace("'revision=7'", "'version=1.33'").replace("'select': {}", "'priority': 'high'"),
                "null");
        assertThat(response.bool("allowed")).isFalse();
        assertThat(response.text("status", "message")).contains("spec.target.option", "spec.select", "spec.priority");
        assertThat(response.number("status", "code")).isEqualTo(422);
    }

    /** Such a record would be unreadable for the orchestrator, and nothing would be lifted. */
    @Test
    void anOrderThatNobodyCouldReadIsDenied() {
        KubeObject response = answer(
                ORDER.replace("'verb': 'pause', 'campaign': 'spring'", "'verb': 'unfreeze', 'liftedFreezes': ['']"),
                "null");
        assertThat(response.bool("allowed")).isFalse();
        assertThat(response.text("status", "message")).contains("liftedFreezes");
    }

    /** Defaults are written out in a row, so it is larger than what somebody has written. */
    @Test
    void aManifestWhoseRowWouldBeTooLargeIsDenied() {
        StringBuilder waves = new StringBuilder();
        for (int i = 0; i < 700; i++) {
            waves.append("{'name': 'wave-number-").append(i).append("', 'sites': ['site-with-a-long-name']},");
        }
        KubeObject response = answer(
                CAMPAIGN.replace("'select': {}", "'select': {}, 'waves': [" + waves + "{'name': 'rest'}]"), "null");
        assertThat(response.bool("allowed")).isFalse();
        assertThat(response.text("status", "message")).isNotEmpty();
    }

    /** The API server makes the name after it has asked the webhook. */
    @Test
    void anOrderMayHaveItsNameGenerated() {
        assertThat(answer(ORDER.replace("'name': 'one'", "'generateName': 'pause-'"), "null")
                        .bool("allowed"))
                .isTrue();
    }

    /** The controller removes its finalizer from an object that a later version would not accept. */
    @Test
    void anObjectThatIsBeingDeletedIsAllowed() {
        assertThat(answer(
                                CAMPAIGN.replace("'revision=7'", "'nonsense'")
                                        .replace("'name': 'spring'", "'deletionTimestamp': 'now', 'name': 'spring'"),
                                CAMPAIGN)
                        .bool("allowed"))
                .isTrue();
    }

    @Test
    void anOrderGetsTheNameOfItsAuthor() {
        KubeObject response = answer(ORDER, "null");
        assertThat(response.bool("allowed")).isTrue();
        assertThat(new String(
                        Base64.getDecoder().decode(Objects.requireNonNull(response.text("patch"))),
                        StandardCharsets.UTF_8))
                .isEqualTo("[{\"op\":\"add\",\"path\":\"/spec/requestedBy\",\"value\":\"jane\"}]");
    }

    @Test
    void anOrderDoesNotChange() {
        assertThat(answer(ORDER, ORDER).bool("allowed")).isTrue();
        KubeObject response = answer(ORDER.replace("pause", "run"), ORDER);
        assertThat(response.bool("allowed")).isFalse();
        assertThat(response.text("status", "message")).contains("create another Order");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'verb': 'explode', 'campaign': 'spring', 'reason': 'r'",
                "'verb': 'pause', 'reason': 'r'",
                "'verb': 'pause', 'campaign': 'spring', 'reason': ''",
                "'verb': 'pause', 'campaign': 'Spring', 'reason': 'r'",
                "'verb': 'pause', 'campaign': 'spring', 'site': 'east', 'reason': 'r'",
                "'verb': 'approve', 'campaign': 'spring', 'wave': 'canary', 'reason': 'r'",
                "'verb': 'approve', 'campaign': 'spring', 'reason': 'r', 'contentHash': 'a'",
                "'verb': 'skip', 'campaign': 'spring', 'machine': 'east/w-1', 'reason': 'r'",
                "'verb': 'freeze', 'reason': 'r', 'liftedFreezes': ['a']",
                "'verb': 'write-off', 'site': 'east', 'reason': 'r'"
            })
    void anOrderThatSaysTooLittleOrTooMuchIsDenied(String spec) {
        KubeObject response = answer(ORDER.replaceFirst("'spec': \\{.*}}", "'spec': {" + spec + "}}"), "null");
        assertThat(response.bool("allowed")).isFalse();
        assertThat(response.text("status", "message")).startsWith("spec.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'verb': 'abort', 'campaign': 'spring', 'reason': 'r'",
                "'verb': 'approve', 'campaign': 'spring', 'wave': 'canary', 'contentHash': '0123', 'reason': 'r'",
                "'verb': 'approve', 'campaign': 'spring', 'overlaps': 'winter', 'reason': 'r'",
                "'verb': 'skip', 'campaign': 'spring', 'machine': 'east/fleet/w-1', 'reason': 'r'",
                "'verb': 'freeze', 'reason': 'r'",
                "'verb': 'unfreeze', 'site': 'east', 'reason': 'r', 'liftedFreezes': ['a']"
            })
    void ordersThatAreComplete(String spec) {
        KubeObject response = answer(ORDER.replaceFirst("'spec': \\{.*}}", "'spec': {" + spec + "}}"), "null");
        assertThat(response.bool("allowed"))
                .as(String.valueOf(response.text("status", "message")))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{'kind': 'Pod'}", "{'apiVersion': 'flotilla.dev/v2', 'kind': 'Campaign'}"})
    void otherObjectsAreNoRequestOfThisWebhook(String object) {
        byte[] body = review(object.isEmpty() ? "null" : object, "null");
        assertThatThrownBy(() -> ManifestWebhook.answer(body)).isInstanceOf(RejectedRequestException.class);
    }

    private static byte[] review(String object, String oldObject) {
        return ("{'apiVersion': 'admission.k8s.io/v1', 'kind': 'AdmissionReview', 'request': {'uid': 'u-1', 'namespace':"
                        + " 'fleet', 'userInfo': {'username': 'jane'}, 'object': " + object + ", 'oldObject': "
                        + oldObject + "}}")
                .replace('\'', '"')
                .getBytes(StandardCharsets.UTF_8);
    }

    private static KubeObject answer(String object, String oldObject) {
        KubeObject review = Objects.requireNonNull(KubeObject.parse(
                new String(ManifestWebhook.answer(review(object, oldObject)), StandardCharsets.UTF_8)));
        assertThat(review.text("response", "uid")).isEqualTo("u-1");
        return review.object("response");
    }
}
