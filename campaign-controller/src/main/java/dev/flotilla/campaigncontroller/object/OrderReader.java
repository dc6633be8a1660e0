package dev.flotilla.campaigncontroller.object;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.topic.OperatorOrderKeyFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the spec of an Order. */
public final class OrderReader {
    private static final int MAX_REASON = 1_024;
    private static final int MAX_LIFTED_FREEZES = 16;
    private static final String ANY_UID = "00000000-0000-0000-0000-000000000000";
    private static final List<String> SUBJECTS = List.of("campaign", "wave", "overlaps", "machine", "site");

    /** The verbs that an Order may have. The rest needs what only its command shows, such as the machines that are missing. */
    public static final List<OrderVerb> VERBS = List.of(
            OrderVerb.RUN,
            OrderVerb.PAUSE,
            OrderVerb.ABORT,
            OrderVerb.APPROVE,
            OrderVerb.SKIP,
            OrderVerb.RETRY,
            OrderVerb.FREEZE,
            OrderVerb.UNFREEZE);

    private final KubeObject spec;
    private final List<String> problems = new ArrayList<>();

    private OrderReader(KubeObject spec) {
        this.spec = spec;
    }

    /** An order, or all problems of the object. */
    public sealed interface OrderResult {}

    /** The object is valid. */
    public record ValidOrder(OrderRequest request) implements OrderResult {}

    /** The object is not valid. */
    public record InvalidOrder(List<String> problems) implements OrderResult {
        public InvalidOrder {
            problems = List.copyOf(problems);
        }
    }

    /** Reads an Order. */
    public static OrderResult read(HubObject object) {
        OrderReader reader = new OrderReader(object.json().object("spec"));
        OrderRequest request = reader.readRequest(object);
        if (request == null || !reader.problems.isEmpty()) {
            return new InvalidOrder(reader.problems);
        }
        // Its uid and which campaigns it is about are found out later; for this, any will do.
        Long campaign = request.key() instanceof OperatorOrderKey.CampaignOrder ? Long.valueOf(1) : null;
        Long other = request.overlappedCampaign() == null ? null : Long.valueOf(1);
        List<String> problems = RowCheck.findProblems(request.toOrder(ANY_UID, campaign, other));
        return problems.isEmpty() ? new ValidOrder(request) : new InvalidOrder(problems);
    }

    private @Nullable OrderRequest readRequest(HubObject object) {
        String reason = text("reason");
        if (reason.isBlank() || reason.length() > MAX_REASON) {
            problems.add("spec.reason must have 1 to " + MAX_REASON + " characters; it is kept in the journal");
        }
        String author = text("requestedBy");
        String requestedBy = author.isEmpty() ? "kubernetes:" + object.namespace() + "/" + object.name() : author;
        if (requestedBy.equals(OperatorOrder.AUDITOR) || requestedBy.length() > ScalarCodecs.MAX_TOKEN) {
            problems.add("spec.requestedBy \"" + requestedBy + "\" is no author of orders");
        }
        OrderVerb verb = VERBS.stream()
                .filter(each -> each.label().equals(text("verb")))
                .findFirst()
                .orElse(null);
        if (verb == null) {
            problems.add("spec.verb \"" + text("verb") + "\" must be one of "
                    + String.join(", ", VERBS.stream().map(OrderVerb::label).toList()));
            return null;
        }
        OperatorOrderKey key = readKey(verb);
        if (key == null) {
            return null;
        }
        return new OrderRequest(
                key, verb, requestedBy, reason, readContentHash(key), overlapped(key), readLiftedFreezes(verb));
    }

    /** Finds the key: its fields are those that the verb needs, and no others. */
    private @Nullable OperatorOrderKey readKey(OrderVerb verb) {
        return switch (verb) {
            case RUN, PAUSE, ABORT -> key(campaign() + "/state", "campaign");
            case RETRY -> key(campaign() + "/retry", "campaign");
            case SKIP -> key(campaign() + "/skip/" + text("machine"), "campaign", "machine");
            case APPROVE ->
                spec.has("overlaps")
                        ? key(campaign() + "/overlap", "campaign", "overlaps")
                        : key(campaign() + "/approve/" + text("wave"), "campaign", "wave");
            default -> spec.has("site") ? key("site/" + text("site") + "/freeze", "site") : key("fleet/freeze");
        };
    }

    private @Nullable OperatorOrderKey key(String text, String... needed) {
        TreeSet<String> surplus = new TreeSet<>(SUBJECTS);
        surplus.removeAll(List.of(needed));
        surplus.removeIf(field -> !spec.has(field));
        surplus.forEach(field -> problems.add("spec." + field + " does not belong to verb " + text("verb")));
        List<String> missing =
                List.of(needed).stream().filter(field -> text(field).isEmpty()).toList();
        missing.forEach(field -> problems.add("spec." + field + " is missing: verb " + text("verb") + " needs it"));
        if (!missing.isEmpty()) {
            return null;
        }
        OperatorOrderKey key = OperatorOrderKeyFormat.parse(text);
        if (key == null) {
            for (String field : needed) {
                problems.add("spec." + field + " \"" + text(field) + "\" is no name of a " + describe(field));
            }
        }
        return key;
    }

    private static String describe(String field) {
        return switch (field) {
            case "machine" -> "machine: it is <site>/<namespace>/<name>";
            case "overlaps" -> "campaign";
            default -> field;
        };
    }

    private String campaign() {
        return text("campaign");
    }

    private @Nullable String readContentHash(OperatorOrderKey key) {
        String hash = text("contentHash");
        if (!(key instanceof OperatorOrderKey.ApproveWave)) {
            if (!hash.isEmpty()) {
                problems.add("spec.contentHash belongs to the approval of a wave");
            }
            return null;
        }
        if (hash.isEmpty() || hash.length() > ScalarCodecs.MAX_TOKEN) {
            problems.add(
                    "spec.contentHash is missing: write status.contentHash of the Campaign that you have reviewed");
        }
        return hash;
    }

    private @Nullable CampaignName overlapped(OperatorOrderKey key) {
        if (!(key instanceof OperatorOrderKey.ApproveOverlap)) {
            return null;
        }
        String name = text("overlaps");
        if (NameValidator.problemOfOwnName(name) == null) {
            return new CampaignName(name);
        }
        problems.add("spec.overlaps \"" + name + "\" is no name of a campaign");
        return null;
    }

    private List<String> readLiftedFreezes(OrderVerb verb) {
        List<String> lifted = spec.texts("liftedFreezes");
        if (!lifted.isEmpty() && verb != OrderVerb.UNFREEZE) {
            problems.add("spec.liftedFreezes belongs to verb " + OrderVerb.UNFREEZE.label());
        }
        if (lifted.size() > MAX_LIFTED_FREEZES) {
            problems.add("spec.liftedFreezes has more than " + MAX_LIFTED_FREEZES + " ids");
        }
        return lifted;
    }

    private String text(String field) {
        String text = spec.text(field);
        return text == null ? "" : text;
    }
}
