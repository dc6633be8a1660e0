package dev.flotilla.simulator.mutants;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.pitest.classinfo.ClassName;
import org.pitest.mutationtest.engine.Location;
import org.pitest.mutationtest.engine.MutationIdentifier;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * A mutant as PIT lists it.
 *
 * @param indexes the positions of the change in the method's code
 */
record Mutant(
        String type,
        String method,
        String descriptor,
        int line,
        String mutator,
        List<Integer> indexes,
        String description) {

    private static final String NOT_VIABLE = "NON_VIABLE";

    /** The mutants in PIT's report that no unit test detected. */
    static List<Mutant> readUndetected(Path mutations) throws IOException {
        NodeList elements;
        try {
            elements = DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(mutations.toFile())
                    .getElementsByTagName("mutation");
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(mutations + " is not a PIT report", e);
        }
        List<Mutant> mutants = new ArrayList<>();
        for (int i = 0; i < elements.getLength(); i++) {
            Element element = (Element) elements.item(i);
            if (element.getAttribute("detected").equals("false")
                    && !element.getAttribute("status").equals(NOT_VIABLE)) {
                mutants.add(of(element));
            }
        }
        mutants.sort(Comparator.comparing(Mutant::type).thenComparingInt(Mutant::line));
        return mutants;
    }

    private static Mutant of(Element element) {
        List<Integer> indexes = new ArrayList<>();
        NodeList numbers = element.getElementsByTagName("index");
        for (int i = 0; i < numbers.getLength(); i++) {
            indexes.add(Integer.valueOf(numbers.item(i).getTextContent()));
        }
        return new Mutant(
                text(element, "mutatedClass"),
                text(element, "mutatedMethod"),
                text(element, "methodDescription"),
                Integer.parseInt(text(element, "lineNumber")),
                text(element, "mutator"),
                indexes,
                text(element, "description"));
    }

    private static String text(Element element, String tag) {
        return element.getElementsByTagName(tag).item(0).getTextContent();
    }

    MutationIdentifier id() {
        return new MutationIdentifier(new Location(ClassName.fromString(type), method, descriptor), indexes, mutator);
    }
}
