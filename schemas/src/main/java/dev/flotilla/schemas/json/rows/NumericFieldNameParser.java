package dev.flotilla.schemas.json.rows;

/** Members of an object that are named by small numbers. */
final class NumericFieldNameParser {
    private NumericFieldNameParser() {}

    /** The number that a name is, as we would write it; less than zero for any other name. */
    static int parse(String name, int below) {
        for (int number = 0; number < below; number++) {
            if (Integer.toString(number).equals(name)) {
                return number;
            }
        }
        return -1;
    }
}
