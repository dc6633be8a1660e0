package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.Wave;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The waves of a campaign. */
final class WaveCodec {
    static final int MAX_WAVES = 64;
    static final int MAX_SITES = 250;

    static final Codec<List<Wave>> WAVES = new Lists<>(wave(), MAX_WAVES);
    /** What a campaign without waves has. */
    static final List<Wave> ONE = List.of(new Wave("all", List.of(), Selector.ALL, false, 100));

    /** When a wave waits for a person. */
    private enum Approval {
        NONE,
        BEFORE;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private WaveCodec() {}

    private static Codec<Wave> wave() {
        var wave = RecordCodec.<Wave>of(
                "wave",
                "A part of a campaign. A cluster is in the first wave that selects it, whole; the last wave has no"
                        + " selector and takes everything that is left.");
        var name = wave.required("name", Ids.LABEL, "The wave's name, unique in the campaign.", Wave::name);
        var sites = wave.<List<SiteId>>defaulted(
                "sites",
                new Lists<>(Ids.SITE, MAX_SITES),
                List.of(),
                "The sites whose clusters it takes; empty asks for no site.",
                Wave::sites);
        var clusters = wave.defaulted(
                "clusters",
                SelectorCodec.SELECTOR,
                Selector.ALL,
                "The labels of the clusters that it takes.",
                Wave::clusters);
        wave.later(
                "percent",
                Scalars.integer(1, 100),
                "a wave by percentage",
                "How many of a hundred clusters it takes, of all that are selected.");
        wave.later(
                "count",
                Scalars.integer(1, 1_000_000),
                "a wave by count",
                "How many machines it takes, turned into a percentage once, at acceptance.");
        wave.later(
                "soak",
                Scalars.duration(Duration.ZERO, Duration.ofDays(90)),
                "a soak time",
                "How long the next wave waits after the last success of this one.");
        var approval = wave.defaulted(
                "approval",
                Choice.of(Approval.class, Approval::label, Map.of("after", "an approval after a wave")),
                Approval.NONE,
                "Whether a person's order is waited for: none, before the wave begins, or after it. This version refuses"
                        + " \"after\".",
                w -> w.approval() ? Approval.BEFORE : Approval.NONE);
        var success = wave.defaulted(
                "successPercent",
                Scalars.integer(1, 100),
                100,
                "How many of a hundred of its machines must succeed before the next wave begins; skipped machines do not"
                        + " count.",
                Wave::successPercent);
        return wave.build(v -> new Wave(
                v.get(name), v.get(sites), v.get(clusters), v.get(approval) == Approval.BEFORE, v.get(success)));
    }

    /** Whether the waves go together; tells what does not. The place is that of the list. */
    static boolean check(List<Wave> waves, Tree.Arr at, Problems problems) {
        int before = problems.found().size();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < waves.size(); i++) {
            Wave wave = waves.get(i);
            boolean selects =
                    !wave.sites().isEmpty() || !wave.clusters().requirements().isEmpty();
            boolean last = i == waves.size() - 1;
            problems.enter(i);
            if (!names.add(wave.name())) {
                problems.badValue(at.items().get(i), "has the name \"" + wave.name() + "\" of an earlier wave", null);
            }
            if (last && selects) {
                problems.badValue(
                        at.items().get(i),
                        "is the last wave and must select nothing, since it takes the rest",
                        "add a last wave such as {name: rest}");
            }
            if (!last && !selects) {
                problems.badValue(
                        at.items().get(i), "has no sites and no clusters: only the last wave may take the rest", null);
            }
            problems.leave();
        }
        return problems.found().size() == before;
    }
}
