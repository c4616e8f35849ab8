package dev.stowage.report;

/** Text inside HTML. */
final class Html {

    private Html() {}

    /** Escapes text for element content and for quoted attributes; control characters become a visible sign. */
    static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(Character.isISOControl(c) && c != '\n' && c != '\t' ? '\ufffd' : c);
            }
        }
        return out.toString();
    }

    /** The table; cells keep their number for the sorting script. */
    static String table(Table table) {
        StringBuilder out = new StringBuilder("<div class=\"scroll\"><table>\n<thead><tr>");
        for (int i = 0; i < table.columns().size(); i++) {
            out.append(i < table.keys() ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"n\">")
                    .append(escape(table.columns().get(i)))
                    .append("</th>");
        }
        out.append("</tr></thead>\n<tbody>\n");
        table.rows().forEach(row -> {
            out.append("<tr>");
            for (int i = 0; i < row.size(); i++) {
                out.append(cell(row.get(i), i < table.keys()));
            }
            out.append("</tr>\n");
        });
        return out.append("</tbody></table></div>\n").toString();
    }

    private static String cell(Table.Cell cell, boolean key) {
        String tone = switch (cell.tone()) {
            case PLAIN -> "";
            case BEST -> " best";
            case BAD -> " bad";
        };
        String attributes = (key ? " class=\"k" : " class=\"n") + tone + "\""
                + (Double.isNaN(cell.sort()) ? "" : " data-v=\"" + cell.sort() + "\"");
        return key
                ? "<th scope=\"row\"" + attributes + ">" + escape(cell.text()) + "</th>"
                : "<td" + attributes + ">" + escape(cell.text()) + "</td>";
    }
}
