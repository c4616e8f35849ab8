package dev.stowage.optimize.bound;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Cells of a load joined into few classes of similar demand: the partition X of Psychas and Ghaderi 2019, definition 3,
 * in any number of resources. Begins with one class of each kind and halves the one whose rounding may cost most, load
 * times width, at half of its load along its widest resource. So classes are narrow where most of the load is, as in
 * the proof of Theorem 1.
 */
final class DemandPartition {
    private final double[] scale;
    private final PriorityQueue<Part> parts = new PriorityQueue<>(
            Comparator.comparingDouble((Part part) -> -part.cost).thenComparingInt(part -> part.number));

    /** One class of all cells of a kind; {@code capacity} gives the scale of each resource. */
    DemandPartition(List<LoadCell> cells, long[] capacity) {
        scale = new double[capacity.length];
        for (int r = 0; r < scale.length; r++) {
            scale[r] = 1.0 / Math.max(1, capacity[r]);
        }
        TreeMap<Integer, List<LoadCell>> byKind = new TreeMap<>();
        cells.forEach(cell ->
                byKind.computeIfAbsent(cell.kind(), kind -> new ArrayList<>()).add(cell));
        byKind.values().forEach(ofKind -> parts.add(new Part(ofKind, parts.size())));
    }

    /** Halves classes until there are as many as wanted, or rounding costs nothing. */
    void refine(int classes) {
        while (parts.size() < classes && worst().cost > 0 && worst().cells.size() > 1) {
            Part part = parts.remove();
            List<LoadCell> sorted = new ArrayList<>(part.cells);
            int r = part.widest;
            sorted.sort(Comparator.<LoadCell>comparingLong(cell -> cell.most()[r])
                    .thenComparingLong(cell -> cell.least()[r]));
            int half = half(sorted, r);
            parts.add(new Part(sorted.subList(0, half), parts.size() + 1));
            parts.add(new Part(sorted.subList(half, sorted.size()), parts.size() + 1));
        }
    }

    /** Whether no class can be halved, or none needs to be. */
    boolean finest() {
        return worst().cost == 0 || worst().cells.size() == 1;
    }

    private Part worst() {
        return Objects.requireNonNull(parts.peek());
    }

    /** The first position at half of the load or more at which the demand changes; else the last before that. */
    private static int half(List<LoadCell> sorted, int r) {
        double load = sorted.stream().mapToDouble(LoadCell::load).sum();
        double below = 0;
        int before = 1;
        for (int i = 1; i < sorted.size(); i++) {
            below += sorted.get(i - 1).load();
            if (sorted.get(i).most()[r] > sorted.get(i - 1).most()[r]) {
                before = i;
                if (2 * below >= load) {
                    return i;
                }
            }
        }
        return before;
    }

    /** The classes: cells of the componentwise least and most demand. */
    List<LoadCell> classes() {
        List<LoadCell> classes = new ArrayList<>();
        parts.stream()
                .sorted(Comparator.comparingInt(part -> part.number))
                .forEach(part -> classes.add(new LoadCell(
                        part.least, part.most, part.load, part.cells.get(0).kind())));
        return classes;
    }

    /** A class. */
    private final class Part {
        final List<LoadCell> cells;
        final int number;
        final long[] least;
        final long[] most;
        final double load;
        final double cost;
        final int widest;

        Part(List<LoadCell> cells, int number) {
            this.cells = cells;
            this.number = number;
            this.least = cells.get(0).least().clone();
            this.most = cells.get(0).most().clone();
            double sum = 0;
            for (LoadCell cell : cells) {
                sum += cell.load();
                for (int r = 0; r < least.length; r++) {
                    least[r] = Math.min(least[r], cell.least()[r]);
                    most[r] = Math.max(most[r], cell.most()[r]);
                }
            }
            int wide = 0;
            double width = 0;
            for (int r = 0; r < least.length; r++) {
                width += width(r);
                wide = width(r) > width(wide) ? r : wide;
            }
            this.load = sum;
            this.widest = wide;
            this.cost = sum * width;
        }

        private double width(int r) {
            return (most[r] - least[r]) * scale[r];
        }
    }
}
