package dev.stowage.study.size;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How full servers are, by day and hour: of the resource that is fullest over all the time.
 *
 * @param resource its name
 * @param days of the run; where there are more than seven, rows are means over the weeks
 * @param part by row and hour of the day, of all capacity in use; 0 behind the end of the run
 */
public record Week(String resource, int days, double[][] part) {
    private static final int HOURS = 24;
    private static final int DAYS = 7;

    /** Of parts by resource and hour. */
    static Week of(List<String> resources, double[][] parts) {
        int fullest = IntStream.range(0, parts.length)
                .boxed()
                .max((a, b) -> Double.compare(
                        Arrays.stream(parts[a]).sum(), Arrays.stream(parts[b]).sum()))
                .orElse(0);
        double[] hours = parts[fullest];
        int days = (hours.length + HOURS - 1) / HOURS;
        double[][] part = new double[Math.max(1, Math.min(DAYS, days))][HOURS];
        int[][] seen = new int[part.length][HOURS];
        for (int h = 0; h < hours.length; h++) {
            int row = h / HOURS % DAYS;
            part[row][h % HOURS] += hours[h];
            seen[row][h % HOURS]++;
        }
        for (int row = 0; row < part.length; row++) {
            for (int h = 0; h < HOURS; h++) {
                part[row][h] /= Math.max(1, seen[row][h]);
            }
        }
        return new Week(resources.get(fullest), days, part);
    }

    /** Names of the rows: days from the start. */
    public List<String> rows() {
        return IntStream.rangeClosed(1, part.length)
                .mapToObj(day -> days > DAYS ? "day " + day + " of the week" : "day " + day)
                .toList();
    }

    /** Greatest part. */
    public double most() {
        return Arrays.stream(part).flatMapToDouble(Arrays::stream).max().orElse(0);
    }
}
