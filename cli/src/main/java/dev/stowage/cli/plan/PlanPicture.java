package dev.stowage.cli.plan;

import dev.stowage.policies.parallel.Plan;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A plan as a picture: a bar per task that shows how long it runs, and a bar per used server that shows the amounts of
 * its tasks.
 */
final class PlanPicture {
    private static final int LABEL = 110;
    private static final int WIDTH = 440;
    private static final int BAR = 16;
    private static final int HEADING = 48;
    /** Room for the text after a bar. */
    private static final int AFTER = 150;
    /** Longer names are cut: the whole one is in the title of the bar. */
    private static final int LONGEST_NAME = 16;

    private static final int TICKS = 4;
    private static final int DIGITS = 4;

    private final Plan plan;
    private final List<String> tasks;
    private final List<String> servers;
    private final StringBuilder svg = new StringBuilder();

    PlanPicture(Plan plan, List<String> tasks, List<String> servers) {
        this.plan = plan;
        this.tasks = tasks;
        this.servers = servers;
    }

    String svg() {
        List<Integer> used = used();
        int height = 2 * HEADING + BAR * (tasks.size() + used.size()) + 20;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\" fill=\"currentColor\" font-family=\"sans-serif\""
                        + " font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                LABEL + WIDTH + AFTER, height);
        text(
                LABEL,
                16,
                "start",
                "Tasks: how long each runs, and on which server. The job is complete after " + number(plan.completion())
                        + " s");
        axis(HEADING, tasks.size(), plan.completion(), " s");
        for (int i = 0; i < tasks.size(); i++) {
            int y = HEADING + BAR * i;
            String server = servers.get(plan.server(i));
            double width = WIDTH * plan.time(i) / plan.completion();
            text(LABEL - 6, y + 12, "end", cut(tasks.get(i)));
            bar(LABEL, y, width, plan.server(i), tasks.get(i) + " on " + server + ": " + number(plan.time(i)) + " s");
            text(LABEL + (int) width + 4, y + 12, "start", number(plan.time(i)) + " s on " + cut(server));
        }
        shares(used, HEADING + BAR * tasks.size());
        return svg.append("</svg>\n").toString();
    }

    private List<Integer> used() {
        List<Integer> used = new ArrayList<>();
        for (int j = 0; j < servers.size(); j++) {
            if (held(j) > 0) {
                used.add(j);
            }
        }
        return used;
    }

    private double held(int server) {
        double held = 0;
        for (int i = 0; i < tasks.size(); i++) {
            held += plan.server(i) == server ? plan.amount(i) : 0;
        }
        return held;
    }

    private void shares(List<Integer> used, int top) {
        double most = 0;
        for (int server : used) {
            most = Math.max(most, held(server));
        }
        text(LABEL, top + 20, "start", "Servers: how much of the resource each of their tasks has");
        axis(top + HEADING, used.size(), most, "");
        for (int s = 0; s < used.size(); s++) {
            int y = top + HEADING + BAR * s;
            text(LABEL - 6, y + 12, "end", cut(servers.get(used.get(s))));
            double x = LABEL;
            for (int i = 0; i < tasks.size(); i++) {
                if (plan.server(i) == used.get(s)) {
                    double width = WIDTH * plan.amount(i) / most;
                    bar(x, y, width, used.get(s), tasks.get(i) + ": " + number(plan.amount(i)));
                    x += width;
                }
            }
            text((int) x + 4, y + 12, "start", number(held(used.get(s))));
        }
    }

    /** Draws numbers and lines above {@code bars} bars. */
    private void axis(int top, int bars, double most, String unit) {
        double step = BigDecimal.valueOf(most / TICKS)
                .round(new MathContext(1, RoundingMode.UP))
                .doubleValue();
        for (int tick = 0; tick * step <= most; tick++) {
            int x = LABEL + (int) (WIDTH * tick * step / most);
            add("<path d=\"M%d %dv%d\" stroke=\"currentColor\" stroke-opacity=\"0.15\"/>\n", x, top, BAR * bars);
            text(x, top - 4, "middle", tick == 0 ? "0" : number(tick * step) + unit);
        }
    }

    private static String cut(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME - 1) + "…";
    }

    private void bar(double x, int y, double width, int server, String title) {
        add(
                "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"hsl(%d,55%%,60%%)\" stroke=\"white\">"
                        + "<title>%s</title></rect>\n",
                x, y + 1, width, BAR - 2, server * 137 % 360, escaped(title));
    }

    private void text(int x, int y, String anchor, String text) {
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, escaped(text));
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }

    private static String number(double value) {
        BigDecimal shown =
                BigDecimal.valueOf(value).round(new MathContext(DIGITS)).stripTrailingZeros();
        return String.format(Locale.ROOT, "%,." + Math.max(0, shown.scale()) + "f", shown);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
