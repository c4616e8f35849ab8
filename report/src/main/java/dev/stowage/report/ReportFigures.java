package dev.stowage.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** All figures of a report, in order. */
final class ReportFigures {

    private ReportFigures() {}

    static List<Section> of(Results results) {
        FigureNames names = new FigureNames();
        List<Section> sections = new ArrayList<>();
        add(sections, "Sweep", SweepFigures.of(results, names));
        List<Map<String, String>> points = results.points();
        for (Map<String, String> point : shown(points)) {
            String at = points.size() == 1 ? "" : " at " + PolicyOutcome.describe(point);
            TimeFigures time = new TimeFigures(results, point, names);
            DistributionFigures distributions = new DistributionFigures(results, point, names);
            List<Figure> whole = new ArrayList<>(time.queue());
            whole.addAll(distributions.waits());
            whole.addAll(time.ofTheWhole());
            whole.addAll(distributions.occupancies());
            whole.addAll(new WasteFigures(time, names, results.policies()).of());
            add(sections, "Policies" + at, whole);
            add(sections, "Slots" + at, new SlotFigures(time, at, names).of(results.policies()));
            List<Figure> sites = new ArrayList<>(new SiteFigures(results, point, time, at, names).of());
            sites.addAll(time.ofEachSite());
            add(sections, "Sites" + at, sites);
        }
        return sections;
    }

    private static void add(List<Section> sections, String heading, List<Figure> figures) {
        if (!figures.isEmpty()) {
            sections.add(new Section(heading, figures));
        }
    }

    /** Every point of a short sweep; of a longer one the first, the middle and the last. */
    static List<Map<String, String>> shown(List<Map<String, String>> points) {
        if (points.size() <= 3) {
            return points;
        }
        int last = points.size() - 1;
        return IntStream.of(0, last / 2, last).mapToObj(points::get).toList();
    }
}
