package dev.stowage.cli;

import dev.stowage.policies.parallel.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A plan as a picture: a bar per task as long as it runs, and a bar per used server of the amounts of its tasks. */
final class PlanPicture {
    private static final int LABEL = 110;
    private static final int WIDTH = 640;
    private static final int BAR = 16;
    private static final int HEADING = 34;

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
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                LABEL + WIDTH + 20, height);
        text(LABEL, 20, "start", "Tasks: time, of " + number(plan.completion()) + " s");
        for (int i = 0; i < tasks.size(); i++) {
            int y = HEADING + BAR * i;
            text(LABEL - 6, y + 12, "end", tasks.get(i));
            bar(
                    LABEL,
                    y,
                    WIDTH * plan.time(i) / plan.completion(),
                    plan.server(i),
                    tasks.get(i) + " on " + servers.get(plan.server(i)) + ": " + number(plan.time(i)) + " s");
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
        text(LABEL, top + 20, "start", "Servers: amounts of their tasks, of " + number(most));
        for (int s = 0; s < used.size(); s++) {
            int y = top + HEADING + BAR * s;
            text(LABEL - 6, y + 12, "end", servers.get(used.get(s)));
            double x = LABEL;
            for (int i = 0; i < tasks.size(); i++) {
                if (plan.server(i) == used.get(s)) {
                    double width = WIDTH * plan.amount(i) / most;
                    bar(x, y, width, used.get(s), tasks.get(i) + ": " + number(plan.amount(i)));
                    x += width;
                }
            }
        }
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
        return String.format(Locale.ROOT, "%.4g", value);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
