package dev.flotilla.bench;

import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The figures as JSON for programs: the names are promised, see the README. */
final class FigureJson {
    private static final MathContext DIGITS = new MathContext(6);

    private FigureJson() {}

    static byte[] of(Figures figures, Surroundings surroundings) {
        Obj machine = new Obj.Builder()
                .put("cpus", surroundings.cpus())
                .put("memory", surroundings.memory())
                .put("java", surroundings.java())
                .put("kafka", text(surroundings.kafka()))
                .build();
        Obj all = new Obj.Builder()
                .put("commit", text(surroundings.commit()))
                .put("machine", machine)
                .put("rows", list(figures.rows().stream().map(FigureJson::row).toList()))
                .put(
                        "invalid",
                        list(figures.invalid().stream().map(FigureJson::invalid).toList()))
                .build();
        JsonWriter writer = new JsonWriter();
        writer.tree(all);
        return writer.toBytes();
    }

    private static Tree row(Figure figure) {
        Figure.Spread spread = figure.spread();
        Obj.Builder row = new Obj.Builder()
                .put("id", figure.id())
                .put("name", figure.name())
                .put("detail", text(figure.detail()))
                .put("value", number(figure.value()))
                .put("unit", figure.unit())
                .put("better", figure.better().label())
                .put("floor", number(figure.floor()))
                .put("goal", number(figure.goal()))
                .put("meets", figure.meets().label())
                .put("gates", figure.gates());
        if (spread == null) {
            return row.put("pairs", nothing()).put("interval", nothing()).build();
        }
        return row.put("pairs", spread.pairs())
                .put("interval", list(List.of(number(spread.low()), number(spread.high()))))
                .build();
    }

    private static Tree invalid(Figures.Invalid invalid) {
        return new Obj.Builder()
                .put("id", invalid.id())
                .put("why", invalid.why())
                .build();
    }

    private static Tree list(List<Tree> items) {
        return new Tree.Arr(items, Tree.NO_LINE);
    }

    private static Tree text(@Nullable String value) {
        return value == null ? nothing() : new Tree.Text(value, Tree.NO_LINE);
    }

    private static Tree number(@Nullable Double value) {
        if (value == null) {
            return nothing();
        }
        String written =
                new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
        return new Tree.Inexact(written, Tree.NO_LINE);
    }

    private static Tree nothing() {
        return new Tree.Nothing(Tree.NO_LINE);
    }
}
