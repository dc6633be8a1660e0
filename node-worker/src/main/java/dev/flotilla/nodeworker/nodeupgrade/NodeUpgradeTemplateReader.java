package dev.flotilla.nodeworker.nodeupgrade;

import dev.flotilla.kube.ExpiringCache;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.kube.LabelKeys;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads templates of NodeUpgrades, and finds the kind of their objects. A kind counts only if its CRD says by a label that its
 * controller follows the contract: otherwise an author of policies could let the worker create any object. Methods block.
 */
public final class NodeUpgradeTemplateReader {
    /** The version of the contract, as the CRD's label says it. */
    private static final String CONTRACT_VERSION = "v1";

    private static final String TEMPLATE_SUFFIX = "Template";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
    private static final String WAY_OUT = "; deploy/crds and docs/extensions.md have what a kind of NodeUpgrades needs";
    private static final int MAX_KINDS = 100;
    private static final long KIND_NANOS = 300_000_000_000L;

    private final KubeApiClient api;
    private final ExpiringCache<String, KindLookup.KindFound> kinds;

    public NodeUpgradeTemplateReader(KubeApiClient api, LongSupplier ticks) {
        this.api = api;
        this.kinds = new ExpiringCache<>(MAX_KINDS, KIND_NANOS, ticks);
    }

    /** Result of reading a template. */
    public sealed interface TemplateResult {

        /**
         * A template that can be used.
         *
         * @param spec what its NodeUpgrades have beside the fields of the contract
         */
        record TemplateFound(NodeUpgradeKind kind, JsonObjectReader spec) implements TemplateResult {}

        /** Somebody must change the template or its kind. */
        record TemplateUnusable(String reason) implements TemplateProblem {}

        /**
         * The worker may not read it. An API server that has just started forbids for a moment what it allows later.
         */
        record TemplateForbidden(String reason) implements TemplateProblem {}

        /** The template cannot be read now. */
        record TemplateUnavailable(String reason) implements TemplateProblem {}
    }

    /** Why there is no template. */
    public sealed interface TemplateProblem extends TemplateResult {
        String reason();
    }

    /** Result of finding the kind of a template's objects. */
    private sealed interface KindLookup {

        /**
         * The kind of the objects.
         *
         * @param templatePlural the resource of the template itself
         */
        record KindFound(NodeUpgradeKind objectKind, String templatePlural) implements KindLookup {}

        /** No kind was found, which is the result of reading the template too. */
        record NoKind(TemplateProblem result) implements KindLookup {}
    }

    private static KindLookup unusable(String reason) {
        return new KindLookup.NoKind(new TemplateResult.TemplateUnusable(reason + WAY_OUT));
    }

    private static KindLookup unavailable(String reason) {
        return new KindLookup.NoKind(new TemplateResult.TemplateUnavailable(reason));
    }

    /**
     * Runs an action with the kind of a template's objects.
     *
     * @param notFound makes the result from the reason if the kind cannot be found now
     */
    public <T> T withKind(
            NodeUpgradeTemplateRef ref, Function<NodeUpgradeKind, T> action, Function<String, T> notFound) {
        return switch (lookUpKind(ref)) {
            case KindLookup.KindFound found -> action.apply(found.objectKind());
            case KindLookup.NoKind none -> notFound.apply(none.result().reason());
        };
    }

    /** Reads a template. */
    public TemplateResult readTemplate(String namespace, NodeUpgradeTemplateRef ref) {
        return switch (lookUpKind(ref)) {
            case KindLookup.NoKind none -> none.result();
            case KindLookup.KindFound found -> readTemplate(namespace, ref, found);
        };
    }

    private TemplateResult readTemplate(String namespace, NodeUpgradeTemplateRef ref, KindLookup.KindFound found) {
        String shown = ref.kind() + " " + namespace + "/" + ref.name();
        KubeResponse response =
                api.get(KubeApiPath.groupObject(ref.apiVersion(), namespace, found.templatePlural(), ref.name()));
        if (response.isMissing()) {
            return new TemplateResult.TemplateUnusable("there is no " + shown + ", which the policy's providers name");
        }
        if (response.isForbidden()) {
            return new TemplateResult.TemplateForbidden(
                    shown + " cannot be read: " + response.problem() + NodeUpgradeCaller.PERMISSION_WAY_OUT);
        }
        if (!(response instanceof KubeResponse.SuccessResponse success)) {
            return new TemplateResult.TemplateUnavailable(shown + " cannot be read: " + response.problem());
        }
        return success.object().valueAt("spec", "template", "spec") instanceof JsonObjectReader spec
                ? new TemplateResult.TemplateFound(found.objectKind(), spec)
                : new TemplateResult.TemplateUnusable(shown + " has no object spec.template.spec");
    }

    private KindLookup lookUpKind(NodeUpgradeTemplateRef ref) {
        String key = ref.apiVersion() + " " + ref.kind();
        KindLookup.KindFound cached = kinds.get(key);
        if (cached != null) {
            return cached;
        }
        KindLookup lookup = readKind(ref);
        if (lookup instanceof KindLookup.KindFound found) {
            kinds.put(key, found);
        }
        return lookup;
    }

    private KindLookup readKind(NodeUpgradeTemplateRef ref) {
        String apiVersion = ref.apiVersion();
        int slash = apiVersion.indexOf('/');
        String group = apiVersion.substring(0, Math.max(0, slash));
        String shown = RedactedText.redact(apiVersion + " " + ref.kind());
        if (NameValidator.problemOfSubdomain(group) != null
                || NameValidator.problemOfLabel(apiVersion.substring(slash + 1)) != null) {
            return unusable("template kind " + shown + " has no API group and version");
        }
        if (!ref.kind().endsWith(TEMPLATE_SUFFIX) || ref.kind().length() == TEMPLATE_SUFFIX.length()) {
            return unusable("template kind " + shown + " does not end in " + TEMPLATE_SUFFIX);
        }
        KubeResponse served = api.get("/apis/" + apiVersion);
        if (served.isMissing()) {
            return unusable("the management cluster does not serve " + RedactedText.redact(apiVersion));
        }
        if (!(served instanceof KubeResponse.SuccessResponse success)) {
            return unavailable(
                    "the kinds of " + RedactedText.redact(apiVersion) + " cannot be read: " + served.problem());
        }
        String objectKind = ref.kind().substring(0, ref.kind().length() - TEMPLATE_SUFFIX.length());
        String templatePlural = pluralOf(success.object(), ref.kind());
        String plural = pluralOf(success.object(), objectKind);
        if (templatePlural == null || plural == null) {
            return unusable("the management cluster does not serve kind "
                    + RedactedText.redact(templatePlural == null ? ref.kind() : objectKind) + " of "
                    + RedactedText.redact(apiVersion) + " in namespaces");
        }
        return checkContract(
                plural + "." + group,
                new KindLookup.KindFound(new NodeUpgradeKind(apiVersion, objectKind, plural), templatePlural));
    }

    private static @Nullable String pluralOf(KubeObject resources, String kind) {
        for (KubeObject resource : resources.list("resources")) {
            String name = resource.text("name");
            if (kind.equals(resource.text("kind"))
                    && resource.bool("namespaced")
                    && name != null
                    && NameValidator.problemOfLabel(name) == null) {
                return name;
            }
        }
        return null;
    }

    private KindLookup checkContract(String definition, KindLookup.KindFound found) {
        KubeResponse response = api.get(DEFINITIONS + definition);
        if (response.isForbidden()) {
            return new KindLookup.NoKind(new TemplateResult.TemplateForbidden("CRD " + definition + " cannot be read: "
                    + response.problem() + "; apply deploy/node-worker/rbac-management.yaml"));
        }
        if (!(response instanceof KubeResponse.SuccessResponse success)) {
            return response.isMissing()
                    ? unusable("there is no CRD " + definition)
                    : unavailable("CRD " + definition + " cannot be read: " + response.problem());
        }
        String version = success.object().label(LabelKeys.NODE_UPGRADE);
        return CONTRACT_VERSION.equals(version)
                ? found
                : unusable("CRD " + definition
                        + (version == null
                                ? " has no label " + LabelKeys.NODE_UPGRADE
                                : " has label " + LabelKeys.NODE_UPGRADE + ": " + RedactedText.redact(version))
                        + ", which must be " + CONTRACT_VERSION);
    }
}
