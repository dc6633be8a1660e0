package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A rule about a package or a class that does not exist any more would hold without checking anything. */
class RulePatternsTest {
    private static final Pattern NAME = Pattern.compile("\"(dev\\.flotilla(?:\\.\\w+)+)(?:\\.\\.)?\"");

    @Test
    void everyPackageAndClassThatARuleNamesExists() {
        Set<String> existing = new LinkedHashSet<>();
        for (JavaClass each : ProductionClasses.CLASSES) {
            existing.add(each.getName());
            String name = each.getPackageName();
            while (existing.add(name) && name.contains(".")) {
                name = name.substring(0, name.lastIndexOf('.'));
            }
        }
        Set<String> named = new LinkedHashSet<>();
        SourceTree.under("rules/src/test/java", ".java")
                .flatMap(source -> source.lines().stream())
                .forEach(line -> NAME.matcher(line).results().forEach(found -> named.add(found.group(1))));
        assertThat(named).hasSizeGreaterThanOrEqualTo(5);
        assertThat(existing).containsAll(named);
    }
}
