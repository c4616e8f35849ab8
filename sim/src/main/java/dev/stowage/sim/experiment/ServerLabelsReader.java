package dev.stowage.sim.experiment;

import dev.stowage.core.model.Labels;
import dev.stowage.core.model.ServerBlock;
import dev.stowage.sim.measure.PricesInUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Names and labels of a block of servers: {@code name} (numbered if there are several servers) or {@code names},
 * {@code labels}.
 */
final class ServerLabelsReader {
    private ServerLabelsReader() {}

    /** The block with the names and labels that it is given. */
    static ServerBlock of(ServerBlock plain, YamlFields block) {
        List<String> names = names(plain.count(), block);
        Labels labels = labels(block.at("labels"));
        try {
            return new ServerBlock(plain.count(), plain.capacity(), names, labels);
        } catch (IllegalArgumentException e) {
            block.problem(String.valueOf(e.getMessage()));
            return plain;
        }
    }

    private static List<String> names(int count, YamlFields block) {
        if (block.has("name") && block.has("names")) {
            block.at("names").problem("give either name or names");
        }
        List<String> names = new ArrayList<>();
        if (block.has("name")) {
            String name = block.at("name").text("");
            IntStream.range(0, count)
                    .mapToObj(k -> count == 1 ? name : name + "-" + k)
                    .forEach(names::add);
        } else {
            block.at("names").elements().forEach(name -> names.add(name.text("")));
        }
        if (names.stream().anyMatch(name -> name.matches("\\d+"))) {
            block.problem("a server's name must not be digits only: those are numbers of servers");
        }
        return names;
    }

    private static Labels labels(YamlFields at) {
        if (!at.present() || !at.isObject("{gpu: V100, zone: a}")) {
            return Labels.NONE;
        }
        Map<String, String> values = new TreeMap<>();
        for (String key : at.keys()) {
            values.put(key, at.at(key).text(""));
        }
        try {
            Labels labels = Labels.of(values);
            PricesInUse.of(labels);
            return labels;
        } catch (IllegalArgumentException e) {
            at.problem(String.valueOf(e.getMessage()));
            return Labels.NONE;
        }
    }
}
