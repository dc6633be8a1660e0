package dev.flotilla.rules;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds groups of classes in which each uses each other, directly or through others: Tarjan's algorithm. */
final class ClassCycles {
    private final Map<String, Set<String>> edges;
    private final Map<String, Integer> index = new HashMap<>();
    private final Map<String, Integer> low = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final List<List<String>> cycles = new ArrayList<>();

    ClassCycles(Map<String, Set<String>> edges) {
        this.edges = edges;
    }

    List<List<String>> find() {
        for (String start : edges.keySet()) {
            if (!index.containsKey(start)) {
                visit(start);
            }
        }
        return cycles;
    }

    private void visit(String node) {
        index.put(node, index.size());
        low.put(node, index.get(node));
        open.push(node);
        for (String next : edges.getOrDefault(node, Set.of())) {
            if (!index.containsKey(next)) {
                visit(next);
                low.merge(node, low.get(next), Math::min);
            } else if (open.contains(next)) {
                low.merge(node, index.get(next), Math::min);
            }
        }
        if (low.get(node).equals(index.get(node))) {
            List<String> cycle = new ArrayList<>();
            String member;
            do {
                member = open.pop();
                cycle.add(member);
            } while (!member.equals(node));
            if (cycle.size() > 1) {
                cycles.add(cycle);
            }
        }
    }
}
