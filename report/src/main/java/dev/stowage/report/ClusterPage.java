package dev.stowage.report;

import java.util.List;
import java.util.Locale;

/**
 * A page about the servers of a cluster: a picture of all of them as bars, and tables. One file of HTML that loads
 * nothing, light and dark, for wide and narrow screens.
 *
 * @param title title
 * @param lead what the page says, in sentences
 * @param resources names of the resources of the bars, at most three
 * @param bars the servers
 * @param parts the tables
 */
public record ClusterPage(String title, List<String> lead, List<String> resources, List<Bar> bars, List<Part> parts) {
    private static final int FULL = 100;
    /** Cells of up to this many characters do not break into lines. */
    private static final int SHORT = 32;

    private static final String STYLE = """
            :root{color-scheme:light dark;--ink:#2b2f36;--paper:#fff;--soft:#f3f5f7;--grid:#d9dde2;--mute:#626a75;\
            --a:#0072b2;--b:#d55e00;--c:#009e73;--freed:#8a9099}
            @media(prefers-color-scheme:dark){:root{--ink:#e3e6ea;--paper:#15181c;--soft:#1e2227;--grid:#363c44;\
            --mute:#9aa2ad;--a:#56b4e9;--b:#e8894a;--c:#3cc39a}}
            *{box-sizing:border-box}body{margin:0 auto;max-width:1360px;padding:20px;background:var(--paper);\
            color:var(--ink);font:15px/1.45 system-ui,sans-serif}
            h1{font-size:1.5rem;margin:0 0 .5rem}h2{font-size:1.15rem;margin:1.8rem 0 .4rem}p{margin:.3rem 0}
            .nodes{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:8px 12px;margin:.8rem 0}
            .node{font-size:.75rem;min-width:0}.node b{display:block;font-weight:500;overflow:hidden;\
            text-overflow:ellipsis;white-space:nowrap}.freed b{text-decoration:line-through;color:var(--mute)}
            .bar{position:relative;height:7px;margin-top:2px;background:var(--soft);border:1px solid var(--grid);\
            border-radius:2px;overflow:hidden}
            .bar i{position:absolute;left:0;top:0;bottom:0;opacity:.38}
            .bar u{position:absolute;left:0;top:0;bottom:0}.r0 i,.r0 u{background:var(--a)}
            .r1 i,.r1 u{background:var(--b)}
            .r2 i,.r2 u{background:var(--c)}.full{outline:1px solid var(--b)}
            .key{display:flex;flex-wrap:wrap;gap:4px 18px;color:var(--mute);font-size:.85rem;align-items:center}
            .key span{display:inline-flex;align-items:center;gap:6px}.key .bar{width:36px;margin:0}
            .scroll{width:fit-content;max-width:100%;overflow-x:auto;max-height:28rem;\
            overflow-y:auto;border:1px solid var(--grid);border-radius:4px}
            table{border-collapse:collapse;font-size:.87rem}
            th,td{text-align:left;padding:4px 12px;border-bottom:1px solid var(--grid);vertical-align:top;\
            white-space:nowrap}td.l{white-space:normal;min-width:15rem;overflow-wrap:anywhere}
            th{position:sticky;top:0;background:var(--soft);font-weight:600}tr:last-child td{border-bottom:0}
            td.n,th.n{text-align:right;padding-left:22px;font-variant-numeric:tabular-nums}
            @media(max-width:500px){body{padding:12px}.nodes{grid-template-columns:repeat(auto-fill,minmax(104px,1fr));\
            gap:7px 9px}th,td{padding:4px 7px}}
            """;

    /**
     * A server.
     *
     * @param name name
     * @param before fraction of each resource that is in use now, from 0
     * @param after the same after the plan
     * @param freed whether the plan empties it
     * @param tip text that is shown under the pointer
     */
    public record Bar(String name, List<Double> before, List<Double> after, boolean freed, String tip) {}

    /**
     * A table.
     *
     * @param title its heading
     * @param text text before the table
     * @param columns headings of the columns; none for no table
     * @param rows cells
     */
    public record Part(String title, String text, List<String> columns, List<List<String>> rows) {}

    /** The page. */
    public String html() {
        StringBuilder out = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>" + Html.escape(title)
                + "</title><style>\n" + STYLE + "</style></head><body>\n<h1>" + Html.escape(title) + "</h1>\n");
        lead.forEach(sentence -> out.append("<p>").append(Html.escape(sentence)).append("</p>\n"));
        out.append("<div class=\"key\">");
        for (int r = 0; r < resources.size(); r++) {
            out.append("<span><span class=\"bar r")
                    .append(r)
                    .append("\"><u style=\"width:60%\"></u></span>")
                    .append(Html.escape(resources.get(r)))
                    .append("</span>");
        }
        out.append("<span><span class=\"bar r0\"><i style=\"width:90%\"></i><u style=\"width:45%\"></u></span>"
                + "full colour: in use after the plan; pale: in use now</span>"
                + "<span><s>name</s> emptied by the plan</span></div>\n<div class=\"nodes\">\n");
        bars.forEach(bar -> bar(out, bar));
        out.append("</div>\n");
        parts.forEach(part -> part(out, part));
        return out.append("</body></html>\n").toString();
    }

    private static void bar(StringBuilder out, Bar bar) {
        out.append(bar.freed() ? "<div class=\"node freed\" title=\"" : "<div class=\"node\" title=\"")
                .append(Html.escape(bar.tip()))
                .append("\"><b>")
                .append(Html.escape(bar.name()))
                .append("</b>");
        for (int r = 0; r < bar.before().size(); r++) {
            out.append("<div class=\"bar r")
                    .append(r)
                    .append(bar.after().get(r) > 1 ? " full" : "")
                    .append("\">");
            out.append("<i style=\"width:").append(width(bar.before().get(r))).append("\"></i><u style=\"width:");
            out.append(width(bar.after().get(r))).append("\"></u></div>");
        }
        out.append("</div>\n");
    }

    private static String width(double part) {
        return String.format(Locale.ROOT, "%.1f%%", FULL * Math.max(0, Math.min(1, part)));
    }

    private static void part(StringBuilder out, Part part) {
        out.append("<h2>").append(Html.escape(part.title())).append("</h2>\n");
        if (!part.text().isEmpty()) {
            out.append("<p>").append(Html.escape(part.text())).append("</p>\n");
        }
        if (part.columns().isEmpty() || part.rows().isEmpty()) {
            return;
        }
        out.append("<div class=\"scroll\"><table><thead><tr>");
        for (int c = 0; c < part.columns().size(); c++) {
            int at = c;
            boolean numbers = part.rows().stream().allMatch(row -> isNumber(row.get(at)));
            out.append(numbers ? "<th class=\"n\">" : "<th>")
                    .append(Html.escape(part.columns().get(c)))
                    .append("</th>");
        }
        out.append("</tr></thead><tbody>\n");
        for (List<String> row : part.rows()) {
            out.append("<tr>");
            for (String cell : row) {
                out.append(isNumber(cell) ? "<td class=\"n\">" : cell.length() > SHORT ? "<td class=\"l\">" : "<td>")
                        .append(Html.escape(cell))
                        .append("</td>");
            }
            out.append("</tr>\n");
        }
        out.append("</tbody></table></div>\n");
    }

    private static boolean isNumber(String cell) {
        return cell.matches("[-+]?[\\d.,]+( ?%)?");
    }
}
