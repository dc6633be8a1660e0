package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Wave;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** JSON codec for the waves of a campaign. */
final class WaveCodec {
    static final int MAX_WAVES = 64;
    static final int MAX_SITES = 250;

    static final JsonCodec<List<Wave>> WAVES = new ListCodec<>(wave(), MAX_WAVES);

    private WaveCodec() {}

    private static JsonCodec<Wave> wave() {
        var wave = JsonObjectCodec.<Wave>of(
                "wave",
                "A part of a campaign's clusters, each with all its machines. A cluster is in the first wave that selects"
                        + " it; the last wave has no selector and takes the remaining clusters.");
        var name = wave.required("name", IdCodecs.LABEL, "The wave's name, unique in the campaign.", Wave::name);
        var sites = wave.<List<SiteId>>defaulted(
                "sites",
                new ListCodec<>(IdCodecs.SITE, MAX_SITES),
                List.of(),
                "The sites whose clusters it takes. Default: any site.",
                Wave::sites);
        var clusters = wave.defaulted(
                "clusters",
                LabelSelectorCodec.SELECTOR,
                LabelSelector.ALL,
                "The labels of the clusters that it takes.",
                Wave::clusters);
        var percent = wave.optional(
                "percent",
                ScalarCodecs.integer(1, 100),
                "The percentage of these clusters that it takes, at least one; a hash of their names determines which.",
                w -> w.size() instanceof CountOrPercent.Percent share ? share.percent() : null);
        var count = wave.optional(
                "count",
                ScalarCodecs.integer(1, 1_000_000),
                "The maximum number of machines that it takes, in whole clusters and at least one; converted into a share of"
                        + " the clusters once, at acceptance.",
                w -> w.size() instanceof CountOrPercent.Count machines ? machines.count() : null);
        var soak = wave.omittedIfDefault(
                "soak",
                ScalarCodecs.duration(Duration.ZERO, Duration.ofDays(90)),
                Duration.ZERO,
                "The pause after its last success before it closes.",
                Wave::soak);
        var approval = wave.defaulted(
                "approval",
                EnumCodec.of(Wave.WaveApproval.class, Wave.WaveApproval::label),
                Wave.WaveApproval.NONE,
                "Whether an approval is needed: none, before the wave opens, or after its successes, before the next wave"
                        + " opens.",
                Wave::approval);
        var success = wave.defaulted(
                "successPercent",
                ScalarCodecs.integer(1, 100),
                100,
                "The percentage of its machines that must succeed before the next wave opens; skipped machines do not"
                        + " count.",
                Wave::successPercent);
        return wave.build((v, at, problems) -> {
            Integer share = v.get(percent);
            Integer machines = v.get(count);
            if (share != null && machines != null) {
                problems.add(
                        RejectionReason.CONTRADICTION, at, "has both a percent and a count", "leave one of them out");
                return null;
            }
            CountOrPercent takes = share != null
                    ? new CountOrPercent.Percent(share)
                    : machines != null ? new CountOrPercent.Count(machines) : null;
            return new Wave(
                    v.get(name), v.get(sites), v.get(clusters), takes, v.get(approval), v.get(success), v.get(soak));
        });
    }

    /** Whether the waves are consistent; reports problems at the path of the list. */
    static boolean checkWaves(List<Wave> waves, JsonValue.JsonArray at, ProblemCollector problems) {
        int before = problems.problems().size();
        Set<String> names = new HashSet<>();
        int percents = 0;
        for (int i = 0; i < waves.size(); i++) {
            Wave wave = waves.get(i);
            boolean ofAll =
                    wave.sites().isEmpty() && wave.clusters().requirements().isEmpty();
            boolean selects = !ofAll || wave.size() != null;
            boolean last = i == waves.size() - 1;
            problems.enter(i);
            if (!names.add(wave.name())) {
                problems.addBadValue(
                        at.items().get(i), "has the same name as an earlier wave: \"" + wave.name() + "\"", null);
            }
            if (last && selects) {
                problems.addBadValue(
                        at.items().get(i),
                        "is the last wave and must not select clusters, because it takes the rest",
                        "add a last wave such as {name: rest}");
            }
            if (!last && !selects) {
                problems.addBadValue(
                        at.items().get(i),
                        "has no sites, clusters, percent or count: only the last wave may take the rest",
                        null);
            }
            percents += ofAll && wave.size() instanceof CountOrPercent.Percent share ? share.percent() : 0;
            if (percents > CountOrPercent.HUNDRED_PERCENT) {
                problems.addBadValue(
                        at.items().get(i),
                        "takes " + percents + "% together with the waves before it; at most 100% is possible",
                        null);
            }
            problems.leave();
        }
        return problems.problems().size() == before;
    }
}
