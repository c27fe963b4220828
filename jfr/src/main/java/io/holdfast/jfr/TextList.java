package io.holdfast.jfr;

import java.util.ArrayList;
import java.util.List;

/**
 * Lists in one text field, since events have no array fields: readable, and read back exactly. The separator and backslashes within an element are
 * written with a backslash before them, an empty element as {@code \e}.
 */
enum TextList {
    /** Elements on one line, {@code a, b}. */
    LINE(',', ", "),
    /** One element a line. */
    LINES('\n', "\n");

    private final char separator;
    private final String between;

    TextList(char separator, String between) {
        this.separator = separator;
        this.between = between;
    }

    /** At most {@link EventText#MAX_BYTES}, each element at most {@link EventText#MAX_NAME} characters; the last one says what was left out. */
    String write(List<String> elements) {
        StringBuilder text = new StringBuilder();
        int bytes = 0;
        for (int i = 0; i < elements.size(); i++) {
            String element = escaped(EventText.name(elements.get(i)));
            bytes += EventText.utf8Bytes(element) + between.length();
            boolean full = bytes > EventText.MAX_BYTES - EventText.MAX_NAME;
            text.append(i == 0 ? "" : between).append(full ? "… " + (elements.size() - i) + " more" : element);
            if (full) {
                break;
            }
        }
        return text.toString();
    }

    /** The elements again; none for null. */
    List<String> read(String text) {
        List<String> elements = new ArrayList<>();
        if (text == null || text.isEmpty()) {
            return elements;
        }
        StringBuilder element = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                char escaped = text.charAt(++i);
                element.append(escaped == 'e' ? "" : escaped == 'n' ? "\n" : String.valueOf(escaped));
            } else if (c == separator) {
                elements.add(element.toString());
                element.setLength(0);
                i += between.length() - 1;
            } else {
                element.append(c);
            }
        }
        elements.add(element.toString());
        return elements;
    }

    private String escaped(String element) {
        if (element.isEmpty()) {
            return "\\e";
        }
        if (element.indexOf('\\') < 0 && element.indexOf(separator) < 0) {
            return element;
        }
        return element.replace("\\", "\\\\").replace(String.valueOf(separator), separator == '\n' ? "\\n" : "\\" + separator);
    }
}
