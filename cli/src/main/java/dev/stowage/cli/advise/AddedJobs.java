package dev.stowage.cli.advise;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.ServerArgument;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The jobs of {@code --add}.
 *
 * @param jobs number of jobs
 * @param amounts per resource as it was written ({@code cpu}, {@code memory}, {@code disk}, {@code gpu}, or a name) the
 *     amount of one: cores, bytes, or what the resource counts
 */
public record AddedJobs(long jobs, Map<String, BigDecimal> amounts) {
    private static final Pattern AMOUNT = Pattern.compile("([\\d.]+)\\s*([a-zA-Z]*)");
    private static final String UNITS = "kmgtp";
    private static final int STEP = 10;
    private static final int MOST_JOBS = 1_000_000;

    /** What {@code --add} says. */
    public static AddedJobs parse(String text) {
        JsonNode blocks = ServerArgument.parse("--add", text, text);
        if (blocks.size() != 1) {
            throw new BadInputException("--add \"" + text + "\": one shape at a time, as in \"40 x 2 cores, 4 GiB\"");
        }
        Map<String, BigDecimal> amounts = new LinkedHashMap<>();
        long jobs = blocks.get(0).path("count").asLong();
        if (jobs < 1 || jobs > MOST_JOBS) {
            throw new BadInputException("--add \"" + text + "\": " + jobs + " jobs, must be 1 to " + MOST_JOBS);
        }
        blocks.get(0).properties().forEach(field -> {
            if (!field.getKey().equals("count")) {
                amounts.put(field.getKey(), amount(text, field.getValue().asText()));
            }
        });
        return new AddedJobs(jobs, amounts);
    }

    private static BigDecimal amount(String all, String text) {
        Matcher parts = AMOUNT.matcher(text.strip());
        try {
            if (parts.matches()) {
                BigDecimal number = new BigDecimal(parts.group(1));
                String unit = parts.group(2).toLowerCase(Locale.ROOT);
                if (unit.isEmpty() || unit.matches("cores?|v?cpus?|gpus?")) {
                    return number;
                }
                if (unit.equals("m")) {
                    return number.movePointLeft(3);
                }
                int power = UNITS.indexOf(unit.charAt(0)) + 1;
                if (unit.matches("[kmgtp]ib")) {
                    return number.multiply(BigDecimal.valueOf(1L << (STEP * power)));
                }
                if (unit.matches("[kmgtp]b")) {
                    return number.scaleByPowerOfTen(3 * power);
                }
            }
        } catch (NumberFormatException e) {
            throw new BadInputException("--add \"" + all + "\": '" + text + "' is not an amount", e);
        }
        throw new BadInputException(
                "--add \"" + all + "\": '" + text + "' is not an amount, such as 2 cores, 500 m or 4 GiB");
    }

    /**
     * Whole amounts, rounded up.
     *
     * @param resources the resources of the cluster
     * @param unit for a resource as written: its name in the cluster, and how many of its units are one of the written
     */
    public long[] demand(List<String> resources, BiFunction<String, List<String>, Map.Entry<String, BigDecimal>> unit) {
        long[] demand = new long[resources.size()];
        amounts.forEach((written, amount) -> {
            Map.Entry<String, BigDecimal> one = unit.apply(written, resources);
            int at = resources.indexOf(one.getKey());
            if (at < 0) {
                throw new BadInputException("--add: the cluster has no resource '" + one.getKey() + "', it has "
                        + String.join(", ", resources));
            }
            demand[at] = amount.multiply(one.getValue())
                    .setScale(0, RoundingMode.CEILING)
                    .longValue();
        });
        return demand;
    }
}
