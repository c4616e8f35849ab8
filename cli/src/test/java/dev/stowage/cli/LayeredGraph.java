package dev.stowage.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Places for the nodes of a graph without circles that is drawn in rows, all edges downward, so that few edges cross
 * and none runs behind a node: an edge over several rows has a place of its own in each. After Sugiyama, Tagawa, Toda
 * (1981): order by barycentre, then coordinates.
 */
final class LayeredGraph {
    private static final int SWEEPS = 24;
    /** Weight of an edge's place relative to a node's, so that long edges are straight. */
    private static final double STRAIGHT = 8;

    private final int gap;
    private final List<List<Place>> rows = new ArrayList<>();
    private final Map<String, Place> nodes = new HashMap<>();
    private final List<List<Place>> edges = new ArrayList<>();

    /** A node in its row, or an edge that passes the row. */
    static final class Place {
        private final int row;
        private final double width;
        private final List<Place> above = new ArrayList<>();
        private final List<Place> below = new ArrayList<>();
        private double order;
        private double centre;

        private Place(int row, double width) {
            this.row = row;
            this.width = width;
        }

        int row() {
            return row;
        }

        double centre() {
            return centre;
        }

        /** Where the edge to a neighbour meets this place: edges are side by side, in order of their other ends. */
        double port(Place neighbour) {
            List<Place> side = new ArrayList<>(above.contains(neighbour) ? above : below);
            side.sort(Comparator.comparingDouble(Place::centre));
            return centre + width * ((side.indexOf(neighbour) + 1.0) / (side.size() + 1) - 0.5);
        }
    }

    /** @param gap between neighbours in a row */
    LayeredGraph(int gap) {
        this.gap = gap;
    }

    void addNode(String name, int row, double width) {
        nodes.put(name, add(row, width));
    }

    /** An edge from a node to another one in a lower row. */
    void addEdge(String from, String to) {
        List<Place> places = new ArrayList<>();
        places.add(nodes.get(from));
        for (int row = nodes.get(from).row + 1; row < nodes.get(to).row; row++) {
            places.add(add(row, 0));
        }
        places.add(nodes.get(to));
        for (int i = 1; i < places.size(); i++) {
            places.get(i - 1).below.add(places.get(i));
            places.get(i).above.add(places.get(i - 1));
        }
        edges.add(places);
    }

    private Place add(int row, double width) {
        while (rows.size() <= row) {
            rows.add(new ArrayList<>());
        }
        Place place = new Place(row, width);
        place.order = rows.get(row).size();
        rows.get(row).add(place);
        return place;
    }

    Place place(String name) {
        return nodes.get(name);
    }

    /** Of each edge the places from its upper node to its lower one. */
    List<List<Place>> edges() {
        return edges;
    }

    /** Puts everything in its place, beginning at 0; returns the width of all. */
    double arrange() {
        order();
        rows.forEach(row -> moveTo(row, row.stream().map(place -> 0.0).toList()));
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            boolean down = sweep % 2 == 0;
            for (int i = 0; i < rows.size(); i++) {
                List<Place> row = rows.get(down ? i : rows.size() - 1 - i);
                // The last sweeps look at both sides.
                boolean both = sweep >= SWEEPS / 2;
                moveTo(
                        row,
                        row.stream()
                                .map(place -> wanted(place, both || down, both || !down))
                                .toList());
            }
        }
        double left = rows.stream()
                .mapToDouble(row -> row.get(0).centre - row.get(0).width / 2)
                .min()
                .orElse(0);
        rows.forEach(row -> row.forEach(place -> place.centre -= left));
        return rows.stream()
                .map(row -> row.get(row.size() - 1))
                .mapToDouble(last -> last.centre + last.width / 2)
                .max()
                .orElse(0);
    }

    /** Repeatedly sorts each row by the positions of neighbours, and keeps the order with the fewest crossings. */
    private void order() {
        List<List<Place>> best = copy();
        int least = crossings();
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            boolean down = sweep % 2 == 0;
            for (int i = 0; i < rows.size(); i++) {
                List<Place> row = rows.get(down ? i : rows.size() - 1 - i);
                row.forEach(
                        place -> place.order = mean(down ? place.above : place.below, each -> each.order, place.order));
                row.sort(Comparator.comparingDouble(place -> place.order));
                number(row);
            }
            int now = crossings();
            if (now < least) {
                least = now;
                best = copy();
            }
        }
        rows.clear();
        rows.addAll(best);
        rows.forEach(LayeredGraph::number);
    }

    private List<List<Place>> copy() {
        List<List<Place>> copy = new ArrayList<>();
        rows.forEach(row -> copy.add(new ArrayList<>(row)));
        return copy;
    }

    private static void number(List<Place> row) {
        for (int i = 0; i < row.size(); i++) {
            row.get(i).order = i;
        }
    }

    private int crossings() {
        int crossings = 0;
        for (List<Place> row : rows) {
            for (Place left : row) {
                for (Place right : row) {
                    if (left.order < right.order) {
                        for (Place end : left.below) {
                            crossings += (int) right.below.stream()
                                    .filter(each -> each.order < end.order)
                                    .count();
                        }
                    }
                }
            }
        }
        return crossings;
    }

    private static double wanted(Place place, boolean above, boolean below) {
        List<Place> neighbours = new ArrayList<>();
        neighbours.addAll(above ? place.above : List.of());
        neighbours.addAll(below ? place.below : List.of());
        return mean(neighbours, each -> each.port(place), place.centre);
    }

    private static double mean(List<Place> places, ToDoubleFunction<Place> value, double otherwise) {
        return places.stream().mapToDouble(value).average().orElse(otherwise);
    }

    /** A run of neighbours that touch, which move together. */
    private record Block(double shift, double weight, int size) {
        Block with(Block next) {
            double sum = weight + next.weight;
            return new Block((shift * weight + next.shift * next.weight) / sum, sum, size + next.size);
        }
    }

    /** As near to the wanted centres as their order and the gap allow: least squares with pooled neighbours. */
    private void moveTo(List<Place> row, List<Double> wanted) {
        double[] least = new double[row.size()];
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            Place place = row.get(i);
            least[i] = i == 0 ? 0 : least[i - 1] + (row.get(i - 1).width + place.width) / 2 + gap;
            Block block = new Block(wanted.get(i) - least[i], place.width == 0 ? STRAIGHT : 1, 1);
            while (!blocks.isEmpty() && blocks.get(blocks.size() - 1).shift() > block.shift()) {
                block = blocks.remove(blocks.size() - 1).with(block);
            }
            blocks.add(block);
        }
        int i = 0;
        for (Block block : blocks) {
            for (int end = i + block.size(); i < end; i++) {
                row.get(i).centre = least[i] + block.shift();
            }
        }
    }
}
