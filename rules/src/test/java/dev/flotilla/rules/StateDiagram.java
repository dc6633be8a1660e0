package dev.flotilla.rules;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The observed transitions of one sealed type of states, as a Mermaid diagram in the order of the type's declaration. */
final class StateDiagram {
    /** Begin or end of the states. */
    static final String OUTSIDE = "[*]";

    private final List<String> states;
    private final Map<Transition, Set<String>> labels = new TreeMap<>(Comparator.comparingInt(this::rankOfFrom)
            .thenComparingInt(this::rankOfTo)
            .thenComparing(Transition::from)
            .thenComparing(Transition::to));

    private record Transition(String from, String to) {}

    StateDiagram(Class<?> sealedType) {
        this.states = Stream.of(sealedType.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .toList();
    }

    /** Adds a transition; staying in a state is none. */
    void add(String from, String to, String label) {
        if (!from.equals(to)) {
            labels.computeIfAbsent(new Transition(from, to), key -> new TreeSet<>())
                    .add(label);
        }
    }

    /** States of the type that no transition leads to. */
    List<String> unreachedStates() {
        Set<String> reached = labels.keySet().stream().map(Transition::to).collect(Collectors.toSet());
        return states.stream().filter(state -> !reached.contains(state)).toList();
    }

    String toMermaid() {
        List<String> lines = new ArrayList<>(List.of("```mermaid", "stateDiagram-v2"));
        labels.forEach((transition, causes) ->
                lines.add("    " + transition.from() + " --> " + transition.to() + ": " + String.join(", ", causes)));
        lines.add("```");
        return String.join("\n", lines) + "\n";
    }

    private int rankOfFrom(Transition transition) {
        return rank(transition.from());
    }

    private int rankOfTo(Transition transition) {
        int rank = rank(transition.to());
        return rank < 0 ? states.size() : rank;
    }

    /** A state's place in its declaration; what is outside comes first. */
    private int rank(String state) {
        return states.indexOf(state);
    }

    Set<String> names() {
        return new LinkedHashSet<>(states);
    }
}
