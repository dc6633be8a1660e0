package dev.flotilla.managementwatcher.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.runtime.http.RejectedRequestException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers to AdmissionReviews. {@code InterceptWebhookIT} has them called by a real API server. */
class InterceptWebhookTest {
    private static final String KEY = "v1beta2.k8sd.io/in-place-upgrade-to";
    private static final KubeResponse RELEASES = new KubeResponse.SuccessResponse(SampleObjects.kube(
            "{'data': {'MachineDeployment.workers': 'revision=7', 'MachineSet.lone': 'revision=8'}}"));

    @Test
    void renamesTheProvidersAnnotation() {
        KubeObject response = answer(InterceptWebhook.RENAME_PATH, RELEASES, annotated("revision=7"), null);
        assertThat(response.text("uid")).isEqualTo("u-1");
        assertThat(response.bool("allowed")).isTrue();
        assertThat(patch(response))
                .isEqualTo(
                        "[{\"op\":\"remove\",\"path\":\"/metadata/annotations/v1beta2.k8sd.io~1in-place-upgrade-to\"},"
                                + "{\"op\":\"add\",\"path\":\"/metadata/annotations/flotilla.dev~1upgrade-to\",\"value\":\"revision=7\"}]");
        assertThat(response.texts("warnings"))
                .containsExactly("followed as flotilla.dev/upgrade-to; to cancel, remove that annotation, not " + KEY);
    }

    @Test
    void keepsAnAnnotationThatWasThereBefore() {
        assertThat(patch(answer(
                        InterceptWebhook.RENAME_PATH, RELEASES, annotated("revision=7"), annotated("revision=7"))))
                .isNull();
        assertThat(patch(answer(
                        InterceptWebhook.RENAME_PATH, RELEASES, annotated("revision=8"), annotated("revision=7"))))
                .contains("revision=8");
        assertThat(patch(answer(InterceptWebhook.RENAME_PATH, RELEASES, "{'metadata': {}}", annotated("revision=7"))))
                .isNull();
    }

    @Test
    void joinerGetsTheReleaseOfItsOwner() {
        String labelled = "{'metadata': {'labels': {'cluster.x-k8s.io/deployment-name': 'workers'}}}";
        assertThat(patch(answer(InterceptWebhook.JOINER_PATH, RELEASES, labelled, null)))
                .isEqualTo(
                        "[{\"op\":\"add\",\"path\":\"/metadata/annotations\",\"value\":{}},{\"op\":\"add\",\"path\":"
                                + "\"/metadata/annotations/v1beta2.k8sd.io~1in-place-upgrade-release\",\"value\":\"revision=7\"}]");
        String owned = "{'metadata': {'annotations': {'a': 'b'}, 'ownerReferences':"
                + " [{'controller': true, 'kind': 'MachineSet', 'name': 'lone'}]}}";
        assertThat(patch(answer(InterceptWebhook.JOINER_PATH, RELEASES, owned, null)))
                .contains("revision=8")
                .doesNotContain("\"value\":{}");
        for (String none : List.of(
                "{'metadata': {}}",
                owned.replace("lone", "another"),
                owned.replace("'a'", "'v1beta2.k8sd.io/in-place-upgrade-release'"))) {
            assertThat(patch(answer(InterceptWebhook.JOINER_PATH, RELEASES, none, null)))
                    .as(none)
                    .isNull();
        }
    }

    @Test
    void joinsWithAWarningWhileTheReleasesCannotBeRead() {
        String labelled = "{'metadata': {'labels': {'cluster.x-k8s.io/deployment-name': 'workers'}}}";
        KubeObject forbidden =
                answer(InterceptWebhook.JOINER_PATH, new KubeResponse.NoResponse("connection refused"), labelled, null);
        assertThat(forbidden.bool("allowed")).isTrue();
        assertThat(patch(forbidden)).isNull();
        assertThat(forbidden.texts("warnings"))
                .singleElement()
                .asString()
                .contains("flotilla-default-releases cannot be read", "connection refused");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{'apiVersion': 'admission.k8s.io/v1beta1', 'request': {'uid': 'u', 'namespace': 'a'}}",
                "{'apiVersion': 'admission.k8s.io/v1', 'request': {'namespace': 'a'}}",
                "{'apiVersion': 'admission.k8s.io/v1', 'request': {'uid': 'u'}}",
                "{'apiVersion': 'admission.k8s.io/v1', 'request': {'uid': 'u', 'namespace': '../b'}}",
                "{'apiVersion': 'admission.k8s.io/v1', 'request': {'uid': 'u', 'namespace': 'a'}, 'request': {}}"
            })
    void otherBodiesAreRejected(String body) {
        InterceptWebhook webhook = new InterceptWebhook((namespace, name) -> RELEASES);
        byte[] sent = body.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> webhook.answer(InterceptWebhook.JOINER_PATH, sent))
                .isInstanceOf(RejectedRequestException.class);
    }

    private static String annotated(String target) {
        return "{'metadata': {'annotations': {'" + KEY + "': '" + target + "'}}}";
    }

    private static KubeObject answer(String path, KubeResponse releases, String object, @Nullable String oldObject) {
        String review = "{'apiVersion': 'admission.k8s.io/v1', 'kind': 'AdmissionReview', 'request': {'uid': 'u-1',"
                + " 'namespace': 'fleet', 'object': " + object + ", 'oldObject': " + oldObject + "}}";
        byte[] answer = new InterceptWebhook((namespace, name) -> {
                    assertThat(namespace + "/" + name).isEqualTo("fleet/flotilla-default-releases");
                    return releases;
                })
                .answer(path, review.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        KubeObject read = Objects.requireNonNull(KubeObject.parse(new String(answer, StandardCharsets.UTF_8)));
        assertThat(read.text("apiVersion")).isEqualTo("admission.k8s.io/v1");
        return read.object("response");
    }

    private static @Nullable String patch(KubeObject response) {
        String patch = response.text("patch");
        return patch == null ? null : new String(Base64.getDecoder().decode(patch), StandardCharsets.UTF_8);
    }
}
