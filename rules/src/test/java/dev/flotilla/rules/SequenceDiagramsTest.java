package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Participants of sequence diagrams are classes with the methods that are sent to them, or declared with another name. */
class SequenceDiagramsTest {
    private static final Pattern OTHER = Pattern.compile("\\s*(?:participant (\\w+) as .+|actor (\\w+))");
    private static final Pattern MESSAGE = Pattern.compile("\\s*(\\w+)-{1,2}>>(\\w+): (.+)");
    private static final Pattern CALL = Pattern.compile("^(\\w+)\\(\\)");

    private static final List<SourceTree.Source> SOURCES = SourceTree.productionJava();

    private record Message(String from, String to, String text) {}

    @Test
    void messagesAreMethodsOfExistingClasses() {
        List<Message> messages = new ArrayList<>();
        Set<String> others = new HashSet<>();
        for (SourceTree.Source page : SourceTree.under("docs", ".md").toList()) {
            for (String line : sequenceLines(page)) {
                Matcher other = OTHER.matcher(line);
                if (other.matches()) {
                    others.add(other.group(1) == null ? other.group(2) : other.group(1));
                }
                Matcher message = MESSAGE.matcher(line);
                if (message.matches()) {
                    messages.add(new Message(message.group(1), message.group(2), message.group(3)));
                }
            }
        }
        assertThat(messages).hasSizeGreaterThan(50);
        assertThat(messages.stream()
                        .flatMap(message -> Stream.of(message.from(), message.to()))
                        .filter(name -> !others.contains(name)))
                .as("classes in sequence diagrams")
                .allSatisfy(name -> assertThat(sourcesOf(name)).as(name).hasSize(1));
        assertThat(messages)
                .as("methods in sequence diagrams")
                .filteredOn(each -> !others.contains(each.to()))
                .allMatch(SequenceDiagramsTest::isMethod);
    }

    private static List<String> sequenceLines(SourceTree.Source page) {
        List<String> lines = new ArrayList<>();
        boolean inDiagram = false;
        for (String line : page.lines()) {
            inDiagram = line.equals("sequenceDiagram") || (inDiagram && !line.equals("```"));
            if (inDiagram) {
                lines.add(line);
            }
        }
        return lines;
    }

    private static boolean isMethod(Message message) {
        Matcher call = CALL.matcher(message.text());
        return call.find()
                && sourcesOf(message.to()).stream()
                        .anyMatch(source -> source.linesWith(
                                        Pattern.compile("^    [\\w@].*[\\w>\\]] " + call.group(1) + "\\("))
                                .findAny()
                                .isPresent());
    }

    private static List<SourceTree.Source> sourcesOf(String name) {
        return SOURCES.stream().filter(source -> source.name().equals(name)).toList();
    }
}
