package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.LabelSelector.LabelOperator;
import dev.flotilla.schemas.row.LabelSelector.LabelRequirement;
import dev.flotilla.schemas.row.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** JSON codec for label selectors in the form of Kubernetes. */
final class LabelSelectorCodec {
    static final JsonCodec<LabelSelector> SELECTOR = selector();

    private LabelSelectorCodec() {}

    private static JsonCodec<LabelSelector> selector() {
        var selector = JsonObjectCodec.<LabelSelector>of(
                "selector", "A Kubernetes label selector: every requirement must hold.");
        var labels = selector.optional(
                "matchLabels",
                SharedValueCodecs.LABELS,
                "Labels that must have these values.",
                LabelSelectorCodec::leading);
        var expressions = selector.optional(
                "matchExpressions",
                new ListCodec<>(requirement(), 64),
                "Requirements that must all hold.",
                LabelSelectorCodec::trailing);
        return selector.build(v -> {
            List<LabelRequirement> requirements = new ArrayList<>();
            Labels exact = v.get(labels);
            if (exact != null) {
                exact.values()
                        .forEach((key, value) ->
                                requirements.add(new LabelRequirement(key, LabelOperator.IN, List.of(value))));
            }
            List<LabelRequirement> others = v.get(expressions);
            if (others != null) {
                requirements.addAll(others);
            }
            return new LabelSelector(requirements);
        });
    }

    private static JsonCodec<LabelRequirement> requirement() {
        var requirement = JsonObjectCodec.<LabelRequirement>of("requirement", "A requirement on one label.");
        var key = requirement.required("key", ScalarCodecs.text(1, 317), "The label's name.", LabelRequirement::key);
        var operator = requirement.required(
                "operator",
                EnumCodec.of(LabelOperator.class, LabelOperator::label),
                "The operator. In and NotIn need values, the others take none.",
                LabelRequirement::operator);
        var values = requirement.<List<String>>defaulted(
                "values",
                new ListCodec<>(ScalarCodecs.text(0, 63), 256),
                List.of(),
                "The values that the label is compared with.",
                LabelRequirement::values);
        return requirement.build((v, at, problems) ->
                checked(new LabelRequirement(v.get(key), v.get(operator), v.get(values)), at, problems));
    }

    private static @Nullable LabelRequirement checked(
            LabelRequirement requirement, JsonValue at, ProblemCollector problems) {
        boolean takesValues = switch (requirement.operator()) {
            case IN, NOT_IN -> true;
            case EXISTS, DOES_NOT_EXIST -> false;
        };
        if (takesValues == requirement.values().isEmpty()) {
            problems.addBadValue(
                    at,
                    "must have " + (takesValues ? "values" : "no values") + " with the operator "
                            + requirement.operator().label(),
                    null);
            return null;
        }
        return requirement;
    }

    /** Whether requirements can be written as {@code matchLabels} and are read again in the same order. */
    private static int leadingCount(LabelSelector selector) {
        int count = 0;
        String last = "";
        for (LabelRequirement requirement : selector.requirements()) {
            boolean exact = requirement.operator() == LabelOperator.IN
                    && requirement.values().size() == 1
                    && requirement.key().compareTo(last) > 0;
            if (!exact) {
                return count;
            }
            last = requirement.key();
            count++;
        }
        return count;
    }

    private static @Nullable Labels leading(LabelSelector selector) {
        int count = leadingCount(selector);
        TreeMap<String, String> labels = new TreeMap<>();
        for (LabelRequirement requirement : selector.requirements().subList(0, count)) {
            labels.put(requirement.key(), requirement.values().get(0));
        }
        return count == 0 ? null : new Labels(labels);
    }

    private static @Nullable List<LabelRequirement> trailing(LabelSelector selector) {
        int count = leadingCount(selector);
        List<LabelRequirement> all = selector.requirements();
        return count == all.size() ? null : all.subList(count, all.size());
    }
}
