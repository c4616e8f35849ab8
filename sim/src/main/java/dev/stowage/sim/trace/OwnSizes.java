package dev.stowage.sim.trace;

import dev.stowage.core.model.Spelling;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the sizes of a catalogue hold: flavours, instance types. The catalogue is any list of servers. */
final class OwnSizes {
    /** Google Cloud's sizes that are made to measure say what they hold. */
    private static final Pattern CUSTOM = Pattern.compile("(\\w+-)?custom-(?<cpu>\\d{1,4})-(?<mib>\\d{1,9})(-ext)?");

    private final String file;
    private final List<String> resources;
    private final Map<String, List<Long>> byName = new HashMap<>();

    OwnSizes(Path file) {
        this.file = file.toString();
        ServerList catalogue = new TableReader<ServerFormat, ServerFormat.Mapper>(
                        List.of(new OwnServersFormat(true)),
                        ReadOptions.defaults().withFormat(OwnFormat.KEY),
                        Documents.Purpose.SERVERS)
                .read(
                        List.of(file),
                        ServerFormat::mapper,
                        mapper -> mapper.servers().servers())
                .mapper()
                .servers()
                .build();
        resources = catalogue.resources();
        for (ServerList.Block block : catalogue.blocks()) {
            if (block.names().isEmpty()) {
                throw TraceException.of(
                        file, "is not a catalog of sizes: each row needs a name of its own, such as m5.large");
            }
            block.names().forEach(name -> byName.put(name.toLowerCase(Locale.ROOT), block.capacity()));
        }
    }

    /** Resources of which the sizes have amounts, as meanings of columns. */
    List<String> meanings() {
        return OwnColumns.AMOUNTS.stream()
                .filter(meaning ->
                        List.of("cpu", "mem").contains(meaning) && resources.contains(OwnColumns.resource(meaning)))
                .toList();
    }

    /** Amount of a resource that the size named in a field holds; the end of a path is its name. */
    long amount(Fields row, int column, String meaning) {
        String text = row.text(column).strip();
        String name = text.substring(text.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        @Nullable List<Long> size = byName.get(name);
        Matcher custom = CUSTOM.matcher(name);
        if (size == null && custom.matches()) {
            return meaning.equals("cpu")
                    ? 1000 * Long.parseLong(custom.group("cpu"))
                    : Long.parseLong(custom.group("mib"));
        }
        if (size == null) {
            String near = byName.keySet().stream()
                    .filter(each -> Spelling.isNear(name, each))
                    .sorted()
                    .findFirst()
                    .map(each -> " (did you mean '" + each + "'?)")
                    .orElse("");
            throw row.bad(column, "is not a size of " + file + near, "one of its " + byName.size() + " names");
        }
        return size.get(resources.indexOf(OwnColumns.resource(meaning)));
    }
}
