package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.Selector.Operator;
import dev.flotilla.schemas.row.Selector.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Label selectors in the form of Kubernetes. */
final class SelectorCodec {
    static final Codec<Selector> SELECTOR = selector();

    private SelectorCodec() {}

    private static Codec<Selector> selector() {
        var selector =
                RecordCodec.<Selector>of("selector", "A Kubernetes label selector: every requirement must hold.");
        var labels = selector.optional(
                "matchLabels", Parts.LABELS, "Labels that must be there with these values.", SelectorCodec::leading);
        var expressions = selector.optional(
                "matchExpressions",
                new Lists<>(requirement(), 64),
                "Requirements that must all hold.",
                SelectorCodec::trailing);
        return selector.build(v -> {
            List<Requirement> requirements = new ArrayList<>();
            Labels exact = v.get(labels);
            if (exact != null) {
                exact.values()
                        .forEach((key, value) -> requirements.add(new Requirement(key, Operator.IN, List.of(value))));
            }
            List<Requirement> others = v.get(expressions);
            if (others != null) {
                requirements.addAll(others);
            }
            return new Selector(requirements);
        });
    }

    private static Codec<Requirement> requirement() {
        var requirement = RecordCodec.<Requirement>of("requirement", "What is asked of one label.");
        var key = requirement.required("key", Scalars.text(1, 317), "The label's name.", Requirement::key);
        var operator = requirement.required(
                "operator",
                Choice.of(Operator.class, Operator::label),
                "How the label is compared. In and NotIn need values, the others take none.",
                Requirement::operator);
        var values = requirement.<List<String>>defaulted(
                "values",
                new Lists<>(Scalars.text(0, 63), 256),
                List.of(),
                "The values to compare with.",
                Requirement::values);
        return requirement.build((v, at, problems) ->
                checked(new Requirement(v.get(key), v.get(operator), v.get(values)), at, problems));
    }

    private static @Nullable Requirement checked(Requirement requirement, Tree at, Problems problems) {
        boolean takesValues = switch (requirement.operator()) {
            case IN, NOT_IN -> true;
            case EXISTS, DOES_NOT_EXIST -> false;
        };
        if (takesValues == requirement.values().isEmpty()) {
            problems.badValue(
                    at,
                    "must have " + (takesValues ? "values" : "no values") + " with the operator "
                            + requirement.operator().label(),
                    null);
            return null;
        }
        return requirement;
    }

    /** What can be written as {@code matchLabels} so that it is read again in the same order. */
    private static int leadingCount(Selector selector) {
        int count = 0;
        String last = "";
        for (Requirement requirement : selector.requirements()) {
            boolean exact = requirement.operator() == Operator.IN
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

    private static @Nullable Labels leading(Selector selector) {
        int count = leadingCount(selector);
        TreeMap<String, String> labels = new TreeMap<>();
        for (Requirement requirement : selector.requirements().subList(0, count)) {
            labels.put(requirement.key(), requirement.values().get(0));
        }
        return count == 0 ? null : new Labels(labels);
    }

    private static @Nullable List<Requirement> trailing(Selector selector) {
        int count = leadingCount(selector);
        List<Requirement> all = selector.requirements();
        return count == all.size() ? null : all.subList(count, all.size());
    }
}
