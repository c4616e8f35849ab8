package dev.stowage.sim.trace;

import dev.stowage.core.model.ResourceWords;
import dev.stowage.core.model.Spelling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** Units of the columns of a user's own table. */
final class OwnUnits {
    /** The name says that it is about disks. */
    private static final Pattern DISK =
            Pattern.compile("disk|storage|\\b(ssd|hdd|san|nas|vmdk)\\b|space|volume|datastore"
                    + "|platte|speicherplatz|disque|stockage|espace|disco|almacenamiento|espacio|armazenamento|espaco"
                    + "|archiviazione|spazio|schijf|opslag|ruimte|uloziste|dysk|masowa|przestrzen|lagring|utrymme");
    /** So does a name without a word for memory: RVTools' Provisioned MiB, In Use MiB and Unshared MiB are of disks. */
    private static final Pattern AMOUNT = Pattern.compile("provision|\\bin use\\b|unshared|capacity|data|backup"
            + "|bereitgestellt|belegt|verwendet|kapazitat|capacite|capacidad");

    private static final Pattern GIGABYTES = Pattern.compile("\\b([gm]i?b|[gm]o)$");

    private static final Map<String, Unit> TIME = new LinkedHashMap<>();
    private static final Map<String, Unit> PROCESSORS = new LinkedHashMap<>();
    private static final Map<String, Unit> DEVICES = new LinkedHashMap<>();
    private static final Map<String, Unit> BYTES = new LinkedHashMap<>();
    /** Endings of column names, and the unit that each means. */
    private static final Map<String, String> TIME_ENDINGS = new LinkedHashMap<>();

    private static final Map<String, String> PROCESSOR_ENDINGS =
            Map.of("milli", "milli", "millicores", "milli", "m", "milli");
    private static final Map<String, String> BYTE_ENDINGS = new LinkedHashMap<>();
    /** The most memory that a processor has. */
    static final int MOST_MIB_PER_CPU = 256 * 1024;

    /** The unit of whole GPUs. */
    static final String GPUS = "GPUs";

    /** From this length on, one wrong letter does not make another unit of a name. */
    private static final int SURE = 5;

    /** A value times {@code factor} over {@code divisor} is in nanoseconds, thousandths or MiB. */
    record Unit(long factor, long divisor) {}

    static {
        TIME.put("ns", new Unit(1, 1));
        TIME.put("us", new Unit(1_000, 1));
        TIME.put("ms", new Unit(1_000_000, 1));
        TIME.put("s", new Unit(1_000_000_000L, 1));
        TIME.put("min", new Unit(60_000_000_000L, 1));
        TIME.put("h", new Unit(3_600_000_000_000L, 1));
        TIME.put("d", new Unit(86_400_000_000_000L, 1));
        PROCESSORS.put("cores", new Unit(1000, 1));
        PROCESSORS.put("milli", new Unit(1, 1));
        DEVICES.put(GPUS, new Unit(1000, 1));
        // As earlier releases called both.
        DEVICES.putAll(PROCESSORS);
        long mebi = 1 << 20;
        BYTES.put("B", new Unit(1, mebi));
        // GB is GiB wherever it stands, as machines are sold.
        for (String i : List.of("i", "")) {
            BYTES.put((i.isEmpty() ? "k" : "K") + i + "B", new Unit(1, 1024));
            BYTES.put("M" + i + "B", new Unit(1, 1));
            BYTES.put("G" + i + "B", new Unit(1024, 1));
            BYTES.put("T" + i + "B", new Unit(1024 * 1024, 1));
        }
        endings(TIME_ENDINGS, "ns", "ns nanos nanoseconds");
        endings(TIME_ENDINGS, "us", "us micros microseconds");
        endings(TIME_ENDINGS, "ms", "ms millis milliseconds msec");
        endings(TIME_ENDINGS, "s", "s sec secs seconds");
        endings(TIME_ENDINGS, "min", "min mins minutes");
        endings(TIME_ENDINGS, "h", "h hr hrs hours");
        endings(TIME_ENDINGS, "d", "d days");
        endings(BYTE_ENDINGS, "B", "b bytes byte");
        endings(BYTE_ENDINGS, "KiB", "kb kib ko kbyte kbytes");
        endings(BYTE_ENDINGS, "MiB", "mb mib mo mbyte mbytes");
        endings(BYTE_ENDINGS, "GiB", "gb gib go gbyte gbytes");
        endings(BYTE_ENDINGS, "TiB", "tb tib to tbyte tbytes");
    }

    private OwnUnits() {}

    private static void endings(Map<String, String> map, String unit, String names) {
        for (String name : names.split(" ", -1)) {
            map.put(name, unit);
        }
    }

    private static Map<String, Unit> of(String meaning) {
        return switch (meaning) {
            case "arrival", "start", "end", "duration", "max_wait", "expected" -> TIME;
            case "cpu" -> PROCESSORS;
            case "gpu" -> DEVICES;
            case "mem", "disk" -> BYTES;
            default -> Map.of();
        };
    }

    static boolean known(String meaning, String unit) {
        return of(meaning).containsKey(unit);
    }

    static String list(String meaning) {
        return of(meaning).isEmpty()
                ? "none (the unit is in its name)"
                : String.join(", ", of(meaning).keySet());
    }

    static Unit unit(String meaning, String unit) {
        return Objects.requireNonNull(of(meaning).get(unit), unit);
    }

    private static Map<String, String> endings(String meaning) {
        return OwnColumns.TIMES.contains(meaning)
                ? TIME_ENDINGS
                : List.of("cpu", "gpu").contains(meaning)
                        ? PROCESSOR_ENDINGS
                        : List.of("mem", "disk").contains(meaning) ? BYTE_ENDINGS : Map.of();
    }

    /** The unit that an ending means, also one of five letters and more with one wrong; empty if none. */
    static String atEndOfName(String meaning, String ending) {
        Map<String, String> known = endings(meaning);
        String exact = known.get(ending);
        return exact != null
                ? exact
                : known.entrySet().stream()
                        .filter(each -> each.getKey().length() >= SURE && Spelling.isNear(ending, each.getKey()))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse("");
    }

    /** Whether an ending means a unit only with one of its letters corrected. */
    static boolean misspelt(String meaning, String ending) {
        return !endings(meaning).containsKey(ending)
                && !atEndOfName(meaning, ending).isEmpty();
    }

    /** The unit at the end of a name, long ones also misspelt; empty where there is none. */
    static String ofName(String meaning, String column) {
        if (column.equals("# Memory") && meaning.equals("mem")) {
            // RVTools, of a host.
            return "MiB";
        }
        String name = ColumnNames.words(column, "_");
        String last = name.substring(name.lastIndexOf('_') + 1);
        return name.contains("_") || last.equals("millicores") ? atEndOfName(meaning, last) : "";
    }

    /** The unit that a name says, or who wrote the table: RVTools counts memory in MiB. */
    static String ofName(List<String> header, String meaning, String name) {
        boolean listed = name.equals("Memory") && header.containsAll(List.of("VM", "CPUs", "Powerstate"));
        return listed && meaning.equals("mem") ? "MiB" : ofName(meaning, name);
    }

    /** What memory in Slurm's form is of: c of each core, n of each server; empty where it is of the whole. */
    static String slurm(String after) {
        return after.length() == 2 && after.matches("[KMGT][cn]") ? after.substring(1) : "";
    }

    /** The unit that stands after a value, as in 4Gi, 500m, 12 h; empty if it is none. */
    static String after(String meaning, String text) {
        String word = text.toLowerCase(Locale.ROOT);
        if (text.equals("m")) {
            return OwnColumns.TIMES.contains(meaning)
                    ? "min"
                    : List.of("cpu", "gpu").contains(meaning) ? "milli" : "MiB";
        }
        if (of(meaning) == BYTES && word.matches("[kmgt]i?")) {
            return atEndOfName(meaning, word.charAt(0) + "ib");
        }
        if (List.of("cpu", "gpu").contains(meaning) && word.matches("v?(cpus?|cores?)|gpus?")) {
            return meaning.equals("gpu") ? GPUS : "cores";
        }
        String unit = endings(meaning).get(word);
        String plural = endings(meaning).get(word + "s");
        return unit != null ? unit : plural != null ? plural : "";
    }

    /** Whether memory in this unit is a whole number wherever machines are listed. */
    static boolean isWhole(String meaning, String unit) {
        return meaning.equals("mem") && List.of("B", "kB", "KiB", "MB", "MiB").contains(unit);
    }

    /** Whether what stands in place of a unit is a pattern of dates. */
    static boolean isPattern(String unit) {
        return unit.contains("y") && unit.contains("M") && unit.contains("d");
    }

    /** The unit of memory beside so many processors: the usual one, unless another alone is plausible. */
    static String memoryBeside(double processors, double value, String usual) {
        double cores = processors >= 250 ? processors / 1000 : processors;
        if (cores <= 0 || value <= 0 || isPlausible(cores, value, usual)) {
            return usual;
        }
        return List.of("GiB", "MiB", "KiB", "B").stream()
                .filter(unit -> isPlausible(cores, value, unit))
                .findFirst()
                .orElse(usual);
    }

    /** Whether a processor has from 64 MiB to 256 GiB. */
    static boolean isPlausible(double cores, double value, String unit) {
        Unit its = unit("mem", unit);
        return isPlausible(value * its.factor() / its.divisor() / cores);
    }

    private static boolean isPlausible(double mebi) {
        return mebi >= 64 && mebi <= MOST_MIB_PER_CPU;
    }

    /** The usual unit for values of this size, if no name gives one. */
    static String usual(String meaning, double value) {
        return switch (meaning) {
            case "mem", "disk" -> value >= 1 << 24 ? "B" : value >= 256 ? "MiB" : "GiB";
            case "cpu", "gpu" -> value >= 250 ? "milli" : meaning.equals("gpu") ? GPUS : "cores";
            // For a clock that counts since 1970, the size of the value shows its unit.
            case "duration", "max_wait", "expected" -> "s";
            default -> value >= 1e17 ? "ns" : value >= 1e14 ? "us" : value >= 1e11 ? "ms" : "s";
        };
    }

    /**
     * What memory in a wrong unit looks like: hardly any, or far too much, for each processor; and what has none. The
     * limits are those between which units are guessed ({@link #isPlausible}).
     */
    static final class MemoryPerCpu {
        /** So many are named that have none. */
        private static final int FIRST = 3;

        private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");

        private final Kind little = new Kind();
        private final Kind much = new Kind();
        private final List<String> nothing = new ArrayList<>();
        private long without;
        private long all;

        private static final class Kind {
            private long rows;
            private long milli;
            private long mib;
            private String name = "";
        }

        /** So many requests or servers, and how they are called; empty if they have no name. */
        void add(String name, long count, long milli, long mib) {
            if (milli <= 0 || mib <= 0) {
                without += count;
                if (nothing.size() < FIRST) {
                    nothing.add((name.isEmpty() ? "" : name + ", ") + ResourceWords.amount("cpu_milli", milli) + " / "
                            + ResourceWords.amount("mem_mib", mib));
                }
                return;
            }
            all++;
            double cores = milli / 1000.0;
            if (!isPlausible(mib / cores)) {
                Kind kind = mib < cores * MOST_MIB_PER_CPU ? little : much;
                if (kind.rows++ == 0) {
                    kind.milli = milli;
                    kind.mib = mib;
                    kind.name = name;
                }
            }
        }

        /**
         * Warnings, at most one for what has none of one of both, and one for each direction.
         *
         * @param what things are called that were added
         * @param seldom whether so little is a mistake even where not most have it
         * @param option that names columns
         * @param column of the memory
         * @param unit in which it was read; one after a value takes precedence
         */
        List<String> warnings(String what, boolean seldom, String option, String column, String unit) {
            List<String> found = new ArrayList<>();
            if (without > 0 && seldom) {
                found.add(String.format(
                        Locale.ROOT,
                        "%,d %s no CPU or no memory: %s%s. Is it missing in the list?",
                        without,
                        without == 1 ? what.replaceFirst("s$", "") + " has" : what + " have",
                        String.join("; ", nothing),
                        without > nothing.size() ? "; and more" : ""));
            }
            if (little.rows > 0 && (seldom || 2 * little.rows > all)) {
                found.add(text(little, "less than 64 MiB", what, option, column, unit));
            }
            if (much.rows > 0) {
                found.add(text(much, "more than 256 GiB", what, option, column, unit));
            }
            return found;
        }

        private String text(Kind kind, String amount, String what, String option, String column, String unit) {
            String meant = UNITS.stream()
                    .filter(each -> isPlausible(kind.milli / 1000.0, asRead(kind.mib, unit), each))
                    .reduce((one, other) -> kind == little ? one : other)
                    .orElse("");
            return String.format(
                    Locale.ROOT,
                    "%,d of %,d %s %s %s of memory for each CPU, the first %s%s / %s: %s",
                    kind.rows,
                    all,
                    what,
                    kind.rows == 1 ? "has" : "have",
                    amount,
                    kind.name.isEmpty() ? "" : kind.name + ", ",
                    ResourceWords.amount("cpu_milli", kind.milli),
                    ResourceWords.amount("mem_mib", kind.mib),
                    meant.isEmpty() || 2 * kind.rows < all
                            ? "is the unit right there? One after the value takes precedence, as in 16 GiB"
                            : "if column " + column + " is in " + meant + ", say so with " + option + " \"mem=" + column
                                    + ":" + meant + "\"");
        }

        private static double asRead(long mib, String unit) {
            Unit its = unit("mem", unit.isEmpty() ? "MiB" : unit);
            return (double) mib * its.divisor() / its.factor();
        }
    }

    /** Memory after all, as in "memory space" and "espace mémoire"; but "memoria de disco" is of a disk. */
    private static final Pattern MEMORY = Pattern.compile(
            "^(?!.*(disk|disco|disque)).*\\b(ram|memory|memoire|memoria|arbeitsspeicher|hauptspeicher)\\b");

    /** The columns that are not about disks. */
    static List<String> notOfDisks(List<String> header) {
        List<String> others = without(DISK, header);
        return header.stream()
                .filter(column -> others.contains(column)
                        || MEMORY.matcher(ColumnNames.words(column, " ")).find())
                .toList();
    }

    /** Of these, those of which only the unit says that they may be memory. */
    static List<String> maybeMemory(List<String> header) {
        return ColumnNames.with(GIGABYTES, without(AMOUNT, header));
    }

    private static List<String> without(Pattern word, List<String> header) {
        return header.stream()
                .filter(column -> !word.matcher(ColumnNames.words(column, " ")).find())
                .toList();
    }
}
