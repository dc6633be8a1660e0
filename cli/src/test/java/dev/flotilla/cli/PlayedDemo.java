package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Parsed;
import dev.flotilla.schemas.json.tree.Tree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A demonstration that was run, and what it wrote. */
record PlayedDemo(Obj json) {
    private static final int MOST_BYTES = 1 << 20;

    static Ran run(String options) {
        List<String> args = new ArrayList<>(List.of("demo"));
        args.addAll(List.of(options.split(" ")));
        return Ran.flotilla(args.toArray(String[]::new));
    }

    static PlayedDemo read(String text) {
        Parsed parsed = JsonReader.read(text.getBytes(StandardCharsets.UTF_8), MOST_BYTES);
        assertThat(parsed).isInstanceOf(Parsed.Whole.class);
        return new PlayedDemo((Obj) ((Parsed.Whole) parsed).tree());
    }

    long whole(String name) {
        return ((Tree.Whole) Objects.requireNonNull(json.get(name))).value();
    }

    List<Tree> list(String name) {
        return ((Tree.Arr) Objects.requireNonNull(json.get(name))).items();
    }

    List<String> texts(String name) {
        return list(name).stream().map(each -> ((Tree.Text) each).value()).toList();
    }
}
