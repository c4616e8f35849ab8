package dev.stowage.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The modules and packages as the imports of the code have them, as SVG. A module stands above all that it needs; in
 * it, a package above those of the same module that it uses. An arrow is left out if a longer path implies it.
 */
final class HousePicture {
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package (dev\\.stowage\\.(\\w+)[\\w.]*);");
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?(dev\\.stowage\\.[a-z0-9.]*[a-z0-9])\\.[A-Z]");
    private static final int WIDEST = 330;
    private static final int CHIP = 22;
    private static final int GAP = 6;
    private static final int PAD = 10;
    private static final int TITLE = 24;
    private static final int FLOOR_GAP = 60;
    private static final int BOX_GAP = 26;
    /** Length of the straight piece at the end of every arrow. */
    private static final int HEAD = 10;

    /** By package, the packages that it imports from. */
    private final Map<String, Set<String>> packages = new TreeMap<>();
    /** By module, the modules that it needs. */
    private final Map<String, Set<String>> modules = new TreeMap<>();

    HousePicture(List<Path> sources) {
        for (Path source : sources) {
            String text = read(source);
            Matcher in = PACKAGE.matcher(text);
            if (in.find()) {
                Set<String> uses = packages.computeIfAbsent(in.group(1), key -> new TreeSet<>());
                Matcher imported = IMPORT.matcher(text);
                while (imported.find()) {
                    uses.add(imported.group(1));
                }
            }
        }
        for (Set<String> uses : packages.values()) {
            // Generated packages are left out.
            uses.retainAll(packages.keySet());
        }
        packages.forEach((name, uses) -> {
            Set<String> needs = modules.computeIfAbsent(module(name), key -> new TreeSet<>());
            uses.stream().map(HousePicture::module).forEach(needs::add);
            needs.remove(module(name));
        });
    }

    /** By module, the modules that it needs directly. */
    Map<String, Set<String>> modules() {
        return modules;
    }

    private static String read(Path source) {
        try {
            return Files.readString(source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String module(String name) {
        return name.split("\\.", -1)[2];
    }

    /** Number of steps down to a node that needs nothing; the graph has no circle. */
    private static int floor(String name, Map<String, Set<String>> graph) {
        return graph.getOrDefault(name, Set.of()).stream()
                .mapToInt(other -> floor(other, graph) + 1)
                .max()
                .orElse(0);
    }

    /** Rows of names, from the highest floor to the lowest. */
    private static List<List<String>> floors(Map<String, Set<String>> graph) {
        List<List<String>> floors = new ArrayList<>();
        for (String name : graph.keySet()) {
            int floor = floor(name, graph);
            while (floors.size() <= floor) {
                floors.add(0, new ArrayList<>());
            }
            floors.get(floors.size() - 1 - floor).add(name);
        }
        return floors;
    }

    private static boolean isReached(String from, String to, Map<String, Set<String>> graph) {
        return graph.get(from).stream().anyMatch(other -> other.equals(to) || isReached(other, to, graph));
    }

    private record Chip(String text, int x, int y, int width) {}

    private record Box(String name, List<Chip> chips, int width, int height) {}

    private Box box(String module) {
        Map<String, Set<String>> inside = new TreeMap<>();
        packages.forEach((name, uses) -> {
            if (module(name).equals(module)) {
                Set<String> within = new TreeSet<>(uses);
                within.removeIf(other -> !module(other).equals(module) || other.equals(name));
                inside.put(name, within);
            }
        });
        List<Chip> chips = new ArrayList<>();
        int y = TITLE + PAD;
        int widest = 80;
        for (List<String> floor : floors(inside)) {
            int x = PAD;
            for (String name : floor) {
                String text = name.equals("dev.stowage." + module)
                        ? "(" + module + ")"
                        : name.substring(("dev.stowage." + module + ".").length());
                int width = 14 + 7 * text.length();
                if (x > PAD && x + width > WIDEST) {
                    x = PAD;
                    y += CHIP + GAP;
                }
                chips.add(new Chip(text, x, y, width));
                x += width + GAP;
                widest = Math.max(widest, x - GAP + PAD);
            }
            y += CHIP + GAP;
        }
        return new Box(module, chips, widest, y - GAP + PAD);
    }

    /** The picture. */
    String svg() {
        List<List<Box>> floors = new ArrayList<>();
        LayeredGraph graph = new LayeredGraph(BOX_GAP);
        for (List<String> floor : floors(modules)) {
            List<Box> boxes = floor.stream().map(this::box).toList();
            boxes.forEach(box -> graph.addNode(box.name(), floors.size(), box.width()));
            floors.add(boxes);
        }
        addArrows(graph);
        int width = (int) graph.arrange() + 2 * PAD;
        List<Floor> levels = new ArrayList<>();
        StringBuilder boxes = new StringBuilder();
        int y = PAD;
        for (List<Box> floor : floors) {
            int tallest = floor.stream().mapToInt(Box::height).max().orElse(0);
            levels.add(new Floor(y, y + tallest));
            for (Box box : floor) {
                draw(box, left(box, graph), y + tallest - box.height(), boxes);
            }
            y += tallest + FLOOR_GAP;
        }
        Map<LayeredGraph.Place, Integer> tops = new HashMap<>();
        for (List<Box> floor : floors) {
            for (Box box : floor) {
                LayeredGraph.Place place = graph.place(box.name());
                tops.put(place, levels.get(place.row()).bottom() - box.height());
            }
        }
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + " " + (y - FLOOR_GAP + PAD)
                + "\" font-family=\"sans-serif\">\n"
                + "<style>rect{fill:#fff;stroke:#57606a}text{fill:#1f2328}.chip{fill:#eef3fb;stroke:#b6c6e3}"
                + ".name{font-size:15px;font-weight:bold}.pack{font-size:12px}"
                + "path{fill:none;stroke:#57606a;stroke-width:1.5}</style>\n"
                + "<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\""
                + " markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 8 4 0 8\"/></marker></defs>\n"
                + "<rect width=\"100%\" height=\"100%\" style=\"stroke:none\"/>\n" + boxes
                + arrows(graph, levels, tops) + "</svg>\n";
    }

    /** The place of a floor, from its highest box to its bottom. */
    private record Floor(int top, int bottom) {}

    private static int left(Box box, LayeredGraph graph) {
        return (int) Math.round(PAD + graph.place(box.name()).centre() - box.width() / 2.0);
    }

    private static void draw(Box box, int x, int y, StringBuilder out) {
        out.append(String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/><text class=\"name\" x=\"%d\""
                        + " y=\"%d\">%s</text>\n",
                x,
                y,
                box.width(),
                box.height(),
                x + PAD,
                y + TITLE,
                box.name()));
        for (Chip chip : box.chips()) {
            out.append(String.format(
                    Locale.ROOT,
                    "<rect class=\"chip\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/><text class=\"pack\""
                            + " x=\"%d\" y=\"%d\">%s</text>\n",
                    x + chip.x(),
                    y + chip.y(),
                    chip.width(),
                    CHIP,
                    x + chip.x() + 7,
                    y + chip.y() + 15,
                    chip.text()));
        }
    }

    /** Adds an arrow for each needed module, except those that another path implies. */
    private void addArrows(LayeredGraph graph) {
        modules.forEach((from, needs) -> {
            for (String to : needs) {
                if (needs.stream().noneMatch(other -> !other.equals(to) && isReached(other, to, modules))) {
                    graph.addEdge(from, to);
                }
            }
        });
    }

    /** Curves between the floors, straight lines through them. */
    private static String arrows(LayeredGraph graph, List<Floor> floors, Map<LayeredGraph.Place, Integer> tops) {
        StringBuilder out = new StringBuilder();
        for (List<LayeredGraph.Place> edge : graph.edges()) {
            out.append("<path d=\"M")
                    .append(x(edge.get(0), edge.get(1)))
                    .append(' ')
                    .append(floors.get(edge.get(0).row()).bottom());
            for (int i = 1; i < edge.size(); i++) {
                LayeredGraph.Place from = edge.get(i - 1);
                LayeredGraph.Place to = edge.get(i);
                int top = floors.get(to.row()).top() - HEAD;
                int middle = floors.get(from.row()).bottom() + (FLOOR_GAP - HEAD) / 2;
                boolean last = i == edge.size() - 1;
                out.append(String.format(
                        Locale.ROOT,
                        " C%d %d %d %d %d %d V%d",
                        x(from, to),
                        middle,
                        x(to, from),
                        middle,
                        x(to, from),
                        top,
                        last ? tops.get(to) : floors.get(to.row()).bottom()));
            }
            out.append("\" marker-end=\"url(#a)\"/>\n");
        }
        return out.toString();
    }

    private static long x(LayeredGraph.Place place, LayeredGraph.Place neighbour) {
        return PAD + Math.round(place.port(neighbour));
    }
}
