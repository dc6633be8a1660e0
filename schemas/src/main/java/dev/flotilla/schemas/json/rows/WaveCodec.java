package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.Wave;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The waves of a campaign. */
final class WaveCodec {
    static final int MAX_WAVES = 64;
    static final int MAX_SITES = 250;

    static final Codec<List<Wave>> WAVES = new Lists<>(wave(), MAX_WAVES);
    /** What a campaign without waves has. */
    static final List<Wave> ONE = List.of(new Wave("all", List.of(), Selector.ALL, false, 100));

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
        var percent = wave.optional(
                "percent",
                Scalars.integer(1, 100),
                "How many of a hundred of these clusters it takes; at least one. Which ones, a hash of their names says.",
                w -> w.takes() instanceof Limit.Percent share ? share.percent() : null);
        var count = wave.optional(
                "count",
                Scalars.integer(1, 1_000_000),
                "How many machines it takes at most, in whole clusters and at least one; turned into a share of the"
                        + " clusters once, at acceptance.",
                w -> w.takes() instanceof Limit.Count machines ? machines.count() : null);
        var soak = wave.usual(
                "soak",
                Scalars.duration(Duration.ZERO, Duration.ofDays(90)),
                Duration.ZERO,
                "How long after its last success it is done with at the earliest.",
                Wave::soak);
        var approval = wave.defaulted(
                "approval",
                Choice.of(Wave.Approval.class, Wave.Approval::label),
                Wave.Approval.NONE,
                "Whether a person's order is waited for: none, before the wave begins, or after its successes, before the"
                        + " next one begins.",
                Wave::approval);
        var success = wave.defaulted(
                "successPercent",
                Scalars.integer(1, 100),
                100,
                "How many of a hundred of its machines must succeed before the next wave begins; skipped machines do not"
                        + " count.",
                Wave::successPercent);
        return wave.build((v, at, problems) -> {
            Integer share = v.get(percent);
            Integer machines = v.get(count);
            if (share != null && machines != null) {
                problems.add(
                        RejectionReason.CONTRADICTION, at, "has a percent and a count", "leave one of the two out");
                return null;
            }
            Limit takes =
                    share != null ? new Limit.Percent(share) : machines != null ? new Limit.Count(machines) : null;
            return new Wave(
                    v.get(name), v.get(sites), v.get(clusters), takes, v.get(approval), v.get(success), v.get(soak));
        });
    }

    /** Whether the waves go together; tells what does not. The place is that of the list. */
    static boolean check(List<Wave> waves, Tree.Arr at, Problems problems) {
        int before = problems.found().size();
        Set<String> names = new HashSet<>();
        int percents = 0;
        for (int i = 0; i < waves.size(); i++) {
            Wave wave = waves.get(i);
            boolean ofAll =
                    wave.sites().isEmpty() && wave.clusters().requirements().isEmpty();
            boolean selects = !ofAll || wave.takes() != null;
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
                        at.items().get(i),
                        "has no sites, clusters, percent or count: only the last wave may take the rest",
                        null);
            }
            percents += ofAll && wave.takes() instanceof Limit.Percent share ? share.percent() : 0;
            if (percents > Limit.HUNDRED_PERCENT) {
                problems.badValue(at.items().get(i), "takes, with the waves before it, " + percents + "%", null);
            }
            problems.leave();
        }
        return problems.found().size() == before;
    }
}
