package dev.flotilla.schemas.json.rows;

/** Parses member names that are small numbers. */
final class NumericFieldNameParser {
    private NumericFieldNameParser() {}

    /** Returns the number that a name states in canonical form; a negative number for any other name. */
    static int parse(String name, int below) {
        for (int number = 0; number < below; number++) {
            if (Integer.toString(number).equals(name)) {
                return number;
            }
        }
        return -1;
    }
}
